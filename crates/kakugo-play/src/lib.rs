//! The board for people: a page in the browser and a text board in the terminal.
//!
//! Both show the same `game::live::LiveGame`, which knows nothing of either. Computers that play are
//! asked through `computers`. What people are told is a `text::Text`, which the terminal says in English and
//! the page in its language.
//!
//! | folder | what |
//! |---|---|
//! | `game` | a game between two players: moves, undo, openings, clocks, ends, records |
//! | `kept` | the games that outlive the program, a file each |
//! | `rooms` | the games that pages look at, and what is thought about them |
//! | `page` | the page's files and its server |
//! | `terminal` | the text board |

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod command;
mod computers;
mod engine_player;
#[cfg(fuzzing)]
pub mod fuzzing;
mod game;
mod kept;
mod lock;
mod page;
mod rooms;
mod terminal;

pub use command::{PlayArgs, opening_words, run};
