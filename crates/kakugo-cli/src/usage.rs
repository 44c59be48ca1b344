//! Usage errors: mistakes in the command line itself.
//!
//! They end the program with exit code 2, like the errors of the argument parser. Failures of the
//! requested action, such as missing or invalid files, end it with 1.

use std::error::Error;
use std::fmt::{self, Display};

/// A mistake in the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsageError(String);

impl Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UsageError {}

/// Converts an error to a usage error.
pub fn usage(error: anyhow::Error) -> anyhow::Error {
    UsageError(format!("{error:#}")).into()
}
