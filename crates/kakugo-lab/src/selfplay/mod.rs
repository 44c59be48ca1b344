//! Self-play games with a fixed number of nodes per move, for training and tuning.
//!
//! Every game starts from a random opening, anywhere on the board, that the search finds balanced.
//! Game `n` of a run depends only on the run's [`Settings`] and on `n`, not on the number of
//! threads. Games are written in this order. So an interrupted run can be resumed, and its file
//! will be identical to that of an uninterrupted run.
//!
//! [`Settings`]: kakugo_train::selfplay::Settings
//!
//! | module | contents |
//! |---|---|
//! | `play` | one game |
//! | `run` | threads, file, Ctrl-C, progress |
//! | `check` | statistics and damage of files |
//! | `command` | the subcommand |

mod check;
mod command;
mod play;
mod run;

pub use command::{SelfplayArgs, run};
