//! Notes on stderr.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to stderr. Errors are ignored: nobody may be reading it.
pub fn note(line: impl Display) {
    _ = writeln!(io::stderr(), "{line}");
}
