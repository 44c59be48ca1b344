//! The engine for users of the library: the best move, analyses with several lines, and limits.
//!
//! The methods here wrap [`Engine::think`](crate::search::Engine), which the other crates of the
//! workspace call directly.

mod engine;
mod limits;

use std::time::Duration;

use crate::board::{Board, Outcome, Point, Side};
use crate::score::Score;
use crate::search::Report;

/// One of the best lines of play in an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Line {
    /// Rank among the lines of the same depth, from 1 for the best.
    pub rank: usize,
    /// Depth of the search, in plies (moves of either side).
    pub depth: u32,
    /// Length of the longest path searched, in plies.
    pub selective_depth: u32,
    /// Score from the point of view of the side to move.
    pub score: Score,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The expected moves of both sides (principal variation), starting with the side to move.
    /// Never empty. A forced win is not always shown to its end; [`solve`](crate::solve()) does
    /// that.
    pub moves: Vec<Point>,
}

impl Line {
    /// Returns the speed of the search in nodes per second (nps); 0 if no time has passed.
    pub fn nodes_per_second(&self) -> u64 {
        let nanos = self.time.as_nanos();
        let speed = u128::from(self.nodes) * 1_000_000_000;
        speed.checked_div(nanos).map_or(0, |speed| u64::try_from(speed).unwrap_or(u64::MAX))
    }

    /// Returns the line that a search reports.
    fn of_report(report: &Report) -> Line {
        let &Report { line, depth, seldepth, score, nodes, elapsed, ref pv } = report;
        let moves = pv.clone();
        Line {
            rank: line + 1,
            depth,
            selective_depth: seldepth,
            score,
            nodes,
            time: elapsed,
            moves,
        }
    }
}

/// The result of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// The best move. `None` if the game is over or the limits exclude every move. If all free
    /// points are forbidden to the side to move, it is one of them.
    pub best: Option<Point>,
    /// Score from the point of view of the side to move. If the game is over, its result.
    pub score: Score,
    /// Depth of the last finished iteration, in plies. 0 if none was needed.
    pub depth: u32,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// The best lines, best first: as many as [`Limits::lines`](crate::Limits::lines) requests, or
    /// fewer if there are fewer moves, or if the search ended before it had looked at others than a
    /// winning one.
    pub lines: Vec<Line>,
}

impl Analysis {
    /// Returns the analysis of a game that is over; `None` if it is not.
    fn of_finished_game(board: &Board) -> Option<Analysis> {
        let side = board.side_to_move();
        let score = match board.outcome() {
            Outcome::Ongoing => return None,
            Outcome::Draw => Score::ZERO,
            Outcome::Win(winner) if winner == side => Score::win_in(0),
            Outcome::Win(_) => Score::loss_in(0),
            // Black made the last move, and White has won.
            Outcome::Forbidden(_) if side == Side::White => Score::win_in(0),
            Outcome::Forbidden(_) => Score::loss_in(0),
        };
        Some(Analysis { best: None, score, depth: 0, nodes: 0, lines: Vec::new() })
    }
}
