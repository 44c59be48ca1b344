//! The board in a terminal.

pub mod board;
pub mod keyboard;
pub mod lines;
mod order;
mod tree;
