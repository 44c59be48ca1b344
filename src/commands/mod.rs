//! Subcommands, except those that have a crate of their own.

#[cfg(feature = "records")]
pub mod analyze;
pub mod bench;
#[cfg(feature = "records")]
mod board;
#[cfg(feature = "records")]
pub mod convert;
pub mod examples;
#[cfg(feature = "records")]
pub mod explore;
#[cfg(feature = "records")]
mod game_report;
#[cfg(feature = "manual")]
pub mod manual;
#[cfg(feature = "records")]
mod many;
#[cfg(feature = "records")]
mod many_report;
#[cfg(feature = "records")]
mod omissions;
pub mod perft;
#[cfg(feature = "records")]
mod position_analysis;
#[cfg(feature = "records")]
mod positions;
#[cfg(feature = "records")]
mod search;
#[cfg(feature = "records")]
pub mod solve;
#[cfg(feature = "records")]
mod solve_problem;
#[cfg(feature = "records")]
mod solve_result;
#[cfg(feature = "records")]
mod source;
pub mod version;
