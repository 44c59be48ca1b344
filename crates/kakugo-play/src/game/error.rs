//! Why something cannot be done at the board, in words for people.

use std::fmt;

use kakugo::board::{Foul, PlayError, Point};
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};

use super::{notation, words};

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
    Opening(Text),
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
    pub fn in_words(&self, rows: RowOrder) -> Text {
        let name = |spot: &Spot| notation::name_by(spot.point, spot.height, rows);
        match self {
            GameError::Over => text!("The game is over: take back a move or start a new game."),
            GameError::Board(PlayError::Occupied(side), spot) => {
                text!("{0} is occupied by {1}.", name(spot), words::side(*side))
            }
            GameError::Board(error, spot) => {
                text!("{0} cannot be played: {1}.", name(spot), words::play_error(*error))
            }
            GameError::Forbidden(foul, spot) => {
                text!("{0} is forbidden to Black in renju: {1}.", name(spot), words::foul(*foul))
            }
            GameError::Opening(why) => why.clone(),
            GameError::ChooseFirst => text!("First a colour must be chosen."),
            GameError::NoChoice => text!("There is nothing to choose now."),
            GameError::NothingToUndo => text!("There is no move to take back."),
            GameError::NothingToRedo => text!("There is no move to play again."),
            GameError::NotYourTurn(name) => text!("It is {0}'s turn.", words::name(name)),
            GameError::NoSuchMove => text!("That move is not there any more."),
            GameError::MainLine => text!("This is the main line already."),
        }
    }
}

/// In words, rows from the bottom.
impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_words(RowOrder::FromBottom).fmt(f)
    }
}

impl std::error::Error for GameError {}
