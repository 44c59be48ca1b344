//! The settings of a match: everything that determines which games are played.
//!
//! [`MatchSettings`] are the first line of every record file. Resuming and merging compare them.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::statistics::Sprt;
use kakugo::board::{Board, Rule, Variant};
use kakugo_protocol::client::{EngineConfig, GameSetup};

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

/// Maximum number of games of a match. All games are held in memory.
const MAX_GAMES: u64 = 10_000_000;

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
    /// The openings in the order of play, each a list of `[x, y]`.
    pub openings: Vec<Vec<[u8; 2]>>,
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
    /// Returns true if a record with these settings belongs to the match that `other` describes.
    /// The description of the openings is ignored if it was not recorded.
    pub fn is_same_match(&self, other: &MatchSettings) -> bool {
        let same = self.generated.is_none() || self.generated == other.generated;
        same && *self == MatchSettings { generated: self.generated.clone(), ..other.clone() }
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
        let two = self.engines.len() == 2;
        ensure!(self.sprt.is_none() || two, "--sprt requires exactly two engines");
        for (i, engine) in self.engines.iter().enumerate() {
            let twice = self.engines[..i].iter().any(|other| other.name == engine.name);
            ensure!(!twice, "duplicate engine name '{}': set name= to make it unique", engine.name);
        }
        Ok(())
    }
}
