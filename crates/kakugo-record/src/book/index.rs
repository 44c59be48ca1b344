//! Indexes beside large game files: what an explorer counts in a file, so that it is read only
//! once.
//!
//! The index of `games.rif` is `games.rif.kakugo-index`. It is used only for a file of the same
//! size, time of change, and content at both ends. It is written under another name first, so that
//! it is never seen incomplete. If it cannot be written, nothing is reported: it only saves time.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::Defaults;
use crate::explorer::Explorer;

/// The number of this format. It changes with the keys of positions as well.
const VERSION: u32 = 2;

/// Smaller files are read quickly without an index.
const MIN_BYTES: u64 = 4 << 20;

/// A file that was changed within this time may change again without another time of change.
const MIN_AGE: Duration = Duration::from_secs(2);

/// Number of bytes compared at each end of a file.
const END_BYTES: u64 = 1 << 16;

/// The file and the settings that an index belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Identity {
    /// Version of the format.
    kakugo_index: u32,
    /// Version of the program that read the file.
    program: String,
    size: u64,
    /// Nanoseconds since 1970.
    changed: u64,
    /// Checksum of both ends of the file.
    ends: u64,
    /// Width, height, rule, win length, and whether files of Go editors are read.
    defaults: (u8, u8, u32, u8, bool),
    /// True if the user has named the rule.
    names_rule: bool,
    /// True if the user has named the size.
    names_size: bool,
}

/// The first line of an index.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    identity: Identity,
    /// Description of the games that were skipped.
    error: Option<String>,
    /// True if the rule of some games was assumed.
    assumes_rule: bool,
}

/// The counts of a file.
pub(super) struct Counted {
    pub(super) explorer: Explorer,
    /// Description of the games that were skipped.
    pub(super) error: Option<String>,
    /// True if the rule of some games was assumed.
    pub(super) assumes_rule: bool,
}

/// The place of an index, and what it must belong to.
pub(super) struct Index {
    path: PathBuf,
    identity: Identity,
}

impl Index {
    /// Returns the index of a file, whether it exists or not. `None` for files that need none.
    pub(super) fn of(path: &Path, file: &mut File, defaults: &Defaults) -> Option<Index> {
        let identity = identity(file, defaults).ok()??;
        let mut name = OsString::from(path.file_name()?);
        name.push(".kakugo-index");
        Some(Index { path: path.with_file_name(name), identity })
    }

    /// Reads the index. Returns `None` if there is none for the file as it is.
    pub(super) fn read(&self) -> Option<Counted> {
        let mut input = BufReader::with_capacity(1 << 16, File::open(&self.path).ok()?);
        let mut line = String::new();
        input.by_ref().take(END_BYTES).read_line(&mut line).ok()?;
        let header: Header = serde_json::from_str(&line).ok()?;
        if header.identity != self.identity {
            return None;
        }
        let explorer = Explorer::read(&mut input).ok()?;
        let is_complete = input.fill_buf().is_ok_and(<[u8]>::is_empty);
        is_complete.then_some(Counted {
            explorer,
            error: header.error,
            assumes_rule: header.assumes_rule,
        })
    }

    /// Writes the index, unless the file has changed or changed just now.
    pub(super) fn write(&self, file: &mut File, defaults: &Defaults, counted: &mut Counted) {
        let age = file.metadata().and_then(|data| data.modified()).map(|changed| changed.elapsed());
        let is_old = matches!(age, Ok(Ok(age)) if age >= MIN_AGE);
        let is_same = matches!(identity(file, defaults), Ok(Some(now)) if now == self.identity);
        if !is_old || !is_same {
            return;
        }
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(name);
        let written = self.write_to(&temporary, counted);
        if written.and_then(|()| fs::rename(&temporary, &self.path)).is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }

    fn write_to(&self, path: &Path, counted: &mut Counted) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, File::create_new(path)?);
        let header = Header {
            identity: self.identity.clone(),
            error: counted.error.clone(),
            assumes_rule: counted.assumes_rule,
        };
        serde_json::to_writer(&mut out, &header)?;
        out.write_all(b"\n")?;
        counted.explorer.write(&mut out)?;
        out.into_inner()?.sync_all()
    }
}

/// Returns what identifies a file; `None` for small files and for what is not a file.
fn identity(file: &mut File, defaults: &Defaults) -> io::Result<Option<Identity>> {
    let data = file.metadata()?;
    if !data.is_file() || data.len() < MIN_BYTES {
        return Ok(None);
    }
    let since = data.modified()?.duration_since(SystemTime::UNIX_EPOCH);
    let mut ends = Vec::new();
    file.rewind()?;
    (&*file).take(END_BYTES).read_to_end(&mut ends)?;
    file.seek(SeekFrom::End(-(END_BYTES as i64)))?;
    (&*file).take(END_BYTES).read_to_end(&mut ends)?;
    file.rewind()?;
    let game = &defaults.game;
    let rule = (game.variant.rule().number(), game.variant.win_length());
    Ok(Some(Identity {
        kakugo_index: VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        size: data.len(),
        changed: since.map_or(0, |since| since.as_nanos() as u64),
        ends: checksum(&ends),
        defaults: (game.width, game.height, rule.0, rule.1, defaults.accepts_any_sgf),
        names_rule: defaults.names_rule,
        names_size: defaults.names_size,
    }))
}

/// Returns a checksum (FNV-1a).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::book::{Book, Indexes};
    use kakugo::board::Variant;
    use tempfile::TempDir;

    /// A file of games in a temporary folder.
    struct Games(PathBuf, #[expect(dead_code, reason = "removes the folder on drop")] TempDir);

    impl Games {
        fn new() -> Games {
            let folder = tempfile::tempdir().unwrap();
            Games(folder.path().join("games.pos"), folder)
        }

        /// Writes a file whose size and ends do not depend on `moves` of the same length.
        fn write(&self, moves: &str, age: Duration) {
            let padding = format!("# {}\n", "-".repeat(60)).repeat(MIN_BYTES as usize / 100);
            fs::write(&self.0, format!("{padding}{moves}\n{padding}")).unwrap();
            let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000) + age;
            File::options().write(true).open(&self.0).unwrap().set_modified(changed).unwrap();
        }

        fn index(&self) -> PathBuf {
            self.0.with_file_name("games.pos.kakugo-index")
        }

        /// Returns the number of positions and the errors.
        fn read(&self, indexes: Indexes, variant: Variant) -> (usize, Vec<String>) {
            let mut book = Book::with_indexes(Game::new(15, 15, variant), indexes);
            book.add(&self.0).unwrap();
            assert_eq!((book.files(), book.explorer().rulesets()[0].0.variant), (1, variant));
            let errors = book.errors().iter().map(|error| error.message.to_string());
            (book.explorer().positions(), errors.collect())
        }

        fn positions(&self, indexes: Indexes) -> usize {
            self.read(indexes, Variant::RENJU).0
        }
    }

    const OLD: Duration = Duration::ZERO;

    #[test]
    fn indexes_are_used_until_the_file_changes() {
        let games = Games::new();
        games.write("h8h9i9", OLD);
        assert_eq!(games.positions(Indexes::Read), 4);
        assert!(!games.index().exists());
        assert_eq!(games.positions(Indexes::Written), 4);
        let first = fs::read(games.index()).unwrap();
        // Only the index still has four positions: time, size and ends are the same.
        games.write("h8h9  ", OLD);
        for indexes in [Indexes::Read, Indexes::Written] {
            assert_eq!(games.positions(indexes), 4);
        }
        assert_eq!(games.positions(Indexes::Ignored), 3);
        games.write("h8h9  ", Duration::from_nanos(100));
        assert_eq!(games.positions(Indexes::Read), 3);
        assert_eq!(fs::read(games.index()).unwrap(), first);
        assert_eq!(games.positions(Indexes::Written), 3);
        assert_ne!(fs::read(games.index()).unwrap(), first);
        games.write("h8h9i9j9", Duration::from_nanos(100));
        assert_eq!(games.positions(Indexes::Written), 5);
        // The rule of files without a rule is a part of the index.
        assert_eq!(games.read(Indexes::Written, Variant::FREESTYLE).0, 5);
        assert_eq!(games.positions(Indexes::Written), 5);
    }

    #[test]
    fn indexes_keep_the_errors_of_a_file() {
        let games = Games::new();
        games.write("h8h9\nh8?", OLD);
        let counted = games.read(Indexes::Ignored, Variant::RENJU);
        let expected = "skipped 1 of 2 games, first game 2: invalid point '?': expected a letter and a row from 1 to 15";
        assert_eq!(counted, (3, vec![expected.to_owned()]));
        for _ in 0..2 {
            assert_eq!(games.read(Indexes::Written, Variant::RENJU), counted);
            assert!(games.index().exists());
        }
    }

    #[test]
    fn damaged_indexes_are_replaced() {
        let games = Games::new();
        games.write("h8h9i9", OLD);
        games.positions(Indexes::Written);
        let index = fs::read(games.index()).unwrap();
        for length in [0, 10, index.len() / 2, index.len() - 1, index.len() + 1] {
            let mut damaged = index.clone();
            damaged.resize(length, b' ');
            fs::write(games.index(), damaged).unwrap();
            assert_eq!(games.positions(Indexes::Written), 4);
            assert_eq!(fs::read(games.index()).unwrap(), index);
        }
    }

    #[test]
    fn indexes_that_cannot_be_written_are_no_error() {
        let games = Games::new();
        games.write("h8h9i9", OLD);
        fs::create_dir(games.index()).unwrap();
        assert_eq!(games.read(Indexes::Written, Variant::RENJU), (4, Vec::new()));
        // No temporary file is left.
        assert_eq!(fs::read_dir(games.0.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn files_that_changed_just_now_get_no_index() {
        let games = Games::new();
        games.write("h8h9i9", OLD);
        let file = File::options().write(true).open(&games.0).unwrap();
        for age in [Duration::from_secs(0), Duration::from_secs(1)] {
            file.set_modified(SystemTime::now() - age).unwrap();
            assert_eq!(games.positions(Indexes::Written), 4);
            assert!(!games.index().exists());
        }
    }
}
