//! The Gomocup protocol session: from a manager's commands to the engine's replies.
//!
//! One thread reads lines and one searches. The session between them decides every reply. The
//! protocol language itself is in [`kakugo_protocol`].
//!
//! | module | contents |
//! |---|---|
//! | `input` | input lines and their time of arrival |
//! | `event` | what the session waits for: input and results of searches |
//! | `options` | the settings of `INFO`: rule, limits, memory |
//! | `position` | positions of commands, checked under the rules |
//! | `game` | the current game, and the effect of each command on it |
//! | `thinker` | the engine on a thread of its own |
//! | `running_search` | deadline and reports of the running search |
//! | `process_start` | the start time of the process |
//! | `session` | the loop between a manager and the search |
//! | `stdout_closed` | detection of a closed stdout |
//! | `stdio` | a session on stdin and stdout |

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
