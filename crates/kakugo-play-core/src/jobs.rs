//! Jobs: the searches that a room wants, and their results.
//!
//! A room starts and stops jobs by [effects](crate::event::Effect), and hears of them by
//! [events](crate::event::Event). A driver runs them by [`Job::run`], on a thread or in a web
//! worker, in the order that the [scheduler](crate::scheduler) decides.

use std::time::Duration;

use kakugo::board::{Board, Point};
use kakugo::clock::Instant;
use kakugo::player::Player;
use kakugo::search::{Balance, Limits, Signals};
use kakugo_record::analysis::puzzle::Verdict;
use kakugo_record::analysis::review::{self, EvaluatedPosition};

use crate::decisions::{self, ExternalEngines, MoveRequest};
use crate::game::live::{Action, LiveGame};
use crate::game::opening::Next;
use crate::insight::{self, Idea, Mistake, MistakeSize, Outlook};
use crate::now::Time;
use crate::progress::{Features, Progress, ProgressReporter, ProgressSink, PvLine};
use crate::puzzles::{self, Puzzle, Task};
use crate::scheduler::Priority;
use crate::solving::{Solution, SolveRequest};

/// The number of a job within its room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobId(pub u64);

/// A job.
#[derive(Clone, Debug)]
pub enum Job {
    /// Decide on a player's move.
    Move(Box<MoveRequest>),
    /// Suggest a move.
    Hint(Box<MoveRequest>),
    /// Judge an answer to a puzzle.
    Verdict {
        /// The task.
        task: Task,
        /// The position.
        board: Box<Board>,
        /// The answer.
        answer: Point,
    },
    /// Find out what the player to move should see.
    Outlook {
        /// The position.
        board: Box<Board>,
    },
    /// Find out whether a move is a mistake.
    Mistake {
        /// The position before the move.
        before: Box<Board>,
        /// The move.
        played: Point,
        /// The smallest mistakes of interest.
        size: MistakeSize,
    },
    /// Review a position of a game.
    Review {
        /// The position.
        board: Box<Board>,
        /// To verify a claim: the number of deeper searches so far.
        checks: Option<u8>,
        /// The time for the first search.
        time: Duration,
    },
    /// Find the puzzles in a game.
    Puzzles(Box<LiveGame>),
    /// Search for a forced win in a position that is set up.
    Solve(Box<SolveRequest>),
    /// Search a position until stopped, or up to a limit.
    Analysis {
        /// The position.
        board: Box<Board>,
        /// Lines, limits and moves.
        request: AnalysisRequest,
    },
    /// Search for stones after which a position is even.
    Balance {
        /// The position.
        board: Box<Board>,
        /// Number of stones: 1 or 2.
        stones: u8,
        /// The longest time.
        time: Duration,
    },
}

/// Moves and limits of an analysis.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AnalysisRequest {
    /// Number of best lines.
    pub lines: usize,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The longest time.
    pub time: Option<Duration>,
    /// The moves to be searched.
    pub moves: MoveFilter,
}

/// The moves of a position that an analysis searches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveFilter {
    /// The only moves; all if it is empty.
    pub only: Vec<Point>,
    /// Excluded moves.
    pub without: Vec<Point>,
}

impl MoveFilter {
    /// Returns true if all moves are searched.
    pub fn is_empty(&self) -> bool {
        self.only.is_empty() && self.without.is_empty()
    }

    /// Returns true if a move is searched.
    pub fn allows(&self, p: Point) -> bool {
        (self.only.is_empty() || self.only.contains(&p)) && !self.without.contains(&p)
    }
}

/// The result of a job.
#[derive(Clone, Debug)]
pub enum JobResult {
    /// Actions of a player, or the reason why its engine failed.
    Move(Result<Vec<Action>, String>),
    /// Suggested actions, and the idea of the first one.
    Hint {
        /// The actions; none if nothing can be done.
        actions: Vec<Action>,
        /// The idea, if it can be put into words.
        idea: Option<Box<Idea>>,
    },
    /// What the player to move should see.
    Outlook(Box<Outlook>),
    /// The mistake that a move is, if it is one.
    Mistake(Option<Box<Mistake>>),
    /// The verdict on an answer to a puzzle.
    Verdict(Verdict),
    /// The review of a position.
    Review(EvaluatedPosition),
    /// The puzzles of a game.
    Puzzles(Vec<Puzzle>),
    /// The solution of a position.
    Solve(Solution),
    /// The analysis has ended by itself: a limit is reached, or nothing more can be found.
    Analysis,
    /// The stones after which the position is closest to even; `None` if there are not enough
    /// points.
    Balance(Option<PvLine>),
}

/// A change of a job.
#[derive(Clone, Debug)]
pub enum JobUpdate {
    /// It waits for a search thread.
    Queued,
    /// It runs.
    Running,
    /// It has made progress. `Progress` is `None` if only these numbers have changed.
    Progress {
        /// Lines and features of the position.
        progress: Option<Box<Progress>>,
        /// Search time so far.
        elapsed: Duration,
        /// Nodes so far.
        nodes: u64,
    },
    /// It has ended.
    Finished(JobResult),
    /// It has panicked with this message.
    Failed(String),
}

impl Job {
    /// Returns the priority of the job.
    pub fn priority(&self) -> Priority {
        match self {
            Job::Move(_) => Priority::Move,
            Job::Hint(_) | Job::Verdict { .. } | Job::Outlook { .. } | Job::Mistake { .. } => {
                Priority::Hint
            }
            Job::Review { .. } | Job::Puzzles(_) | Job::Solve(_) | Job::Balance { .. } => {
                Priority::Review
            }
            Job::Analysis { .. } => Priority::Analysis,
        }
    }

    /// Returns the time since which the thinking time runs, unless it starts with the search.
    pub fn since(&self) -> Option<Time> {
        match self {
            Job::Move(request) | Job::Hint(request) => request.time.since,
            _ => None,
        }
    }

    /// Runs the job until it is done or stopped by `signals`. Its thinking time started at `start`.
    pub fn run(
        &self,
        start: Instant,
        player: &mut Player,
        engines: &mut dyn ExternalEngines,
        signals: &Signals,
        sink: &dyn ProgressSink,
    ) -> JobResult {
        let mut reporter = ProgressReporter { sink, followed: None };
        match self {
            Job::Move(request) => {
                sink.set_features(Features::of(&request.board));
                let reporter = &mut reporter;
                let decided = decisions::decide(request, start, player, engines, signals, reporter);
                JobResult::Move(decided)
            }
            Job::Hint(request) => {
                let decided =
                    decisions::decide(request, start, player, engines, signals, &mut reporter);
                hint(request, decided.unwrap_or_default(), signals)
            }
            Job::Outlook { board } => JobResult::Outlook(Box::new(Outlook::of(board, signals))),
            Job::Mistake { before, played, size } => {
                let engine = player.engine();
                let mistake = insight::mistake(engine, before, *played, *size, signals);
                JobResult::Mistake(mistake.map(Box::new))
            }
            Job::Verdict { task, board, answer } => {
                let engine = player.engine();
                JobResult::Verdict(puzzles::judge(*task, engine, board, *answer, signals))
            }
            Job::Review { board, checks, time } => {
                // One thread and an empty table, so that the same game gets the same review.
                let (engine, limits) = (player.engine(), review::limits_in(*time));
                engine.set_threads(1);
                engine.clear();
                JobResult::Review(match checks {
                    None => review::evaluate(engine, board, &limits, signals),
                    Some(checks) => review::verify(engine, board, *checks, &limits, signals),
                })
            }
            Job::Puzzles(game) => JobResult::Puzzles(puzzles::find(game, signals)),
            Job::Solve(request) => {
                let start = Instant::now();
                JobResult::Solve(request.run(start, player.engine(), signals))
            }
            Job::Analysis { board, request } => {
                sink.set_features(Features::of(board));
                reporter.followed = Some((board, signals));
                let MoveFilter { only, without } = &request.moves;
                let limits = Limits {
                    start,
                    turn: request.time,
                    max_depth: request.depth,
                    multi_pv: request.lines,
                    only: (!only.is_empty()).then(|| only.iter().copied().collect()),
                    without: without.iter().copied().collect(),
                    ..Limits::default()
                };
                if board.empty_points().any(|p| limits.allows(p)) {
                    player.engine().think(board, &limits, signals, &mut reporter);
                }
                JobResult::Analysis
            }
            Job::Balance { board, stones, time } => {
                let balance = if *stones == 1 { Balance::ONE } else { Balance::TWO };
                let limits = Limits { start, turn: Some(*time), ..Limits::default() };
                let answer =
                    player.engine().think_balance(board, balance, &limits, signals, &mut reporter);
                let moves = answer.pv.into_iter().take(balance.stones()).collect();
                let line = PvLine { depth: answer.depth, score: answer.score, moves };
                JobResult::Balance(Some(line).filter(|line| !line.moves.is_empty()))
            }
        }
    }
}

/// Returns the hint with its idea. A proven win replaces a move that is only likely to win.
fn hint(request: &MoveRequest, mut actions: Vec<Action>, signals: &Signals) -> JobResult {
    let mut idea = None;
    if let [Action::Stone(p)] = &mut actions[..]
        && request.next == Next::Turn
    {
        let (better, why) = insight::advise(&request.board, *p, signals);
        if better == *p
            || request.opening.objects_to(&request.board, &request.next, better).is_none()
        {
            (*p, idea) = (better, why.map(Box::new));
        }
    }
    JobResult::Hint { actions, idea }
}
