//! Mistakes in the command line, as far as the command line alone tells.
//!
//! The program ends with code 2 for them, as for those that the parser of arguments finds, and with 1
//! where what was asked for failed: a file that is not there or no game, an engine that does not start.

use std::error::Error;
use std::fmt::{self, Display};

/// What is wrong with the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsageError(String);

impl Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UsageError {}

/// This error as a mistake in the command line.
pub fn usage(error: anyhow::Error) -> anyhow::Error {
    UsageError(format!("{error:#}")).into()
}
