//! Why something cannot be done at the board, in words for people.

use std::fmt;

use crate::board::{Foul, PlayError, Point};
use crate::record::pos::RowOrder;

use super::notation;

/// A point of a board with so many rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The point.
    pub point: Point,
    /// Rows of the board.
    pub height: u8,
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
    /// The game is over.
    Over,
    /// The rules of the board.
    Board(PlayError, Spot),
    /// A forbidden point in renju.
    Forbidden(Foul, Spot),
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
    /// The move is not there, or not any more.
    NoSuchMove,
    /// The line is the main line already.
    MainLine,
}

impl GameError {
    /// In words, for people whose rows count as `rows` says.
    pub fn in_words(&self, rows: RowOrder) -> String {
        let name = |spot: &Spot| notation::name_by(spot.point, spot.height, rows);
        let plain = |words: &str| words.to_owned();
        match self {
            GameError::Over => plain("The game is over: take back a move or start a new game."),
            GameError::Board(PlayError::Occupied(side), spot) => {
                format!("{} is occupied by {side}.", name(spot))
            }
            GameError::Board(error, spot) => format!("{} cannot be played: {error}.", name(spot)),
            GameError::Forbidden(foul, spot) => {
                format!("{} is forbidden to Black in renju: {}.", name(spot), foul_name(*foul))
            }
            GameError::Opening(why) => {
                let mut letters = why.chars();
                let first = letters.next().map(|c| c.to_ascii_uppercase());
                format!("{}{}.", first.map_or(String::new(), String::from), letters.as_str())
            }
            GameError::ChooseFirst => plain("First a colour must be chosen."),
            GameError::NoChoice => plain("There is nothing to choose now."),
            GameError::NothingToUndo => plain("There is no move to take back."),
            GameError::NothingToRedo => plain("There is no move to play again."),
            GameError::NotYourTurn(name) => format!("It is {name}'s turn."),
            GameError::NoSuchMove => plain("That move is not there any more."),
            GameError::MainLine => plain("This is the main line already."),
        }
    }
}

/// In words, rows from the bottom.
impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(RowOrder::FromBottom))
    }
}

impl std::error::Error for GameError {}

/// A foul in words.
pub fn foul_name(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "an overline",
        Foul::DoubleFour => "a double four",
        Foul::DoubleThree => "a double three",
    }
}
