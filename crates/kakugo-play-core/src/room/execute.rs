//! Commands, executed.

use std::time::Duration;

use kakugo::board::Point;
use kakugo_record::analysis::puzzle::WinKind;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use super::Room;
use crate::commands::{Command, GuestJson};
use crate::decisions::MoveRequest;
use crate::event::{ClientId, Effect, Recipient, StorageRequest};
use crate::game::live::Action;
use crate::game::live::LiveGame;
use crate::game::opening::OpeningChoice;
use crate::game::pairing::Pairing;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::game::wording;
use crate::insight::{Idea, Plan};
use crate::jobs::{Job, JobResult};
use crate::messages::Message;
use crate::now::{Now, Time};
use crate::parts::board_search::Purpose;
use crate::parts::hints::Hint;
use crate::parts::practice::MAX_GAMES;
use crate::parts::seats::{Person, name_people};
use crate::views;

/// The longest time before a computer's move is played.
const MAX_ANSWER_PAUSE: Duration = Duration::from_secs(10);

/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The consequence of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// Nothing that clients see: an answer follows later, or was sent to the client.
    None,
    /// The state, but not the position.
    State,
    /// The position.
    Position,
}

/// Returns an error unless both players are human.
pub(super) fn ensure_people(setup: &Setup) -> Result<(), Text> {
    let is_computer = |seat: &Seat| seat.player.is_computer();
    let error = || text!("Both players must be human if a guest is invited.");
    if setup.seats.iter().any(is_computer) { Err(error()) } else { Ok(()) }
}

impl Room {
    /// The search of the position has a result.
    pub(super) fn finished(&mut self, result: JobResult, now: Time) -> Change {
        match result {
            JobResult::Move(decision) => {
                if let Some(notice) = self.active.carry_out(decision, now) {
                    self.notice = Some(notice);
                }
                Change::Position
            }
            JobResult::Hint { actions, idea } => {
                match actions.first() {
                    Some(&Action::Stone(p) | &Action::Choose(OpeningChoice::Offer(p)))
                        if self.game().board().is_empty(p) =>
                    {
                        let all = self.shows_all_of_hint;
                        let idea = idea.map(|idea| *idea);
                        self.analysis.set_hint(Hint::new(self.game().board(), p, idea, all));
                    }
                    Some(&Action::Choose(choice)) => {
                        let choice = wording::choice(choice);
                        self.notify(text!("Kakugo would choose: {0}.", choice));
                    }
                    Some(Action::Stone(_) | Action::Pass | Action::SetUp) | None => {}
                }
                Change::State
            }
            JobResult::Verdict(verdict) => {
                self.practice.judged(self.active.game_mut(), verdict, now);
                Change::Position
            }
            JobResult::Review(_)
            | JobResult::Puzzles(_)
            | JobResult::Analysis
            | JobResult::Outlook(_)
            | JobResult::Mistake(_) => Change::State,
        }
    }

    /// Executes a command.
    ///
    /// # Errors
    /// Returns the reason if it cannot be executed. Nothing has changed then.
    pub(super) fn execute(
        &mut self,
        client: ClientId,
        command: Command,
        now: Now,
    ) -> Result<Change, Text> {
        let time = now.time;
        match command {
            Command::New { setup, moves, guest } => {
                let setup = setup.setup(&self.settings.engines)?;
                self.new_game_of(setup, &moves, guest, now)
            }
            Command::Play { x, y, rows } => {
                let p = Point::new(x, y).ok_or_else(|| text!("That point is off the board."))?;
                self.play(p, rows.into(), now)
            }
            Command::Choose { choice } => {
                self.notice = self.active.choose(choice.0, time)?;
                Ok(Change::Position)
            }
            Command::Undo { count } => {
                self.active.undo(count, time)?;
                self.levels.helped(self.active.game());
                Ok(Change::Position)
            }
            Command::Redo { count } => self.active.redo(count, time).map(|()| Change::Position),
            Command::Goto { ply } => {
                self.active.go_to(ply, time);
                Ok(Change::Position)
            }
            Command::Node { id } => {
                self.active.go_to_node(NodeId::from_number(id), time).map(|()| Change::Position)
            }
            Command::Promote { id } => {
                self.active.promote(NodeId::from_number(id))?;
                self.saving.current.changed();
                Ok(Change::State)
            }
            Command::Delete { id } => {
                self.active.delete(NodeId::from_number(id), time)?;
                self.levels.helped(self.active.game());
                Ok(Change::Position)
            }
            Command::Comment { id, text } => {
                self.active.comment(NodeId::from_number(id), &text)?;
                self.saving.current.changed();
                Ok(Change::State)
            }
            Command::Resign => self.active.resign(time).map(|()| Change::Position),
            Command::Pause { on } => {
                self.active.pause(on);
                Ok(Change::State)
            }
            Command::Now => self.answer_now(now),
            Command::AnswerPause { ms } => {
                self.answer_pause = Duration::from_millis(ms).min(MAX_ANSWER_PAUSE);
                Ok(Change::None)
            }
            Command::Hint { all } => self.hint(all, now),
            Command::Coach { setting, explains } => {
                self.coach.set(setting, explains);
                Ok(Change::State)
            }
            Command::PlayOn => {
                if self.coach.close() {
                    self.active.resume();
                }
                Ok(Change::State)
            }
            Command::Analyse { on, lines } => {
                self.analysis.set_lines(on.then_some(lines));
                Ok(Change::State)
            }
            Command::Visible { on } => {
                let before = self.clients.sees_board();
                self.clients.set_visible(client, on);
                let changed =
                    self.analysis.lines().is_some() && before != self.clients.sees_board();
                Ok(if changed { Change::State } else { Change::None })
            }
            Command::Explain => {
                let stops = self.reviews.is_of_board();
                self.end_review(time);
                if !stops {
                    self.reviews.start(self.active.game_mut());
                }
                Ok(Change::State)
            }
            Command::Games => {
                self.saving.ensure_enabled()?;
                self.request(StorageRequest::List { client });
                Ok(Change::None)
            }
            Command::Open { id } => self.open(client, id, now),
            Command::Forget { id } => {
                self.saving.ensure_enabled()?;
                self.detach_saved_game(&id);
                self.request(StorageRequest::Delete { client, id });
                Ok(Change::State)
            }
            Command::Practice { anew } => self.practise(client, anew, now),
            Command::Puzzle { number } => {
                let (puzzle, game) = self.practice.puzzle(number)?;
                self.start_game(game, false, now);
                self.analysis.set_lines(None);
                self.practice.open(puzzle);
                Ok(Change::Position)
            }
            Command::Solution => {
                self.practice.show_solution(self.active.game_mut(), time)?;
                Ok(Change::Position)
            }
            Command::Rematch { level } => {
                let setup = self.active.rematch(level, &self.settings.engines)?;
                self.levels.players_chosen(&setup);
                self.start_game(LiveGame::new(setup).with_date(now.date()), true, now);
                Ok(Change::Position)
            }
            Command::Seats { seats } => {
                self.active.change_players(&seats, &self.settings.engines)?;
                let is_new = self.game().tree().count() < 2 && self.saving.current.begun;
                self.levels.game_replaced(is_new);
                self.levels.players_chosen(self.active.game().setup());
                Ok(Change::Position)
            }
            Command::Sit { token } => self.sit(client, &token),
            Command::Name { .. }
            | Command::Offer { .. }
            | Command::Answer { .. }
            | Command::Uninvite => Err(text!("There is no second person here.")),
        }
    }

    /// Starts a new game, against a guest if there is one.
    ///
    /// # Errors
    /// Returns the reason if it cannot be played. Nothing has changed then.
    pub(super) fn new_game_of(
        &mut self,
        mut setup: Setup,
        moves: &str,
        guest: Option<GuestJson>,
        now: Now,
    ) -> Result<Change, Text> {
        let Some(GuestJson { seat, token }) = guest else {
            return self.new_game(setup, moves, None, now);
        };
        ensure_people(&setup)?;
        // Errors come before any change.
        let pairing = match self.seats.for_next_game(seat) {
            Some(pairing) => pairing,
            None => Pairing::new(seat, &token)?,
        };
        name_people(&mut setup, seat.min(1));
        self.new_game(setup, moves, Some(pairing), now)
    }

    /// A client shows the secret of the invitation.
    ///
    /// # Errors
    /// Returns the reason if it is not valid.
    fn sit(&mut self, client: ClientId, token: &str) -> Result<Change, Text> {
        if self.clients.person(client) == Some(Person::Host) {
            return Err(text!("This is your own invitation: your friend must open it."));
        }
        self.seats.sit(token)?;
        self.clients.admit_guest(client);
        let hello = self.hello(client);
        self.send(Recipient::One(client), hello);
        Ok(Change::State)
    }

    /// Starts a new game after some moves, with the seats of two people if there are two.
    ///
    /// # Errors
    /// Returns the reason if a move cannot be played.
    fn new_game(
        &mut self,
        setup: Setup,
        moves: &str,
        pairing: Option<Pairing>,
        now: Now,
    ) -> Result<Change, Text> {
        let rows = RowOrder::FromBottom;
        let mut plies = Vec::new();
        // Two hyphens are a pass.
        for (number, part) in moves.split("--").enumerate() {
            let points = pos::read(part, setup.height, rows).map_err(Text::from)?;
            plies.extend((number > 0).then_some(None));
            plies.extend(points.into_iter().map(Some));
        }
        let begins = plies.is_empty() && !setup.has_position();
        let game = LiveGame::with_plies(setup, &plies)
            .map_err(|(number, error)| text!("Move {0}: {1}", number + 1, error.in_words(rows)))?;
        self.levels.players_chosen(game.setup());
        self.start_game_of(game.with_date(now.date()), begins, pairing, now);
        Ok(Change::Position)
    }

    /// Places a stone: an answer to a puzzle, or a move of a human.
    fn play(&mut self, p: Point, rows: RowOrder, now: Now) -> Result<Change, Text> {
        let answer = self.practice.answer(self.active.game_mut(), p, rows, now.time)?;
        if let Some(job) = answer {
            self.position_changed();
            self.start_search(Purpose::Verdict, job, now.time);
            return Ok(Change::State);
        }
        let before = self.game().board().clone();
        let had_later_moves = self.game().can_redo();
        self.active.play(p, rows, now.time)?;
        if had_later_moves {
            self.levels.helped(self.active.game());
        }
        if self.practice.attempt().is_none() && !self.seats.is_ongoing() {
            self.coach.moved(before, p, self.active.game());
        }
        Ok(Change::Position)
    }

    fn answer_now(&mut self, now: Now) -> Result<Change, Text> {
        if matches!(self.active.player_to_move(), PlayerKind::Engine(_)) {
            return Err(text!("Only Kakugo can be asked to play at once."));
        }
        self.active.resume();
        self.settle(now.time);
        if let Some(decision) = self.search.take_decision() {
            return Ok(self.finished(JobResult::Move(decision), now.time));
        }
        self.search.hold_until(None);
        // It plays weaker than its level.
        self.levels.helped(self.active.game());
        let job = self.search.job();
        job.into_iter().for_each(|id| self.effects.push(Effect::AnswerNow { id }));
        Ok(Change::State)
    }

    /// Shows the next step of a hint, or all of it.
    fn hint(&mut self, all: bool, now: Now) -> Result<Change, Text> {
        self.active.ensure_ongoing()?;
        if self.analysis.extend_hint(all) {
            return Ok(Change::State);
        }
        if let Some(line) = self.practice.hint(self.active.game())? {
            let board = self.game().board();
            let by_fours = WinKind::of(board, &line) != WinKind::Threats;
            let plan = Plan::of_line(board, line.clone(), by_fours);
            let hint = Hint::new(board, line[0], plan.map(Idea::Win), all);
            self.analysis.set_hint(hint);
            return Ok(Change::State);
        }
        let purpose = Purpose::Hint { version: self.active.version() };
        if self.search.purpose() == Some(purpose) {
            self.shows_all_of_hint |= all;
            return Ok(Change::None);
        }
        self.shows_all_of_hint = all;
        let request = MoveRequest::for_hint(self.game(), HINT_TIME, now.time);
        self.levels.helped(self.active.game());
        self.start_search(purpose, Job::Hint(Box::new(request)), now.time);
        Ok(Change::State)
    }

    fn open(&mut self, client: ClientId, id: String, now: Now) -> Result<Change, Text> {
        self.saving.ensure_enabled()?;
        if self.saved_game() == Some(&id) || self.unshelve_game(&id, now) {
            return Ok(Change::Position);
        }
        self.request(StorageRequest::Load { client, id });
        Ok(Change::None)
    }

    fn practise(&mut self, client: ClientId, anew: bool, now: Now) -> Result<Change, Text> {
        self.saving.ensure_enabled()?;
        if self.practice.search().is_none() || anew {
            self.save(true, now);
            let job = self.practice.start_search();
            job.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
            self.request(StorageRequest::Latest { count: MAX_GAMES });
        }
        let puzzles = views::puzzles::puzzles(self.practice.search());
        self.send(Recipient::One(client), Message::Puzzles(puzzles));
        Ok(Change::None)
    }
}
