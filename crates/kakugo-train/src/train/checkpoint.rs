//! The checkpoint file of an unfinished run.
//!
//! ```text
//!    0  8  magic: "KAKUTRN3"
//!    8  4  length of the head
//!   12  .  head: settings, games, and progress of each section, as JSON
//!    .  .  parameters of each section, in the order of the head: every row's values, both means
//!          (f32) and steps (u32); little-endian
//!    .  4  CRC-32 of all bytes before
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::adam::Parameters;
use super::course::{Course, Progress};
use super::learner::Learner;
use super::settings::Settings;
use crate::selfplay::take;
use kakugo::checksum::crc32;

const MAGIC: &[u8; 8] = b"KAKUTRN3";

#[derive(Serialize, Deserialize)]
struct Head {
    settings: Settings,
    games: u64,
    sections: Vec<Progress>,
}

/// Returns a path with this extension appended.
pub(super) fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Writes a checkpoint. `games` is the fingerprint of the games. An existing file is replaced
/// atomically.
pub(super) fn write(
    path: &Path,
    settings: &Settings,
    games: u64,
    courses: &[Course],
) -> anyhow::Result<()> {
    let bytes = to_bytes(settings, games, courses)?;
    let part = with_extension(path, "part");
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("writing {}", path.display()))
}

/// Reads a checkpoint of a run with these settings and games. Returns `None` if the file does not
/// exist.
///
/// # Errors
/// Returns an error if the file cannot be read, is damaged, or belongs to another run.
pub(super) fn read(
    path: &Path,
    settings: &Settings,
    games: u64,
) -> anyhow::Result<Option<Vec<Course>>> {
    let name = || path.display().to_string();
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("reading {}", name()))?,
    };
    from_bytes(&bytes, settings, games).with_context(name).map(Some)
}

fn to_bytes(settings: &Settings, games: u64, courses: &[Course]) -> anyhow::Result<Vec<u8>> {
    let sections = courses.iter().map(|course| course.progress.clone()).collect();
    let head = serde_json::to_vec(&Head { settings: *settings, games, sections })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((head.len() as u32).to_le_bytes());
    bytes.extend(head);
    for Course { learner, .. } in courses {
        let tables = learner.tables.iter().flat_map(|table| [&table.own, &table.parts]);
        tables.for_each(|rows| put(&mut bytes, rows));
        put(&mut bytes, &learner.lines);
        put(&mut bytes, &learner.head);
        put(&mut bytes, &learner.threat);
    }
    bytes.extend(crc32(&bytes).to_le_bytes());
    Ok(bytes)
}

fn from_bytes(bytes: &[u8], settings: &Settings, games: u64) -> anyhow::Result<Vec<Course>> {
    let damaged = "the checkpoint is damaged";
    let (body, sum) = bytes.split_last_chunk().context(damaged)?;
    let mut rest = body;
    ensure!(take(&mut rest) == Some(*MAGIC), "not a checkpoint file");
    ensure!(crc32(body).to_le_bytes() == *sum, damaged);
    let length = take(&mut rest).map(u32::from_le_bytes).context(damaged)?;
    let (head, mut rest) = rest.split_at_checked(length as usize).context(damaged)?;
    let head: Head = serde_json::from_slice(head).context(damaged)?;
    ensure!(
        head.settings == *settings,
        "the run was started with other settings: {}",
        head.settings
    );
    ensure!(head.games == games, "the run was started with other games");
    let course = |progress: Progress| {
        let mut course = Course::new(progress.section, settings, None)?;
        course.progress = progress;
        read_learner(&mut rest, &mut course.learner)?;
        Some(course)
    };
    let courses = head.sections.into_iter().map(course).collect::<Option<Vec<_>>>();
    courses.filter(|_| rest.is_empty()).context(damaged)
}

fn read_learner(rest: &mut &[u8], learner: &mut Learner) -> Option<()> {
    for table in &mut learner.tables {
        get(rest, &mut table.own)?;
        get(rest, &mut table.parts)?;
    }
    get(rest, &mut learner.lines)?;
    get(rest, &mut learner.head)?;
    get(rest, &mut learner.threat)?;
    learner.fold();
    Some(())
}

fn put<const N: usize>(bytes: &mut Vec<u8>, rows: &[Parameters<N>]) {
    for Parameters { value, means: [first, second], steps } in rows {
        let numbers = value.iter().chain(first).chain(second);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(steps.to_le_bytes());
    }
}

fn get<const N: usize>(rest: &mut &[u8], rows: &mut [Parameters<N>]) -> Option<()> {
    for Parameters { value, means: [first, second], steps } in rows {
        for number in value.iter_mut().chain(first).chain(second) {
            *number = take(rest).map(f32::from_le_bytes)?;
        }
        *steps = take(rest).map(u32::from_le_bytes)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::feed::Feed;
    use crate::train::games::Games;
    use crate::train::random;
    use kakugo::board::Variant;

    fn settings() -> Settings {
        Settings {
            samples: 4_000,
            batch: 64,
            rate: 0.002,
            share: 0.5,
            decay: 1.0,
            solved: true,
            seed: 5,
            from: None,
        }
    }

    fn learn(course: &mut Course, games: &Games, blocks: usize) {
        let mut feed = Feed::new(&games.train, 3, settings());
        (0..blocks).for_each(|_| _ = course.learn_block(&mut feed, &settings()));
    }

    #[test]
    fn resumed_runs_are_identical_to_uninterrupted_ones() {
        let games = random::games(Variant::RENJU, 120, 7);
        let mut whole = Course::new(3, &settings(), None).unwrap();
        learn(&mut whole, &games, 4);
        let mut first = Course::new(3, &settings(), None).unwrap();
        learn(&mut first, &games, 2);
        let bytes = to_bytes(&settings(), 1, &[first]).unwrap();
        let mut again = from_bytes(&bytes, &settings(), 1).unwrap().remove(0);
        learn(&mut again, &games, 2);
        assert_eq!(again.progress, whole.progress);
        assert!(again.learner.weights == whole.learner.weights);
        let to_bytes = |course| to_bytes(&settings(), 1, &[course]).unwrap();
        assert!(to_bytes(again) == to_bytes(whole));
    }

    #[test]
    fn other_runs_and_damaged_files_are_rejected() {
        let bytes =
            to_bytes(&settings(), 1, &[Course::new(0, &settings(), None).unwrap()]).unwrap();
        let error = |bytes: &[u8], settings: &Settings, games| {
            from_bytes(bytes, settings, games).map(|_| ()).unwrap_err().to_string()
        };
        let other = Settings { seed: 6, ..settings() };
        assert!(error(&bytes, &other, 1).contains("other settings"));
        assert!(error(&bytes, &settings(), 2).contains("other games"));
        assert!(error(b"KAKUNET", &settings(), 1).contains("not a checkpoint"));
        for kept in [12, 100, bytes.len() - 1] {
            assert!(error(&bytes[..kept], &settings(), 1).contains("damaged"), "{kept}");
        }
        let mut damaged = bytes.clone();
        damaged[5000] ^= 1;
        assert!(error(&damaged, &settings(), 1).contains("damaged"));
    }
}
