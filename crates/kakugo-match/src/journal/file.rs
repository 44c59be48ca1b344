//! The record file of a match: JSON Lines, one game per line, flushed after each game.
//!
//! The first line contains the [`MatchSettings`], every other line a [`GameRecord`]. A killed
//! process may leave an incomplete last line, which is removed when the match is resumed. The
//! shards of a match are merged by reading their files in turn.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::settings::MatchSettings;
use crate::statistics::Sprt;
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
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("reading games from {shown}"))?;
        let journal = Journal::parse(&bytes).with_context(|| shown.to_string())?;
        journal.with_context(|| format!("{shown} does not contain a match"))
    }

    /// Reads the settings of a match from its record file, without the games. Returns `None` if the
    /// first line is incomplete.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a match record.
    pub fn read_settings(path: &Path) -> Result<Option<MatchSettings>> {
        let reading = || format!("reading {}", path.display());
        let mut lines = BufReader::new(File::open(path).with_context(reading)?).split(b'\n');
        let first = lines.find(|line| line.as_ref().is_ok_and(|line| !line.is_empty()));
        let first = first.transpose().with_context(reading)?.unwrap_or_default();
        let journal = Journal::parse(&first).with_context(|| path.display().to_string())?;
        Ok(journal.map(|journal| journal.settings))
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
                Err(error) => bail!("line {}: {error}", number + 1),
            };
            match (entry, &mut journal) {
                (JournalLine::Match { settings, .. }, None) => {
                    let checked = settings.sprt.as_ref().map_or(Ok(()), Sprt::validate);
                    checked.map_err(|why| anyhow!("line {}: {why}", number + 1))?;
                    journal = Some(Journal::new(*settings));
                }
                (JournalLine::Match { .. }, Some(_)) => {
                    bail!("line {} starts a second match: expected one match per file", number + 1)
                }
                (JournalLine::Game(game), Some(journal)) => ensure!(
                    journal.add(*game),
                    "line {} is another game with the number of an earlier one",
                    number + 1
                ),
                (JournalLine::Game(_), None) => {
                    bail!("the first line does not contain the settings of a match")
                }
            }
        }
        Ok(journal)
    }

    /// Adds a game. Returns false if there is a different one with its number.
    fn add(&mut self, game: GameRecord) -> bool {
        match self.games.entry(game.id) {
            Entry::Vacant(entry) => {
                entry.insert(game);
                true
            }
            Entry::Occupied(entry) => *entry.get() == game,
        }
    }

    /// Reads and merges the record files of one match. Games that several of them contain are
    /// counted once.
    ///
    /// # Errors
    /// Fails if a file cannot be read or belongs to another match, and if two files contain
    /// different games with the same number.
    pub fn merge<P: AsRef<Path>>(paths: &[P]) -> Result<Journal> {
        let mut merged: Option<Journal> = None;
        for path in paths.iter().map(AsRef::as_ref) {
            let part = Journal::read(path)?;
            match &mut merged {
                None => merged = Some(part),
                Some(merged) => {
                    let shown = path.display();
                    if let Some(difference) = merged.settings.difference(&part.settings) {
                        bail!("{shown} belongs to another match: {difference}");
                    }
                    for game in part.games.into_values() {
                        let number = game.id + 1;
                        ensure!(
                            merged.add(game),
                            "{shown}: game {number} differs from that in an earlier file: expected \
                             parts of one match (--shard)"
                        );
                    }
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
        let shown = path.display();
        let file = run_file::create(path);
        let file = file.with_context(|| {
            format!("creating {shown} (add --resume to continue an existing file)")
        })?;
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
        if let Some(difference) = settings.difference(&before.settings) {
            bail!("{shown} contains another match: {difference}");
        }
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
