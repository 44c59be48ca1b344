//! The games that a room explores.

use std::sync::Arc;

use kakugo_record::book::Book;

/// The games that a room explores, if any.
#[derive(Default)]
pub struct Exploring {
    book: Option<Arc<Book>>,
    /// True while the driver reads the files.
    reading: bool,
}

impl Exploring {
    /// Returns the games of the program's files, which may still be read.
    pub fn new(reading: bool, book: Option<Arc<Book>>) -> Exploring {
        Exploring { reading: reading && book.is_none(), book }
    }

    /// Returns true if there is or will be something to explore.
    pub fn is_on(&self) -> bool {
        self.reading || self.book.is_some()
    }

    /// Returns the games, once they have been read.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_deref()
    }

    /// As [`Exploring::book`], to be held while the room changes.
    pub fn shared_book(&self) -> Option<Arc<Book>> {
        self.book.clone()
    }

    /// The program's files have been read. A file that was uploaded meanwhile stays.
    pub fn finish_reading(&mut self, book: Arc<Book>) {
        if std::mem::take(&mut self.reading) {
            self.book = Some(book);
        }
    }

    /// Explores the games of an uploaded file.
    pub fn explore(&mut self, book: Arc<Book>) {
        *self = Exploring { book: Some(book), reading: false };
    }
}
