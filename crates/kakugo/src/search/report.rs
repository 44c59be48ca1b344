//! Reports of a running search, and its result.

use std::time::Duration;

use crate::board::Point;
use crate::score::Score;

/// A line of play that a finished iteration found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Rank of the line among the best ones, from 0.
    pub line: usize,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Maximum ply reached.
    pub seldepth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since [`Limits::start`](super::Limits::start).
    pub elapsed: Duration,
    /// Principal variation, starting with the best move.
    pub pv: Vec<Point>,
}

impl Report {
    /// Returns the report of an answer after this time.
    pub(super) fn of(answer: &Answer, elapsed: Duration) -> Report {
        let &Answer { score, depth, nodes, ref pv, .. } = answer;
        let seldepth = depth.max(pv.len() as u32);
        Report { line: 0, depth, seldepth, score, nodes, elapsed, pv: pv.clone() }
    }
}

/// Receives the reports of a running search.
pub trait Reporter {
    /// Called for each line at the end of an iteration.
    fn report(&mut self, report: &Report);
}

/// Ignores all reports.
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Report) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Move to play; `None` only if no point is empty, or the limits exclude all moves. If every
    /// empty point is forbidden, it is one of them.
    pub best: Option<Point>,
    /// Score for the side to move.
    pub score: Score,
    /// Last finished iteration, in plies.
    pub depth: u32,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Principal variation, starting with the best move.
    pub pv: Vec<Point>,
    /// Nodes that the last finished iteration of one thread spent on each root move, best move
    /// first. Empty if no iteration was needed.
    pub root_nodes: Vec<(Point, u64)>,
}
