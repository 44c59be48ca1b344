//! A run: threads that play, one file, and what is told meanwhile.
//!
//! Games are written in the order of their numbers; one that is finished early waits for those
//! before it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::file::{block, header, is_torn_header, read};
use super::game::SelfPlayGame;
use super::play::Player;
use super::settings::{Settings, Sizes};
use kakugo::board::Rule;
use kakugo::search::Networks;
use kakugo_cli::run_file;

/// Time between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// What is asked for. What is `None` is as the file began, or has a default.
#[derive(Clone, Default)]
pub(super) struct Wanted {
    /// Games in the file, those before included.
    pub(super) games: u32,
    /// Games at a time.
    pub(super) threads: usize,
    /// As in [`Settings`], like the rest.
    pub(super) nodes: Option<u32>,
    pub(super) rule: Option<Rule>,
    pub(super) sizes: Option<Sizes>,
    pub(super) stray: Option<u16>,
    pub(super) seed: Option<u64>,
    /// Which value positions; not kept in the file.
    pub(super) networks: Networks,
}

impl Wanted {
    /// The settings of a new file, or of one that has some, whatever else is asked for.
    fn settings(&self, begun: Option<Settings>) -> Settings {
        let fifteen = Sizes { least: 15, most: 15 };
        begun.unwrap_or_else(|| Settings {
            rule: self.rule.unwrap_or(Rule::Freestyle),
            sizes: self.sizes.unwrap_or(fifteen),
            nodes: self.nodes.unwrap_or(500),
            stray: self.stray.unwrap_or(12),
            seed: self.seed.unwrap_or_else(rand::random),
        })
    }

    /// A setting of a file that is not as asked for.
    fn contradiction(&self, begun: &Settings) -> Option<String> {
        let differs = |name: &str, is_other: bool, value: &dyn ToString| {
            is_other.then(|| format!("--{name} {}", value.to_string()))
        };
        let &Settings { rule, sizes, nodes, stray, seed } = begun;
        differs("rule", self.rule.is_some_and(|r| r != rule), &rule)
            .or_else(|| differs("size", self.sizes.is_some_and(|s| s != sizes), &sizes))
            .or_else(|| differs("nodes", self.nodes.is_some_and(|n| n != nodes), &nodes))
            .or_else(|| differs("stray", self.stray.is_some_and(|s| s != stray), &stray))
            .or_else(|| differs("seed", self.seed.is_some_and(|s| s != seed), &seed))
    }
}

/// Play until the file at `path` has the games wanted, or until `stop` is raised.
pub(super) fn play_into(
    path: &Path,
    wanted: &Wanted,
    stop: &AtomicBool,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let name = path.display();
    let (mut file, settings, first) =
        open(path, wanted, output).with_context(|| name.to_string())?;
    let Settings { rule, sizes, nodes, seed, .. } = settings;
    writeln!(output, "{name}: {rule}, size {sizes}, {nodes} nodes a move, seed {seed}")?;
    let next = AtomicU32::new(first);
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let (sender, games) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..wanted.threads.max(1) {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let alarm = Alarm(&failed);
            let play = move || {
                let _alarm = alarm;
                let mut player = Player::new(settings, &wanted.networks);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= wanted.games {
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
                return Err(error).context("starting a thread that plays");
            }
        }
        drop(sender);
        let written = write_in_order(&games, &mut file, first, wanted.games, output);
        failed.store(true, Ordering::Relaxed);
        written.with_context(|| name.to_string())
    })
}

/// Ends a run one of whose threads panics: the games after its own could never be written.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Open and lock a file, remove a torn game from its end, and find out where its run goes on.
fn open(
    path: &Path,
    wanted: &Wanted,
    output: &mut dyn Write,
) -> anyhow::Result<(File, Settings, u32)> {
    let (mut file, bytes) = run_file::open(path)?;
    if is_torn_header(&bytes) {
        let settings = wanted.settings(None);
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(&settings))?;
        return Ok((file, settings, 0));
    }
    let mut next = 0;
    let reading = read(&bytes, |game| next = game.number.saturating_add(1))?;
    if let Some(begun) = wanted.contradiction(&reading.settings) {
        bail!("it was begun with {begun}");
    }
    if !reading.damaged.is_empty() {
        writeln!(output, "{}: damaged, see --check", path.display())?;
    }
    if reading.torn > 0 {
        writeln!(
            output,
            "{}: {} bytes at its end are no whole game, removed",
            path.display(),
            reading.torn
        )?;
    }
    let whole = (bytes.len() - reading.torn) as u64;
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    ensure!(next <= wanted.games, "it has {next} games, which is more than {}", wanted.games);
    Ok((file, reading.settings, next))
}

/// Append games in the order of their numbers, from `first` on.
fn write_in_order(
    games: &Receiver<SelfPlayGame>,
    file: &mut File,
    first: u32,
    wanted: u32,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let (began, mut told) = (Instant::now(), Instant::now());
    let (mut next, mut positions, mut early) = (first, 0, BTreeMap::new());
    loop {
        match games.recv_timeout(TELL_EVERY.saturating_sub(told.elapsed())) {
            Ok(game) => _ = early.insert(game.number, game),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(game) = early.remove(&next) {
            file.write_all(&block(&game))?;
            positions += game.moves.len();
            next += 1;
        }
        if told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            writeln!(output, "{}", progress(next, first, wanted, positions, began.elapsed()))?;
        }
    }
    writeln!(output, "{}", progress(next, first, wanted, positions, began.elapsed()))?;
    if next < wanted {
        writeln!(output, "stopped; the same command goes on")?;
    }
    Ok(())
}

/// How far a run has come that began with game `first`.
fn progress(done: u32, first: u32, wanted: u32, positions: usize, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let rate = positions as f64 / seconds;
    let mut line = format!("{done} of {wanted} games, {rate:.0} positions/s");
    if done > first && done < wanted {
        let left = seconds * f64::from(wanted - done) / f64::from(done - first);
        let minutes = (left / 60.0).ceil() as u64;
        line += &format!(", {} h {:02} min left", minutes / 60, minutes % 60);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    /// A file of its own, removed in the end.
    struct TempFile(PathBuf);

    impl TempFile {
        fn new(name: &str) -> TempFile {
            let name = format!("kakugo-selfplay-{name}-{}", std::process::id());
            let file = TempFile(std::env::temp_dir().join(name));
            _ = fs::remove_file(&file.0);
            file
        }
    }

    impl Drop for TempFile {
        fn drop(&mut self) {
            _ = fs::remove_file(&self.0);
        }
    }

    fn wanted(games: u32, threads: usize) -> Wanted {
        let (nodes, sizes) = (Some(60), Sizes::new(9, 11));
        Wanted { games, threads, nodes, sizes, seed: Some(7), ..Wanted::default() }
    }

    fn play(file: &TempFile, wanted: &Wanted) -> anyhow::Result<()> {
        play_into(&file.0, wanted, &AtomicBool::new(false), &mut std::io::sink())
    }

    #[test]
    fn a_run_that_was_broken_off_anywhere_goes_on_to_the_same_file() {
        let whole = TempFile::new("whole");
        play(&whole, &wanted(7, 1)).unwrap();
        let expected = fs::read(&whole.0).unwrap();
        let again = TempFile::new("again");
        play(&again, &wanted(3, 2)).unwrap();
        play(&again, &wanted(7, 3)).unwrap();
        assert!(fs::read(&again.0).unwrap() == expected);
        for kept in [0, 5, 31, 32, 33, expected.len() / 2, expected.len() - 1] {
            fs::write(&again.0, &expected[..kept]).unwrap();
            play(&again, &wanted(7, 2)).unwrap();
            assert!(fs::read(&again.0).unwrap() == expected, "{kept} bytes kept");
        }
    }

    #[test]
    fn a_damaged_game_is_kept_as_it_is_and_the_rest_goes_on() {
        let file = TempFile::new("damaged");
        play(&file, &wanted(3, 1)).unwrap();
        let mut bytes = fs::read(&file.0).unwrap();
        bytes[60] ^= 1;
        fs::write(&file.0, &bytes).unwrap();
        play(&file, &wanted(4, 1)).unwrap();
        let mut numbers = Vec::new();
        let after = fs::read(&file.0).unwrap();
        let reading = read(&after, |game| numbers.push(game.number)).unwrap();
        assert_eq!((numbers, reading.damaged.len(), reading.torn), (vec![1, 2, 3], 1, 0));
        assert!(after.starts_with(&bytes));
    }

    #[test]
    fn a_file_keeps_its_settings() {
        let file = TempFile::new("settings");
        play(&file, &wanted(1, 1)).unwrap();
        let other = Wanted { nodes: Some(61), ..wanted(2, 1) };
        let refused = format!("{:#}", play(&file, &other).unwrap_err());
        assert!(refused.ends_with("it was begun with --nodes 60"), "{refused}");
        play(&file, &Wanted { games: 2, ..Wanted::default() }).unwrap();
        assert!(play(&file, &Wanted { games: 1, ..Wanted::default() }).is_err());
    }

    #[test]
    fn a_foreign_file_and_one_that_is_written_to_are_left_alone() {
        let file = TempFile::new("foreign");
        fs::write(&file.0, "KAKUGAMB").unwrap();
        assert!(play(&file, &wanted(1, 1)).is_err());
        assert_eq!(fs::read(&file.0).unwrap(), b"KAKUGAMB");
        fs::write(&file.0, "").unwrap();
        let holder = File::options().write(true).open(&file.0).unwrap();
        holder.lock().unwrap();
        assert!(play(&file, &wanted(1, 1)).is_err());
        assert_eq!(holder.metadata().unwrap().len(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_no_file() {
        let (device, stop) = (Path::new("/dev/full"), AtomicBool::new(false));
        let played = play_into(device, &wanted(1, 1), &stop, &mut Vec::new());
        let refused = format!("{:#}", played.unwrap_err());
        assert_eq!(refused, "/dev/full: not a regular file");
    }

    #[test]
    fn a_torn_end_is_told() {
        let file = TempFile::new("torn");
        play(&file, &wanted(2, 1)).unwrap();
        let bytes = fs::read(&file.0).unwrap();
        fs::write(&file.0, &bytes[..bytes.len() - 3]).unwrap();
        let mut output = Vec::new();
        play_into(&file.0, &wanted(2, 1), &AtomicBool::new(false), &mut output).unwrap();
        let told = String::from_utf8(output).unwrap();
        assert!(told.contains("bytes at its end are no whole game, removed"), "{told}");
        assert!(fs::read(&file.0).unwrap() == bytes);
    }

    #[test]
    fn a_stop_leaves_whole_games() {
        let file = TempFile::new("stop");
        let (stop, mut output) = (AtomicBool::new(false), Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(500));
                stop.store(true, Ordering::Relaxed);
            });
            play_into(&file.0, &wanted(u32::MAX, 2), &stop, &mut output).unwrap();
        });
        let reading = read(&fs::read(&file.0).unwrap(), |_| {}).unwrap();
        assert_eq!((reading.damaged, reading.torn), (vec![], 0));
        let output = String::from_utf8(output).unwrap();
        assert!(output.ends_with("stopped; the same command goes on\n"), "{output}");
    }

    #[test]
    fn progress_tells_rate_and_time_left() {
        let line = progress(1_100, 1_000, 2_000, 3_000, Duration::from_secs(20 * 60));
        assert_eq!(line, "1100 of 2000 games, 2 positions/s, 3 h 00 min left");
    }
}
