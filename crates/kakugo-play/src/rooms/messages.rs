//! The messages between the page and the server, as JSON.
//!
//! The page sends [`Command`]s; everything the other way is built by [`super::view`].

use serde::Deserialize;

use crate::game::opening::OpeningChoice;
use crate::game::wire::{SeatWire, SetupWire};
use kakugo_record::pos::RowOrder;

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
    /// Play steps again; without a number, on to the human's next turn.
    Redo {
        /// How many.
        count: Option<usize>,
    },
    /// Go to the position after so many stones.
    Goto {
        /// How many.
        ply: usize,
    },
    /// Go to a move of any variation.
    Node {
        /// Its number in the tree.
        id: u32,
    },
    /// Let the variation with this move take the place of the line that it departs from.
    Promote {
        /// The move's number in the tree.
        id: u32,
    },
    /// Delete a move and all that follows it.
    Delete {
        /// Its number in the tree.
        id: u32,
    },
    /// Write a comment.
    Comment {
        /// The move's number in the tree.
        id: u32,
        /// What to write; nothing takes the comment away.
        text: String,
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
    /// Send the game as a record.
    Save {
        /// Word of the format.
        format: String,
        /// Where row 1 of pos text lies.
        rows: RowsWire,
    },
    /// List the games that are kept.
    Games,
    /// Go on with a game that is kept.
    Open {
        /// Its name.
        id: String,
    },
    /// Send a game that is kept as SGF.
    Export {
        /// Its name.
        id: String,
    },
    /// Delete a game that is kept, for good.
    Forget {
        /// Its name.
        id: String,
    },
    /// List the puzzles of the games kept, and look for them if that was not done yet, or anew.
    Practice {
        /// Whether to look again.
        anew: bool,
    },
    /// Solve a puzzle.
    Puzzle {
        /// Its place in the list.
        number: usize,
    },
    /// Show how the puzzle on the board is solved.
    Solution,
    /// The same game again with colours exchanged.
    Rematch,
    /// Change the players.
    Seats {
        /// Who has Black now, and who has White.
        seats: [SeatWire; 2],
    },
}

impl Command {
    /// Whether it is about games that are kept.
    pub fn is_about_kept_games(&self) -> bool {
        use Command::{Export, Forget, Games, Open, Practice};
        matches!(self, Games | Practice { .. } | Open { .. } | Export { .. } | Forget { .. })
    }

    /// The game among them that the room wants for itself, to go on with or to delete.
    pub fn wanted_game(&self) -> Option<&str> {
        match self {
            Command::Open { id } | Command::Forget { id } => Some(id),
            _ => None,
        }
    }
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

/// The hexadecimal digits that tell bytes.
pub fn digits_of(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::PlayerKind;
    use kakugo::board::{Rule, Variant};
    use std::time::Duration;

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
    fn records_come_through_byte_for_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let digits: String = all.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digits_of(&all), digits);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "[]", r#"{"do":"rm"}"#, r#"{"do":"play","x":300,"y":0}"#] {
            assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
        }
    }
}
