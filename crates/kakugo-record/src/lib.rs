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
//! | [`renlib_pos`] | RenLib's binary positions on 15x15 | yes | yes |
//! | [`sav`] | Yixin-Board's saved games | yes | yes |
//! | [`diagram`] | boards drawn as text | yes | no |
//! | [`stone_list`] | stones listed by colour: `Black: h8 g9` | yes | no |
//! | [`link`] | links of the browser board | yes | yes |
//! | [`rif`] | RenjuNet's game database | yes | no |
//! | [`mod@file`] | any of the above, by file name or content | yes | yes |
//! | [`runner`] | match records of the match runner | yes | by the runner |
//! | [`pgn`] | games with tags: PGN, PlayOK, Kurnik | yes | yes |
//!
//! [`problems`] holds the built-in problems.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
pub mod book;
mod charset;
pub mod diagram;
pub mod explorer;
pub mod file;
pub mod game_tree;
pub mod link;
pub mod notation;
pub mod offset;
pub mod pgn;
pub mod pos;
pub mod problems;
pub mod psq;
pub mod rec;
pub mod renju_opening;
pub mod renlib;
pub mod renlib_pos;
pub mod rif;
pub mod runner;
pub mod sav;
pub mod search;
pub mod setup;
pub mod sgf;
pub mod stone_list;
pub mod text;
pub mod tree;

use std::fmt;
use std::time::Duration;

use crate::setup::Setup;
use crate::text::{Argument, Text, sanitize};
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
    /// The point of the stone; `None` for a pass.
    pub point: Option<Point>,
    /// The side that moved, if it was not its turn.
    pub side: Option<Side>,
    /// Time spent on the move. File formats store whole milliseconds.
    pub time: Option<Duration>,
    /// Comment; may be empty.
    pub comment: String,
}

impl Move {
    /// Creates a move without time and comment.
    pub fn new(point: Point) -> Move {
        Move { point: Some(point), ..Move::pass() }
    }

    /// Creates a pass without time and comment.
    pub fn pass() -> Move {
        Move { point: None, side: None, time: None, comment: String::new() }
    }

    /// Creates moves without times and comments; `None` is a pass.
    pub(crate) fn of_points(points: impl IntoIterator<Item = Option<Point>>) -> Vec<Move> {
        points.into_iter().map(|point| point.map_or_else(Move::pass, Move::new)).collect()
    }

    /// Returns true for a stone of the side to move.
    pub fn is_regular(&self) -> bool {
        self.point.is_some() && self.side.is_none()
    }
}

/// A game record without variations.
///
/// Most games begin on the empty board, Black moves first and colours alternate. Others begin from
/// a position ([`Game::start`]), or have passes and moves out of turn ([`Move`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// Rule and win length.
    pub variant: Variant,
    /// True if the file does not state the rule: the reader has assumed it.
    pub assumes_rule: bool,
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
    /// The position before the first move; by default the empty board.
    pub start: Setup,
    /// The moves.
    pub moves: Vec<Move>,
    /// Number of the first moves that were made before the players had their colours. In a swap
    /// opening they may be the opponent's, so reviews do not count them.
    pub opening_moves: usize,
}

impl Game {
    /// Creates a game without names and moves.
    pub fn new(width: u8, height: u8, variant: Variant) -> Game {
        Game {
            width,
            height,
            variant,
            assumes_rule: false,
            black: String::new(),
            white: String::new(),
            event: String::new(),
            round: String::new(),
            date: String::new(),
            result: None,
            cause: None,
            termination: String::new(),
            start: Setup::default(),
            moves: Vec::new(),
            opening_moves: 0,
        }
    }

    /// Returns the points of the moves up to the first pass or move out of turn.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        self.regular_moves().filter_map(|m| m.point)
    }

    /// Returns the moves up to the first pass or move out of turn.
    pub fn regular_moves(&self) -> impl Iterator<Item = &Move> + '_ {
        self.moves.iter().take_while(|m| m.is_regular())
    }

    /// Returns the side that made each move.
    pub fn sides(&self) -> impl Iterator<Item = Side> + '_ {
        self.moves.iter().scan(self.start.side_to_move(), |turn, m| {
            let side = m.side.unwrap_or(*turn);
            *turn = side.opponent();
            Some(side)
        })
    }

    /// Returns true if the game begins on the empty board with Black to move.
    pub fn starts_empty(&self) -> bool {
        !self.start.changes_board() && self.start.side_to_move() == Side::Black
    }

    /// Returns the game from the empty board, with the stones of the set-up as moves. `None` if
    /// colours cannot alternate, there are blocked points, or the stones cannot be ordered so that
    /// the game goes on after each of them.
    pub fn from_empty_board(&self) -> Option<Game> {
        if self.starts_empty() {
            return Some(Game { start: Setup::default(), ..self.clone() });
        }
        let (black, white) = (self.start.black(), self.start.white());
        let after = if black.len() == white.len() { Side::Black } else { Side::White };
        let alternate = black.len() == white.len() || black.len() == white.len() + 1;
        if !alternate || after != self.start.side_to_move() || !self.start.blocked().is_empty() {
            return None;
        }
        let orders = [false, true].into_iter().flat_map(|reverse_black| {
            [false, true].map(|reverse_white| {
                let (mut black, mut white) = (black.to_vec(), white.to_vec());
                if reverse_black {
                    black.reverse();
                }
                if reverse_white {
                    white.reverse();
                }
                let stone =
                    |i: usize| if i.is_multiple_of(2) { black[i / 2] } else { white[i / 2] };
                (0..black.len() + white.len()).map(|i| Move::new(stone(i))).collect::<Vec<_>>()
            })
        });
        let end = self.board().ok();
        orders
            .map(|stones| Game {
                start: Setup::default(),
                moves: stones.into_iter().chain(self.moves.iter().cloned()).collect(),
                ..self.clone()
            })
            .find(|game| end.is_none() || game.board().is_ok())
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

    /// Returns the position before the first move.
    ///
    /// # Errors
    /// Returns an error for an unsupported board, and for a set-up point off the board.
    pub fn first_board(&self) -> Result<Board, ReplayError> {
        let board = self.start.board(self.width, self.height, self.variant);
        board.map_err(|error| ReplayError { ply: None, message: error.to_string() })
    }

    /// Replays all moves and returns the final position.
    ///
    /// # Errors
    /// Returns an error for a move off the board, on an occupied point or after the end of the
    /// game, and as [`Game::first_board`].
    pub fn board(&self) -> Result<Board, ReplayError> {
        let mut board = self.first_board()?;
        for (ply, (played, side)) in self.moves.iter().zip(self.sides()).enumerate() {
            let error = |message: String| ReplayError { ply: Some(ply), message };
            if board.outcome() != Outcome::Ongoing {
                return Err(error("the game is already over".into()));
            }
            match played.point {
                Some(point) => board.place(point, side).map_err(|e| error(e.to_string()))?,
                None => board.set_side_to_move(side.opponent()),
            }
        }
        Ok(board)
    }
}

/// Properties that readers assume for files that do not specify them.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Board size and rule.
    pub game: Game,
    /// True to read SGF files of any game and size, such as those of Go editors (`GM[1]`).
    pub accepts_any_sgf: bool,
    /// True if the user has named the rule, false if it is only assumed.
    pub names_rule: bool,
    /// True if the user has named the board size. Otherwise rec files, which do not store it, are
    /// read as 20x20.
    pub names_size: bool,
}

impl From<Game> for Defaults {
    fn from(game: Game) -> Defaults {
        Defaults { game, accepts_any_sgf: false, names_rule: false, names_size: false }
    }
}

impl From<&Game> for Defaults {
    fn from(game: &Game) -> Defaults {
        game.clone().into()
    }
}

/// An error from [`Game::board`]: a game that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// Index of the illegal move, from 0; `None` if the first position is invalid.
    pub ply: Option<usize>,
    /// Description of the error.
    pub message: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "move {}: {}", ply + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The maximum length of a quote from a file in an error, in characters.
const MAX_QUOTE: usize = 80;

/// An error from reading or writing a game file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    message: Text,
    is_other_game: bool,
}

impl FormatError {
    /// Creates an error. Long quotes from the file are shortened.
    pub(crate) fn new(message: Text) -> FormatError {
        FormatError { message: message.shortened(MAX_QUOTE), is_other_game: false }
    }

    /// Creates the error of an SGF file of another game.
    pub(crate) fn other_game(message: Text) -> FormatError {
        FormatError { is_other_game: true, ..FormatError::new(message) }
    }

    /// Returns true if an SGF file declares another game, such as Go. Callers may ask for the rule
    /// and read it again (see [`Defaults::accepts_any_sgf`]).
    pub fn is_other_game(&self) -> bool {
        self.is_other_game
    }

    /// Adds a hint for the user to the message.
    pub fn with_hint(self, hint: &str) -> FormatError {
        FormatError { message: Text::untranslated(format!("{self}; {hint}")), ..self }
    }
}

/// The message without control characters: it may quote the file, and terminals obey them.
impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sanitize(&self.message.to_string()))
    }
}

impl From<FormatError> for Text {
    fn from(error: FormatError) -> Text {
        error.message
    }
}

impl From<FormatError> for Argument {
    fn from(error: FormatError) -> Argument {
        Argument::Text(error.message)
    }
}

impl std::error::Error for FormatError {}
