//! Kakugo is a strong Gomoku and Renju engine. This crate is the engine as a library: the rules,
//! the search, the evaluation with its neural networks, and a solver for forced wins. It needs
//! neither files nor an operating system beyond `std`, and builds for WebAssembly.
//!
//! ```
//! use std::time::Duration;
//!
//! use kakugo::{Board, Engine, Limits, Outcome, Variant};
//!
//! // A game of freestyle Gomoku on 15x15. Points have names: h8 is the centre.
//! let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
//! board.play(board.parse_point("h8")?)?;
//! board.play(board.parse_point("i9")?)?;
//!
//! // The best move in a tenth of a second.
//! let mut engine = Engine::default();
//! let limits = Limits::new().time(Duration::from_millis(100));
//! let best = engine.best_move(&board, &limits).ok_or("the game is over")?;
//! println!("{} plays {}", board.side_to_move(), board.name(best));
//! board.play(best)?;
//! assert_eq!(board.outcome(), Outcome::Ongoing);
//!
//! // The three best answers, with scores and the expected moves.
//! for line in engine.analyze(&board, &limits.lines(3)).lines {
//!     println!("{}. {} {}", line.rank, line.score, board.names(&line.moves));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! | to | use |
//! |---|---|
//! | set up a position, play and undo moves | [`Board`], [`Variant`], [`Point`] |
//! | find out who has won, and what is forbidden | [`Board::outcome`], [`Board::is_legal`] |
//! | find the best move | [`Engine::best_move`], [`Engine::best_move_at_level`] |
//! | analyse several lines | [`Engine::analyze`], [`Engine::analyze_live`], [`Line`] |
//! | find the move after which neither side is better | [`Engine::balance`], [`Balance`] |
//! | bound a search, or stop it from another thread | [`Limits`], [`StopHandle`] |
//! | prove a forced win and get its whole line | [`solve`](solve()), [`ForcedWin`] |
//!
//! # Conventions
//!
//! - A [`Score`] is from the point of view of the side to move. 200 units multiply the odds of
//!   winning by *e*; forced wins and losses have a distance.
//! - A *ply* is a move of one side. Depths and distances are in plies.
//! - A [`Point`] counts rows from the top and columns from the left, from 0. Its name, such as
//!   `h8`, counts rows from the bottom, from 1.
//!
//! # Threads and memory
//!
//! A search runs on the calling thread, and on more threads after [`Engine::set_threads`]. An
//! engine takes the memory of its transposition table ([`Engine::new`]) and about 3 MB for each
//! thread. Tables and networks, which all engines share, take about 10 MB. The search is recursive:
//! call it on a thread with at least 2 MB of stack, as Rust's threads have.
//!
//! # WebAssembly
//!
//! The crate builds for `wasm32-unknown-unknown`, where a search has one thread. The clock is that
//! of the page (crate `web-time`, which needs `wasm-bindgen`), or without the feature `web-clock`
//! the import `kakugo.now`, which returns milliseconds.
//!
//! # Features
//!
//! The default features are `networks` (embeds the networks, 3.3 MB) and `web-clock` (see above).
//! `internals` makes the modules of the engine public for the other crates of
//! its repository; they may change in any version. `tuning` makes the parameters of the search
//! variable, which costs speed.
//!
//! # For contributors
//!
//! The modules, lowest first. Each one uses only those above it in this list.
//!
//! | module | contents | start reading at |
//! |---|---|---|
//! | `board` | the rules: stones, moves, undo, wins, forbidden points | `Board` |
//! | `score` | scores: units, bounds, distance to a win | `Score` |
//! | `checksum`, `clock`, `random` | CRC-32, the monotonic clock, random numbers | |
//! | `pattern` | line patterns, updated incrementally for every empty point | `Shape`, `threat` |
//! | `position` | a board with incrementally updated patterns and candidate points | `Position` |
//! | `eval` | static evaluation | `Evaluator` |
//! | `search` | the search | `Engine` |
//! | `proof` | forced wins with their whole line | `solve` |
//! | `promise` | a quick rating of a point without search | `promise` |
//! | `level` | strength levels | `Level` |
//! | `analysis` | the public methods of the engine | `Analysis` |
//! | `player` | one turn of the engine, and its thinking thread | `Player` |
//! | `bench` | fixed searches, whose nodes are the signature of a build | `CASES` |

#![warn(clippy::print_stderr, clippy::print_stdout)]

#[macro_use]
mod internal;

mod analysis;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod bench;

// The modules are public for the rest of the workspace only. What the public API does not need of
// them is unused without `internals`.

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod board;
#[cfg(not(feature = "internals"))]
mod board;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod checksum;
#[cfg(not(feature = "internals"))]
mod checksum;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod clock;
#[cfg(not(feature = "internals"))]
mod clock;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod eval;
#[cfg(not(feature = "internals"))]
#[allow(dead_code, unused_imports)]
mod eval;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod level;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)]
mod level;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod pattern;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)]
mod pattern;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod player;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod position;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)]
mod position;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod promise;
#[cfg(not(feature = "internals"))]
mod promise;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod proof;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)]
mod proof;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod random;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)]
mod random;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod score;
#[cfg(not(feature = "internals"))]
mod score;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod search;
#[cfg(not(feature = "internals"))]
#[allow(dead_code, unused_imports)]
mod search;

pub use analysis::{Analysis, Line};
pub use board::diagram::InvalidDiagram;
pub use board::name::UnknownPoint;
pub use board::{
    Board, Cell, Foul, Outcome, PlayError, Point, Rule, Side, Size, Stone, UnknownRule,
    UnknownSize, UnsupportedSize, UnsupportedWinLength, Variant,
};
pub use level::{Level, UnknownLevel};
pub use proof::{ForcedWin, WinKind, solve, solve_by_fours};
/// The evaluation of a position, or a forced win or loss with its distance.
///
/// 200 units are a factor of *e* in the odds of winning: the expected result is
/// `1 / (1 + exp(-score / 200))`, 62 % for a score of 100 and 73 % for 200. `Display` prints the
/// units, or the plies to the five: `+M5` is a win in five plies, `-M8` a loss in eight.
///
/// ```
/// use kakugo::Score;
///
/// let score = Score::from_eval(100);
/// assert_eq!((score.to_string().as_str(), score.win_rate_permille()), ("100", 622));
/// let win = Score::win_in(5);
/// assert_eq!((win.to_string().as_str(), win.plies_to_five()), ("+M5", Some(5)));
/// assert!(win > score && win.is_win());
/// ```
pub use score::Score;
/// A search engine with its transposition table.
///
/// A search uses the results of earlier ones, so use one engine for a whole game. Each
/// search runs until one of its [`Limits`] is reached.
///
/// ```
/// use kakugo::{Board, Engine, Limits, Variant};
///
/// let mut engine = Engine::new(16 << 20); // 16 MiB
/// engine.set_threads(2);
/// let board = Board::new(15, 15, Variant::FREESTYLE)?;
/// let best = engine.best_move(&board, &Limits::new().depth(5));
/// assert_eq!(best, Some(board.parse_point("h8")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ---
pub use search::Engine;
/// The bounds of a search, as a chain of methods. The search ends at the first bound it reaches.
///
/// Time counts from the start of each search, so that limits can be used again.
///
/// ```
/// use std::time::Duration;
///
/// use kakugo::Limits;
///
/// let limits = Limits::new().time(Duration::from_secs(2)).depth(20).lines(3);
/// ```
///
/// ---
pub use search::Limits;
pub use search::{Balance, StopHandle};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
