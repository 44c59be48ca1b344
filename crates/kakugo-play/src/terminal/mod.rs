//! The board in a terminal: a driver of one room, whose client is the user. And practice of
//! problems, without a room.

mod board;
mod coach;
pub mod keyboard;
pub mod lines;
mod order;
pub mod practice;
mod tree;

pub use board::{Settings, run};
