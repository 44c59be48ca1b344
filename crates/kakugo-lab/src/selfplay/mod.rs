//! Games of the engine against itself at a fixed number of nodes, for training and tuning.
//!
//! Every game starts from a few stones, anywhere on the board, that the search finds balanced. Game
//! `n` of a run depends on the run's [`Settings`] and on `n` alone, whatever the number of threads,
//! and games are written in this order. So an interrupted run goes on where it stopped, and its file
//! is in the end the one that an uninterrupted run writes.
//!
//! | module | what |
//! |---|---|
//! | `settings` | what determines the games of a run |
//! | `game` | a finished game and what the search thought of each move |
//! | `file` | both as bytes, and what a damaged file still holds |
//! | `opening` | the first stones |
//! | `play` | one game |
//! | `run` | threads, the file, Ctrl-C, progress |
//! | `check` | what is in files |
//! | `command` | the subcommand |

mod check;
mod command;
mod file;
mod game;
pub(crate) mod opening;
mod play;
mod run;
mod settings;

pub use command::{SelfplayArgs, run};
pub use file::{FileError, Reading, read};
pub use game::{SearchedMove, SelfPlayGame};
pub use settings::{Settings, Sizes};
