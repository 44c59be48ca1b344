//! The openings that pages explore: files read in the background when the program starts, or one that a
//! page has sent.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::{io, thread};

use kakugo_cli::stderr::note;
use kakugo_record::Game;
use kakugo_record::book::Book;

/// The book of all rooms, once it has been read.
#[derive(Clone, Debug, Default)]
pub struct Openings(Option<Arc<OnceLock<Book>>>);

impl Openings {
    /// Begin to read these files and folders; `pattern` tells size and rule where a format does not.
    /// Without any there is nothing to explore.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn read(paths: Vec<PathBuf>, pattern: Game) -> io::Result<Openings> {
        if paths.is_empty() {
            return Ok(Openings(None));
        }
        let shared = Arc::new(OnceLock::new());
        let read = Arc::clone(&shared);
        thread::Builder::new().name("openings".to_owned()).spawn(move || {
            let mut book = Book::new(pattern);
            for path in paths {
                if let Err(error) = book.add(&path) {
                    note(format_args!("{}: {error}", path.display()));
                }
            }
            for complaint in book.errors() {
                note(format_args!("{complaint}"));
            }
            let _ = read.set(book);
        })?;
        Ok(Openings(Some(shared)))
    }

    /// A book that has been read.
    pub fn of(book: Book) -> Openings {
        Openings(Some(Arc::new(OnceLock::from(book))))
    }

    /// Whether there is anything to explore, now or soon.
    pub fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// The book, once it has been read.
    pub fn book(&self) -> Option<&Book> {
        self.0.as_ref()?.get()
    }
}
