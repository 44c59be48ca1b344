//! The keyboard of a real terminal: lines are edited, and earlier ones come back.
//!
//! What the board has to say is printed above the line that is being typed, so that both are legible
//! while the computer thinks.

use std::io::{self, LineWriter, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor, ExternalPrinter};

/// What stands before the line that is typed.
pub const PROMPT: &str = "> ";

/// Reads lines from the terminal, one at a time.
pub struct Keyboard(Editor<(), MemHistory>);

impl Keyboard {
    /// The terminal of this process, and what writes above its line; `None` where it cannot be edited
    /// on: stdin or stdout is something else, or the terminal knows too little.
    pub fn open() -> Option<(Keyboard, impl Write)> {
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        let printer = editor.create_external_printer().ok()?;
        Some((Keyboard(editor), LineWriter::new(AboveLine(printer))))
    }

    /// Wait for a line; `None` when the terminal is left, by Ctrl-D or Ctrl-C.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        match self.0.readline(PROMPT) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// Prints above the line that is being typed, if one is.
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
