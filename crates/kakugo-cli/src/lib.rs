//! Small parts that Kakugo's command-line programs share.
//!
//! | module | contents |
//! |---|---|
//! | [`arguments`] | parsers of arguments that several commands take |
//! | [`units`] | times and sizes as people write them |
//! | [`mod@layered`] | options in layers: command line over configuration file |
//! | [`usage`] | errors in the command line |
//! | [`mod@ctrl_c`] | Ctrl-C and SIGTERM (feature `signals`) |
//! | [`mod@stderr`] | notes on stderr that survive a closed reader |
//! | [`run_file`] | files of long runs, with one writer at a time |
//! | [`html`] | escaping |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod arguments;
#[cfg(feature = "signals")]
pub mod ctrl_c;
pub mod html;
pub mod layered;
pub mod run_file;
pub mod stderr;
pub mod units;
pub mod usage;
