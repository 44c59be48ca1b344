//! A finished self-play game.

use kakugo::board::{Board, Point, Side, Variant};
use kakugo::score::Score;

/// A move with the result of the search before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedMove {
    /// The move played.
    pub point: Point,
    /// The best move of the search. It differs from [`SearchedMove::point`] for a random move.
    pub choice: Point,
    /// Score of the position before the move, for the side to move.
    pub score: Score,
    /// Shares of the moves in the nodes of the last complete iteration, in 255ths, largest first.
    /// Small shares are omitted. Empty if the search returned without an iteration.
    pub shares: Vec<(Point, u8)>,
}

impl SearchedMove {
    /// Returns true if the move was random and differs from that of the search.
    pub fn is_random(&self) -> bool {
        self.point != self.choice
    }
}

/// A finished self-play game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// Number of the game in its run, from 0.
    pub number: u32,
    /// The rule.
    pub variant: Variant,
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
    /// The stones of the opening, Black first.
    pub opening: Vec<Point>,
    /// The moves after the opening. The game is adjudicated as soon as the search finds a forced
    /// win or loss.
    pub moves: Vec<SearchedMove>,
}

impl SelfPlayGame {
    /// Returns an empty board for this game, or `None` if its size is not supported.
    pub fn board(&self) -> Option<Board> {
        Board::new(self.width, self.height, self.variant).ok()
    }

    /// Returns all stones in order, those of the opening first.
    pub fn stones(&self) -> impl Iterator<Item = Point> + '_ {
        self.opening.iter().copied().chain(self.moves.iter().map(|m| m.point))
    }
}
