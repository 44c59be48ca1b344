//! Subcommands for people who work on the engine.

pub mod bench;
pub mod perft;
pub mod solve;
