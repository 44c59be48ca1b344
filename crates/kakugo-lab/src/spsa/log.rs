//! The file of a run: JSON lines, first the settings, then one line per pair in order.
//!
//! An incomplete last line of an interrupted run is removed, and its pair is replayed. Any other
//! damage is an error.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::settings::{Request, Settings};
use kakugo_cli::run_file;

/// Version of the format.
const VERSION: u32 = 1;

/// The first bytes of every file.
const PREFIX: &[u8] = br#"{"kind":"spsa","#;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Spsa { version: u32, settings: Settings },
    Pair(Pair),
}

/// A finished pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    /// Number of the pair in the run, from 0.
    pub(super) number: u32,
    /// For each tunable, true (`+`) if the first player's value was the larger one.
    #[serde(with = "plus_minus")]
    pub(super) signs: Vec<bool>,
    /// Games won minus games lost by the first player.
    pub(super) result: i32,
}

/// The contents of a file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LogContents {
    pub(super) settings: Settings,
    pub(super) pairs: Vec<Pair>,
    /// Length of all complete lines, in bytes.
    pub(super) length: usize,
}

/// Parses a file. Returns `None` if it is empty or ends within its settings.
///
/// # Errors
/// Returns an error if the file is damaged before its last line, or is not a file of this command.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Option<LogContents>> {
    let mut contents: Option<LogContents> = None;
    let mut at = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_last = at + line.len() == bytes.len();
        let Some(text) = line.strip_suffix(b"\n") else {
            let is_ours = line.starts_with(PREFIX) || PREFIX.starts_with(line);
            ensure!(number > 0 || is_ours, "not a file of spsa");
            break;
        };
        let parsed = match serde_json::from_slice(text) {
            Ok(parsed) => parsed,
            Err(_) if is_last && number > 0 => break,
            Err(error) => bail!("line {}: {error}", number + 1),
        };
        at += line.len();
        match (parsed, &mut contents) {
            (Line::Spsa { version, settings }, None) => {
                ensure!(
                    version == VERSION,
                    "unsupported version {version} of the format: expected {VERSION}"
                );
                contents = Some(LogContents { settings, pairs: Vec::new(), length: at });
            }
            (Line::Pair(pair), Some(contents)) => {
                let is_next = pair.number as usize == contents.pairs.len();
                let is_ours = pair.signs.len() == contents.settings.dimensions.len();
                ensure!(is_next && is_ours, "line {}: expected the next pair", number + 1);
                contents.pairs.push(pair);
                contents.length = at;
            }
            (Line::Pair(_), None) => bail!("line {}: expected settings", number + 1),
            (Line::Spsa { .. }, Some(_)) => bail!("line {}: expected a pair", number + 1),
        }
    }
    Ok(contents)
}

/// The open file, to which pairs are appended.
pub(super) struct Log {
    file: File,
}

impl Log {
    /// Opens and locks a file and reads its contents. A new file gets the requested settings.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, is in use by another process, or has
    /// other settings.
    pub(super) fn open(path: &Path, request: &Request) -> anyhow::Result<(Log, LogContents)> {
        let (mut file, mut bytes) = run_file::open(path)?;
        let contents = match read(&bytes)? {
            Some(contents) => contents,
            None => {
                let settings = Line::Spsa { version: VERSION, settings: request.settings()? };
                bytes = text(&settings)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&bytes)?;
                // Parsed again, so that a resumed run has exactly the same settings.
                read(&bytes)?.context("the settings cannot be read back")?
            }
        };
        request.check(&contents.settings)?;
        file.set_len(contents.length as u64)?;
        file.seek(SeekFrom::Start(contents.length as u64))?;
        Ok((Log { file }, contents))
    }

    /// Appends a pair.
    pub(super) fn append(&mut self, pair: &Pair) -> anyhow::Result<()> {
        Ok(self.file.write_all(&text(&Line::Pair(pair.clone()))?)?)
    }
}

fn text(line: &Line) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Serialisation of signs as `+` and `-`.
mod plus_minus {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(signs: &[bool], serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = signs.iter().map(|&sign| if sign { '+' } else { '-' }).collect();
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<bool>, D::Error> {
        let sign = |c| match c {
            '+' => Ok(true),
            '-' => Ok(false),
            other => Err(D::Error::custom(format!("invalid sign {other:?}: expected + or -"))),
        };
        String::deserialize(deserializer)?.chars().map(sign).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let request =
            Request { only: vec!["lmr_p".to_owned()], seed: Some(3), ..Request::default() };
        request.settings().unwrap()
    }

    fn pair(number: u32) -> Pair {
        Pair { number, signs: vec![number > 0, true, false, true], result: number as i32 - 2 }
    }

    fn bytes(lines: &[Line]) -> Vec<u8> {
        lines.iter().flat_map(|line| text(line).unwrap()).collect()
    }

    fn whole() -> Vec<u8> {
        let first = Line::Spsa { version: VERSION, settings: settings() };
        bytes(&[first, Line::Pair(pair(0)), Line::Pair(pair(1)), Line::Pair(pair(2))])
    }

    #[test]
    fn truncation_loses_only_the_last_pair() {
        let whole = whole();
        assert_eq!(settings().dimensions.len(), 4);
        let mut ends = vec![];
        ends.extend((0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1));
        for length in 0..=whole.len() {
            let contents = read(&whole[..length]).unwrap();
            let lines = ends.iter().filter(|&&end| end <= length).count();
            let Some(kept) = lines.checked_sub(1) else {
                assert_eq!(contents, None, "{length}");
                continue;
            };
            let pairs = (0..kept as u32).map(pair).collect();
            let expected = LogContents { settings: settings(), pairs, length: ends[kept] };
            assert_eq!(contents, Some(expected), "{length}");
        }
    }

    #[test]
    fn an_invalid_last_line_is_ignored() {
        let mut damaged = whole();
        let length = damaged.len();
        damaged.extend(b"\0\0\0\n");
        assert_eq!(read(&damaged).unwrap().unwrap().length, length);
    }

    #[test]
    fn invalid_lines_are_rejected() {
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(error(b"a diary\n").starts_with("line 1: "));
        assert_eq!(error(b"a diary"), "not a file of spsa");
        assert!(error(b"KAKUGAME\nand so on").starts_with("line 1: "));
        let first = || Line::Spsa { version: VERSION, settings: settings() };
        assert_eq!(error(&bytes(&[Line::Pair(pair(0))])), "line 1: expected settings");
        assert_eq!(error(&bytes(&[first(), first()])), "line 2: expected a pair");
        let next = "line 2: expected the next pair";
        assert_eq!(error(&bytes(&[first(), Line::Pair(pair(1))])), next);
        let short = Pair { signs: vec![true], ..pair(0) };
        assert_eq!(error(&bytes(&[first(), Line::Pair(short)])), next);
        let later = Line::Spsa { version: 2, settings: settings() };
        assert_eq!(error(&bytes(&[later])), "unsupported version 2 of the format: expected 1");
        let mut damaged = whole();
        let at = damaged.iter().position(|&byte| byte == b'\n').unwrap() + 3;
        damaged[at] = b'x';
        assert!(error(&damaged).starts_with("line 2: "));
    }
}
