//! The Gomocup protocol session: from a manager's commands to the engine's replies.
//!
//! One thread reads lines and one searches. The session between them decides every reply. The
//! protocol language itself is in [`kakugo_protocol`].

mod event;
mod game;
mod input;
mod options;
mod position;
mod process_start;
mod running_search;
#[expect(clippy::module_inception, reason = "`session` is the loop, the module is all it needs")]
mod session;
mod stdio;
mod stdout_closed;
mod thinker;

pub use session::{SessionArgs, serve};
pub use stdio::serve_stdio;
