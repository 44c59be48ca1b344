//! The file of a run: problems as lines of text, each game's problems before its own line.
//!
//! ```text
//! kakugo problems, seed 7
//! renju 3 h8h9i9.. g7 3 g7f6..
//! game 1 judged 2
//! ```

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};

use kakugo_cli::run_file;
use kakugo_record::problems::Problem;

const HEADER: &str = "kakugo problems, seed ";

/// A game of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GameEntry {
    /// Number of positions that were judged.
    pub(super) judged: u32,
    pub(super) problems: Vec<Problem>,
}

/// The contents of a file, without an incomplete game at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Contents {
    pub(super) seed: u64,
    /// All games, from number 0.
    pub(super) games: Vec<GameEntry>,
    /// Number of bytes of the header and the complete games.
    end: usize,
}

/// Parses a file. `None`: it is empty, or its header is incomplete.
pub(super) fn parse(text: &str) -> anyhow::Result<Option<Contents>> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !first.ends_with('\n') && (HEADER.starts_with(first) || first.starts_with(HEADER)) {
        return Ok(None);
    }
    let seed = first.trim_end().strip_prefix(HEADER).and_then(|seed| seed.parse().ok());
    let seed = seed.with_context(|| format!("expected '{HEADER}NUMBER' in line 1"))?;
    let mut contents = Contents { seed, games: Vec::new(), end: first.len() };
    let (mut at, mut problems) = (first.len(), Vec::new());
    for (i, line) in lines.enumerate() {
        at += line.len();
        if !line.ends_with('\n') {
            break;
        }
        if let Some(game) = line.strip_prefix("game ") {
            let (number, judged) = game.trim_end().split_once(" judged ").unwrap_or_default();
            if number != contents.games.len().to_string() {
                bail!("line {}: expected game {}", i + 2, contents.games.len());
            }
            let judged = judged.parse().with_context(|| format!("line {}", i + 2))?;
            contents.games.push(GameEntry { judged, problems: std::mem::take(&mut problems) });
            contents.end = at;
        } else {
            problems.push(line.parse().with_context(|| format!("line {}", i + 2))?);
        }
    }
    Ok(Some(contents))
}

/// Returns the lines of a game.
fn entry(number: usize, game: &GameEntry) -> String {
    let problems: String = game.problems.iter().map(|problem| format!("{problem}\n")).collect();
    format!("{problems}game {number} judged {}\n", game.judged)
}

/// A file that games are appended to.
pub(super) struct Writer {
    file: File,
}

impl Writer {
    /// Opens or creates the file of a run, and removes an incomplete game from its end.
    pub(super) fn open(path: &Path, seed: Option<u64>) -> anyhow::Result<(Writer, Contents)> {
        let (mut file, bytes) = run_file::open(path)?;
        let text = std::str::from_utf8(&bytes).context("not a text file")?;
        let contents = match parse(text)? {
            Some(contents) => contents,
            None => {
                let seed = seed.unwrap_or_else(rand::random);
                let header = format!("{HEADER}{seed}\n");
                file.seek(SeekFrom::Start(0))?;
                file.set_len(0)?;
                file.write_all(header.as_bytes())?;
                Contents { seed, games: Vec::new(), end: header.len() }
            }
        };
        if let Some(seed) = seed.filter(|&seed| seed != contents.seed) {
            bail!("the file was started with --seed {}, not {seed}", contents.seed);
        }
        file.set_len(contents.end as u64)?;
        file.seek(SeekFrom::Start(contents.end as u64))?;
        Ok((Writer { file }, contents))
    }

    /// Appends the game with this number.
    pub(super) fn write(&mut self, number: usize, game: &GameEntry) -> anyhow::Result<()> {
        Ok(self.file.write_all(entry(number, game).as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBLEM: &str = "freestyle 1 h8a1i8a2j8a3k8a4 g8l8 1 g8\n";

    fn whole() -> String {
        format!("{HEADER}7\n{PROBLEM}game 0 judged 3\ngame 1 judged 0\n")
    }

    #[test]
    fn incomplete_games_are_ignored() {
        let contents = parse(&whole()).unwrap().unwrap();
        assert_eq!((contents.seed, contents.end), (7, whole().len()));
        assert_eq!(contents.games[0].judged, 3);
        assert_eq!(contents.games[0].problems[0].to_string() + "\n", PROBLEM);
        let again: String =
            contents.games.iter().enumerate().map(|(i, game)| entry(i, game)).collect();
        assert_eq!(format!("{HEADER}7\n{again}"), whole());
        for cut in ["game 2 judged", PROBLEM, &PROBLEM[..20]] {
            assert_eq!(parse(&(whole() + cut)).unwrap().unwrap(), contents, "{cut}");
        }
        for length in 0..HEADER.len() + 2 {
            assert_eq!(parse(&whole()[..length]).unwrap(), None);
        }
    }

    #[test]
    fn other_files_are_rejected() {
        let fails = |text: &str| format!("{:#}", parse(text).unwrap_err());
        assert!(fails("KAKUGAME").contains("line 1"));
        assert!(fails("kakugo problems, seed x\n").contains("line 1"));
        assert!(fails(&(whole() + "game 3 judged 0\n")).contains("line 5: expected game 2"));
        assert!(fails(&(whole() + "game 2 judged x\n")).contains("line 5"));
        assert!(fails(&(whole() + "go\n")).contains("line 5: invalid problem"));
    }
}
