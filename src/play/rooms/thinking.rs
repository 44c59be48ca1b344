//! What a room has thought about for it: one job at a time, given to the [`Worker`].
//!
//! Each job has a number. Outcomes carry it back, so that one that comes too late, after its job
//! was replaced by another, is known as such.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::search::Signals;

use super::jobs::{Findings, Job, Work, Worker};

/// What the worker is busy with. Two equal ones would think about the same thing.
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
    /// A suggestion.
    Hint,
    /// The whole game.
    Review,
}

impl Purpose {
    /// In one word, for pages.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::Decide { .. } => "move",
            Purpose::Analyse { .. } => "analysis",
            Purpose::Hint => "hint",
            Purpose::Review => "review",
        }
    }

    /// Whether it is the position on the board that is thought about.
    pub fn is_about_position(self) -> bool {
        matches!(self, Purpose::Decide { .. } | Purpose::Analyse { .. })
    }
}

/// A job under way.
struct Running {
    number: u64,
    purpose: Purpose,
    began: Instant,
    signals: Arc<Signals>,
    /// Nothing more is to be found.
    done: bool,
}

/// A worker and what it is busy with.
pub struct Thinking {
    worker: Worker,
    running: Option<Running>,
    jobs: u64,
}

impl Thinking {
    /// Nothing to do yet.
    pub fn new(worker: Worker) -> Thinking {
        Thinking { worker, running: None, jobs: 0 }
    }

    /// What is being thought about.
    pub fn purpose(&self) -> Option<Purpose> {
        self.running.as_ref().map(|running| running.purpose)
    }

    /// Begin a job; what was under way ends unheard.
    pub fn begin(&mut self, purpose: Purpose, work: Work) {
        self.end();
        let (began, signals) = (Instant::now(), Arc::new(Signals::default()));
        let number = self.give(work, Arc::clone(&signals));
        self.running = Some(Running { number, purpose, began, signals, done: false });
    }

    /// End what is under way; nothing will be heard of it.
    pub fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.signals.stop();
        }
    }

    /// Ask for the outcome now.
    pub fn hasten(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    /// Let the worker give back its memory when it is free.
    pub fn rest(&mut self) {
        self.give(Work::Rest, Arc::default());
    }

    fn give(&mut self, work: Work, signals: Arc<Signals>) -> u64 {
        self.jobs += 1;
        self.worker.give(Job { number: self.jobs, signals, work });
        self.jobs
    }

    /// Whether an outcome belongs to the job under way.
    pub fn awaits(&self, number: u64) -> bool {
        self.running.as_ref().is_some_and(|running| running.number == number)
    }

    /// The job under way has its outcome.
    pub fn finish(&mut self) {
        self.running = None;
    }

    /// The job under way will find no more, but it stays, lest it be begun again.
    pub fn exhaust(&mut self) {
        if let Some(running) = &mut self.running {
            running.done = true;
        }
    }

    /// What was found since the last call, if anything, and for what.
    pub fn collect(&self) -> Option<(Purpose, Findings)> {
        let running = self.running.as_ref()?;
        Some((running.purpose, self.worker.collect(running.number)?))
    }

    /// Time spent and nodes searched so far, for a position that is still thought about.
    pub fn pace(&self) -> Option<(Duration, u64)> {
        let running = self.running.as_ref()?;
        let goes = running.purpose.is_about_position() && !running.done;
        goes.then(|| (running.began.elapsed(), running.signals.nodes()))
    }
}

/// Nobody waits for an answer any more.
impl Drop for Thinking {
    fn drop(&mut self) {
        self.end();
    }
}
