//! Files of games put together for exploring: libraries, collections, records of matches, folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::explorer::Explorer;
use super::file::Format;
use super::pos::RowOrder;
use super::{Game, runner};

/// See the module.
#[derive(Clone, Debug)]
pub struct Book {
    /// Tells size and rule where a format does not.
    pattern: Game,
    explorer: Explorer,
    files: usize,
    refused: Vec<(PathBuf, String)>,
}

impl Book {
    /// An empty book; `pattern` tells size and rule where a format does not.
    pub fn new(pattern: Game) -> Book {
        Book { pattern, explorer: Explorer::default(), files: 0, refused: Vec::new() }
    }

    /// What the files hold.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// Number of files read.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Files of games that hold none, and why.
    pub fn refused(&self) -> &[(PathBuf, String)] {
        &self.refused
    }

    /// Add a file, or all files of games in a folder and in those within it.
    ///
    /// # Errors
    /// It cannot be read from the disk.
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        if !path.is_dir() {
            return self.add_file(path);
        }
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
        entries.sort();
        for entry in entries {
            // A link to a folder may lead round in a circle.
            if entry.is_dir() && !entry.is_symlink() {
                self.add(&entry)?;
            } else if entry.is_file() && kind(&entry).is_some() {
                self.add_file(&entry)?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let bytes = fs::read(path)?;
        let read = match kind(path) {
            None => Err("its name does not tell its format".to_owned()),
            Some(Kind::Runner) => {
                let games = runner::read(&String::from_utf8_lossy(&bytes));
                games
                    .map(|games| games.iter().for_each(|game| self.explorer.add_game(game)))
                    .map_err(|error| error.to_string())
            }
            Some(Kind::Format(format)) => {
                let trees = format.read_trees(&bytes, &self.pattern);
                trees
                    .map(|trees| trees.iter().for_each(|tree| self.explorer.add(tree)))
                    .map_err(|error| error.to_string())
            }
        };
        match read {
            Ok(()) => self.files += 1,
            Err(why) => self.refused.push((path.to_owned(), why)),
        }
        Ok(())
    }
}

enum Kind {
    /// A record of the match runner.
    Runner,
    Format(Format),
}

/// What a file holds, by its name.
fn kind(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?;
    if name.to_ascii_lowercase().ends_with(".jsonl") {
        return Some(Kind::Runner);
    }
    Format::of_name(name, RowOrder::FromBottom).map(Kind::Format)
}
