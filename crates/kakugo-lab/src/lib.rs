//! The laboratory: games to learn from, training of networks, tuning of weights and of the search.
//!
//! | module | contents |
//! |---|---|
//! | [`selfplay`] | games of the engine against itself |
//! | [`train`] | training of the value network |
//! | [`tune`] | fitting of the classical evaluation |
//! | `spsa` | tuning of the search (feature `tuning`) |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod examples;
pub mod selfplay;
#[cfg(any(feature = "tuning", test))]
pub mod spsa;
pub mod train;
pub mod tune;
