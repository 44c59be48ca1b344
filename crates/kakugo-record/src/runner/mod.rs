//! Match records in JSON Lines: one line with the settings, then one line per game.
//!
//! The match runner writes all of its settings. Reading a record as [`Game`](super::Game)s uses
//! only board size and rule.

mod game;
mod read;

pub use game::{GameRecord, PlayedMove, Reason};
pub use read::{Line, games};
