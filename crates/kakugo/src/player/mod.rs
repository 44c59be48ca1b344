//! One turn of the engine, and the thread that searches.
//!
//! A [`Player`] makes a [`Decision`] for a [`Turn`]: a stone at a level of strength, or a choice in
//! a swap2 opening. Protocol sessions and the boards use the same player, on a [`Thread`].

mod decide;
mod thread;

pub use decide::{Decision, Player, Question, Resources, Turn};
pub use thread::Thread;
