//! The language of the Gomocup protocol: how managers and engines write to each other.
//!
//! Text becomes a [`Command`] in [`command`] and a [`Reply`] in [`reply`] and each becomes text
//! there again. Nothing here waits, thinks or plays: what a command does is for
//! [`crate::session`] to say. `protocol.md` documents every command and is replayed by the tests.

mod block;
pub mod command;
mod info;
pub mod reply;

pub use block::Assembler;
pub use command::{Command, CommandError, Entry, Field, Info};
pub use reply::Reply;
