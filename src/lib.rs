//! Kakugo, a Gomoku engine.
pub mod board;
pub mod score;
pub mod search;
