//! What the engine does when it is its turn, and the thread on which it does so.
//!
//! A [`Turn`] asks a [`Player`] for a [`Decision`]: a stone at some level of strength, or a choice in
//! a swap2 opening. Sessions, the page and the terminal all ask the same player, and all of them let
//! it think on a [`Thread`].

mod decide;
mod thread;

pub use decide::{Decision, Player, Question, Resources, Turn};
pub use thread::Thread;
