//! The files to explore, read in the background when the program starts.

use std::path::PathBuf;
use std::sync::Arc;
use std::{io, thread};

use kakugo_cli::stderr::note;
use kakugo_record::Game;
use kakugo_record::book::{Book, Indexes};

/// Starts to read files and folders, and passes the result on. `pattern` specifies size and rule if
/// a format does not.
///
/// # Errors
/// Returns an error if the system has no thread left.
pub fn read(
    paths: Vec<PathBuf>,
    pattern: Game,
    done: impl FnOnce(Arc<Book>) + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        let mut book = Book::with_indexes(pattern, Indexes::Read);
        for path in paths {
            if let Err(error) = book.add(&path) {
                note(format_args!("{}: {error}", path.display()));
            }
        }
        for error in book.errors() {
            note(format_args!("{error}"));
        }
        if book.explorer().lines() == 0 {
            note("no games were found in the files and folders of --explore");
        }
        done(Arc::new(book));
    };
    thread::Builder::new().name("openings".to_owned()).spawn(read).map(|_| ())
}
