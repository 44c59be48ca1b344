//! The record of a match: JSON Lines, one game a line, written and flushed as the games end.
//!
//! The first line holds the [`Settings`]; every other line is a [`GameRecord`]. A run that was
//! killed may leave half a line at the end, which the next one cuts off. Parts of a match that were
//! played on several machines are merged by reading their files one after the other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::settings::Settings;
use kakugo_cli::run_file;
use kakugo_record::runner::{GameRecord, Line};

/// A line of the file.
type JournalLine = Line<Box<Settings>>;

/// A match read back: its settings and its games, by number.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// What the match is about.
    pub settings: Settings,
    /// The finished games.
    pub games: BTreeMap<u32, GameRecord>,
}

impl Journal {
    /// A match of which nothing is played.
    pub fn new(settings: Settings) -> Journal {
        Journal { settings, games: BTreeMap::new() }
    }

    /// Read one file. Half a line at its end is ignored.
    ///
    /// # Errors
    /// The file cannot be read or is no journal.
    pub fn read(path: &Path) -> Result<Journal> {
        let begun = Journal::read_begun(path)?;
        begun.with_context(|| format!("{} holds no match", path.display()))
    }

    /// The same; `None` where the process that began it was stopped within the first line.
    ///
    /// # Errors
    /// The file cannot be read or is no journal.
    pub fn read_begun(path: &Path) -> Result<Option<Journal>> {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("reading games from {shown}"))?;
        Journal::parse(&bytes).with_context(|| shown.to_string())
    }

    /// Read what a file holds.
    fn parse(bytes: &[u8]) -> Result<Option<Journal>> {
        let mut journal: Option<Journal> = None;
        let mut torn: Option<String> = None;
        for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            if let Some(wrong) = torn {
                bail!(wrong);
            }
            let entry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                // Half a line, or what a power failure has left of it; but not what never was one of ours.
                Err(error) if journal.is_some() || is_torn_beginning(line) => {
                    let end = if error.is_eof() { " ends too soon" } else { "" };
                    torn = Some(format!("line {}{end}: {error}", number + 1));
                    continue;
                }
                Err(error) => bail!("line {}: {error}", number + 1),
            };
            match (entry, &mut journal) {
                (JournalLine::Match { settings, .. }, None) => {
                    journal = Some(Journal::new(*settings))
                }
                (JournalLine::Match { .. }, Some(_)) => bail!("it holds two matches"),
                (JournalLine::Game(game), Some(journal)) => {
                    journal.games.insert(game.id, *game);
                }
                (JournalLine::Game(_), None) => {
                    bail!("it does not begin with the match's settings")
                }
            }
        }
        Ok(journal)
    }

    /// Read the parts of one match.
    ///
    /// # Errors
    /// A file cannot be read, or is of another match.
    pub fn merge<P: AsRef<Path>>(paths: &[P]) -> Result<Journal> {
        let mut whole: Option<Journal> = None;
        for path in paths.iter().map(AsRef::as_ref) {
            let part = Journal::read(path)?;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => {
                    ensure!(
                        whole.settings == part.settings,
                        "{} belongs to another match (engines, limits, openings or seed differ)",
                        path.display()
                    );
                    whole.games.extend(part.games);
                }
            }
        }
        whole.context("no record file given")
    }

    /// Name of the engine from whose side pair counts are seen: the first.
    pub fn first(&self) -> &str {
        &self.settings.engines[0].name
    }
}

/// The last line that is not empty, and where it begins.
fn last_line(bytes: &[u8]) -> (usize, &[u8]) {
    let end = bytes.iter().rposition(|&b| b != b'\n').map_or(0, |at| at + 1);
    let begin = bytes[..end].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    (begin, &bytes[begin..end])
}

/// Whether these bytes may be the beginning of a first line.
fn is_torn_beginning(bytes: &[u8]) -> bool {
    const BEGINNING: &[u8] = b"{\"kind\":\"match\"";
    let written = bytes.iter().rposition(|&b| b != 0).map_or(0, |at| at + 1);
    let seen = BEGINNING.len().min(written);
    bytes[..seen] == BEGINNING[..seen]
}

/// The open file to which finished games are appended. No other process can write to it.
pub struct JournalWriter {
    file: File,
}

impl JournalWriter {
    /// Begin a new file.
    ///
    /// # Errors
    /// It exists, which is then not touched, or cannot be written.
    pub fn create(path: &Path, settings: &Settings) -> Result<JournalWriter> {
        let shown = path.display();
        let file = run_file::create(path);
        let file = file.with_context(|| format!("creating {shown} (--resume continues a file)"))?;
        let mut writer = JournalWriter { file };
        writer.begin(settings)?;
        Ok(writer)
    }

    /// Begin in a file that holds nothing whole.
    fn begin(&mut self, settings: &Settings) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.line(&JournalLine::Match { version, settings: Box::new(settings.clone()) })
    }

    /// Continue a file, cutting off half a line at its end; a whole one that lacks its end gets it, and one
    /// without a whole first line begins anew. With what is in it.
    ///
    /// # Errors
    /// It cannot be read or written, another process writes to it, or it is of another match.
    pub fn append(path: &Path, settings: &Settings) -> Result<(JournalWriter, Journal)> {
        let shown = path.display();
        let (file, bytes) =
            run_file::open(path).with_context(|| format!("appending to {shown}"))?;
        let mut writer = JournalWriter { file };
        let Some(before) = Journal::parse(&bytes).with_context(|| shown.to_string())? else {
            writer.cut(0)?;
            writer.begin(settings)?;
            return Ok((writer, Journal::new(settings.clone())));
        };
        ensure!(
            before.settings.is_match_of(settings),
            "{shown} holds another match (engines, limits, openings, seed or games differ)"
        );
        let (whole, last) = last_line(&bytes);
        match serde_json::from_slice::<JournalLine>(last) {
            Ok(_) if !bytes.ends_with(b"\n") => writer.write(b"\n")?,
            Ok(_) => {}
            Err(_) => writer.cut(whole)?,
        }
        Ok((writer, before))
    }

    /// Keep only so many bytes, and go on after them.
    fn cut(&mut self, bytes: usize) -> Result<()> {
        let end = SeekFrom::Start(bytes as u64);
        let cut = self.file.set_len(bytes as u64).and_then(|()| self.file.seek(end));
        cut.map(|_| ()).context("shortening the record")
    }

    /// Write one game so that it survives the end of this process.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn game(&mut self, game: &GameRecord) -> Result<()> {
        self.line(&JournalLine::Game(Box::new(game.clone())))
    }

    fn line(&mut self, entry: &JournalLine) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.write(&line)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).and_then(|()| self.file.flush()).context("writing the record")
    }
}
