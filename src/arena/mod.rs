//! Matches between engines: `pbrain-kakugo match`.

mod adjudicate;
#[cfg(feature = "plots")]
mod charts;
mod clock;
pub mod command;
pub mod config;
pub(crate) mod engine;
mod export;
mod game;
mod job;
pub mod journal;
mod live;
mod memory;
mod opening;
mod options;
pub(crate) mod output;
mod process;
mod progress;
pub mod rating;
mod report;
mod runner;
pub mod sprt;
pub mod stats;
mod strays;
mod swap2;
mod table;
pub mod tally;
pub(crate) mod units;

pub use command::run;
pub use options::{Args, Services};
