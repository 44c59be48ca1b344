//! The language of the Gomocup protocol: how managers and engines write to each other.
//!
//! Every text that goes over the wire is written and read here and nowhere else: what managers say is
//! a [`Command`] (with [`Info`] for the keys of `INFO`), what engines say is a [`Reply`], what they
//! tell of a running search is a [`Status`]. The session reads commands and writes replies, the client
//! of an engine writes commands and reads replies. Nothing here waits, thinks or plays. `protocol.md`
//! documents every command and is replayed by the tests.
//!
//! ```text
//! token (numbers, points) ◄─ info, block ◄─ command ◄─ assembler (lines → commands)
//!                         ◄─ reply (as we answer), strict (as the strictest manager reads)
//! status (a search, told) ─► thoughts (a search, read)
//! ```
//!
//! | to add | do so in |
//! |---|---|
//! | a command | `command.rs`: a variant of [`Command`], its line in `single` and in `Display` |
//! | a key of `INFO` | `info.rs`: a variant of [`Info`], its line in `parse` and in `Display` |
//! | an answer | `reply.rs`: a variant of [`Reply`], its line in `parse` and in `Display` |

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod assembler;
mod block;
#[cfg(feature = "client")]
pub mod client;
mod command;
mod error;
mod info;
mod reply;
mod status;
mod strict;
mod thoughts;
mod token;

pub use assembler::Assembler;
pub use block::{Field, Placement, Swap2Stone};
pub use command::Command;
pub use error::CommandError;
pub use info::Info;
pub use reply::Reply;
pub use status::Status;
pub use strict::{Expected, StrictReply};
pub use thoughts::Thoughts;
