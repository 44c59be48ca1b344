//! What a room has thought about for it: one job at a time, on a thread of its own.
//!
//! Each job has a number. Outcomes carry it back, so that one that comes too late, after its job
//! was replaced by another, is known as such.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::findings::{Findings, SharedFindings};
use super::work::{Outcome, Work};
use crate::computers::Computers;
use kakugo::player::{Resources, Thread};
use kakugo_protocol::client::EngineConfig;

/// What the thread is busy with. Two equal ones would think about the same thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A move in the position of this version.
    Decide {
        /// The room's count of changes.
        version: u64,
    },
    /// The position of this version, in so many best lines.
    Analyse {
        /// The room's count of changes.
        version: u64,
        /// Best lines.
        lines: usize,
    },
    /// A suggestion for the position of this version.
    Hint {
        /// The room's count of changes.
        version: u64,
    },
    /// Whether an answer to a puzzle is right.
    Judge,
}

impl Purpose {
    /// In one word, for pages.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::Decide { .. } => "move",
            Purpose::Analyse { .. } => "analysis",
            Purpose::Hint { .. } => "hint",
            Purpose::Judge => "judge",
        }
    }

    /// Whether it is the position on the board that is thought about.
    pub fn is_about_position(self) -> bool {
        matches!(self, Purpose::Decide { .. } | Purpose::Analyse { .. })
    }
}

/// Called on the thinking thread with a job's number and its outcome, or the words of its panic.
pub type Done = Arc<dyn Fn(u64, Result<Outcome, String>) + Send + Sync>;

/// A job under way.
struct Running {
    number: u64,
    purpose: Purpose,
    began: Instant,
    /// Nothing more is to be found.
    done: bool,
}

/// A thread of its own for each room, and what it is busy with.
pub struct Thinking {
    thread: Thread<Computers>,
    findings: SharedFindings,
    running: Option<Running>,
    jobs: u64,
}

impl Thinking {
    /// Start the thread; there is nothing to do yet.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start(resources: Resources, engines: &'static [EngineConfig]) -> io::Result<Thinking> {
        let thread = Thread::start("room", move || Computers::new(resources.clone(), engines))?;
        Ok(Thinking { thread, findings: SharedFindings::default(), running: None, jobs: 0 })
    }

    /// What is being thought about.
    pub fn purpose(&self) -> Option<Purpose> {
        self.running.as_ref().map(|running| running.purpose)
    }

    /// Begin a job and call `done` with what comes of it, unless it is ended before its turn; the one
    /// under way is ended.
    pub fn begin(&mut self, purpose: Purpose, work: Work, done: Done) {
        self.end();
        self.jobs += 1;
        let (number, began) = (self.jobs, Instant::now());
        let mut findings = self.findings.clone();
        self.thread.give(
            move |computers, signals| {
                if signals.is_stopped() {
                    return None;
                }
                findings.begin(number);
                Some(work.carry_out(computers, signals, &mut findings))
            },
            move |outcome| {
                if let Some(outcome) = outcome.transpose() {
                    done(number, outcome);
                }
            },
        );
        self.running = Some(Running { number, purpose, began, done: false });
    }

    /// End what is under way; its outcome is not awaited any more.
    pub fn end(&mut self) {
        if self.running.take().is_some() {
            self.thread.stop();
        }
    }

    /// Ask for the outcome now.
    pub fn answer_now(&self) {
        if self.running.is_some() {
            self.thread.stop();
        }
    }

    /// Let the thread give back its memory when it is free.
    pub fn rest(&mut self) {
        self.thread.give(|computers, _| computers.rest(), |_| {});
    }

    /// Whether an outcome belongs to the job under way.
    pub fn awaits(&self, number: u64) -> bool {
        self.running.as_ref().is_some_and(|running| running.number == number)
    }

    /// The job under way has its outcome.
    pub fn finish(&mut self) {
        self.running = None;
    }

    /// The job under way will find no more. It stays, so that it is not begun again.
    pub fn exhaust(&mut self) {
        if let Some(running) = &mut self.running {
            running.done = true;
        }
    }

    /// What was found since the last call, if anything, and for what.
    pub fn collect(&self) -> Option<(Purpose, Findings)> {
        let running = self.running.as_ref()?;
        Some((running.purpose, self.findings.collect(running.number)?))
    }

    /// Time spent and nodes searched so far, for a position that is still thought about.
    pub fn pace(&self) -> Option<(Duration, u64)> {
        let running = self.running.as_ref()?;
        let goes = running.purpose.is_about_position() && !running.done;
        goes.then(|| (running.began.elapsed(), self.thread.signals().nodes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Board, Point, Variant};
    use kakugo::search::Networks;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    /// Longest wait for what must come. It says that something hangs, not that it is slow.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn middle_game() -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        board
    }

    fn numbers_done() -> (Done, Receiver<u64>) {
        let (sender, numbers) = channel();
        (Arc::new(move |number, _| _ = sender.send(number)), numbers)
    }

    fn start() -> Thinking {
        let networks = Networks::default();
        Thinking::start(Resources { hash_bytes: 1 << 20, threads: 1, networks }, &[]).unwrap()
    }

    #[test]
    fn a_stopped_job_has_an_outcome_and_a_later_one_is_carried_out() {
        let (done, numbers) = numbers_done();
        let mut thinking = start();
        let analyse = |thinking: &mut Thinking, version| {
            let purpose = Purpose::Analyse { version, lines: 3 };
            thinking.begin(purpose, Work::Analyse(Box::new(middle_game()), 3), Arc::clone(&done));
        };
        let wait_for_three_lines = |thinking: &Thinking| {
            let began = Instant::now();
            while thinking.collect().is_none_or(|(_, findings)| findings.lines.len() < 3) {
                assert!(began.elapsed() < PATIENCE, "nothing is found");
                thread::sleep(Duration::from_millis(5));
            }
        };
        analyse(&mut thinking, 1);
        wait_for_three_lines(&thinking);
        analyse(&mut thinking, 2);
        assert!(!thinking.awaits(1) && thinking.awaits(2));
        assert_eq!(numbers.recv_timeout(PATIENCE), Ok(1));
        wait_for_three_lines(&thinking);
        thinking.answer_now();
        assert_eq!(numbers.recv_timeout(PATIENCE), Ok(2));
    }

    #[test]
    fn a_job_ended_before_its_turn_is_never_begun() {
        let (done, numbers) = numbers_done();
        let mut thinking = start();
        // Until this holds, the thread is busy.
        let (go, wait) = channel::<()>();
        thinking.thread.give(move |_, _| wait.recv(), |_| {});
        for version in 1..=2 {
            let purpose = Purpose::Analyse { version, lines: 1 };
            thinking.begin(purpose, Work::Analyse(Box::new(middle_game()), 1), Arc::clone(&done));
        }
        thinking.answer_now();
        let purpose = Purpose::Analyse { version: 3, lines: 1 };
        thinking.begin(purpose, Work::Analyse(Box::new(middle_game()), 1), Arc::clone(&done));
        go.send(()).unwrap();
        let began = Instant::now();
        while thinking.collect().is_none_or(|(_, findings)| findings.lines.is_empty()) {
            assert!(began.elapsed() < PATIENCE, "nothing is found");
            thread::sleep(Duration::from_millis(5));
        }
        thinking.answer_now();
        assert_eq!(numbers.recv_timeout(PATIENCE), Ok(3), "the first two have no outcome");
    }
}
