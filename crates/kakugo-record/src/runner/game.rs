//! Finished games in match records.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::GameResult;
use crate::setup::{Placement, Setup};
use kakugo::board::{Point, Side};

/// The reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Five in a row, or the win length.
    Five,
    /// A forbidden move by Black.
    Forbidden,
    /// A move off the board or on an occupied point.
    IllegalMove,
    /// A timeout.
    Time,
    /// Memory limit exceeded.
    Memory,
    /// The engine's process exited.
    Crash,
    /// The engine closed its output.
    Disconnect,
    /// A line that violates the protocol.
    Protocol,
    /// No free points left.
    FullBoard,
    /// The move limit was reached.
    MoveLimit,
    /// A proven win by continuous fours.
    Proof,
}

impl Reason {
    /// Returns true if the loser failed (a timeout, a crash ..) rather than being outplayed.
    pub fn is_fault(self) -> bool {
        use Reason::{Crash, Disconnect, IllegalMove, Memory, Protocol, Time};
        matches!(self, IllegalMove | Time | Memory | Crash | Disconnect | Protocol)
    }

    /// Returns the reason as a phrase. `win_length` is the number of stones in a row that win.
    pub fn text(self, win_length: u8) -> &'static str {
        match self {
            Reason::Five => match win_length {
                3 => "three in a row",
                4 => "four in a row",
                5 => "five in a row",
                6 => "six in a row",
                _ => "a row",
            },
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

    /// The result as stored in the file.
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

mod side_as_word {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use kakugo::board::Side;

    /// The side as stored in the file.
    #[derive(Clone, Copy, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Black,
        White,
    }

    pub fn serialize<S: Serializer>(side: &Option<Side>, s: S) -> Result<S::Ok, S::Error> {
        let word = side.map(|side| match side {
            Side::Black => Word::Black,
            Side::White => Word::White,
        });
        word.serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Side>, D::Error> {
        Ok(Option::<Word>::deserialize(d)?.map(|word| match word {
            Word::Black => Side::Black,
            Word::White => Side::White,
        }))
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
        Point::new(x, y).ok_or_else(|| de::Error::custom(format!("point {x},{y} is off the board")))
    }
}

/// A move with the runner's measurements and the engine's search info.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedMove {
    /// `[x, y]`.
    #[serde(with = "point_as_pair")]
    pub at: Point,
    /// The side that moved, if it was not its turn: in openings that are positions.
    #[serde(with = "side_as_word", default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Time in milliseconds by the runner's clock; absent for opening stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Evaluation for the side that moved, as printed by the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl PlayedMove {
    /// Creates an opening stone.
    pub fn opening(at: Point) -> PlayedMove {
        PlayedMove { at, side: None, ms: None, depth: None, eval: None, nodes: None }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Game number in the schedule, from 0.
    pub id: u32,
    /// Number of the game pair with swapped colours, from 0.
    pub pair: u32,
    /// Seed of the match.
    pub seed: u64,
    /// Name of the engine that played Black.
    pub black: String,
    /// Name of the engine that played White.
    pub white: String,
    /// Date of the end of the game (UTC), e.g. 2026-11-22; absent in old records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Swap2 only: name of the engine that placed the first three stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposer: Option<String>,
    /// The result.
    #[serde(with = "result_as_winner", rename = "winner")]
    pub result: GameResult,
    /// The reason for the end.
    pub reason: Reason,
    /// Details of the reason; may be empty.
    #[serde(default)]
    pub detail: String,
    /// Number of opening stones.
    pub opening: usize,
    /// Blocked points of the opening, as `[x, y]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<[u8; 2]>,
    /// All moves, including the opening.
    pub moves: Vec<PlayedMove>,
}

impl GameRecord {
    /// Returns the current date as stored in records.
    pub fn today() -> Option<String> {
        Some(OffsetDateTime::now_utc().date().to_string())
    }

    /// Returns the side that made each move.
    pub fn sides(&self) -> Vec<Side> {
        let mut turn = Side::Black;
        let side = |played: &PlayedMove| {
            let side = played.side.unwrap_or(turn);
            turn = side.opponent();
            side
        };
        self.moves.iter().map(side).collect()
    }

    /// Returns the name of the engine that made each move. In swap2 the proposer placed the first
    /// three stones, and the other engine the fourth and fifth if both came in one reply.
    pub fn movers(&self) -> Vec<&str> {
        let (black, white) = (&*self.black, &*self.white);
        let proposer = self.proposer.as_deref();
        let chooser = if proposer == Some(black) { white } else { black };
        // Only the first stone of a reply has a time.
        let came_together = self.moves.get(4).is_some_and(|fifth| fifth.ms.is_none());
        let mover = |(ply, side): (usize, Side)| match (ply, proposer) {
            (0..3, Some(proposer)) => proposer,
            (3 | 4, Some(_)) if came_together => chooser,
            _ if side == Side::Black => black,
            _ => white,
        };
        self.sides().into_iter().enumerate().map(mover).collect()
    }

    /// Returns the position of the opening if its stones cannot have been played in turns, or if
    /// points are blocked.
    pub fn start(&self) -> Option<Setup> {
        let opening = self.opening.min(self.moves.len());
        let is_out_of_turn = |played: &PlayedMove| played.side.is_some();
        let is_played = !self.moves.iter().take(opening + 1).any(is_out_of_turn);
        if is_played && self.blocked.is_empty() {
            return None;
        }
        let sides = self.sides();
        let mut start = Setup::default();
        for (played, &side) in self.moves[..opening].iter().zip(&sides) {
            start.put(played.at, Placement::Stone(side));
        }
        for p in self.blocked.iter().filter_map(|&[x, y]| Point::new(x, y)) {
            start.put(p, Placement::Blocked);
        }
        let last = sides[..opening].last().map_or(Side::Black, |side| side.opponent());
        start.to_move = Some(sides.get(opening).copied().unwrap_or(last));
        Some(start)
    }

    /// Returns the points scored by the engine called `name`.
    pub fn points(&self, name: &str) -> f64 {
        self.result.points(if self.black == name { Side::Black } else { Side::White })
    }

    /// Returns the name of the winner.
    pub fn winner(&self) -> Option<&str> {
        match self.result {
            GameResult::Win(Side::Black) => Some(&self.black),
            GameResult::Win(Side::White) => Some(&self.white),
            GameResult::Draw => None,
        }
    }

    /// Returns a summary line such as `game 1, A - B: A wins, time (...)`. `win_length` is the
    /// number of stones in a row that win.
    pub fn summary(&self, win_length: u8) -> String {
        let outcome = match self.winner() {
            Some(winner) => format!("{winner} wins"),
            None => "draw".to_owned(),
        };
        let detail =
            if self.detail.is_empty() { String::new() } else { format!(" ({})", self.detail) };
        let (black, white, reason) = (&self.black, &self.white, self.reason.text(win_length));
        format!("game {}, {black} - {white}: {outcome}, {reason}{detail}", self.id + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a game that `A` proposed. The stones of these indices came with others in a reply.
    fn swap2_game(black: &str, white: &str, together: &[usize]) -> GameRecord {
        let moved = |ply: u8| {
            let at = Point::new(ply, ply).unwrap();
            let ms = (!together.contains(&usize::from(ply))).then_some(1.0);
            PlayedMove { ms, ..PlayedMove::opening(at) }
        };
        GameRecord {
            id: 0,
            pair: 0,
            seed: 0,
            black: black.to_owned(),
            white: white.to_owned(),
            date: None,
            proposer: Some("A".to_owned()),
            result: GameResult::Draw,
            reason: Reason::MoveLimit,
            detail: String::new(),
            opening: 0,
            blocked: Vec::new(),
            moves: (0..7).map(moved).collect(),
        }
    }

    #[test]
    fn swap2_stones_have_the_engine_that_placed_them() {
        let movers =
            |black, white, together: &[usize]| swap2_game(black, white, together).movers().concat();
        assert_eq!(movers("B", "A", &[1, 2]), "AAAABAB", "SWAP");
        assert_eq!(movers("A", "B", &[1, 2]), "AAABABA", "one stone");
        assert_eq!(movers("A", "B", &[1, 2, 4]), "AAABBBA", "two stones, SWAP");
        assert_eq!(movers("B", "A", &[1, 2, 4]), "AAABBAB", "two stones, one stone");
        let plain = GameRecord { proposer: None, ..swap2_game("B", "A", &[0, 1, 2, 3, 4]) };
        assert_eq!(plain.movers().concat(), "BABABAB");
    }

    #[test]
    fn a_row_has_the_win_length() {
        assert_eq!(Reason::Five.text(5), "five in a row");
        assert_eq!(Reason::Five.text(3), "three in a row");
        assert_eq!(Reason::Five.text(9), "a row");
        assert_eq!(Reason::Time.text(3), "time");
    }
}
