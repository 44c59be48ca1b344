//! The Gomocup protocol session: from a manager's commands to the engine's replies.
//!
//! One thread reads lines and one searches. The session between them decides every reply. The
//! protocol language itself is in [`kakugo_protocol`].

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod event;
mod game;
mod input;
mod options;
mod position;
mod process_start;
mod running_search;
mod session;
mod stdio;
mod stdout_closed;
mod thinker;

pub use session::{SessionArgs, serve};
pub use stdio::serve_stdio;
