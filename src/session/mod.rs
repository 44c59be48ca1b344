//! Playing by the Gomocup protocol: from a manager's commands to the engine's answers.
//!
//! One thread reads lines, one thinks, and the session between them alone decides what is
//! answered. The language itself is in [`kakugo_protocol`].

mod event;
mod game;
mod input;
mod options;
mod position;
mod process_start;
mod progress;
#[expect(clippy::module_inception, reason = "the loop is the session, the module all it needs")]
mod session;
mod stdio;
mod stdout_closed;
mod thinker;

pub use session::{SessionArgs, serve};
pub use stdio::speak;
