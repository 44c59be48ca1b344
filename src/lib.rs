//! The program `pbrain-kakugo`: the protocol session and the commands that need no crate of their own.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod commands;
pub mod session;
