//! The record of a match: what is kept of each game, and the file that keeps it.

mod file;

pub use file::{Journal, JournalWriter};
pub use kakugo_record::runner::{GameRecord, PlayedMove, Reason};
