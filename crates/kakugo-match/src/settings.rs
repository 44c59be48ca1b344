//! The settings of a match: everything that determines which games are played.
//!
//! [`MatchSettings`] are the first line of every record file. Resuming and merging compare them.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::statistics::Sprt;
use kakugo::board::{Board, Cell, Outcome, Point, Rule, Side, Variant};
use kakugo_protocol::client::{EngineConfig, GameSetup};
use kakugo_record::setup::{Placement, Setup};

/// The pairings of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each engine plays every other engine
    RoundRobin,
    /// The first engine plays each of the others
    Gauntlet,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As listed in the file
    #[default]
    Sequential,
    /// Shuffled with the seed
    Random,
}

/// The use of the eight symmetries of an opening (four on rectangular boards).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Play the openings as they are
    #[default]
    None,
    /// Play each opening with a randomly chosen symmetry
    Random,
    /// Play each opening with all symmetries in turn
    All,
}

/// Maximum number of stones of a swap2 opening.
const SWAP2_STONES: u32 = 5;

/// Maximum number of games of a match. All games are held in memory.
const MAX_GAMES: u64 = 10_000_000;

/// An opening: moves from the empty board, or a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Opening {
    /// Moves as `[x, y]`, Black first.
    Moves(Vec<[u8; 2]>),
    /// Stones in any number, blocked points, and the side to move.
    Position {
        /// Black stones.
        black: Vec<[u8; 2]>,
        /// White stones.
        white: Vec<[u8; 2]>,
        /// Blocked points.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blocked: Vec<[u8; 2]>,
        /// True if White is to move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        white_to_move: bool,
    },
}

impl Opening {
    /// Returns the opening with these moves.
    pub fn of_moves(moves: &[Point]) -> Opening {
        Opening::Moves(moves.iter().map(|p| [p.x(), p.y()]).collect())
    }

    /// Returns the opening with the stones and blocked points of a board.
    pub fn of_position(board: &Board) -> Opening {
        let stones = |side| {
            let own = board.stones().filter(|stone| stone.side == side);
            let mut stones: Vec<[u8; 2]> =
                own.map(|stone| [stone.point.x(), stone.point.y()]).collect();
            stones.sort_unstable();
            stones
        };
        let walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
        Opening::Position {
            black: stones(Side::Black),
            white: stones(Side::White),
            blocked: walls.map(|p| [p.x(), p.y()]).collect(),
            white_to_move: board.side_to_move() == Side::White,
        }
    }

    /// Returns the opening with each point replaced by its image.
    pub fn map(&self, image: impl Fn(Point) -> Point) -> Opening {
        let mapped = |&[x, y]: &[u8; 2]| match Point::new(x, y).map(&image) {
            Some(p) => [p.x(), p.y()],
            None => [x, y],
        };
        let sorted = |points: &[[u8; 2]]| {
            let mut points: Vec<[u8; 2]> = points.iter().map(mapped).collect();
            points.sort_unstable();
            points
        };
        match self {
            Opening::Moves(moves) => Opening::Moves(moves.iter().map(mapped).collect()),
            Opening::Position { black, white, blocked, white_to_move } => Opening::Position {
                black: sorted(black),
                white: sorted(white),
                blocked: sorted(blocked),
                white_to_move: *white_to_move,
            },
        }
    }

    /// Returns the number of stones.
    pub fn stones(&self) -> usize {
        match self {
            Opening::Moves(moves) => moves.len(),
            Opening::Position { black, white, .. } => black.len() + white.len(),
        }
    }

    /// Returns true if points are blocked.
    pub fn has_blocked_points(&self) -> bool {
        matches!(self, Opening::Position { blocked, .. } if !blocked.is_empty())
    }

    /// Returns the board after the opening.
    ///
    /// # Errors
    /// Fails if a stone cannot be placed or the game is over.
    pub fn place(&self, empty: &Board) -> Result<Board> {
        let point = |&[x, y]: &[u8; 2]| {
            Point::new(x, y).with_context(|| format!("invalid opening stone {x},{y}"))
        };
        let mut board = empty.clone();
        match self {
            Opening::Moves(moves) => {
                for p in moves {
                    let p = point(p)?;
                    board.play(p).with_context(|| format!("opening stone {p}"))?;
                    ensure!(
                        board.outcome() == Outcome::Ongoing,
                        "the opening ends the game at {p}"
                    );
                }
            }
            Opening::Position { black, white, blocked, white_to_move } => {
                let side = if *white_to_move { Side::White } else { Side::Black };
                let mut setup = Setup::turn(side);
                let stone = Placement::Stone;
                for (points, what) in [
                    (black, stone(Side::Black)),
                    (white, stone(Side::White)),
                    (blocked, Placement::Blocked),
                ] {
                    for p in points {
                        setup.put(point(p)?, what);
                    }
                }
                board = setup.board(empty.width(), empty.height(), empty.variant())?;
                ensure!(
                    board.outcome() == Outcome::Ongoing,
                    "the game is over in the position of the opening"
                );
            }
        }
        Ok(board)
    }
}

/// Returns the path of the first value in which two JSON values differ, with both values.
fn first_difference(path: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            keys.into_iter().find_map(|key| {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let [one, other] = [one, other].map(|map| map.get(key).unwrap_or(&Value::Null));
                first_difference(&path, one, other)
            })
        }
        (Value::Array(ones), Value::Array(others)) if ones.len() == others.len() => {
            let pairs = ones.iter().zip(others).zip(1..);
            pairs.into_iter().find_map(|((one, other), number)| {
                first_difference(&format!("{path}[{number}]"), one, other)
            })
        }
        _ => Some(format!("{path} is {} instead of {}", shortened(one), shortened(other))),
    }
}

/// Returns the beginning of a JSON value as text.
fn shortened(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = value.to_string();
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The settings that determine the games of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Gomocup's rule number.
    pub rule: u32,
    /// Number of stones in a row that win.
    pub win_length: u8,
    /// Pairings.
    pub format: TournamentFormat,
    /// Number of games per pairing; even.
    pub games: u32,
    /// The engines.
    pub engines: Vec<EngineConfig>,
    /// Seed of the random number generator.
    pub seed: u64,
    /// If true, the engines choose the opening by swap2.
    pub swap2: bool,
    /// The openings in the order of play.
    pub openings: Vec<Opening>,
    /// Description of generated openings. A resumed match with the same description reuses the
    /// recorded openings. Absent from records of version 0.2.0 and earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
    /// Number of stones after which a game is drawn; `None`: full board.
    pub move_limit: Option<u32>,
    /// If true, proven wins end a game.
    pub adjudicate: bool,
    /// The test that may stop the match early.
    pub sprt: Option<Sprt>,
}

impl MatchSettings {
    /// Returns the first setting in which a record differs from this match, with both values. The
    /// description of the openings is ignored if it was not recorded.
    pub fn difference(&self, record: &MatchSettings) -> Option<String> {
        let mut expected = self.clone();
        if record.generated.is_none() {
            expected.generated = None;
        }
        if *record == expected {
            return None;
        }
        let values = [record, &expected].map(|settings| serde_json::to_value(settings).ok());
        let [Some(record), Some(expected)] = values else { return Some(String::new()) };
        first_difference("", &record, &expected).or_else(|| Some(String::new()))
    }

    /// Returns the rule and win length.
    ///
    /// # Errors
    /// Fails if the rule number is unknown or the rule does not allow the win length.
    pub fn variant(&self) -> Result<Variant> {
        let rule = Rule::ALL.into_iter().find(|rule| rule.number() == self.rule);
        let rule = rule.with_context(|| format!("unknown rule number {}", self.rule))?;
        Ok(Variant::new(rule, self.win_length)?)
    }

    /// Returns the board and rule that engines receive before a game.
    ///
    /// # Errors
    /// Fails if the rule number is unknown or the rule does not allow the win length.
    pub fn game_setup(&self) -> Result<GameSetup> {
        Ok(GameSetup { width: self.width, height: self.height, variant: self.variant()? })
    }

    /// Returns an empty board.
    ///
    /// # Errors
    /// Fails if the board size or the rule is invalid.
    pub fn board(&self) -> Result<Board> {
        Ok(Board::new(self.width, self.height, self.variant()?)?)
    }

    /// Checks that the match can be played.
    ///
    /// # Errors
    /// Describes the first invalid setting.
    pub fn validate(&self) -> Result<()> {
        self.board()?;
        ensure!(self.engines.len() >= 2, "a match needs at least two engines: add --engine");
        ensure!(
            self.games > 0 && self.games.is_multiple_of(2),
            "invalid number of games {}: --games must be even and at least 2",
            self.games
        );
        let players = self.engines.len() as u64;
        let meetings = match self.format {
            TournamentFormat::RoundRobin => players * (players - 1) / 2,
            TournamentFormat::Gauntlet => players - 1,
        };
        ensure!(
            u64::from(self.games) * meetings <= MAX_GAMES,
            "the match has more than {MAX_GAMES} games: reduce --games"
        );
        ensure!(
            !self.swap2 || self.move_limit.is_none_or(|limit| limit > SWAP2_STONES),
            "--move-limit must be above {SWAP2_STONES} with --swap2, which places up to as many stones"
        );
        let two = self.engines.len() == 2;
        ensure!(self.sprt.is_none() || two, "--sprt requires exactly two engines");
        for (i, engine) in self.engines.iter().enumerate() {
            let twice = self.engines[..i].iter().any(|other| other.name == engine.name);
            ensure!(!twice, "duplicate engine name '{}': set name= to make it unique", engine.name);
        }
        Ok(())
    }
}

/// Returns a number of stones in words: `1 stone`, `2 stones`.
pub(super) fn stones(count: usize) -> String {
    if count == 1 { "1 stone".to_owned() } else { format!("{count} stones") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let record = json!({ "engines": [{ "command": ["a", "b"], "name": "A" }], "seed": 1 });
        let difference = |path: &str, value: Value| {
            let mut other = record.clone();
            *other.pointer_mut(path).unwrap() = value;
            first_difference("", &record, &other)
        };
        assert_eq!(difference("/seed", json!(1)), None);
        assert_eq!(difference("/seed", json!(7)).unwrap(), "seed is 1 instead of 7");
        assert_eq!(
            difference("/engines/0/command/1", json!("c")).unwrap(),
            "engines[1].command[2] is \"b\" instead of \"c\""
        );
        let longer = difference("/engines/0/command", json!(vec!["a"; 30])).unwrap();
        assert!(longer.starts_with("engines[1].command is [\"a\",\"b\"] instead of [\"a\","));
        assert!(longer.ends_with('…'), "{longer}");
    }
}
