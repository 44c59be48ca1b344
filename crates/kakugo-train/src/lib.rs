//! Training of networks and of the classical evaluation on self-play games. `kakugo-lab` plays the
//! games and has the commands.
//!
//! | module | contents |
//! |---|---|
//! | [`selfplay`] | self-play games: settings, openings, files |
//! | [`train`] | training of the value network |
//! | [`tune`] | fitting of the classical evaluation |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod selfplay;
pub mod train;
pub mod tune;
