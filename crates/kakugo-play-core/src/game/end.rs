//! The ends of games, on the board and away from it.

use kakugo::board::{Foul, Side};
use kakugo_record::tree::NodeId;
use kakugo_record::{Cause, GameResult};

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// A row of the win length.
    Row(Side),
    /// Black played a forbidden point.
    Foul(Foul),
    /// The board is full.
    Full,
    /// The players have agreed on a draw.
    Agreed,
    /// This side lost away from the board.
    Forfeit(Side, Forfeit),
    /// The record of the game states this result, with these words if any.
    Recorded(GameResult, String),
}

impl End {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        match self {
            End::Row(side) => Some(*side),
            End::Foul(_) => Some(Side::White),
            End::Full | End::Agreed => None,
            End::Forfeit(loser, _) => Some(loser.opponent()),
            End::Recorded(GameResult::Win(side), _) => Some(*side),
            End::Recorded(GameResult::Draw, _) => None,
        }
    }
}

/// The end of a game as its record states it.
#[derive(Clone, Debug)]
pub struct RecordedEnd {
    /// The result.
    pub result: GameResult,
    /// The cause, if the game ended away from the board.
    pub cause: Option<Cause>,
    /// The words of the record; empty if there are none.
    pub words: String,
    /// The end of the main line to which it belongs.
    pub tip: NodeId,
}

impl RecordedEnd {
    /// Returns the end.
    pub fn end(&self) -> End {
        match (self.result, self.cause) {
            (GameResult::Win(side), Some(Cause::Resignation)) => {
                End::Forfeit(side.opponent(), Forfeit::Resigned)
            }
            (GameResult::Win(side), Some(Cause::Time)) => {
                End::Forfeit(side.opponent(), Forfeit::Time)
            }
            (GameResult::Win(side), Some(Cause::Forfeit)) if self.words.is_empty() => {
                End::Forfeit(side.opponent(), Forfeit::Failed(String::new()))
            }
            (result, _) => End::Recorded(result, self.words.clone()),
        }
    }
}

/// An end away from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forfeit {
    /// The player resigned.
    Resigned,
    /// The player ran out of time.
    Time,
    /// An engine failed for this reason; empty if the record states none.
    Failed(String),
}

impl Forfeit {
    /// Returns the cause as game records have it.
    pub const fn cause(&self) -> Cause {
        match self {
            Forfeit::Resigned => Cause::Resignation,
            Forfeit::Time => Cause::Time,
            Forfeit::Failed(_) => Cause::Forfeit,
        }
    }
}
