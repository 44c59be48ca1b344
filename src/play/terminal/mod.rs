//! The board in a terminal.

pub mod board;
mod lines;
mod order;
