//! Matches between engines: `pbrain-kakugo match`.
//!
//! Engines are child processes that speak the Gomocup protocol; our own gets no private door. A match
//! is a schedule of numbered games that follows from its [`settings::Settings`] alone, so it can be
//! played on any number of workers, in shards on several machines, stopped, killed and resumed, and
//! always adds up to the same tables.
//!
//! ```text
//! options ─► settings ─► schedule ─► game (workers, referee) ─► journal ─► report ◄─ statistics
//! ```
//!
//! | question | where |
//! |---|---|
//! | Who plays whom, from which opening? | [`schedule`] |
//! | When does a game end, and why? | `game/referee.rs`: the loop; [`journal::Reason`]: the list |
//! | Which line of an engine is an answer? | [`crate::protocol::StrictReply`], as strict as the strictest manager |
//! | What is said to an engine? | [`crate::client::GameSetup`] before a game, `game/seat.rs` during it |
//! | How sure is the result? | [`statistics`], each with its sources |
//! | What is printed and written? | [`report`] |
//!
//! What the arena needs beyond the rules (a solver, an evaluation) its caller puts into [`Services`].
//!
//! Logging (`RUST_LOG=kakugo::arena=info`) tells of proofs; `kakugo::client=trace` shows every line
//! in both directions.

mod command;
pub mod game;
pub mod journal;
mod options;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod statistics;

pub use command::run;
pub use options::{MatchArgs, Services};
