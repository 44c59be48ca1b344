//! A set-up as JSON: what pages send, and what files of games keep.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::opening::Opening;
use super::setup::{PlayerKind, Seat, Setup, TimeControl, tidy};
use kakugo::board::{Rule, Variant};
use kakugo_record::text::{Text, text};

/// A set-up as pages send it and files keep it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SetupWire {
    width: u8,
    height: u8,
    rule: String,
    win: u8,
    seats: [SeatWire; 2],
    opening: String,
    /// Milliseconds; absent for no limit.
    turn_ms: Option<u64>,
    game_ms: Option<u64>,
    #[serde(default)]
    increment_ms: u64,
    #[serde(default)]
    thought_ms: Option<u64>,
}

/// A seat as pages send it and files keep it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SeatWire {
    #[serde(default)]
    name: String,
    player: PlayerWire,
}

/// `"human"`, `{"kakugo": 3}`, `{"engine": 0}`.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum PlayerWire {
    Human,
    Kakugo(usize),
    Engine(usize),
}

/// Longest time that a page may set, in ms: a day.
const LONGEST_MS: u64 = 24 * 3600 * 1000;

fn time(ms: u64) -> Duration {
    Duration::from_millis(ms.min(LONGEST_MS))
}

impl SeatWire {
    /// The seat meant.
    pub fn seat(&self) -> Seat {
        let player = match self.player {
            PlayerWire::Human => PlayerKind::Human,
            PlayerWire::Kakugo(level) => PlayerKind::Kakugo(level),
            PlayerWire::Engine(index) => PlayerKind::Engine(index),
        };
        Seat { player, name: tidy(&self.name) }
    }
}

impl SetupWire {
    /// What tells this set-up.
    pub fn of(setup: &Setup) -> SetupWire {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(LONGEST_MS);
        let seat = |seat: &Seat| SeatWire {
            name: seat.name.clone(),
            player: match seat.player {
                PlayerKind::Human => PlayerWire::Human,
                PlayerKind::Kakugo(level) => PlayerWire::Kakugo(level),
                PlayerKind::Engine(index) => PlayerWire::Engine(index),
            },
        };
        SetupWire {
            width: setup.width,
            height: setup.height,
            rule: setup.variant.rule().word().to_owned(),
            win: setup.variant.win_length(),
            seats: setup.seats.each_ref().map(seat),
            opening: setup.opening.word().to_owned(),
            turn_ms: setup.time.turn.map(ms),
            game_ms: setup.time.game.map(ms),
            increment_ms: ms(setup.time.increment),
            thought_ms: Some(ms(setup.thought)),
        }
    }

    /// The set-up meant, checked.
    ///
    /// # Errors
    /// Says what cannot be played.
    pub fn setup(&self, engines: &[String]) -> Result<Setup, Text> {
        self.plain()?.checked(engines).map_err(|error| error.in_words())
    }

    /// The set-up meant, unchecked.
    ///
    /// # Errors
    /// Says which word means nothing.
    pub fn plain(&self) -> Result<Setup, Text> {
        let rule = tidy(&self.rule).parse::<Rule>().map_err(Text::untranslated)?;
        let variant = Variant::new(rule, self.win).map_err(Text::untranslated)?;
        let opening = Opening::from_word(&self.opening)
            .ok_or_else(|| text!("there is no opening \"{0}\"", tidy(&self.opening)))?;
        Ok(Setup {
            width: self.width,
            height: self.height,
            variant,
            seats: [self.seats[0].seat(), self.seats[1].seat()],
            opening,
            time: TimeControl {
                turn: self.turn_ms.map(time),
                game: self.game_ms.map(time),
                increment: time(self.increment_ms),
            },
            thought: self.thought_ms.map_or(Setup::default().thought, time),
        })
    }
}
