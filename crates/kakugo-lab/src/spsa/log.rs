//! The run's file: JSON lines, the first one its settings, then one a pair in the order of their
//! numbers.
//!
//! A line that was being written when the run ended is cut off: its pair is played again. Anything
//! else that is not as it should be is an error.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::settings::{Settings, Wanted};
use kakugo_cli::run_file;

/// Version of the format.
const VERSION: u32 = 1;

/// How every file begins.
const BEGINNING: &[u8] = br#"{"kind":"spsa","#;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Spsa { version: u32, settings: Settings },
    Pair(Pair),
}

/// A pair that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    /// Which pair of the run, from 0.
    pub(super) number: u32,
    /// Of each tunable, whether the first player's value was the larger one (`+`) or the smaller.
    #[serde(with = "plus_minus")]
    pub(super) signs: Vec<bool>,
    /// Games that the first player won less those that he lost.
    pub(super) result: i32,
}

/// What a file holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reading {
    pub(super) settings: Settings,
    pub(super) pairs: Vec<Pair>,
    /// Bytes of whole lines: what follows was being written when the run ended.
    pub(super) whole: usize,
}

/// Read a file's bytes; `None` if it ended before its settings were whole: there is nothing in it.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Option<Reading>> {
    let mut reading: Option<Reading> = None;
    let mut at = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_last = at + line.len() == bytes.len();
        let Some(text) = line.strip_suffix(b"\n") else {
            let is_ours = line.starts_with(BEGINNING) || BEGINNING.starts_with(line);
            ensure!(number > 0 || is_ours, "it is no file of this command");
            break;
        };
        let parsed = match serde_json::from_slice(text) {
            Ok(parsed) => parsed,
            Err(_) if is_last && number > 0 => break,
            Err(error) => bail!("line {}: {error}", number + 1),
        };
        at += line.len();
        match (parsed, &mut reading) {
            (Line::Spsa { version, settings }, None) => {
                ensure!(version == VERSION, "version {version} of the format, not {VERSION}");
                reading = Some(Reading { settings, pairs: Vec::new(), whole: at });
            }
            (Line::Pair(pair), Some(reading)) => {
                let is_next = pair.number as usize == reading.pairs.len();
                let is_ours = pair.signs.len() == reading.settings.dimensions.len();
                ensure!(is_next && is_ours, "line {} is not of the next pair", number + 1);
                reading.pairs.push(pair);
                reading.whole = at;
            }
            _ => bail!("line {} is not where it belongs", number + 1),
        }
    }
    Ok(reading)
}

/// The open file, to which pairs are appended.
pub(super) struct Log {
    file: File,
}

impl Log {
    /// Open and lock a file and find out what it holds; a new one gets the settings wanted.
    ///
    /// # Errors
    /// It cannot be read or written, another process writes to it, it is of another run or none.
    pub(super) fn open(path: &Path, wanted: &Wanted) -> anyhow::Result<(Log, Reading)> {
        let (mut file, mut bytes) = run_file::open(path)?;
        let reading = match read(&bytes)? {
            Some(reading) => reading,
            None => {
                let settings = Line::Spsa { version: VERSION, settings: wanted.settings()? };
                bytes = text(&settings)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&bytes)?;
                // As it will be read when the run goes on.
                read(&bytes)?.context("the settings cannot be read back")?
            }
        };
        wanted.check(&reading.settings)?;
        file.set_len(reading.whole as u64)?;
        file.seek(SeekFrom::Start(reading.whole as u64))?;
        Ok((Log { file }, reading))
    }

    /// Append a pair.
    pub(super) fn append(&mut self, pair: &Pair) -> anyhow::Result<()> {
        Ok(self.file.write_all(&text(&Line::Pair(pair.clone()))?)?)
    }
}

fn text(line: &Line) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Signs as `+` and `-`.
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
            other => Err(D::Error::custom(format!("{other:?} is no sign"))),
        };
        String::deserialize(deserializer)?.chars().map(sign).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let wanted = Wanted { only: vec!["lmr_p".to_owned()], seed: Some(3), ..Wanted::default() };
        wanted.settings().unwrap()
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
    fn a_tail_torn_anywhere_loses_its_own_pair_only() {
        let whole = whole();
        assert_eq!(settings().dimensions.len(), 4);
        let mut ends = vec![];
        ends.extend((0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1));
        for length in 0..=whole.len() {
            let reading = read(&whole[..length]).unwrap();
            let lines = ends.iter().filter(|&&end| end <= length).count();
            let Some(kept) = lines.checked_sub(1) else {
                assert_eq!(reading, None, "{length}");
                continue;
            };
            let pairs = (0..kept as u32).map(pair).collect();
            let expected = Reading { settings: settings(), pairs, whole: ends[kept] };
            assert_eq!(reading, Some(expected), "{length}");
        }
    }

    #[test]
    fn a_last_line_of_rubbish_is_a_torn_one() {
        let mut torn = whole();
        let length = torn.len();
        torn.extend(b"\0\0\0\n");
        assert_eq!(read(&torn).unwrap().unwrap().whole, length);
    }

    #[test]
    fn what_does_not_belong_there_is_refused() {
        let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(error(b"a diary\n").starts_with("line 1: "));
        assert_eq!(error(b"a diary"), "it is no file of this command");
        assert!(error(b"KAKUGAME\nand so on").starts_with("line 1: "));
        let first = || Line::Spsa { version: VERSION, settings: settings() };
        assert_eq!(error(&bytes(&[Line::Pair(pair(0))])), "line 1 is not where it belongs");
        assert_eq!(error(&bytes(&[first(), first()])), "line 2 is not where it belongs");
        assert_eq!(
            error(&bytes(&[first(), Line::Pair(pair(1))])),
            "line 2 is not of the next pair"
        );
        let short = Pair { signs: vec![true], ..pair(0) };
        assert_eq!(error(&bytes(&[first(), Line::Pair(short)])), "line 2 is not of the next pair");
        let later = Line::Spsa { version: 2, settings: settings() };
        assert_eq!(error(&bytes(&[later])), "version 2 of the format, not 1");
        let mut damaged = whole();
        let at = damaged.iter().position(|&byte| byte == b'\n').unwrap() + 3;
        damaged[at] = b'x';
        assert!(error(&damaged).starts_with("line 2: "));
    }
}
