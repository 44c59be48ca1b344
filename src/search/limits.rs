//! What bounds a search, and how other threads end it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What bounds a search. The default bounds nothing: it runs until stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When our thinking began: the arrival of the command that asked for a move.
    pub start: Instant,
    /// Time for this move; `Some(ZERO)` asks for an answer at once.
    pub turn: Option<Duration>,
    /// Time left for the whole game.
    pub left: Option<Duration>,
    /// Time added after each own move.
    pub increment: Duration,
    /// Iterations, in plies.
    pub max_depth: Option<u32>,
    /// Nodes, of all threads together.
    pub max_nodes: Option<u64>,
    /// Number of best lines to report (at least 1).
    pub multi_pv: usize,
}

impl Limits {
    /// Whether anything but a signal ends the search: then a single legal move needs no thought.
    pub fn is_timed(&self) -> bool {
        self.turn.is_some() || self.left.is_some() || self.max_nodes.is_some()
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Instant::now(),
            turn: None,
            left: None,
            increment: Duration::ZERO,
            max_depth: None,
            max_nodes: None,
            multi_pv: 1,
        }
    }
}

/// How other threads talk to a running search, and see it run.
#[derive(Default, Debug)]
pub struct Signals {
    stop: AtomicBool,
    pub(super) nodes: AtomicU64,
}

impl Signals {
    /// Ask the search to answer now with the best move it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Nodes of the search that runs, or ran last, but for the latest few hundred.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
