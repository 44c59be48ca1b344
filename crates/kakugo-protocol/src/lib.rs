//! The Gomocup protocol between managers and engines.
//!
//! All lines of the protocol are read and written here. A [`Command`] is sent by a manager (with
//! [`Info`] for the keys of `INFO`), a [`Reply`] by an engine, and a [`Status`] reports a running
//! search. The session reads commands and writes replies; the client does the opposite. This crate
//! does not search, wait or keep time. `protocol.md` documents every command and is replayed by the
//! tests.
//!
//! ```text
//! token (numbers, points) ◄─ info, block ◄─ command ◄─ assembler (lines → commands)
//!                         ◄─ reply (as Kakugo answers), strict (as the strictest manager reads)
//! status (writes search info) ─► search_info (reads it)
//! ```
//!
//! | to add | edit |
//! |---|---|
//! | a command | `command.rs`: a variant of [`Command`], its line in `single` and in `Display` |
//! | a key of `INFO` | `info.rs`: a variant of [`Info`], its line in `parse` and in `Display` |
//! | a reply | `reply.rs`: a variant of [`Reply`], its line in `parse` and in `Display` |

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod assembler;
mod block;
#[cfg(feature = "client")]
pub mod client;
mod command;
mod error;
mod info;
mod reply;
mod search_info;
mod skipped;
mod status;
mod strict;
mod token;

pub use assembler::Assembler;
pub use block::{Field, Placement, Swap2Stone};
pub use command::{Command, Swap2Step};
pub use error::CommandError;
pub use info::Info;
pub use reply::Reply;
pub use search_info::SearchInfo;
pub use status::Status;
pub use strict::{Expected, StrictReply};
