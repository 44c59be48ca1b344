//! Games as data, and the text formats in which they travel.
//!
//! A [`Game`] is what all formats have in common: a board, a rule, two names, moves and a result. A
//! [`GameTree`](game_tree::GameTree) adds variations, comments and marks. Each format lives in its own file with a reader and a writer that are exact inverses wherever
//! the format has room for the fact; what a format cannot say is listed at its top.
//!
//! | module | format | reads | writes |
//! |---|---|---|---|
//! | [`sgf`] | Smart Game Format, `GM[4]`, with variations | yes | yes |
//! | [`psq`] | Piskvork's `.psq` | yes | yes |
//! | [`pos`] | `h8h9i8`, rows counted from the top or from the bottom | yes | yes |
//! | [`offset`] | Piskvork's openings: `8,-3, 6,-4` from the centre | yes | yes |
//! | [`rec`] | Gomotur's `.rec` | yes | yes |
//! | [`renlib`] | RenLib libraries, trees on 15x15 | yes | yes |
//! | [`mod@file`] | any of these by the name of a file | yes | yes |
//! | [`runner`] | records of the match runner | yes | there |
//! | [`pgn`] | headers and moves for BayesElo and Ordo | no | yes |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
pub mod book;
mod charset;
pub mod explorer;
pub mod file;
pub mod game_tree;
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

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// Points for `side`: 1, 0.5 or 0.
    pub fn points(self, side: Side) -> f64 {
        match self {
            GameResult::Win(winner) if winner == side => 1.0,
            GameResult::Win(_) => 0.0,
            GameResult::Draw => 0.5,
        }
    }
}

/// What ended a game that was won away from the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// The loser gave up.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser broke a rule of play, or failed otherwise.
    Forfeit,
}

impl Cause {
    /// How the game was won: `by resignation`.
    pub fn words(self) -> &'static str {
        match self {
            Cause::Resignation => "by resignation",
            Cause::Time => "on time",
            Cause::Forfeit => "by forfeit",
        }
    }
}

/// One move and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Where the stone was put.
    pub point: Point,
    /// Time spent on it, in whole milliseconds where a format is involved.
    pub time: Option<Duration>,
    /// Free text; empty for none.
    pub comment: String,
}

impl Move {
    /// A move without time and comment.
    pub fn new(point: Point) -> Move {
        Move { point, time: None, comment: String::new() }
    }
}

/// A game: Black moves first and colours alternate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// The rule.
    pub variant: Variant,
    /// Who plays Black; empty where unknown.
    pub black: String,
    /// Who plays White; empty where unknown.
    pub white: String,
    /// Name of the event; empty for none.
    pub event: String,
    /// Round within the event; empty for none.
    pub round: String,
    /// Date as text (SGF wants `YYYY-MM-DD`); empty for none.
    pub date: String,
    /// The result; `None` where unknown or unfinished.
    pub result: Option<GameResult>,
    /// What ended the game, if it was won away from the board; `None` where unknown.
    pub cause: Option<Cause>,
    /// Why the game ended, in words; empty where unknown.
    pub termination: String,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Game {
    /// A game without names and moves.
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

    /// The points of the moves.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.moves.iter().map(|m| m.point)
    }

    /// The result that its last move made by the rule: a five, a forbidden move, a full board.
    pub fn result_on_board(&self) -> Option<GameResult> {
        match self.board().ok()?.outcome() {
            Outcome::Ongoing => None,
            Outcome::Win(side) => Some(GameResult::Win(side)),
            Outcome::Forbidden(_) => Some(GameResult::Win(Side::White)),
            Outcome::Draw => Some(GameResult::Draw),
        }
    }

    /// How it ended, as far as the result tells: `Black won by resignation`, `a draw`.
    pub fn result_in_words(&self) -> Option<String> {
        Some(match (self.result?, self.cause) {
            (GameResult::Win(side), Some(cause)) => format!("{side} won {}", cause.words()),
            (GameResult::Win(side), None) => format!("{side} won"),
            (GameResult::Draw, _) => "a draw".to_owned(),
        })
    }

    /// Take away what is told of its end.
    pub(crate) fn forget_end(&mut self) {
        (self.result, self.cause, self.termination) = (None, None, String::new());
    }

    /// The position after all moves, by the rules: a move after the end of the game, off the board
    /// or on an occupied point is an error.
    pub fn board(&self) -> Result<Board, ReplayError> {
        let mut board = Board::new(self.width, self.height, self.variant)
            .map_err(|e| ReplayError { ply: 0, what: e.to_string() })?;
        for (ply, point) in self.points().enumerate() {
            if board.outcome() != Outcome::Ongoing {
                return Err(ReplayError { ply, what: "the game is already over".into() });
            }
            board.play(point).map_err(|e| ReplayError { ply, what: e.to_string() })?;
        }
        Ok(board)
    }
}

/// Why a game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The move, from 0.
    pub ply: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.ply + 1, self.what)
    }
}

impl std::error::Error for ReplayError {}

/// Why a text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError(Text);

impl FormatError {
    pub(crate) fn new(what: Text) -> FormatError {
        FormatError(what)
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
