//! The records of the match runner, JSON lines: a line of settings, then a line for each game.
//!
//! The runner writes its settings whole; read as [`Game`](super::Game)s only size and rule matter.

mod game;
mod read;

pub use game::{GameRecord, PlayedMove, Reason};
pub use read::{Line, games};
