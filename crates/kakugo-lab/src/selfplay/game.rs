//! A finished game of the engine against itself.

use kakugo::board::{Board, Point, Side, Variant};
use kakugo::score::Score;

/// A move and what the search thought before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedMove {
    /// What was played.
    pub point: Point,
    /// What the search would have played; another one than [`SearchedMove::point`] makes it a stray.
    pub choice: Point,
    /// Value of the position before the move, for the side to move.
    pub score: Score,
    /// How the nodes of the search's last finished iteration were shared among the moves, in 255ths,
    /// largest first: only the moves with the most nodes, and none where the search settled the
    /// matter without an iteration.
    pub shares: Vec<(Point, u8)>,
}

impl SearchedMove {
    /// Whether the move was drawn at random, and is not what the search chose.
    pub fn is_stray(&self) -> bool {
        self.point != self.choice
    }
}

/// A finished game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// Which game of its run, from 0.
    pub number: u32,
    /// The rule.
    pub variant: Variant,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Who won; `None`: a draw.
    pub winner: Option<Side>,
    /// The stones that were given, Black first.
    pub opening: Vec<Point>,
    /// The moves after them. A game ends when the search has found a forced win or loss: what was
    /// proven is not played out.
    pub moves: Vec<SearchedMove>,
}

impl SelfPlayGame {
    /// An empty board of this game; `None` if there is no such board.
    pub fn board(&self) -> Option<Board> {
        Board::new(self.width, self.height, self.variant).ok()
    }

    /// All stones, those of the opening first.
    pub fn stones(&self) -> impl Iterator<Item = Point> + '_ {
        self.opening.iter().copied().chain(self.moves.iter().map(|m| m.point))
    }
}
