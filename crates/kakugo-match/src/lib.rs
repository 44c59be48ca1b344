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
//! | Which line of an engine is an answer? | [`kakugo_protocol::StrictReply`], as strict as the strictest manager |
//! | What is said to an engine? | [`kakugo_protocol::client::GameSetup`] before a game, `game/seat.rs` during it |
//! | How sure is the result? | [`statistics`], each with its sources |
//! | What is printed and written? | [`report`] |
//!
//! The engine adjudicates and balances openings through `judge.rs` alone.
//!
//! Logging (`RUST_LOG=kakugo=info`) tells of proofs; `kakugo_protocol::client=trace` shows every line
//! in both directions.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod command;
pub mod game;
pub mod journal;
mod judge;
mod options;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod statistics;

pub use command::run;
pub use options::MatchArgs;
