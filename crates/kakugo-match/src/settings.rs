//! What a match is about: everything that decides which games are played.
//!
//! [`Settings`] opens every record file, so that a resumed or merged match can prove that it is the
//! same one.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::statistics::Sprt;
use kakugo::board::{Board, Rule, Variant};
use kakugo_protocol::client::{EngineConfig, GameSetup};

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each engine plays each other; with two engines a plain match.
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// What is done with the eight symmetries of an opening (four on rectangles).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Openings are played as they stand.
    #[default]
    None,
    /// Each is turned in a way drawn from the seed.
    Random,
    /// Each is played in all its ways, one after the other.
    All,
}

/// Games of one match at most: all of them are kept in memory.
const MOST_GAMES: u64 = 10_000_000;

/// Everything that decides which games a match consists of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Gomocup's number of the rule.
    pub rule: u32,
    /// Stones in a row that win.
    pub win_length: u8,
    /// Who plays whom.
    pub format: TournamentFormat,
    /// Games of each pairing; even.
    pub games: u32,
    /// The engines.
    pub engines: Vec<EngineConfig>,
    /// Seed of everything random.
    pub seed: u64,
    /// Whether the engines negotiate the opening by swap2.
    pub swap2: bool,
    /// The openings in the order of use, each a list of `[x, y]`.
    pub openings: Vec<Vec<[u8; 2]>>,
    /// How openings were asked for that a search had to find, so that a match that is continued asks
    /// for the same and needs no second search; none in records of version 0.2.0 and before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
    /// Stones after which a game is drawn; none means a full board.
    pub move_limit: Option<u32>,
    /// Whether proven wins end a game.
    pub adjudicate: bool,
    /// The test that may stop the match.
    pub sprt: Option<Sprt>,
}

impl Settings {
    /// Whether a match recorded with these settings is the one that `other` asks for. How openings came about
    /// does not matter where they are the same.
    pub fn is_match_of(&self, other: &Settings) -> bool {
        let same = self.generated.is_none() || self.generated == other.generated;
        same && *self == Settings { generated: self.generated.clone(), ..other.clone() }
    }

    /// The rule and win length.
    ///
    /// # Errors
    /// The rule's number is unknown, or the rule has no such win length.
    pub fn variant(&self) -> Result<Variant> {
        let rule = Rule::ALL.into_iter().find(|rule| rule.number() == self.rule);
        let rule = rule.with_context(|| format!("unknown rule number {}", self.rule))?;
        Ok(Variant::new(rule, self.win_length)?)
    }

    /// What the engines are told of a game.
    ///
    /// # Errors
    /// The rule's number or the win length is unknown.
    pub fn game_setup(&self) -> Result<GameSetup> {
        Ok(GameSetup { width: self.width, height: self.height, variant: self.variant()? })
    }

    /// An empty board.
    ///
    /// # Errors
    /// There is no such board or rule.
    pub fn board(&self) -> Result<Board> {
        Ok(Board::new(self.width, self.height, self.variant()?)?)
    }

    /// Refuse what cannot be played.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn check(&self) -> Result<()> {
        self.board()?;
        ensure!(self.engines.len() >= 2, "a match needs at least two engines (--engine ...)");
        ensure!(
            self.games > 0 && self.games.is_multiple_of(2),
            "games come in pairs: give an even number"
        );
        let players = self.engines.len() as u64;
        let meetings = match self.format {
            TournamentFormat::RoundRobin => players * (players - 1) / 2,
            TournamentFormat::Gauntlet => players - 1,
        };
        ensure!(
            u64::from(self.games) * meetings <= MOST_GAMES,
            "that are more than {MOST_GAMES} games"
        );
        let two = self.engines.len() == 2;
        ensure!(self.sprt.is_none() || two, "an SPRT needs exactly two engines");
        for (i, engine) in self.engines.iter().enumerate() {
            let twice = self.engines[..i].iter().any(|other| other.name == engine.name);
            ensure!(!twice, "two engines are called \"{}\": give them names", engine.name);
        }
        Ok(())
    }
}
