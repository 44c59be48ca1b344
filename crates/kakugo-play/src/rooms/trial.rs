//! The puzzle on a room's board, and how far it has come.

use super::puzzles::Puzzle;
use kakugo::board::Point;
use kakugo_record::analysis::puzzle::Verdict;
use kakugo_record::tree::NodeId;

/// The puzzle on the board.
pub struct Practice {
    /// What is to be solved.
    pub puzzle: Puzzle,
    /// How far it has come.
    pub stage: Stage,
    /// Whether a hint was asked for.
    pub hinted: bool,
    /// Wrong answers.
    pub mistakes: u32,
    /// Whether the page shows the solution.
    pub asked_for_solution: bool,
    /// What was said of the latest answer: the answer, what it is worth.
    pub said: Option<(Point, Verdict)>,
}

/// How far a puzzle has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// An answer is awaited.
    Try,
    /// The answer of this node is being judged.
    Judging(NodeId),
    /// It is solved.
    Solved,
    /// The solution was asked for.
    Shown,
}
