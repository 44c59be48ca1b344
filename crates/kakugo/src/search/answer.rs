//! What a search tells while it runs, and what it comes to.

use std::time::Duration;

use crate::board::Point;
use crate::score::Score;

/// One line of play that a finished iteration found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Which of the best lines this is, from 0.
    pub line: usize,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Longest path looked at, in plies.
    pub seldepth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the start that the limits name.
    pub elapsed: Duration,
    /// The moves expected from here, best first move included.
    pub pv: Vec<Point>,
}

/// Receives what the search finds while it runs.
pub trait Reporter {
    /// A line was searched to the end of an iteration.
    fn report(&mut self, report: &Report);
}

/// Ignores every report.
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Report) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` only where no point is free. Where every free point is forbidden
    /// it is one of them.
    pub best: Option<Point>,
    /// Value for the side to move.
    pub score: Score,
    /// Last finished iteration, in plies.
    pub depth: u32,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// The moves expected from here.
    pub pv: Vec<Point>,
    /// Nodes that the last finished iteration spent on each root move that it searched, the most
    /// promising first: how much the search thinks of each. Of one thread; empty where no iteration
    /// was needed.
    pub root_nodes: Vec<(Point, u64)>,
}
