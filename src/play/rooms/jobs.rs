//! The thread that thinks for one room.
//!
//! It takes one [`Job`] after the other. Each has a number; results carry it back, so that the room
//! can tell an answer it waits for from one that came too late. While a search runs, its findings
//! lie in [`Findings`], which the server's ticker collects: the search never waits for a page.

use std::cmp::Reverse;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, thread};

use crate::analysis::review::{self, Review};
use crate::analysis::threats::{self, Threats};
use crate::board::{Board, Point};
use crate::play::computers::{Computers, Decision, STACK_BYTES, Task};
use crate::play::lock::lock;
use crate::score::Score;
use crate::search::{Limits, Report, Reporter, Signals};

/// Something to think about.
pub struct Job {
    /// Its number.
    pub number: u64,
    /// Raised to end it.
    pub signals: Arc<Signals>,
    /// What to do.
    pub work: Work,
}

/// Kinds of work.
pub enum Work {
    /// Decide a move.
    Decide(Box<Task>),
    /// Search a position until stopped, several best lines.
    Analyse(Board, usize),
    /// Suggest a move.
    Hint(Box<Task>),
    /// Look at a whole game again: the empty board and the moves.
    Review(Board, Vec<Point>),
    /// Give back memory.
    Rest,
}

/// What came of a job.
pub enum Outcome {
    /// A decision, or how an engine failed.
    Decided(Result<Decision, String>),
    /// A search that ended by itself.
    Analysed,
    /// A suggestion.
    Hinted(Option<Point>),
    /// A review.
    Reviewed(Review),
}

/// One line found by a search.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Depth, in plies.
    pub depth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Point>,
}

/// What is known so far of the job under way.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// The job's number.
    pub number: u64,
    /// Best lines, best first.
    pub lines: Vec<Variation>,
    /// Longest path looked at, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// Threats of both sides, and how promising points look; set once per position.
    pub threats: Option<Box<Seen>>,
    /// Positions of a review that are done: number and expected result for Black, per mille.
    pub reviewed: Vec<(usize, u32)>,
    /// Whether something is new since it was last collected.
    pub fresh: bool,
}

/// What can be seen of a position without searching it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Threats, Black's first.
    pub threats: [Threats; 2],
    /// Promising points, best first, 0 to 1.
    pub candidates: Vec<(Point, f64)>,
}

/// The room's end of the thread, which ends after this is dropped.
pub struct Worker {
    jobs: Sender<Job>,
    findings: Arc<Mutex<Findings>>,
}

impl Worker {
    /// Start the thread. `done` is called on it with every job's number and outcome.
    pub fn start(
        players: Computers,
        done: impl Fn(u64, Outcome) + Send + 'static,
    ) -> io::Result<Worker> {
        let (jobs, todo) = channel();
        let findings = Arc::new(Mutex::new(Findings::default()));
        let shared = Arc::clone(&findings);
        thread::Builder::new()
            .name("player".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(players, &todo, &shared, &done))?;
        Ok(Worker { jobs, findings })
    }

    /// A worker without a thread: it takes jobs and does nothing.
    pub fn absent() -> Worker {
        Worker { jobs: channel().0, findings: Arc::default() }
    }

    /// Hand over a job.
    pub fn give(&self, job: Job) {
        // The thread only ends when the room is gone.
        let _ = self.jobs.send(job);
    }

    /// What was found since the last call, if anything, by the job with this number.
    pub fn collect(&self, number: u64) -> Option<Findings> {
        let mut findings = lock(&self.findings);
        let news = findings.number == number && std::mem::take(&mut findings.fresh);
        news.then(|| {
            let mut findings = findings.clone();
            // Lines are searched one after the other: a later one may turn out better.
            findings.lines.sort_by_key(|line| Reverse(line.score));
            findings
        })
    }
}

fn work(
    mut players: Computers,
    todo: &Receiver<Job>,
    findings: &Mutex<Findings>,
    done: &dyn Fn(u64, Outcome),
) {
    while let Ok(Job { number, signals, work }) = todo.recv() {
        if signals.is_stopped() {
            continue;
        }
        *lock(findings) = Findings { number, ..Findings::default() };
        // A panic in the search must not end the game: it counts as a failure of the player.
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            carry_out(&mut players, work, &signals, findings)
        }));
        match outcome {
            Ok(Some(outcome)) => done(number, outcome),
            Ok(None) => {}
            Err(_) => {
                players.rest();
                done(number, Outcome::Decided(Err("internal error".to_owned())));
            }
        }
    }
}

fn carry_out(
    players: &mut Computers,
    work: Work,
    signals: &Signals,
    findings: &Mutex<Findings>,
) -> Option<Outcome> {
    let mut notes = Notes(findings);
    Some(match work {
        Work::Rest => {
            players.rest();
            return None;
        }
        Work::Decide(task) => {
            notes.look_at(&task.board);
            Outcome::Decided(players.decide(&task, signals, &mut notes))
        }
        Work::Hint(task) => {
            let answer = players.engine().think(&task.board, &task.limits, signals, &mut notes);
            Outcome::Hinted(answer.best)
        }
        Work::Analyse(board, multi_pv) => {
            notes.look_at(&board);
            let limits = Limits { multi_pv, ..Limits::default() };
            players.engine().think(&board, &limits, signals, &mut notes);
            Outcome::Analysed
        }
        Work::Review(empty, moves) => {
            let limits = review::limits_for(moves.len(), REVIEW_TIME);
            let progress = |number, judged: &review::Judged| {
                let mut findings = lock(findings);
                findings.reviewed.push((number, judged.black_permille));
                findings.fresh = true;
            };
            let engine = players.engine();
            Outcome::Reviewed(review::review(engine, &empty, &moves, &limits, signals, progress))
        }
    })
}

/// Time for looking at a whole game again.
const REVIEW_TIME: Duration = Duration::from_secs(20);

/// Writes a search's reports into the findings.
struct Notes<'a>(&'a Mutex<Findings>);

impl Notes<'_> {
    fn look_at(&self, board: &Board) {
        let seen = Seen { threats: threats::of(board), candidates: threats::candidates(board) };
        let mut findings = lock(self.0);
        findings.threats = Some(Box::new(seen));
        findings.fresh = true;
    }
}

impl Reporter for Notes<'_> {
    fn report(&mut self, report: &Report) {
        let mut findings = lock(self.0);
        let line = Variation { depth: report.depth, score: report.score, moves: report.pv.clone() };
        if let Some(old) = findings.lines.get_mut(report.line) {
            *old = line;
        } else {
            findings.lines.push(line);
        }
        findings.seldepth = report.seldepth;
        findings.nodes = report.nodes;
        findings.elapsed = report.elapsed;
        findings.fresh = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use std::thread;
    use std::time::Instant;

    /// Longest wait for what must come. It says that something hangs, not that it is slow.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn middle_game() -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        board
    }

    #[test]
    fn the_best_line_comes_first() {
        let findings = Mutex::new(Findings { number: 1, ..Findings::default() });
        for (line, score) in [10, 30, 20].into_iter().enumerate() {
            let point = Point::new(line as u8, 0).unwrap();
            Notes(&findings).report(&Report {
                line,
                depth: 5,
                seldepth: 5,
                score: Score::from_value(score),
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: vec![point],
            });
        }
        let worker = Worker { jobs: channel().0, findings: Arc::new(findings) };
        let lines = worker.collect(1).unwrap().lines;
        let columns: Vec<u8> = lines.iter().map(|line| line.moves[0].x()).collect();
        assert_eq!(columns, [1, 2, 0]);
        assert!(worker.collect(1).is_none());
    }

    #[test]
    fn a_stopped_job_reports_and_a_later_one_is_carried_out() {
        let (done, outcomes) = channel();
        let players = Computers::new(1 << 20, 1, &[]);
        let worker = Worker::start(players, move |number, _| {
            let _ = done.send(number);
        })
        .unwrap();
        let give = |number| {
            let signals = Arc::new(Signals::default());
            let work = Work::Analyse(middle_game(), 3);
            worker.give(Job { number, signals: Arc::clone(&signals), work });
            signals
        };
        let search_three_lines = |number| {
            let began = Instant::now();
            while worker.collect(number).is_none_or(|findings| findings.lines.len() < 3) {
                assert!(began.elapsed() < PATIENCE, "job {number} finds nothing");
                thread::sleep(Duration::from_millis(5));
            }
        };
        let first = give(1);
        search_three_lines(1);
        assert!(worker.collect(2).is_none());
        // The second is called off before its turn: only the third is heard of.
        give(2).stop();
        let third = give(3);
        first.stop();
        assert_eq!(outcomes.recv_timeout(PATIENCE), Ok(1));
        search_three_lines(3);
        third.stop();
        assert_eq!(outcomes.recv_timeout(PATIENCE), Ok(3));
    }
}
