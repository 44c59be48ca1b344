//! The keyboard of a terminal: lines can be edited and repeated.
//!
//! Output is printed above the line that is being typed, so that both are legible while the
//! computer thinks.

use std::io::{self, LineWriter, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor, ExternalPrinter};

/// The prompt.
pub const PROMPT: &str = "> ";

/// Reads lines from the terminal, one at a time.
pub struct Keyboard(Editor<(), MemHistory>);

impl Keyboard {
    /// Opens the terminal of this process, and returns it with a writer that prints above its line.
    /// Returns `None` if stdin or stdout is not a terminal, or the terminal is not capable of
    /// editing.
    pub fn open() -> Option<(Keyboard, impl Write)> {
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        let printer = editor.create_external_printer().ok()?;
        Some((Keyboard(editor), LineWriter::new(AboveLine(printer))))
    }

    /// Waits for a line; `None` after Ctrl-D or Ctrl-C.
    ///
    /// # Errors
    /// Returns an error if the terminal was closed.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        match self.0.readline(PROMPT) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// A writer that prints above the line that is being typed.
struct AboveLine<P>(P);

impl<P: ExternalPrinter> Write for AboveLine<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.print(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
