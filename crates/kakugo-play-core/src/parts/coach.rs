//! The coach: warns of threats before a move, speaks of mistakes after one, and explains the game.
//!
//! After a move of the player, a search looks for a mistake. A computer's answer is held for a
//! moment meanwhile, so that the player can take the move back before it. On the player's turn
//! another search finds out what the player should see.

use std::time::Duration;

use kakugo::board::{Board, Point, Side};
use kakugo_record::tree::NodeId;

use crate::commands::CoachSetting;
use crate::game::live::LiveGame;
use crate::game::setup::PlayerKind;
use crate::insight::{Mistake, MistakeSize, Outlook, Plan, PlanKind};
use crate::jobs::{Job, JobId};

/// The time for which a computer's answer is held for the search for a mistake.
pub const PATIENCE: Duration = Duration::from_millis(400);

/// The coach.
#[derive(Default)]
pub struct Coach {
    setting: CoachSetting,
    explains: bool,
    /// The search under way.
    run: Option<(JobId, Task)>,
    /// The player's latest move, which has not been judged yet.
    unjudged: Option<PlayedMove>,
    /// The version of the position whose outlook is known.
    seen: Option<u64>,
    /// The latest message.
    says: Option<Said>,
    /// True if it has spoken of a mistake or a threat, or explained, in the game on the board.
    has_spoken: bool,
}

/// A move of the player.
#[derive(Clone, Debug)]
struct PlayedMove {
    before: Board,
    point: Point,
    node: NodeId,
}

/// A search of the coach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// The outlook of the position of this version.
    Outlook(u64),
    /// Whether the move of this node is a mistake.
    Mistake(NodeId),
}

/// A message of the coach.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// The player's latest move is a mistake.
    Mistake {
        /// The mistake.
        mistake: Mistake,
        /// True if the computer waits for the player's decision.
        waits: bool,
    },
    /// The other side threatens to win.
    Threat(Plan),
    /// An explanation for a first game.
    Lesson(Lesson),
}

/// An explanation of the position for somebody who plays for the first time.
#[derive(Clone, PartialEq, Debug)]
pub enum Lesson {
    /// The board is empty.
    Start(Side),
    /// The player can win at once, or by an open four.
    CanWin(Plan),
    /// The other side threatens to win, and can be stopped at these points.
    MustStop(Plan, Vec<Point>),
    /// The other side wins whatever is played.
    CannotStop(Plan),
    /// The player can make an open three at these points.
    CanThreaten(Side, Vec<Point>),
    /// Nothing of that.
    YourTurn,
    /// The game has ended with this winner.
    Over {
        /// The winner; `None` for a draw.
        winner: Option<Side>,
        /// True if the player has won.
        is_won: bool,
    },
}

impl Lesson {
    /// Returns true if the side with the plan `win` wins before the other one with `threat`.
    fn comes_first(win: &Plan, threat: Option<&Plan>) -> bool {
        win.line.len() <= 3
            && (win.kind == PlanKind::Five
                || threat.is_none_or(|threat| threat.kind != PlanKind::Five))
    }

    /// Returns the explanation of a position in which it is the player's turn.
    fn of(board: &Board, outlook: Outlook) -> Lesson {
        let own = board.side_to_move();
        let Outlook { win, threat, defences, threes } = outlook;
        match (win, threat) {
            (Some(win), threat) if Lesson::comes_first(&win, threat.as_ref()) => {
                Lesson::CanWin(win)
            }
            (_, Some(threat)) if defences.is_empty() && threat.kind == PlanKind::Five => {
                Lesson::CannotStop(threat)
            }
            (_, Some(threat)) if !defences.is_empty() => Lesson::MustStop(threat, defences),
            _ if board.stones().len() == 0 => Lesson::Start(own),
            _ if !threes.is_empty() => Lesson::CanThreaten(own, threes),
            _ => Lesson::YourTurn,
        }
    }
}

impl Coach {
    /// Sets what the coach does.
    pub fn set(&mut self, setting: CoachSetting, explains: bool) {
        if (self.setting, self.explains) != (setting, explains) {
            (self.setting, self.explains) = (setting, explains);
            (self.seen, self.says) = (None, None);
        }
    }

    /// Returns the setting.
    pub fn setting(&self) -> CoachSetting {
        self.setting
    }

    /// Returns the smallest mistakes of which the coach speaks in this game.
    pub fn size(&self, game: &LiveGame) -> Option<MistakeSize> {
        let size = match self.setting {
            CoachSetting::Off => return None,
            CoachSetting::Large => MistakeSize::Large,
            CoachSetting::Medium => MistakeSize::Medium,
            CoachSetting::Small => MistakeSize::Small,
        };
        // Who wants explanations wants them against Kakugo.
        let is_wanted = !self.explains || is_against_kakugo(game);
        (is_for_people(game) && is_wanted).then_some(size)
    }

    /// Returns true if the coach explains this game: a human against Kakugo.
    pub fn explains(&self, game: &LiveGame) -> bool {
        self.explains && is_for_people(game) && is_against_kakugo(game)
    }

    /// Returns true if the coach speaks of mistakes or explains.
    pub fn watches(&self, game: &LiveGame) -> bool {
        self.size(game).is_some() || self.explains(game)
    }

    /// Returns what the coach says.
    pub fn says(&self) -> Option<&Said> {
        self.says.as_ref()
    }

    /// Returns true if it has spoken of a mistake or a threat, or explained, in the game on the
    /// board.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Another game is on the board, in which it may have spoken before.
    pub fn game_replaced(&mut self, has_spoken: bool) {
        self.interrupt();
        self.has_spoken = has_spoken;
    }

    /// Returns the job of the search under way.
    pub fn job(&self) -> Option<JobId> {
        self.run.as_ref().map(|(job, _)| *job)
    }

    /// Returns true while the player's latest move is not judged.
    pub fn is_judging(&self) -> bool {
        self.unjudged.is_some()
    }

    /// The player has made the latest move of this game. `before` is the position before it.
    pub fn moved(&mut self, before: Board, point: Point, game: &LiveGame) {
        self.interrupt();
        if self.size(game).is_some() {
            self.unjudged = Some(PlayedMove { before, point, node: game.node() });
        }
    }

    /// A command has changed the position: what was said and asked is over.
    pub fn interrupt(&mut self) {
        (self.says, self.unjudged) = (None, None);
    }

    /// Nobody is here: the latest move is not judged any more.
    pub fn rest(&mut self) {
        self.unjudged = None;
    }

    /// Closes what the coach says, and returns true if the computer has waited for that.
    pub fn close(&mut self) -> bool {
        matches!(self.says.take(), Some(Said::Mistake { waits: true, .. }))
    }

    /// The board shows another position, or its game has ended: searches that nobody needs are
    /// forgotten. `version` is that of the position if the player to move has an outlook to learn.
    /// Returns the job to be stopped.
    pub fn settle(&mut self, game: &LiveGame, version: Option<u64>) -> Option<JobId> {
        if !self.watches(game) {
            self.says = None;
        }
        self.unjudged.take_if(|played| !is_latest(game, played.node));
        if self.size(game).is_none() {
            self.unjudged = None;
        }
        let is_wanted = |task: Task| match task {
            Task::Outlook(of) => version == Some(of),
            Task::Mistake(node) => self.unjudged.as_ref().is_some_and(|played| played.node == node),
        };
        let (job, _) = self.run.take_if(|(_, task)| !is_wanted(*task))?;
        Some(job)
    }

    /// Returns the next job, under this number, if there is one and none runs.
    pub fn next_job(&mut self, game: &LiveGame, version: Option<u64>, id: JobId) -> Option<Job> {
        if self.run.is_some() {
            return None;
        }
        let (task, job) = match (&self.unjudged, self.size(game), version) {
            (Some(played), Some(size), _) => {
                let before = Box::new(played.before.clone());
                let job = Job::Mistake { before, played: played.point, size };
                (Task::Mistake(played.node), job)
            }
            (_, _, Some(version)) if self.seen != Some(version) => {
                (Task::Outlook(version), Job::Outlook { board: Box::new(game.board().clone()) })
            }
            _ => return None,
        };
        self.run = Some((id, task));
        Some(job)
    }

    /// The search for a mistake has ended. `can_wait` is true if the computer has not answered.
    /// Returns true if it should wait.
    pub fn judged(&mut self, mistake: Option<Mistake>, can_wait: bool) -> bool {
        self.run = None;
        let was_awaited = self.unjudged.take().is_some();
        let Some(mistake) = mistake.filter(|_| was_awaited) else { return false };
        self.says = Some(Said::Mistake { mistake, waits: can_wait });
        self.has_spoken = true;
        can_wait
    }

    /// The outlook of the position is known. A mistake that was mentioned stays.
    pub fn learned(&mut self, game: &LiveGame, outlook: Outlook) {
        if let Some((_, Task::Outlook(version))) = self.run.take() {
            self.seen = Some(version);
        }
        if matches!(self.says, Some(Said::Mistake { .. })) {
            return;
        }
        self.says = if self.explains(game) {
            Some(Said::Lesson(Lesson::of(game.board(), outlook)))
        } else {
            // Who can win first needs no warning.
            let Outlook { win, threat, .. } = outlook;
            let wins = win.is_some_and(|win| Lesson::comes_first(&win, threat.as_ref()));
            threat.filter(|plan| plan.line.len() <= 3 && !wins).map(Said::Threat)
        };
        self.has_spoken |= self.says.is_some();
    }

    /// The search under way has failed.
    pub fn job_failed(&mut self) {
        match self.run.take() {
            Some((_, Task::Outlook(version))) => self.seen = Some(version),
            Some((_, Task::Mistake(_))) => self.unjudged = None,
            None => {}
        }
    }

    /// The game has ended: a first game is explained to its end.
    pub fn game_over(&mut self, game: &LiveGame) {
        let is_known =
            matches!(self.says, Some(Said::Mistake { .. } | Said::Lesson(Lesson::Over { .. })));
        if let Some(end) = game.end().filter(|_| self.explains(game) && !is_known) {
            let winner = end.winner();
            let human = |side| game.setup().seats[game.seat_of(side)].player == PlayerKind::Human;
            let is_won = winner.is_some_and(human);
            self.says = Some(Said::Lesson(Lesson::Over { winner, is_won }));
        }
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self, game: &LiveGame) {
        if let Some((_, Task::Mistake(node))) = self.run {
            assert!(self.unjudged.as_ref().is_some_and(|played| played.node == node));
        }
        assert!(self.watches(game) || (self.says.is_none() && self.run.is_none()));
    }
}

/// Returns true if a game is one that the coach understands: five in a row.
fn is_for_people(game: &LiveGame) -> bool {
    game.setup().variant.win_length() == 5
}

/// Returns true if a human plays against Kakugo.
fn is_against_kakugo(game: &LiveGame) -> bool {
    let seats = &game.setup().seats;
    let is = |wanted: fn(PlayerKind) -> bool| seats.iter().any(|seat| wanted(seat.player));
    is(|player| player == PlayerKind::Human) && is(|player| matches!(player, PlayerKind::Kakugo(_)))
}

/// Returns true if a node is the player's latest move: nobody but a computer has moved since.
fn is_latest(game: &LiveGame, node: NodeId) -> bool {
    let line = &game.nodes()[..game.at()];
    let since = line.iter().rev().take_while(|&&later| later != node);
    let is_computer = |&later: &NodeId| {
        let seat = game.tree().value(later).step.map(|step| step.seat);
        seat.is_some_and(|seat| game.setup().seats[seat].player.is_computer())
    };
    line.contains(&node) && since.clone().all(is_computer) && since.count() <= 1
}
