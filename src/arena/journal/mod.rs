//! The record of a match: what is kept of each game, and the file that keeps it.

mod file;
mod record;

pub use file::{Journal, JournalWriter};
pub use record::{GameRecord, PlayedMove, Reason};
