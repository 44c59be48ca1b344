//! The board in a terminal: a driver of one room, whose client is the user.

mod board;
pub mod keyboard;
pub mod lines;
mod order;
mod tree;

pub use board::{Settings, run};
