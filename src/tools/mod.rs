//! Subcommands for people who work on the engine.

pub mod analyze;
pub mod bench;
pub mod convert;
pub mod examples;
pub mod explore;
mod game_report;
pub mod judge;
pub mod manual;
mod notation;
pub mod perft;
pub mod selfplay;
pub mod solve;
#[cfg(any(feature = "tuning", test))]
pub mod spsa;
pub mod train;
pub mod tune;
pub mod version;
