//! The error of a job that Ctrl-C or a signal has ended.

use std::error::Error;
use std::fmt::{self, Display};

/// Exit code of an interrupted job, as used by shells.
pub const INTERRUPTED: u8 = 130;

/// An interrupted job. It ends the program with [`INTERRUPTED`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interrupted(String);

impl Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Interrupted {}

/// Converts an error to that of an interrupted job.
pub fn interrupted(error: anyhow::Error) -> anyhow::Error {
    Interrupted(format!("{error:#}")).into()
}
