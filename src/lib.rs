//! Kakugo, a Gomoku engine.
pub mod board;
pub mod eval;
pub mod level;
pub mod pattern;
pub mod play;
pub mod protocol;
pub mod score;
pub mod search;
pub mod tools;
