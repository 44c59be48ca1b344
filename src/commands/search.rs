//! Options that search games by player, event, year, result and position.

use anyhow::ensure;
use clap::{Args, ValueEnum};

use kakugo::board::Side;
use kakugo_record::explorer::WantedPosition;
use kakugo_record::search::{GameFilter, WantedResult, Words, Years};
use kakugo_record::{Game, GameResult};

/// Conditions on games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Only games of this player: words of the name, without accents; given twice, of both players
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Only games of events with these words
    #[arg(long, value_name = "WORDS")]
    event: Option<String>,
    /// Only games of these years: 2010, 2010..2015, 2010..
    #[arg(long, value_name = "YEARS")]
    year: Option<Years>,
    /// Only games with this result; `win` and `loss` are those of the first --player
    #[arg(long, value_enum, value_name = "RESULT")]
    result: Option<ResultWord>,
}

/// A result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ResultWord {
    /// Black won
    Black,
    /// White won
    White,
    /// A draw
    Draw,
    /// The player won
    Win,
    /// The player lost
    Loss,
}

impl SearchArgs {
    /// Returns true if no option is given.
    pub(super) fn is_empty(&self) -> bool {
        self.player.is_empty()
            && self.event.is_none()
            && self.year.is_none()
            && self.result.is_none()
    }

    /// Returns the conditions. A position without moves is in every game.
    ///
    /// # Errors
    /// Returns an error if options do not fit together.
    pub(super) fn filter(&self, position: &Game) -> anyhow::Result<GameFilter> {
        let words = |option: &str, text: &str| {
            let words = Words::new(text);
            ensure!(!words.is_empty(), "invalid {option} \"{text}\": expected at least one word");
            Ok(words)
        };
        ensure!(self.player.len() <= 2, "--player: a game has two players, not more");
        let result = self.result.map(|word| match word {
            ResultWord::Black => WantedResult::Exactly(GameResult::Win(Side::Black)),
            ResultWord::White => WantedResult::Exactly(GameResult::Win(Side::White)),
            ResultWord::Draw => WantedResult::Exactly(GameResult::Draw),
            ResultWord::Win => WantedResult::PlayerWon,
            ResultWord::Loss => WantedResult::PlayerLost,
        });
        let is_of_player =
            matches!(result, Some(WantedResult::PlayerWon | WantedResult::PlayerLost));
        ensure!(
            !is_of_player || !self.player.is_empty(),
            "--result win and --result loss need a player: add --player NAME"
        );
        let players = self.player.iter().map(|name| words("--player", name));
        let is_empty = position.moves.is_empty() && position.starts_empty();
        let wanted = || WantedPosition::new(position.clone());
        Ok(GameFilter {
            players: players.collect::<anyhow::Result<_>>()?,
            event: self.event.as_ref().map(|text| words("--event", text)).transpose()?,
            years: self.year.clone(),
            result,
            position: (!is_empty).then(wanted),
        })
    }
}
