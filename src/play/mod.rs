//! The board for people: a page in the browser and a text board in the terminal.
//!
//! Both show the same [`game::Game`], which knows nothing of either: moves with undo and redo,
//! opening choices, clocks, how it ended and what to say about it. Whoever plays by himself is
//! asked through [`players`].

mod archive;
mod brains;
pub mod clock;
mod command;
mod desk;
pub mod end;
mod files;
pub mod game;
mod inbox;
mod insight;
pub mod notation;
pub mod opening;
mod order;
pub mod players;
pub mod refusal;
mod room;
pub mod server;
pub mod setup;
pub mod status;
mod terminal;
mod view;
mod wire;
mod worker;

pub use command::{PlayArgs, run};
