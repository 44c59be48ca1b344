//! Kakugo, a Gomoku engine.
pub mod board;
pub mod protocol;
pub mod score;
pub mod search;
