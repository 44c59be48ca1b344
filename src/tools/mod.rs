//! Subcommands for people who work on the engine.

pub mod bench;
pub mod games;
pub mod perft;
pub mod selfplay;
pub mod solve;
pub mod tune;
