//! Why something cannot be done at the board, in words for people.

use std::fmt;

use crate::board::{Foul, PlayError};

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// The rules of the board.
    Board(PlayError, String),
    /// A forbidden point in renju.
    Forbidden(Foul, String),
    /// The opening wants it elsewhere.
    Opening(&'static str),
    /// A colour must be chosen first.
    ChooseFirst,
    /// There is nothing to choose.
    NoChoice,
    /// Nothing to take back.
    NothingToUndo,
    /// Nothing to play again.
    NothingToRedo,
    /// Not this player's turn.
    NotYourTurn(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("The game is over: take back a move or start a new game."),
            Refusal::Board(PlayError::Occupied(side), point) => {
                write!(f, "{point} is occupied by {side}.")
            }
            Refusal::Board(error, point) => write!(f, "{point} cannot be played: {error}."),
            Refusal::Forbidden(foul, point) => {
                write!(f, "{point} is forbidden to Black in renju: {}.", foul_name(*foul))
            }
            Refusal::Opening(why) => {
                let mut letters = why.chars();
                let first = letters.next().map(|c| c.to_ascii_uppercase());
                write!(f, "{}{}.", first.map_or(String::new(), String::from), letters.as_str())
            }
            Refusal::ChooseFirst => f.write_str("First a colour must be chosen."),
            Refusal::NoChoice => f.write_str("There is nothing to choose now."),
            Refusal::NothingToUndo => f.write_str("There is no move to take back."),
            Refusal::NothingToRedo => f.write_str("There is no move to play again."),
            Refusal::NotYourTurn(name) => write!(f, "It is {name}'s turn."),
        }
    }
}

impl std::error::Error for Refusal {}

/// A foul in words.
pub fn foul_name(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "an overline",
        Foul::DoubleFour => "a double four",
        Foul::DoubleThree => "a double three",
    }
}
