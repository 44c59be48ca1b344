//! The record file of a match: JSON Lines, one game per line, flushed after each game.
//!
//! The first line contains the [`MatchSettings`], every other line a [`GameRecord`]. A killed
//! process may leave an incomplete last line, which is removed when the match is resumed. The
//! shards of a match are merged by reading their files in turn.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::settings::MatchSettings;
use kakugo_cli::run_file;
use kakugo_record::runner::{GameRecord, Line};

/// A line of the record file.
type JournalLine = Line<Box<MatchSettings>>;

/// The recorded match: its settings, and its games by number.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// The settings of the match.
    pub settings: MatchSettings,
    /// The finished games.
    pub games: BTreeMap<u32, GameRecord>,
}

impl Journal {
    /// Returns a match without games.
    pub fn new(settings: MatchSettings) -> Journal {
        Journal { settings, games: BTreeMap::new() }
    }

    /// Reads a record file. An incomplete last line is ignored.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a match record.
    pub fn read(path: &Path) -> Result<Journal> {
        let journal = Journal::read_partial(path)?;
        journal.with_context(|| format!("{} does not contain a match", path.display()))
    }

    /// Reads a record file. Returns `None` if even its first line is incomplete.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a match record.
    pub fn read_partial(path: &Path) -> Result<Option<Journal>> {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("reading games from {shown}"))?;
        Journal::parse(&bytes).with_context(|| shown.to_string())
    }

    /// Parses the contents of a record file.
    fn parse(bytes: &[u8]) -> Result<Option<Journal>> {
        let mut journal: Option<Journal> = None;
        let mut incomplete: Option<String> = None;
        for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            if let Some(wrong) = incomplete {
                bail!(wrong);
            }
            let entry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                // An incomplete line, e.g. after a power failure. Other files are rejected.
                Err(error) if journal.is_some() || is_incomplete_header(line) => {
                    let end = if error.is_eof() { " is incomplete" } else { "" };
                    incomplete = Some(format!("line {}{end}: {error}", number + 1));
                    continue;
                }
                Err(_) => bail!(foreign(line)),
            };
            match (entry, &mut journal) {
                (JournalLine::Match { settings, .. }, None) => {
                    journal = Some(Journal::new(*settings))
                }
                (JournalLine::Match { .. }, Some(_)) => {
                    bail!("line {} starts a second match: expected one match per file", number + 1)
                }
                (JournalLine::Game(game), Some(journal)) => {
                    journal.games.insert(game.id, *game);
                }
                (JournalLine::Game(_), None) => {
                    bail!("the first line does not contain the settings of a match")
                }
            }
        }
        Ok(journal)
    }

    /// Reads and merges the record files of one match.
    ///
    /// # Errors
    /// Fails if a file cannot be read or belongs to another match.
    pub fn merge<P: AsRef<Path>>(paths: &[P]) -> Result<Journal> {
        let mut merged: Option<Journal> = None;
        for path in paths.iter().map(AsRef::as_ref) {
            let part = Journal::read(path)?;
            match &mut merged {
                None => merged = Some(part),
                Some(merged) => {
                    ensure!(
                        merged.settings == part.settings,
                        "{} belongs to another match (different engines, limits, openings or seed)",
                        path.display()
                    );
                    merged.games.extend(part.games);
                }
            }
        }
        merged.context("no record file: name at least one")
    }

    /// Returns the name of the first engine, from whose point of view results are counted.
    pub fn first_engine(&self) -> &str {
        &self.settings.engines[0].name
    }
}

/// Returns the last non-empty line and its offset.
fn last_line(bytes: &[u8]) -> (usize, &[u8]) {
    let end = bytes.iter().rposition(|&b| b != b'\n').map_or(0, |at| at + 1);
    let start = bytes[..end].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    (start, &bytes[start..end])
}

/// Returns the reason why a first line is not that of a match.
fn foreign(line: &[u8]) -> &'static str {
    if line.starts_with(b"{\"analysis\":") {
        return "a record of analyze, not of a match: summarise it with analyze --report";
    }
    "not a match record: expected a file that match --record has written"
}

/// Returns true if these bytes may be the beginning of a first line.
fn is_incomplete_header(bytes: &[u8]) -> bool {
    const HEADER: &[u8] = b"{\"kind\":\"match\"";
    let written = bytes.iter().rposition(|&b| b != 0).map_or(0, |at| at + 1);
    let seen = HEADER.len().min(written);
    bytes[..seen] == HEADER[..seen]
}

/// An open record file to which finished games are appended. It is locked against other processes.
pub struct JournalWriter {
    file: File,
}

impl JournalWriter {
    /// Creates a record file.
    ///
    /// # Errors
    /// Fails if the file exists (it is left unchanged) or cannot be written.
    pub fn create(path: &Path, settings: &MatchSettings) -> Result<JournalWriter> {
        run_file::ensure_writable(path)?;
        ensure!(
            !path.exists(),
            "{} exists: add --resume to continue it, or use another file",
            path.display()
        );
        let file =
            run_file::create(path).with_context(|| format!("creating {}", path.display()))?;
        let mut writer = JournalWriter { file };
        writer.write_header(settings)?;
        Ok(writer)
    }

    /// Writes the first line.
    fn write_header(&mut self, settings: &MatchSettings) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.write_line(&JournalLine::Match { version, settings: Box::new(settings.clone()) })
    }

    /// Opens a record file to continue its match. Returns the writer and the recorded games.
    ///
    /// An incomplete last line is removed, a missing line end is added. A file without a complete
    /// first line is started again.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, is locked by another process, or belongs to
    /// another match.
    pub fn append(path: &Path, settings: &MatchSettings) -> Result<(JournalWriter, Journal)> {
        let shown = path.display();
        let (file, bytes) =
            run_file::open(path).with_context(|| format!("appending to {shown}"))?;
        let mut writer = JournalWriter { file };
        let Some(before) = Journal::parse(&bytes).with_context(|| shown.to_string())? else {
            writer.truncate(0)?;
            writer.write_header(settings)?;
            return Ok((writer, Journal::new(settings.clone())));
        };
        ensure!(
            before.settings.is_same_match(settings),
            "{shown} contains another match (different engines, limits, openings, seed or games)"
        );
        let (last_start, last) = last_line(&bytes);
        match serde_json::from_slice::<JournalLine>(last) {
            Ok(_) if !bytes.ends_with(b"\n") => writer.write(b"\n")?,
            Ok(_) => {}
            Err(_) => writer.truncate(last_start)?,
        }
        Ok((writer, before))
    }

    /// Truncates the file to this length and continues there.
    fn truncate(&mut self, bytes: usize) -> Result<()> {
        let end = SeekFrom::Start(bytes as u64);
        let truncated = self.file.set_len(bytes as u64).and_then(|()| self.file.seek(end));
        truncated.map(|_| ()).context("truncating the record file")
    }

    /// Writes a game and flushes it, so that it survives the end of this process.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write_game(&mut self, game: &GameRecord) -> Result<()> {
        self.write_line(&JournalLine::Game(Box::new(game.clone())))
    }

    fn write_line(&mut self, entry: &JournalLine) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.write(&line)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file
            .write_all(bytes)
            .and_then(|()| self.file.flush())
            .context("writing the record file")
    }
}
