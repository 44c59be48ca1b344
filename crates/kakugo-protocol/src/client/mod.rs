//! An engine as a child process: the manager's side of the Gomocup protocol.
//!
//! An [`ExternalEngine`] starts games and asks for moves. Its lines are parsed as the strictest
//! manager does. It has one configuration ([`EngineConfig`]) and plays one game at a time
//! ([`GameSetup`]). The caller keeps the time with a [`MoveClock`] and checks the moves. A
//! [`Process`] is the layer below, for callers that need every line and byte.
//!
//! ```text
//! options (user input) ──► config ──► engine ──► process ──► orphans
//!      command_line                 clock      │ setup, answer         memory
//! ```
//!
//! | topic | file |
//! |---|---|
//! | commands before a game | `setup.rs` |
//! | failures of an engine | `engine.rs`: [`Fault`]; `process.rs`: end of the process group |
//! | limits | `options.rs`: input; `config.rs`: values; `engine.rs`, `clock.rs`: enforcement |
//!
//! Logging (`RUST_LOG=kakugo_protocol::client=trace`) shows every line in both directions. Restarts
//! are logged as `info`, violations of lenient engines as `warn`.

mod answer;
mod clock;
mod command_line;
mod config;
mod engine;
mod memory;
mod options;
mod orphans;
mod proc;
mod process;
mod setup;

pub use answer::{Answer, Fault, Question};
pub use clock::MoveClock;
pub use command_line::{join_words, split_words};
pub use config::EngineConfig;
pub use engine::{ExternalEngine, Stopped};
pub use memory::MemoryUsage;
pub use options::EngineOptions;
pub use orphans::{adopt_orphans, adopted, kill_engines};
pub use proc::{children, descendants, is_alive, is_running};
pub use process::{Exit, Process, Received, TimedLine};
pub use setup::GameSetup;
