//! Helpers shared by Kakugo's command-line programs.
//!
//! | module | contents |
//! |---|---|
//! | [`arguments`] | value parsers for arguments |
//! | [`columns`] | tables with aligned columns |
//! | [`units`] | times and sizes with units |
//! | [`mod@layered`] | options in layers: command line over configuration file |
//! | [`usage`] | usage errors |
//! | [`mod@ctrl_c`] | Ctrl-C and SIGTERM (feature `signals`) |
//! | [`mod@stderr`] | notes on stderr that ignore a closed pipe |
//! | [`run_file`] | output files of long runs, with one writer at a time |
//! | [`html`] | HTML escaping |
//! | [`mod@interrupted`] | the error of an interrupted job |
//! | [`logging`] | logging to stderr (feature `logging`) |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod arguments;
pub mod columns;
#[cfg(feature = "signals")]
pub mod ctrl_c;
pub mod html;
pub mod interrupted;
pub mod layered;
#[cfg(feature = "logging")]
pub mod logging;
pub mod run_file;
pub mod stderr;
pub mod units;
pub mod usage;
