//! The Gomocup protocol: how managers and the engine talk.
//!
//! Text becomes a [`Command`] in [`command`] and a [`Reply`] becomes text in [`reply`], both pure
//! and both in either direction, so that the match runner shares them. [`session`] is the loop
//! between: one thread reads lines, one thinks, and the session alone decides what is answered.
//! `protocol.md` documents every command and is replayed by the tests.

mod birth;
mod block;
pub mod command;
mod game;
mod hangup;
mod info;
mod input;
mod options;
mod position;
mod progress;
pub mod reply;
pub mod session;
mod stdio;
mod thinker;

pub use command::{Command, CommandError, Entry, Field, Info};
pub use reply::Reply;
pub use session::{Setup, serve};
pub use stdio::speak;
