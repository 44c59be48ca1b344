//! Subcommands for those who work on the engine.

pub mod perft;
