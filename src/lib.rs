//! Kakugo, a Gomoku engine.
pub mod arena;
pub mod board;
pub mod eval;
pub mod pattern;
pub mod protocol;
pub mod record;
pub mod score;
pub mod search;
pub mod tools;
