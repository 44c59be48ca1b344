//! Matches between engines: `pbrain-kakugo match`.
//!
//! Engines are child processes that speak the Gomocup protocol; our own gets no private door. A match
//! is a schedule of numbered games that follows from its [`config::Settings`] alone, so it can be
//! played on any number of workers, in shards on several machines, stopped, killed and resumed, and
//! always adds up to the same tables.
//!
//! ```text
//! options ── config ──► job (schedule) ──► runner (workers) ──► journal (JSON Lines) ──► tally
//!   │                     │                   │ a game each        │ --resume, report      │
//!   └ opening, units      └ Shard             ▼                    ▼                       ▼
//!                              game ◄── swap2, clock, adjudicate   export (SGF, psq,   stats, sprt,
//!                                │ asks a Contestant               PGN, pos)           rating
//!                                ▼                                                         │
//!                              engine ◄── setup, output            table, report ◄─────────┘
//!                                │                                 (page/, charts)
//!                                ▼
//!                              process ◄── strays, memory
//! ```
//!
//! | question | file |
//! |---|---|
//! | When does a game end, and why? | `game.rs`: the loop; [`journal::Reason`]: the list |
//! | Which line of an engine is an answer? | `output.rs`, as strict as the strictest manager |
//! | What happens to an engine that fails? | `engine.rs`: a fault; `process.rs`: the end of its process group |
//! | What is said to an engine? | `setup.rs` before a game, `game.rs` during it |
//! | Who plays whom, from which opening? | `job.rs`, `opening.rs` |
//! | How sure is the result? | [`stats`], [`sprt`], [`rating`], each with its sources |
//!
//! What the arena needs beyond the rules (a solver, an evaluation) its caller puts into [`Services`].
//!
//! Logging (`RUST_LOG=kakugo::arena=trace`) shows every line in both directions; `info` and `warn` tell
//! of restarts, proofs and, for lenient treatment, of violations.

mod adjudicate;
#[cfg(feature = "plots")]
mod charts;
pub mod command;
mod end;
mod export;
mod game;
mod job;
pub mod journal;
mod live;
mod opening;
mod options;
mod participant;
mod progress;
pub mod rating;
mod report;
mod runner;
mod seat;
pub mod settings;
pub mod sprt;
pub mod stats;
mod swap2;
mod table;
pub mod tally;

pub use command::run;
pub use options::{Args, Services};
