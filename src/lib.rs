//! Kakugo, a Gomoku engine.
pub mod board;
pub mod eval;
pub mod pattern;
pub mod score;
pub mod search;
pub mod tools;
