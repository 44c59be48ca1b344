//! A run: playing threads, one file, and progress output.
//!
//! Games are written in the order of their numbers. A game that finishes early waits for those
//! before it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::play::Player;
use kakugo::board::Rule;
use kakugo::search::Networks;
use kakugo_cli::run_file;
use kakugo_train::selfplay::{
    SelfPlayGame, Settings, Sizes, block, header, is_truncated_header, read,
};

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);

/// The requested run. Options that are `None` are taken from the file, or have a default.
#[derive(Clone, Default)]
pub(super) struct Request {
    /// Total number of games in the file.
    pub(super) games: u32,
    /// Number of concurrent games.
    pub(super) threads: usize,
    /// See [`Settings`] for this and the following options.
    pub(super) nodes: Option<u32>,
    pub(super) rule: Option<Rule>,
    pub(super) sizes: Option<Sizes>,
    pub(super) stray: Option<u16>,
    pub(super) seed: Option<u64>,
    /// Networks that evaluate positions. They are not stored in the file.
    pub(super) networks: Networks,
}

impl Request {
    /// Returns the settings of a new file.
    fn settings(&self) -> Settings {
        Settings {
            rule: self.rule.unwrap_or(Rule::Freestyle),
            sizes: self.sizes.unwrap_or(Sizes { min: 15, max: 15 }),
            nodes: self.nodes.unwrap_or(500),
            stray: self.stray.unwrap_or(12),
            seed: self.seed.unwrap_or_else(rand::random),
        }
    }

    /// Returns a setting of the file that differs from the requested one, if there is one.
    fn difference(&self, stored: &Settings) -> Option<String> {
        let differs = |name: &str, is_other: bool, value: &dyn ToString| {
            is_other.then(|| format!("--{name} {}", value.to_string()))
        };
        let &Settings { rule, sizes, nodes, stray, seed } = stored;
        differs("rule", self.rule.is_some_and(|r| r != rule), &rule)
            .or_else(|| differs("size", self.sizes.is_some_and(|s| s != sizes), &sizes))
            .or_else(|| differs("nodes", self.nodes.is_some_and(|n| n != nodes), &nodes))
            .or_else(|| differs("stray", self.stray.is_some_and(|s| s != stray), &stray))
            .or_else(|| differs("seed", self.seed.is_some_and(|s| s != seed), &seed))
    }
}

/// Plays until the file at `path` has the requested number of games, or until `stop` is set.
pub(super) fn play_into(
    path: &Path,
    request: &Request,
    stop: &AtomicBool,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let name = path.display();
    let (mut file, settings, first) =
        open(path, request, output).with_context(|| name.to_string())?;
    let Settings { rule, sizes, nodes, seed, .. } = settings;
    writeln!(output, "{name}: {rule}, size {sizes}, {nodes} nodes per move, seed {seed}")?;
    let next = AtomicU32::new(first);
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let (sender, games) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..request.threads.max(1) {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let guard = PanicGuard(&failed);
            let play = move || {
                let _guard = guard;
                let mut player = Player::new(settings, &request.networks);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= request.games {
                        return;
                    }
                    let Some(game) = player.play(number, is_over) else { return };
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, play) {
                failed.store(true, Ordering::Relaxed);
                return Err(error).context("starting a playing thread");
            }
        }
        drop(sender);
        let written = write_in_order(&games, &mut file, first, request.games, output);
        failed.store(true, Ordering::Relaxed);
        written.with_context(|| name.to_string())
    })
}

/// Stops the run if its thread panics, because the games after the lost one could not be written.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Opens and locks a file, and removes an incomplete game from its end. Returns the settings and
/// the number of the next game.
fn open(
    path: &Path,
    request: &Request,
    output: &mut dyn Write,
) -> anyhow::Result<(File, Settings, u32)> {
    let (mut file, bytes) = run_file::open(path)?;
    if is_truncated_header(&bytes) {
        let settings = request.settings();
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(&settings))?;
        return Ok((file, settings, 0));
    }
    let mut next = 0;
    let contents = read(&bytes, |game| next = game.number.saturating_add(1))?;
    if let Some(option) = request.difference(&contents.settings) {
        bail!("the file was started with {option}: use the same option, or another file");
    }
    if !contents.damaged.is_empty() {
        writeln!(output, "{}: damaged, see --check", path.display())?;
    }
    if contents.truncated > 0 {
        writeln!(
            output,
            "{}: removed an incomplete game ({} bytes) at the end",
            path.display(),
            contents.truncated
        )?;
    }
    let end = (bytes.len() - contents.truncated) as u64;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    let games = request.games;
    ensure!(next <= games, "the file already has {next} games: --games must be at least {next}");
    Ok((file, contents.settings, next))
}

/// Appends games in the order of their numbers, starting at `first`.
fn write_in_order(
    games: &Receiver<SelfPlayGame>,
    file: &mut File,
    first: u32,
    total: u32,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let (began, mut reported) = (Instant::now(), Instant::now());
    let (mut next, mut positions, mut early) = (first, 0, BTreeMap::new());
    loop {
        match games.recv_timeout(PROGRESS_INTERVAL.saturating_sub(reported.elapsed())) {
            Ok(game) => _ = early.insert(game.number, game),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(game) = early.remove(&next) {
            file.write_all(&block(&game))?;
            positions += game.moves.len();
            next += 1;
        }
        if reported.elapsed() >= PROGRESS_INTERVAL {
            reported = Instant::now();
            writeln!(output, "{}", progress(next, first, total, positions, began.elapsed()))?;
        }
    }
    writeln!(output, "{}", progress(next, first, total, positions, began.elapsed()))?;
    if next < total {
        writeln!(output, "stopped; run the same command to resume")?;
    }
    Ok(())
}

/// Returns a line of progress for a run that started at game `first`.
fn progress(done: u32, first: u32, total: u32, positions: usize, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let rate = positions as f64 / seconds;
    let mut line = format!("{done} of {total} games, {rate:.0} positions/s");
    if done > first && done < total {
        let left = seconds * f64::from(total - done) / f64::from(done - first);
        let minutes = (left / 60.0).ceil() as u64;
        line += &format!(", {} h {:02} min left", minutes / 60, minutes % 60);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn request(games: u32, threads: usize) -> Request {
        let (nodes, sizes) = (Some(60), Sizes::new(9, 11));
        Request { games, threads, nodes, sizes, seed: Some(7), ..Request::default() }
    }

    fn play(file: &Path, request: &Request) -> anyhow::Result<()> {
        play_into(file, request, &AtomicBool::new(false), &mut std::io::sink())
    }

    #[test]
    fn resumed_runs_write_identical_files() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.games");
        play(&whole, &request(7, 1)).unwrap();
        let expected = fs::read(&whole).unwrap();
        let again = folder.path().join("again.games");
        play(&again, &request(3, 2)).unwrap();
        play(&again, &request(7, 3)).unwrap();
        assert!(fs::read(&again).unwrap() == expected);
        for kept in [0, 5, 31, 32, 33, expected.len() / 2, expected.len() - 1] {
            fs::write(&again, &expected[..kept]).unwrap();
            play(&again, &request(7, 2)).unwrap();
            assert!(fs::read(&again).unwrap() == expected, "{kept} bytes kept");
        }
    }

    #[test]
    fn damaged_games_are_preserved_and_the_run_continues() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("damaged.games");
        play(&file, &request(3, 1)).unwrap();
        let mut bytes = fs::read(&file).unwrap();
        bytes[60] ^= 1;
        fs::write(&file, &bytes).unwrap();
        play(&file, &request(4, 1)).unwrap();
        let mut numbers = Vec::new();
        let after = fs::read(&file).unwrap();
        let contents = read(&after, |game| numbers.push(game.number)).unwrap();
        assert_eq!((numbers, contents.damaged.len(), contents.truncated), (vec![1, 2, 3], 1, 0));
        assert!(after.starts_with(&bytes));
    }

    #[test]
    fn settings_of_a_file_cannot_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.games");
        play(&file, &request(1, 1)).unwrap();
        let other = Request { nodes: Some(61), ..request(2, 1) };
        let error = format!("{:#}", play(&file, &other).unwrap_err());
        assert!(error.contains("the file was started with --nodes 60"), "{error}");
        play(&file, &Request { games: 2, ..Request::default() }).unwrap();
        assert!(play(&file, &Request { games: 1, ..Request::default() }).is_err());
    }

    #[test]
    fn foreign_and_locked_files_are_not_modified() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("foreign.games");
        fs::write(&file, "KAKUGAMB").unwrap();
        assert!(play(&file, &request(1, 1)).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"KAKUGAMB");
        fs::write(&file, "").unwrap();
        let holder = File::options().write(true).open(&file).unwrap();
        holder.lock().unwrap();
        assert!(play(&file, &request(1, 1)).is_err());
        assert_eq!(holder.metadata().unwrap().len(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_rejected() {
        let (device, stop) = (Path::new("/dev/full"), AtomicBool::new(false));
        let played = play_into(device, &request(1, 1), &stop, &mut Vec::new());
        let error = format!("{:#}", played.unwrap_err());
        assert!(error.starts_with("/dev/full: ") && error.contains("file"), "{error}");
    }

    #[test]
    fn removal_of_an_incomplete_game_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("truncated.games");
        play(&file, &request(2, 1)).unwrap();
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
        let mut output = Vec::new();
        play_into(&file, &request(2, 1), &AtomicBool::new(false), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains("removed an incomplete game ("), "{text}");
        assert!(fs::read(&file).unwrap() == bytes);
    }

    #[test]
    fn a_stopped_run_writes_only_complete_games() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stop.games");
        let (stop, mut output) = (AtomicBool::new(false), Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(500));
                stop.store(true, Ordering::Relaxed);
            });
            play_into(&file, &request(u32::MAX, 2), &stop, &mut output).unwrap();
        });
        let contents = read(&fs::read(&file).unwrap(), |_| {}).unwrap();
        assert_eq!((contents.damaged, contents.truncated), (vec![], 0));
        let output = String::from_utf8(output).unwrap();
        assert!(output.ends_with("stopped; run the same command to resume\n"), "{output}");
    }

    #[test]
    fn progress_shows_rate_and_time_left() {
        let line = progress(1_100, 1_000, 2_000, 3_000, Duration::from_secs(20 * 60));
        assert_eq!(line, "1100 of 2000 games, 2 positions/s, 3 h 00 min left");
    }
}
