//! Limits of a search.

use std::time::Duration;

use super::signals::StopHandle;
use crate::board::Point;
use crate::clock::Instant;
use crate::pattern::set::PointSet;

internal! {
/// Limits of a search. The default has none: the search runs until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Start of the clock: the arrival of the command that requests a move.
    pub start: Instant,
    /// Time for this move; `Some(ZERO)` requests an immediate answer.
    pub turn: Option<Duration>,
    /// Time left for the rest of the game.
    pub left: Option<Duration>,
    /// Time added after each own move.
    pub increment: Duration,
    /// Maximum depth, in plies.
    pub max_depth: Option<u32>,
    /// Maximum number of nodes of all threads.
    pub max_nodes: Option<u64>,
    /// Number of best lines to report, at least 1.
    pub multi_pv: usize,
    /// Continues after a proven win, and searches moves that do not answer a threat, until there
    /// are `multi_pv` lines.
    pub fill_lines: bool,
    /// Root moves to search, all of them; `None`: the engine's candidates.
    pub only: Option<PointSet>,
    /// Root moves that are excluded.
    pub without: PointSet,
    /// Plays the only move after a very short search if the search is limited. Games use it,
    /// because a deep search of an only move costs time and changes nothing.
    pub skip_only_move: bool,
    /// Stops the searches of the public API, which take their signals from it.
    pub stop: Option<StopHandle>,
}
}

impl Limits {
    /// Returns `true` if time, nodes or depth end the search.
    fn is_limited(&self) -> bool {
        self.turn.is_some()
            || self.left.is_some()
            || self.max_nodes.is_some()
            || self.max_depth.is_some()
    }

    /// Returns the root moves that are not excluded; `None`: all moves.
    pub(crate) fn allowed(&self) -> Option<PointSet> {
        match &self.only {
            Some(only) => Some(only.difference(&self.without)),
            None if self.without.is_empty() => None,
            None => Some(PointSet::ALL.difference(&self.without)),
        }
    }

    /// Returns the number of lines for which moves are searched even if a better one is proven.
    pub(super) fn lines_to_fill(&self) -> usize {
        if self.fill_lines { self.multi_pv.max(1) } else { 1 }
    }

    /// Returns `true` if an only move needs no search.
    pub(super) fn plays_only_move_at_once(&self) -> bool {
        self.skip_only_move && self.is_limited()
    }
}

internal! { impl Limits {
    /// Returns `true` if the limits do not exclude this root move.
    pub fn allows(&self, p: Point) -> bool {
        self.only.is_none_or(|only| only.contains(p)) && !self.without.contains(p)
    }
} }

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
            fill_lines: true,
            only: None,
            without: PointSet::EMPTY,
            skip_only_move: false,
            stop: None,
        }
    }
}
