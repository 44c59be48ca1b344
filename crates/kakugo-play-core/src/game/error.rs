//! Errors at the board, and their texts.

use std::fmt;

use kakugo::board::{Foul, PlayError, Point};
use kakugo_record::notation;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};

use super::wording;

/// A point of a board with this many rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The point.
    pub point: Point,
    /// Rows of the board.
    pub height: u8,
}

/// An error at the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
    /// The game is over.
    Over,
    /// The point is occupied, blocked or off the board.
    Board(PlayError, Spot),
    /// A forbidden point in renju.
    Forbidden(Foul, Spot),
    /// The opening does not allow the point.
    Opening(Text),
    /// A colour must be chosen first.
    ChooseFirst,
    /// There is nothing to choose.
    NoChoice,
    /// There is nothing to take back.
    NothingToUndo,
    /// There is nothing to play again.
    NothingToRedo,
    /// It is this player's turn.
    NotYourTurn(String),
    /// Nobody may pass at the board.
    NoPass,
    /// The game is too long for another pass.
    TooLong,
    /// The move does not exist.
    NoSuchMove,
    /// The line is the main line already.
    MainLine,
    /// The point is off the board.
    OffBoard,
    /// The position has too many marks.
    TooManyMarks,
    /// The comments of the game are too long.
    TooMuchText,
}

impl GameError {
    /// Returns the text of the error, with rows numbered as in `rows`.
    pub fn in_words(&self, rows: RowOrder) -> Text {
        let name = |spot: &Spot| notation::name_by_rows(spot.point, spot.height, rows);
        match self {
            GameError::Over => text!("The game is over: take back a move or start a new game."),
            GameError::Board(PlayError::Occupied(side), spot) => {
                text!("{0} is occupied by {1}.", name(spot), wording::side(*side))
            }
            GameError::Board(error, spot) => {
                text!("{0} cannot be played: {1}.", name(spot), wording::play_error(*error))
            }
            GameError::Forbidden(foul, spot) => {
                text!("{0} is forbidden to Black in renju: {1}.", name(spot), wording::foul(*foul))
            }
            GameError::Opening(why) => why.clone(),
            GameError::ChooseFirst => text!("Make your choice first."),
            GameError::NoChoice => text!("There is nothing to choose now."),
            GameError::NothingToUndo => text!("There is no move to take back."),
            GameError::NothingToRedo => text!("There is no move to play again."),
            GameError::NotYourTurn(name) => text!("It is {0}'s turn.", wording::name(name)),
            GameError::NoPass => text!("Players may not pass here."),
            GameError::TooLong => text!("The game is too long for another pass."),
            GameError::NoSuchMove => text!("That move does not exist any more."),
            GameError::MainLine => text!("This is the main line already."),
            GameError::OffBoard => text!("That point is off the board."),
            GameError::TooManyMarks => text!("This position has too many marks."),
            GameError::TooMuchText => text!("The comments of this game are too long together."),
        }
    }
}

/// In English, with rows from the bottom.
impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_words(RowOrder::FromBottom).fmt(f)
    }
}

impl std::error::Error for GameError {}
