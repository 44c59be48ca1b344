//! The subcommands of the program `pbrain-kakugo`.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod commands;
