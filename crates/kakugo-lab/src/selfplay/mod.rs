//! Self-play games with a fixed number of nodes per move, for training and tuning.
//!
//! Every game starts from a random opening, anywhere on the board, that the search finds balanced.
//! Game `n` of a run depends only on the run's [`Settings`] and on `n`, not on the number of
//! threads. Games are written in this order. So an interrupted run can be resumed, and its file
//! will be identical to that of an uninterrupted run.
//!
//! | module | contents |
//! |---|---|
//! | `settings` | settings that determine the games of a run |
//! | `game` | a finished game with the score of each move |
//! | `file` | the file format, and reading of damaged files |
//! | `opening` | random openings |
//! | `play` | one game |
//! | `run` | threads, file, Ctrl-C, progress |
//! | `check` | statistics and damage of files |
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
pub(crate) use file::take;
pub use file::{FileContents, FileError, read};
pub use game::{SearchedMove, SelfPlayGame};
pub use settings::{Settings, Sizes};
