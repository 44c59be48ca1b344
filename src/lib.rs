//! Kakugo, a Gomoku engine.
pub mod analysis;
pub mod board;
pub mod eval;
pub mod level;
pub mod pattern;
#[cfg(feature = "play")]
pub mod play;
pub mod protocol;
pub mod score;
pub mod search;
pub mod tools;
