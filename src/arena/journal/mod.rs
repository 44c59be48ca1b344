//! The record of a match: what is kept of each game, and the file that keeps it.

mod file;

pub use crate::record::runner::{GameRecord, PlayedMove, Reason};
pub use file::{Journal, JournalWriter};
