//! How games end, on the board and away from it.

use crate::board::{Foul, Side};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// A row of the win length.
    Row(Side),
    /// Black played a forbidden point.
    Foul(Foul),
    /// The board is full.
    Full,
    /// This side lost away from the board.
    Forfeit(Side, Forfeit),
}

impl End {
    /// Who won; `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        match self {
            End::Row(side) => Some(*side),
            End::Foul(_) => Some(Side::White),
            End::Full => None,
            End::Forfeit(loser, _) => Some(loser.opponent()),
        }
    }
}

/// How a game ends away from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forfeit {
    /// Gave up.
    Resigned,
    /// Ran out of time.
    Time,
    /// An engine failed; the story.
    Failed(String),
}
