//! A finished game, as a line of a match's record holds it.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::GameResult;
use kakugo::board::{Point, Side};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Five in a row, as the rule counts it.
    Five,
    /// Black made a forbidden move.
    Forbidden,
    /// A move off the board or on an occupied point.
    IllegalMove,
    /// No answer in time.
    Time,
    /// Too much memory.
    Memory,
    /// The engine's process ended.
    Crash,
    /// The engine closed its output.
    Disconnect,
    /// A line that the protocol does not allow.
    Protocol,
    /// No free point is left.
    FullBoard,
    /// The agreed number of stones was reached.
    MoveLimit,
    /// A win by continuous fours was proven.
    Proof,
}

impl Reason {
    /// Whether the loser lost by failing rather than by playing.
    pub fn is_fault(self) -> bool {
        use Reason::{Crash, Disconnect, IllegalMove, Memory, Protocol, Time};
        matches!(self, IllegalMove | Time | Memory | Crash | Disconnect | Protocol)
    }

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Five => "five in a row",
            Reason::Forbidden => "forbidden move",
            Reason::IllegalMove => "illegal move",
            Reason::Time => "time",
            Reason::Memory => "memory",
            Reason::Crash => "crash",
            Reason::Disconnect => "disconnect",
            Reason::Protocol => "protocol violation",
            Reason::FullBoard => "full board",
            Reason::MoveLimit => "move limit",
            Reason::Proof => "proven win",
        }
    }
}

mod result_as_winner {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::GameResult;
    use kakugo::board::Side;

    /// A result as it stands in the file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Winner {
        Black,
        White,
        Draw,
    }

    pub fn serialize<S: Serializer>(result: &GameResult, s: S) -> Result<S::Ok, S::Error> {
        match result {
            GameResult::Win(Side::Black) => Winner::Black,
            GameResult::Win(Side::White) => Winner::White,
            GameResult::Draw => Winner::Draw,
        }
        .serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<GameResult, D::Error> {
        Ok(match Winner::deserialize(d)? {
            Winner::Black => GameResult::Win(Side::Black),
            Winner::White => GameResult::Win(Side::White),
            Winner::Draw => GameResult::Draw,
        })
    }
}

mod point_as_pair {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use kakugo::board::Point;

    pub fn serialize<S: Serializer>(p: &Point, s: S) -> Result<S::Ok, S::Error> {
        [p.x(), p.y()].serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Point, D::Error> {
        let [x, y] = <[u8; 2]>::deserialize(d)?;
        Point::new(x, y).ok_or_else(|| de::Error::custom(format!("no point {x},{y}")))
    }
}

/// A move with what the arbiter measured and the engine told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedMove {
    /// `[x, y]`.
    #[serde(with = "point_as_pair")]
    pub at: Point,
    /// Time in milliseconds, by the arbiter's clock; absent for opening stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Value for the side that moved, as it was printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl PlayedMove {
    /// A stone of the opening.
    pub fn opening(at: Point) -> PlayedMove {
        PlayedMove { at, ms: None, depth: None, eval: None, nodes: None }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule, from 0.
    pub id: u32,
    /// Number of the pair of games with exchanged colours, from 0.
    pub pair: u32,
    /// The match's seed.
    pub seed: u64,
    /// Name of the engine that played Black.
    pub black: String,
    /// Name of the engine that played White.
    pub white: String,
    /// The day on which it ended (UTC), as 2026-11-22; not known of old records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Swap2 only: who put the first three stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposer: Option<String>,
    /// Who won.
    #[serde(with = "result_as_winner", rename = "winner")]
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// More about it; may be empty.
    #[serde(default)]
    pub detail: String,
    /// Stones that were given, not played.
    pub opening: usize,
    /// All moves, those of the opening included.
    pub moves: Vec<PlayedMove>,
}

impl GameRecord {
    /// The present day, as a record tells it.
    pub fn today() -> Option<String> {
        Some(OffsetDateTime::now_utc().date().to_string())
    }

    /// Points of the engine called `name`.
    pub fn points(&self, name: &str) -> f64 {
        self.result.points(if self.black == name { Side::Black } else { Side::White })
    }

    /// Name of the winner.
    pub fn winner(&self) -> Option<&str> {
        match self.result {
            GameResult::Win(Side::Black) => Some(&self.black),
            GameResult::Win(Side::White) => Some(&self.white),
            GameResult::Draw => None,
        }
    }

    /// `A - B: A wins by time (...)`.
    pub fn summary(&self) -> String {
        let outcome = match self.winner() {
            Some(winner) => format!("{winner} wins"),
            None => "draw".to_owned(),
        };
        let detail =
            if self.detail.is_empty() { String::new() } else { format!(" ({})", self.detail) };
        let (black, white, reason) = (&self.black, &self.white, self.reason.text());
        format!("game {}, {black} - {white}: {outcome}, {reason}{detail}", self.id + 1)
    }
}
