//! Game records, and the file formats they are stored in.
//!
//! A [`Game`] holds what all formats have in common: board size, rule, names, moves and result. A
//! [`GameTree`](game_tree::GameTree) adds variations, comments and marks. Each format has a module
//! of its own. Its reader and writer are exact inverses, except for what the format cannot store;
//! the module's documentation lists that.
//!
//! | module | format | reads | writes |
//! |---|---|---|---|
//! | [`sgf`] | Smart Game Format, `GM[4]`, with variations | yes | yes |
//! | [`psq`] | Piskvork, `.psq` | yes | yes |
//! | [`pos`] | `h8h9i8`, rows numbered from the top or the bottom | yes | yes |
//! | [`offset`] | Piskvork openings: `8,-3, 6,-4` from the centre | yes | yes |
//! | [`rec`] | Gomotur, `.rec` | yes | yes |
//! | [`renlib`] | RenLib libraries: trees on 15x15 | yes | yes |
//! | [`mod@file`] | any of the above, by file name or content | yes | yes |
//! | [`runner`] | match records of the match runner | yes | by the runner |
//! | [`pgn`] | headers and moves for BayesElo and Ordo | no | yes |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
pub mod book;
mod charset;
pub mod explorer;
pub mod file;
pub mod game_tree;
pub mod notation;
pub mod offset;
pub mod pgn;
pub mod pos;
pub mod psq;
pub mod rec;
pub mod renlib;
pub mod runner;
pub mod sgf;
pub mod text;
pub mod tree;

use std::fmt;
use std::time::Duration;

use crate::text::{Argument, Text};
use kakugo::board::{Board, Outcome, Point, Side, Variant};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// A win for this side.
    Win(Side),
    /// A draw.
    Draw,
}

impl GameResult {
    /// Returns the points scored by `side`: 1, 0.5 or 0.
    pub fn points(self, side: Side) -> f64 {
        match self {
            GameResult::Win(winner) if winner == side => 1.0,
            GameResult::Win(_) => 0.0,
            GameResult::Draw => 0.5,
        }
    }
}

/// The cause of a win away from the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser broke the rules, crashed or failed in another way.
    Forfeit,
}

impl Cause {
    /// Returns the cause as a phrase, e.g. `by resignation`.
    pub fn words(self) -> &'static str {
        match self {
            Cause::Resignation => "by resignation",
            Cause::Time => "on time",
            Cause::Forfeit => "by forfeit",
        }
    }
}

/// A move with its time and comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The point of the stone.
    pub point: Point,
    /// Time spent on the move. File formats store whole milliseconds.
    pub time: Option<Duration>,
    /// Comment; may be empty.
    pub comment: String,
}

impl Move {
    /// Creates a move without time and comment.
    pub fn new(point: Point) -> Move {
        Move { point, time: None, comment: String::new() }
    }
}

/// A game record without variations. Black moves first and colours alternate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// Rule and win length.
    pub variant: Variant,
    /// Name of the player with Black; empty if unknown.
    pub black: String,
    /// Name of the player with White; empty if unknown.
    pub white: String,
    /// Name of the event; may be empty.
    pub event: String,
    /// Round of the event; may be empty.
    pub round: String,
    /// Date as text; may be empty. SGF expects `YYYY-MM-DD`.
    pub date: String,
    /// The result; `None` if unknown or unfinished.
    pub result: Option<GameResult>,
    /// The cause of a win away from the board; `None` if unknown.
    pub cause: Option<Cause>,
    /// Free text on how the game ended; may be empty.
    pub termination: String,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Game {
    /// Creates a game without names and moves.
    pub fn new(width: u8, height: u8, variant: Variant) -> Game {
        Game {
            width,
            height,
            variant,
            black: String::new(),
            white: String::new(),
            event: String::new(),
            round: String::new(),
            date: String::new(),
            result: None,
            cause: None,
            termination: String::new(),
            moves: Vec::new(),
        }
    }

    /// Returns the points of all moves in order.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.moves.iter().map(|m| m.point)
    }

    /// Returns the result that the final position shows: a five, a forbidden move or a full board.
    pub fn result_on_board(&self) -> Option<GameResult> {
        match self.board().ok()?.outcome() {
            Outcome::Ongoing => None,
            Outcome::Win(side) => Some(GameResult::Win(side)),
            Outcome::Forbidden(_) => Some(GameResult::Win(Side::White)),
            Outcome::Draw => Some(GameResult::Draw),
        }
    }

    /// Returns the result and its cause as a phrase, e.g. `Black won by resignation`.
    pub fn result_in_words(&self) -> Option<String> {
        Some(match (self.result?, self.cause) {
            (GameResult::Win(side), Some(cause)) => format!("{side} won {}", cause.words()),
            (GameResult::Win(side), None) => format!("{side} won"),
            (GameResult::Draw, _) => "a draw".to_owned(),
        })
    }

    /// Clears result, cause and termination.
    pub(crate) fn clear_result(&mut self) {
        (self.result, self.cause, self.termination) = (None, None, String::new());
    }

    /// Replays all moves and returns the final position.
    ///
    /// # Errors
    /// Returns an error for a move off the board, on an occupied point or after the end of the
    /// game, and for an unsupported board.
    pub fn board(&self) -> Result<Board, ReplayError> {
        let mut board = Board::new(self.width, self.height, self.variant)
            .map_err(|e| ReplayError { ply: 0, message: e.to_string() })?;
        for (ply, point) in self.points().enumerate() {
            if board.outcome() != Outcome::Ongoing {
                return Err(ReplayError { ply, message: "the game is already over".into() });
            }
            board.play(point).map_err(|e| ReplayError { ply, message: e.to_string() })?;
        }
        Ok(board)
    }
}

/// An error from [`Game::board`]: a game that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// Index of the illegal move, from 0.
    pub ply: usize,
    /// Description of the error.
    pub message: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.ply + 1, self.message)
    }
}

impl std::error::Error for ReplayError {}

/// An error from reading or writing a game file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError(Text);

impl FormatError {
    pub(crate) fn new(message: Text) -> FormatError {
        FormatError(message)
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<FormatError> for Text {
    fn from(error: FormatError) -> Text {
        error.0
    }
}

impl From<FormatError> for Argument {
    fn from(error: FormatError) -> Argument {
        Argument::Text(error.0)
    }
}

impl std::error::Error for FormatError {}
