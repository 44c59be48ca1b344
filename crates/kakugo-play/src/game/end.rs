//! How games end, on the board and away from it.

use kakugo::board::{Foul, Side};
use kakugo_record::tree::NodeId;
use kakugo_record::{Cause, GameResult};

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
    /// A record says so, in these words or in none.
    Told(GameResult, String),
}

impl End {
    /// Who won; `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        match self {
            End::Row(side) => Some(*side),
            End::Foul(_) => Some(Side::White),
            End::Full => None,
            End::Forfeit(loser, _) => Some(loser.opponent()),
            End::Told(GameResult::Win(side), _) => Some(*side),
            End::Told(GameResult::Draw, _) => None,
        }
    }
}

/// How a record says that its game ended.
#[derive(Clone, Debug)]
pub struct Told {
    /// Who won.
    pub result: GameResult,
    /// What brought it about, if it happened away from the board.
    pub cause: Option<Cause>,
    /// What the record says of it; empty for nothing.
    pub words: String,
    /// The end of the main line that it is said of.
    pub tip: NodeId,
}

impl Told {
    /// The end meant.
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
            (result, _) => End::Told(result, self.words.clone()),
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
    /// An engine failed; the story, or nothing where a record tells none.
    Failed(String),
}

impl Forfeit {
    /// What records call it.
    pub const fn cause(&self) -> Cause {
        match self {
            Forfeit::Resigned => Cause::Resignation,
            Forfeit::Time => Cause::Time,
            Forfeit::Failed(_) => Cause::Forfeit,
        }
    }
}
