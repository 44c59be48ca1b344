//! A collection of game files for the opening explorer: libraries, SGF collections, match records
//! and folders of them.

mod index;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::explorer::Explorer;
use crate::file::{BEGINNING_BYTES, EXTENSIONS, Format};
use crate::game_tree::GameTree;
use crate::pos::RowOrder;
use crate::renlib::{self, TreeStep};
use crate::search::GameFilter;
use crate::text::{Text, text};
use crate::{Defaults, FormatError, Game, rif, runner};
use kakugo::board::Variant;

use index::{Counted, Index};

/// A set of game files, counted by an [`Explorer`].
#[derive(Clone, Debug)]
pub struct Book {
    /// Board size and rule for formats that do not store them.
    defaults: Defaults,
    explorer: Explorer,
    indexes: Indexes,
    files: usize,
    errors: Vec<ReadError>,
    /// Number of games read.
    games: usize,
    /// True if the rule of some games was assumed.
    assumes_rule: bool,
}

/// A search in the games of a book.
pub struct Search<'a> {
    /// Conditions on games. Others are not counted.
    pub filter: &'a GameFilter,
    /// Receives the path and the number (from 1) of each game that is found.
    pub each: &'a mut dyn FnMut(&Path, usize, &GameTree),
}

impl Search<'_> {
    /// Returns true if a game is found, and passes it on.
    fn finds(&mut self, path: &Path, number: usize, game: &GameTree) -> bool {
        let is_found = self.filter.matches(game);
        if is_found {
            (self.each)(path, number, game);
        }
        is_found
    }
}

/// The use of indexes, which are stored beside large files and make reading them again fast.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Indexes {
    /// No index is read or written.
    #[default]
    Ignored,
    /// Indexes are used if they belong to the file as it is.
    Read,
    /// Indexes are used, and written where they are missing.
    Written,
}

/// An error in a file: the whole file or some of its games were skipped.
#[derive(Clone, Debug)]
pub struct ReadError {
    /// Path of the file.
    pub path: PathBuf,
    /// Description of the error.
    pub message: Text,
    /// True if nothing was read from the file.
    pub is_skipped: bool,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadError { path, message, is_skipped } = self;
        let begin = if *is_skipped { "skipped: " } else { "" };
        write!(f, "{}: {begin}{message}", path.display())
    }
}

impl Book {
    /// Creates an empty book. `defaults` supplies board size and rule for formats without them.
    pub fn new(defaults: impl Into<Defaults>) -> Book {
        Book {
            defaults: defaults.into(),
            explorer: Explorer::default(),
            indexes: Indexes::default(),
            files: 0,
            errors: Vec::new(),
            games: 0,
            assumes_rule: false,
        }
    }

    /// Creates an empty book that uses indexes.
    pub fn with_indexes(defaults: impl Into<Defaults>, indexes: Indexes) -> Book {
        Book { indexes, ..Book::new(defaults) }
    }

    /// Returns the explorer with all games read.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// Returns the rule that was assumed for games that do not state one, if there are any.
    pub fn assumed_rule(&self) -> Option<Variant> {
        self.assumes_rule.then_some(self.defaults.game.variant)
    }

    /// Returns the number of files read.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Returns the number of games read by [`Book::search`], found or not. A library is one game.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Returns the errors in files that were skipped or read in part.
    pub fn errors(&self) -> &[ReadError] {
        &self.errors
    }

    /// Adds a file, or all game files in a folder and its subfolders. Invalid files in a folder are
    /// reported by [`Book::errors`].
    ///
    /// # Errors
    /// Returns an error if the path itself cannot be read.
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        let added = self.add_path(path, &mut None);
        self.explorer.optimize();
        added
    }

    /// Adds only the games that `search` finds. Indexes are not used.
    ///
    /// # Errors
    /// As [`Book::add`].
    pub fn search(&mut self, path: &Path, search: Search<'_>) -> io::Result<()> {
        let added = self.add_path(path, &mut Some(search));
        self.explorer.optimize();
        added
    }

    fn add_path(&mut self, path: &Path, search: &mut Option<Search<'_>>) -> io::Result<()> {
        if !path.is_dir() {
            return self.add_file(path, search);
        }
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
        entries.sort();
        for entry in entries {
            // Do not follow links to folders, which may form a cycle.
            let added = if entry.is_dir() && !entry.is_symlink() {
                self.add_path(&entry, search)
            } else if is_game_file(&entry) || (entry.is_file() && file_type(&entry).is_some()) {
                // Match records as well.
                self.add_file(&entry, search)
            } else {
                Ok(())
            };
            if let Err(error) = added {
                let message = Text::untranslated(error);
                self.errors.push(ReadError { path: entry, message, is_skipped: true });
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path, search: &mut Option<Search<'_>>) -> io::Result<()> {
        let mut file = File::open(path)?;
        if self.indexes == Indexes::Ignored || search.is_some() {
            return self.read_file(path, &mut file, search);
        }
        let Some(index) = Index::of(path, &mut file, &self.defaults) else {
            return self.read_file(path, &mut file, search);
        };
        if let Some(Counted { explorer, error, assumes_rule }) = index.read() {
            self.explorer.join(explorer);
            self.assumes_rule |= assumes_rule;
            self.finish(path, Ok(error.map(Text::untranslated)));
            return Ok(());
        }
        // The file is counted on its own.
        let mut one = Book::new(self.defaults.clone());
        one.read_file(path, &mut file, &mut None)?;
        let is_read = one.files > 0;
        let error = one.errors.first().map(|error| error.message.to_string());
        let assumes_rule = one.assumes_rule;
        let mut counted = Counted { explorer: one.explorer, error, assumes_rule };
        if is_read && self.indexes == Indexes::Written {
            index.write(&mut file, &self.defaults, &mut counted);
        }
        self.explorer.join(counted.explorer);
        self.files += one.files;
        self.assumes_rule |= assumes_rule;
        self.errors.extend(one.errors);
        Ok(())
    }

    /// Reads a file from its beginning.
    fn read_file(
        &mut self,
        path: &Path,
        file: &mut File,
        search: &mut Option<Search<'_>>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        // Databases are read as a stream, unless they come from a pipe.
        if file.metadata()?.is_file() {
            (&*file).take(BEGINNING_BYTES).read_to_end(&mut bytes)?;
            if let Some(FileType::Format(Format::Rif)) = type_of(path, &bytes) {
                file.rewind()?;
                let read = self.add_database(path, file, search);
                self.finish(path, read);
                return Ok(());
            }
        }
        file.read_to_end(&mut bytes)?;
        self.read_bytes(path, &bytes, search);
        Ok(())
    }

    /// Adds a file from memory. The format follows from the file name.
    pub fn add_bytes(&mut self, path: &Path, bytes: &[u8]) {
        self.read_bytes(path, bytes, &mut None);
        self.explorer.optimize();
    }

    fn read_bytes(&mut self, path: &Path, bytes: &[u8], search: &mut Option<Search<'_>>) {
        let read = match type_of(path, bytes) {
            None => Err(text!("unknown file type: expected {0}", format!("{EXTENSIONS}, .jsonl"))),
            Some(FileType::Runner) => self.add_record(path, bytes, search),
            Some(FileType::Format(format))
                if search.is_none() && (format == Format::RenLib || renlib::is_library(bytes)) =>
            {
                self.add_library(bytes)
            }
            Some(FileType::Format(Format::Rif)) => {
                self.add_database(path, io::Cursor::new(bytes), search)
            }
            Some(FileType::Format(format)) => {
                let defaults = self.defaults.clone();
                self.add_games(path, search, |each| format.each_game(bytes, defaults, each))
            }
        };
        self.finish(path, read);
    }

    /// Counts a file and its errors.
    fn finish(&mut self, path: &Path, read: Result<Option<Text>, Text>) {
        self.files += usize::from(read.is_ok());
        let is_skipped = read.is_err();
        let error = |message| ReadError { path: path.to_owned(), message, is_skipped };
        self.errors.extend(read.unwrap_or_else(Some).map(error));
    }

    fn add_record(
        &mut self,
        path: &Path,
        bytes: &[u8],
        search: &mut Option<Search<'_>>,
    ) -> Result<Option<Text>, Text> {
        for (count, game) in runner::games(&String::from_utf8_lossy(bytes)).enumerate() {
            self.games += 1;
            match (game, &mut *search) {
                (Ok(game), None) => self.explorer.add_game(&game),
                (Ok(game), Some(search)) => {
                    if search.finds(path, count + 1, &GameTree::from_game(&game)) {
                        self.explorer.add_game(&game);
                    }
                }
                (Err(error), _) if count == 0 => return Err(error.into()),
                (Err(error), _) => return Ok(Some(text!("only partly read: {0}", error))),
            }
        }
        Ok(None)
    }

    fn add_library(&mut self, bytes: &[u8]) -> Result<Option<Text>, Text> {
        let (width, height) = renlib::SIDES;
        let mut walk = self.explorer.walk(&Game::new(width, height, self.defaults.game.variant));
        let read = renlib::walk(bytes, |step| match step {
            TreeStep::Down(play) => walk.step(play),
            TreeStep::Up(count) => (0..count).for_each(|_| walk.back()),
        });
        self.assumes_rule |= !self.defaults.names_rule;
        match read {
            Err(error) if walk.is_empty() => {
                walk.discard();
                Err(error.into())
            }
            read => {
                walk.finish();
                Ok(read.err().map(|error| text!("only partly read: {0}", error)))
            }
        }
    }

    fn add_database(
        &mut self,
        path: &Path,
        input: impl Read + Seek,
        search: &mut Option<Search<'_>>,
    ) -> Result<Option<Text>, Text> {
        let variant = self.defaults.game.variant;
        self.add_games(path, search, |each| {
            let _ = rif::games(input, variant, each);
        })
    }

    /// Adds the games that `read` passes on.
    fn add_games(
        &mut self,
        path: &Path,
        search: &mut Option<Search<'_>>,
        read: impl FnOnce(&mut dyn FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>),
    ) -> Result<Option<Text>, Text> {
        let (mut count, mut skipped) = (0_usize, 0_usize);
        let mut first = None;
        let names_rule = self.defaults.names_rule;
        read(&mut |game| {
            count += 1;
            match game {
                Ok(tree) => {
                    self.assumes_rule |= tree.game.assumes_rule && !names_rule;
                    let search = search.as_mut();
                    if search.is_none_or(|search| search.finds(path, count, &tree)) {
                        self.explorer.add(&tree);
                    }
                }
                Err(error) => {
                    skipped += 1;
                    first.get_or_insert((count, error));
                }
            }
            ControlFlow::Continue(())
        });
        self.games += count - skipped;
        match first {
            None if count == 0 => Err(text!("the file contains no games")),
            None => Ok(None),
            Some((_, error)) if skipped == count => Err(error.into()),
            Some((number, error)) => Ok(Some(text!(
                "skipped {0} of {1} games, first game {2}: {3}",
                skipped,
                count,
                number,
                error,
            ))),
        }
    }
}

enum FileType {
    /// A match record.
    Runner,
    Format(Format),
}

/// Returns the type of a file: by its content if that is certain, or else by its name.
fn type_of(path: &Path, bytes: &[u8]) -> Option<FileType> {
    let by_name = file_type(path);
    let by_content = Format::detect(bytes).map(FileType::Format);
    match by_name {
        Some(FileType::Runner) => by_name,
        _ => by_content.or(by_name),
    }
}

/// Returns true if a file of a folder has games of a [`Format`]: by its name, or by its content if
/// that is XML.
pub fn is_game_file(path: &Path) -> bool {
    let has_name = || matches!(file_type(path), Some(FileType::Format(_)));
    let is_xml = || path.extension().is_some_and(|name| name.eq_ignore_ascii_case("xml"));
    let is_database = || {
        let mut bytes = Vec::new();
        let file = File::open(path).ok();
        let read = file.and_then(|file| file.take(BEGINNING_BYTES).read_to_end(&mut bytes).ok());
        read.is_some() && Format::detect(&bytes) == Some(Format::Rif)
    };
    path.is_file() && (has_name() || (is_xml() && is_database()))
}

/// Returns the type of a file by its name.
fn file_type(path: &Path) -> Option<FileType> {
    let name = path.file_name()?.to_string_lossy();
    if name.to_ascii_lowercase().ends_with(".jsonl") {
        return Some(FileType::Runner);
    }
    Format::from_file_name(&name, RowOrder::FromBottom).map(FileType::Format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(name: &str, bytes: &[u8]) -> Book {
        let mut book = Book::new(Game::new(15, 15, Variant::FREESTYLE));
        book.add_bytes(Path::new(name), bytes);
        book
    }

    #[test]
    fn only_invalid_games_of_a_collection_are_skipped() {
        let games = b"(;GM[4];B[hh])(;GM[1];B[hh](;W[aa])(;W[bb]))(;GM[4]AB[a];B[hh])(;GM[4];B[hh]";
        let book = book("club.sgf", games);
        assert_eq!((book.files(), book.explorer().lines()), (1, 1));
        let message = &book.errors()[0].message;
        let expected = "skipped 3 of 4 games, first game 2: unsupported SGF game GM[1]: expected GM[4] (Gomoku and Renju)";
        assert_eq!(message.to_string(), expected);
    }

    #[test]
    fn databases_of_a_folder_may_be_named_xml() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let game = "<database><game id=\"1\"><move>h8 h9</move></game></database>";
        fs::write(folder.join("games.xml"), game).unwrap();
        fs::write(folder.join("settings.xml"), "<settings/>").unwrap();
        let mut book = Book::new(Game::new(15, 15, Variant::RENJU));
        book.add_path(folder, &mut None).unwrap();
        assert_eq!((book.files(), book.errors().len()), (1, 0), "{:?}", book.errors());
        let unknown = self::book("games.zip", b"PK").errors()[0].to_string();
        assert!(unknown.contains(".open, .opn, .lib, .sav"), "{unknown}");
    }

    #[test]
    fn libraries_are_counted_as_their_trees() {
        // h8 with children i9 and i8; i8 has two children, one of them a pass.
        let mut bytes = b"\xFFRenLib\xFF\x03\x00".to_vec();
        bytes.extend([0xFF; 10]);
        bytes.extend([0x00, 0x00, 0x78, 0x00, 0x69, 0xC0, 0x79, 0x00, 0x11, 0xC0, 0x00, 0x40]);
        let walked = book("a.lib", &bytes);
        let mut grown = crate::explorer::Explorer::default();
        grown.add(&renlib::read(&bytes, Variant::FREESTYLE).unwrap());
        let look = |explorer: &crate::explorer::Explorer, moves: &[kakugo::board::Point]| {
            explorer.lookup((15, 15), Variant::FREESTYLE, moves)
        };
        let h8 = kakugo::board::Point::new(7, 7).unwrap();
        assert_eq!(look(walked.explorer(), &[h8]), look(&grown, &[h8]));
        assert_eq!((walked.explorer().lines(), walked.explorer().positions()), (3, 6));
        assert_eq!((grown.lines(), grown.positions()), (3, 6));
        let cut = book("a.lib", &bytes[..bytes.len() - 1]);
        assert_eq!(cut.files(), 1);
        assert!(
            cut.errors()[0]
                .to_string()
                .starts_with("a.lib: only partly read: damaged RenLib library")
        );
        // A file without a known name is read by its content.
        assert_eq!(book("a", &bytes).explorer().lines(), 3);
        assert_eq!(book("a", b"h8h9").files(), 0);
        let none = book("a.lib", &bytes[..20]);
        assert_eq!((none.files(), none.explorer().lines()), (0, 0));
    }
}
