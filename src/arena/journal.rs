//! The record of a match: JSON Lines, one game a line, written and flushed as the games end.
//!
//! The first line holds the [`Settings`]; every other line is a [`GameRecord`]. A run that was
//! killed may leave half a line at the end, which the next one cuts off. Parts of a match that were
//! played on several machines are merged by reading their files one after the other.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::settings::Settings;
use crate::board::{Point, Side};
use crate::record::GameResult;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Five in a row, or whatever the rule counts as that.
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

/// A result as it stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Black,
    White,
    Draw,
}

mod result_as_winner {
    use super::{GameResult, Side, Winner};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    use super::Point;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Entry {
    Match { version: String, settings: Box<Settings> },
    Game(Box<GameRecord>),
}

/// A match read back: its settings and its games, by number.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// What the match is about.
    pub settings: Settings,
    /// The finished games.
    pub games: BTreeMap<u32, GameRecord>,
}

impl Journal {
    /// A match of which nothing is played.
    pub fn new(settings: Settings) -> Journal {
        Journal { settings, games: BTreeMap::new() }
    }

    /// Read one file. Half a line at its end is ignored.
    pub fn read(path: &Path) -> Result<Journal> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("reading games from {shown}"))?;
        let mut journal: Option<Journal> = None;
        for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.with_context(|| format!("reading {shown}"))?;
            if line.is_empty() {
                continue;
            }
            let entry = match serde_json::from_slice(&line) {
                Ok(entry) => entry,
                Err(error) if error.is_eof() => continue,
                Err(error) => bail!("{shown}, line {}: {error}", number + 1),
            };
            match (entry, &mut journal) {
                (Entry::Match { settings, .. }, None) => journal = Some(Journal::new(*settings)),
                (Entry::Match { .. }, Some(_)) => bail!("{shown} holds two matches"),
                (Entry::Game(game), Some(journal)) => {
                    journal.games.insert(game.id, *game);
                }
                (Entry::Game(_), None) => bail!("{shown} does not begin with the match's settings"),
            }
        }
        journal.with_context(|| format!("{shown} holds no match"))
    }

    /// Read the parts of one match.
    pub fn merge<P: AsRef<Path>>(paths: &[P]) -> Result<Journal> {
        let mut whole: Option<Journal> = None;
        for path in paths.iter().map(AsRef::as_ref) {
            let part = Journal::read(path)?;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => {
                    ensure!(
                        whole.settings == part.settings,
                        "{} belongs to another match (engines, limits, openings or seed differ)",
                        path.display()
                    );
                    whole.games.extend(part.games);
                }
            }
        }
        whole.context("no record file given")
    }

    /// Name of the engine from whose side pair counts are seen: the first.
    pub fn first(&self) -> &str {
        &self.settings.engines[0].name
    }
}

/// The open file to which finished games are appended.
pub struct Writer {
    file: File,
}

impl Writer {
    /// Begin a new file. One that exists is not touched: that is an error.
    pub fn create(path: &Path, settings: &Settings) -> Result<Writer> {
        let shown = path.display();
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.with_context(|| format!("creating {shown} (--resume continues a file)"))?;
        let mut writer = Writer { file };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        writer.line(&Entry::Match { version, settings: Box::new(settings.clone()) })?;
        Ok(writer)
    }

    /// Continue a file, cutting off half a line at its end.
    pub fn append(path: &Path) -> Result<Writer> {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("reading {shown}"))?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let file = OpenOptions::new().append(true).open(path);
        let file = file.with_context(|| format!("appending to {shown}"))?;
        file.set_len(whole as u64).with_context(|| format!("shortening {shown}"))?;
        Ok(Writer { file })
    }

    /// Write one game so that it survives whatever happens to us next.
    pub fn game(&mut self, game: &GameRecord) -> Result<()> {
        self.line(&Entry::Game(Box::new(game.clone())))
    }

    fn line(&mut self, entry: &Entry) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.flush()).context("writing the record")
    }
}
