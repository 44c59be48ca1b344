//! An engine as a child process that speaks the Gomocup protocol: the manager's end of the wire.
//!
//! An [`ExternalEngine`] is told of games and asked for moves in the terms of [`crate`];
//! its lines are read as strictly as the strictest manager reads them. It knows one engine
//! ([`EngineConfig`]) and one game ([`GameSetup`]) and nothing of matches; the caller keeps the time
//! by a [`MoveClock`] and judges the moves. Below it lies the [`Process`], for a caller that wants to see
//! every line and send every byte itself.
//!
//! ```text
//! options (as the user writes) ──► config ──► engine ──► process ──► orphans
//!           words                    clock      │ setup, answer         memory
//! ```
//!
//! | question | file |
//! |---|---|
//! | What is said to an engine before a game? | `setup.rs` |
//! | What happens to an engine that fails? | `engine.rs`: a [`Fault`]; `process.rs`: the end of its process group |
//! | Where is a limit of an engine set? | `options.rs`: as written; `config.rs`: as used; `engine.rs`, `clock.rs`: as enforced |
//!
//! Logging (`RUST_LOG=kakugo_protocol::client=trace`) shows every line in both directions; `info` and `warn`
//! tell of restarts and, for lenient treatment, of violations.

mod answer;
mod clock;
mod config;
mod engine;
mod memory;
mod options;
mod orphans;
mod process;
mod setup;
mod words;

pub use answer::{Answer, Fault, Question};
pub use clock::MoveClock;
pub use config::EngineConfig;
pub use engine::{ExternalEngine, Stopped};
pub use memory::{Usage, children, descendants};
pub use options::EngineOptions;
pub use orphans::{adopt_orphans, adopted, kill_engines};
pub use process::{Exit, Process, Received, TimedLine};
pub use setup::GameSetup;
pub use words::{join_words, split_words};
