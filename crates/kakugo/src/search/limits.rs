//! What bounds a search, and how other threads end it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::stop::StopHandle;
use crate::clock::Instant;

internal! {
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
    /// Play the only move at once where something bounds the search: for games, where its value
    /// would cost time and nobody asks for it.
    pub skip_only_move: bool,
    /// Ends the searches of the public API: these take their signals from here.
    pub stop: Option<StopHandle>,
}
}

impl Limits {
    /// Whether a clock or a count of nodes ends the search.
    fn is_timed(&self) -> bool {
        self.turn.is_some() || self.left.is_some() || self.max_nodes.is_some()
    }

    /// Whether an only move needs no search.
    pub(super) fn plays_only_move_at_once(&self) -> bool {
        self.skip_only_move && self.is_timed()
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
            skip_only_move: false,
            stop: None,
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
