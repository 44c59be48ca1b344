//! The record of a match and its file.

mod file;

pub use file::{Journal, JournalWriter};
pub use kakugo_record::runner::{GameRecord, PlayedMove, Reason};
