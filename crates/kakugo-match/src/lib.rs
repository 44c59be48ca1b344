//! The match runner: matches between engines (`pbrain-kakugo match`).
//!
//! Engines are child processes that speak the Gomocup protocol. Kakugo itself runs in the same way.
//! A match is a schedule of numbered games that depends only on its [`settings::MatchSettings`]. It
//! can be played by any number of workers, split into shards, interrupted and resumed. The results
//! are always the same.
//!
//! ```text
//! options ─► settings ─► schedule ─► game (workers, referee) ─► journal ─► report ◄─ statistics
//! ```
//!
//! | topic | module |
//! |---|---|
//! | pairings and openings | [`schedule`] |
//! | end of a game | `game/referee.rs`: the game loop; [`journal::Reason`]: the reasons |
//! | parsing of engine output | [`kakugo_protocol::StrictReply`] |
//! | commands to an engine | [`kakugo_protocol::client::GameSetup`], `game/seat.rs` |
//! | Elo, SPRT, ratings | [`statistics`], with sources |
//! | results and files | [`report`] |
//!
//! Adjudication and balanced openings use the engine library through `services.rs` only.
//!
//! `RUST_LOG=kakugo=info` logs proofs; `kakugo_protocol::client=trace` logs every line sent and
//! received.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod command;
pub mod game;
pub mod journal;
mod options;
pub mod report;
pub mod schedule;
mod services;
pub mod settings;
pub mod statistics;

pub use command::run;
pub use options::MatchArgs;
