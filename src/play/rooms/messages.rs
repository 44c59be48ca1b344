//! The messages between the page and the server, as JSON.
//!
//! The page sends [`Command`]s; everything the other way is built by [`super::view`].

use std::time::Duration;

use serde::Deserialize;

use crate::board::{Rule, Variant};
use crate::play::game::opening::{Opening, OpeningChoice};
use crate::play::game::setup::{PlayerKind, Seat, Setup, TimeControl, tidy};
use crate::record::pos::RowOrder;

/// What a page can ask for.
#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// A new game, which may begin with these moves (`h8h9`, rows from the bottom).
    New {
        /// What is agreed.
        setup: Box<SetupWire>,
        /// Stones to begin with.
        #[serde(default)]
        moves: String,
    },
    /// Place a stone.
    Play {
        /// Column from the left, from 0.
        x: u8,
        /// Row from the top, from 0.
        y: u8,
        /// Where row 1 lies in the words of a refusal.
        #[serde(default)]
        rows: RowsWire,
    },
    /// Choose in a swap opening.
    Choose {
        /// `black`, `white` or `more`.
        choice: ChoiceWire,
    },
    /// Take back steps; without a number, back to the human's turn.
    Undo {
        /// How many.
        count: Option<usize>,
    },
    /// Play steps again.
    Redo {
        /// How many.
        count: usize,
    },
    /// Go to the position after so many stones.
    Goto {
        /// How many.
        ply: usize,
    },
    /// Give up.
    Resign,
    /// Stop clocks and thinking, or let them go on.
    Pause {
        /// Whether to stop.
        on: bool,
    },
    /// Let the computer play what it has.
    Now,
    /// Show what Kakugo would play.
    Hint,
    /// Analyse the position shown, or stop.
    Analyse {
        /// Whether to.
        on: bool,
        /// Number of best lines.
        lines: usize,
    },
    /// Look at the whole game again.
    Explain,
    /// Show a record.
    Load {
        /// The file's name, which tells the format.
        name: String,
        /// Its bytes, two hexadecimal digits each.
        bytes: String,
        /// Where row 1 of pos text lies: `bottom` or `top`.
        rows: RowsWire,
    },
    /// Send the game as a record.
    Save {
        /// Word of the format.
        format: String,
        /// Where row 1 of pos text lies.
        rows: RowsWire,
    },
    /// Change the players.
    Seats {
        /// Both.
        seats: [SeatWire; 2],
    },
}

/// A set-up as the page sends it.
#[derive(Deserialize, Debug)]
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

/// A seat as the page sends it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SeatWire {
    #[serde(default)]
    name: String,
    player: PlayerWire,
}

/// `"human"`, `{"kakugo": 3}`, `{"engine": 0}`.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum PlayerWire {
    Human,
    Kakugo(usize),
    Engine(usize),
}

/// A choice as the page sends it.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceWire {
    /// Take Black.
    Black,
    /// Take White.
    White,
    /// Place two more.
    More,
}

/// Where row 1 lies.
#[derive(Deserialize, Clone, Copy, Default, Debug)]
#[serde(rename_all = "snake_case")]
pub enum RowsWire {
    /// At the bottom, as people count.
    #[default]
    Bottom,
    /// At the top.
    Top,
}

impl From<RowsWire> for RowOrder {
    fn from(rows: RowsWire) -> RowOrder {
        match rows {
            RowsWire::Bottom => RowOrder::FromBottom,
            RowsWire::Top => RowOrder::FromTop,
        }
    }
}

impl From<ChoiceWire> for OpeningChoice {
    fn from(choice: ChoiceWire) -> OpeningChoice {
        match choice {
            ChoiceWire::Black => OpeningChoice::Black,
            ChoiceWire::White => OpeningChoice::White,
            ChoiceWire::More => OpeningChoice::More,
        }
    }
}

/// The bytes that hexadecimal digits tell.
pub fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|v| u8::try_from(v).ok());
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some(value(high)? << 4 | value(low)?),
        _ => None,
    };
    pairs.map(byte).collect()
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
    /// The set-up meant, checked.
    ///
    /// # Errors
    /// Says what cannot be played.
    pub fn setup(&self, engines: &[String]) -> Result<Setup, String> {
        let rule = tidy(&self.rule).parse::<Rule>().map_err(|error| error.to_string())?;
        let variant = Variant::new(rule, self.win).map_err(|error| error.to_string())?;
        let opening = Opening::from_word(&self.opening)
            .ok_or_else(|| format!("there is no opening \"{}\"", tidy(&self.opening)))?;
        let setup = Setup {
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
        };
        setup.checked(engines).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rule;

    #[test]
    fn set_ups_come_through() {
        let text = r#"{"do":"new","setup":{"width":19,"height":13,"rule":"standard","win":4,
            "seats":[{"player":"human","name":"Ann"},{"player":{"kakugo":3}}],
            "opening":"swap2","turn_ms":1000,"game_ms":null}}"#;
        let Ok(Command::New { setup, .. }) = serde_json::from_str(text) else { panic!() };
        let setup = setup.setup(&[]).unwrap();
        assert_eq!((setup.width, setup.height), (19, 13));
        assert_eq!(setup.variant, Variant::new(Rule::Standard, 4).unwrap());
        assert_eq!(setup.seats[1].player, PlayerKind::Kakugo(3));
        assert_eq!(setup.time.turn, Some(Duration::from_secs(1)));
        assert_eq!(setup.time.game, None);
    }

    #[test]
    fn files_come_through_byte_for_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let digits: String = all.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(bytes_of(&digits), Some(all));
        for nonsense in ["0", "0g", "é", "+1", "00 "] {
            assert_eq!(bytes_of(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "[]", r#"{"do":"rm"}"#, r#"{"do":"play","x":300,"y":0}"#] {
            assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
        }
    }
}
