//! The search of the position on the board: one at a time.
//!
//! A computer's decision that is found very soon is held for a moment, so that people see that the
//! computer has moved and where. Nobody's clock runs meanwhile.

use crate::game::live::Action;
use crate::jobs::JobId;
use crate::now::Time;

/// A computer's decision, or the reason why it has none.
pub type Decision = Result<Vec<Action>, String>;

/// The purpose of a search. Two searches of the same purpose would find the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A move in the position of this version.
    Move {
        /// The version.
        version: u64,
    },
    /// A hint for the position of this version.
    Hint {
        /// The version.
        version: u64,
    },
    /// The move of another engine in the position of this version.
    Opinion {
        /// The version.
        version: u64,
        /// Number of the engine.
        engine: usize,
    },
    /// The verdict on an answer to a puzzle.
    Verdict,
    /// The solution of the puzzle in the position of this version.
    Solution {
        /// The version.
        version: u64,
    },
    /// Live analysis of the position of this version.
    Analysis {
        /// The version.
        version: u64,
        /// Number of the [request](crate::parts::live_analysis::LiveAnalysis::request_number).
        request: u64,
    },
    /// Stones that balance the position of this version.
    Balance {
        /// The version.
        version: u64,
        /// Number of stones.
        stones: u8,
    },
}

impl Purpose {
    /// Returns the word of the purpose in messages.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::Move { .. } => "move",
            Purpose::Hint { .. } => "hint",
            Purpose::Opinion { .. } => "opinion",
            Purpose::Verdict => "judge",
            Purpose::Solution { .. } => "solution",
            Purpose::Analysis { .. } => "analysis",
            Purpose::Balance { .. } => "balance",
        }
    }

    /// Returns true if the progress of the search is shown.
    pub fn has_progress(self) -> bool {
        matches!(self, Purpose::Move { .. } | Purpose::Analysis { .. })
    }

    /// Returns the version of the position that is searched.
    pub fn version(self) -> Option<u64> {
        match self {
            Purpose::Move { version }
            | Purpose::Hint { version }
            | Purpose::Opinion { version, .. }
            | Purpose::Solution { version }
            | Purpose::Analysis { version, .. }
            | Purpose::Balance { version, .. } => Some(version),
            Purpose::Verdict => None,
        }
    }
}

/// The search of the position on the board, if there is one.
#[derive(Default)]
pub struct BoardSearch {
    current: Option<Current>,
}

/// A search.
struct Current {
    job: JobId,
    purpose: Purpose,
    /// True while it waits for a search thread.
    queued: bool,
    /// True once it has ended by itself. It stays here, so that it is not started again.
    exhausted: bool,
    /// The time before which its decision is held.
    due: Option<Time>,
    /// The decision that is held.
    held: Option<Decision>,
}

impl BoardSearch {
    /// Returns the purpose of the search.
    pub fn purpose(&self) -> Option<Purpose> {
        self.current.as_ref().map(|current| current.purpose)
    }

    /// Returns the purpose of the search if it is this job.
    pub fn purpose_of(&self, job: JobId) -> Option<Purpose> {
        self.current.as_ref().filter(|current| current.job == job).map(|current| current.purpose)
    }

    /// Returns the job that runs or waits.
    pub fn job(&self) -> Option<JobId> {
        self.current.as_ref().filter(|current| !current.exhausted).map(|current| current.job)
    }

    /// Starts a search. The one before must have ended.
    pub fn start(&mut self, job: JobId, purpose: Purpose) {
        self.current =
            Some(Current { job, purpose, queued: false, exhausted: false, due: None, held: None });
    }

    /// Holds the decision of the search until this time; not at all, if it is `None`.
    pub fn hold_until(&mut self, due: Option<Time>) {
        if let Some(current) = &mut self.current {
            current.due = due;
        }
    }

    /// The search has ended with a decision, which is returned if it is due. Else it is held.
    pub fn decide(&mut self, decision: Decision, now: Time) -> Option<Decision> {
        let current = self.current.as_mut()?;
        if current.due.is_none_or(|due| due <= now) {
            self.current = None;
            return Some(decision);
        }
        (current.exhausted, current.queued) = (true, false);
        current.held = Some(decision);
        None
    }

    /// Returns true if a decision is held.
    pub fn holds_decision(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.held.is_some())
    }

    /// Returns the time at which the held decision is due.
    pub fn due(&self) -> Option<Time> {
        self.current.as_ref().filter(|current| current.held.is_some())?.due
    }

    /// Ends the search and returns the decision that it holds.
    pub fn take_decision(&mut self) -> Option<Decision> {
        let decision = self.current.as_mut()?.held.take()?;
        self.current = None;
        Some(decision)
    }

    /// Ends the search and returns its job if that must be stopped.
    pub fn end(&mut self) -> Option<JobId> {
        let job = self.job();
        self.current = None;
        job
    }

    /// Ends an analysis that has ended by itself.
    pub fn exhaust(&mut self) {
        if let Some(current) = &mut self.current {
            (current.exhausted, current.queued) = (true, false);
        }
    }

    /// Returns true if an analysis has ended by itself.
    pub fn is_exhausted(&self) -> bool {
        self.current.as_ref().is_some_and(|current| {
            current.exhausted && matches!(current.purpose, Purpose::Analysis { .. })
        })
    }

    /// Returns true if the search waits for a search thread.
    pub fn is_queued(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.queued)
    }

    /// Sets whether a job waits for a search thread, and returns true if that has changed.
    pub fn set_queued(&mut self, job: JobId, queued: bool) -> bool {
        let current = self.current.as_mut().filter(|current| current.job == job);
        current.is_some_and(|current| std::mem::replace(&mut current.queued, queued) != queued)
    }
}
