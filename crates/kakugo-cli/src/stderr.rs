//! What is said beside the output.

use std::fmt::Display;
use std::io::{self, Write};

/// Write a line to stderr. That nobody reads it is no reason to stop.
pub fn note(line: impl Display) {
    _ = writeln!(io::stderr(), "{line}");
}
