//! Analysis of many games: concurrent, resumable, in parts, with a summary of games and players.
//!
//! A record file has a line of JSON with the settings, and one for each game.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::game_report::result_word;
use super::many_report;
use super::positions::{Counts, Entry as Position, Input, PositionArgs};
use super::source;
use kakugo::search::{Engine, Limits, Networks, Signals};
use kakugo_cli::arguments::{Shard, threads};
use kakugo_cli::interrupted::interrupted;
use kakugo_cli::stderr::note;
use kakugo_cli::{ctrl_c, run_file};
use kakugo_record::Game;
use kakugo_record::analysis::annotate::annotate;
use kakugo_record::analysis::review;
use kakugo_record::analysis::summary::{GameSummary, summarize};
use kakugo_record::book;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::{self, RowOrder};

/// Minimum time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Version of the record files. Those of version 1 do not name the network.
const VERSION: u64 = 2;

/// The first bytes of a record file.
const RECORD_START: &[u8] = br#"{"analysis":"#;

/// The error of a file that is not a record.
const NO_RECORD: &str = "not a record of game analyses";

/// Options for many games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many games")]
pub struct ManyArgs {
    /// Number of games analysed concurrently, each on a thread of its own [default: 1]
    #[arg(long, value_parser = threads, value_name = "N")]
    jobs: Option<usize>,
    /// Write a line of JSON for each game to FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Continue the run of --record, if the file exists
    #[arg(long, requires = "record")]
    resume: bool,
    /// Analyse only part K of N of the games
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Read record files of earlier runs instead of games, and summarise them together
    #[arg(long, conflicts_with_all = ["jobs", "record", "shard", "annotate", "at", "game"])]
    report: bool,
    /// Write a table of the games to FILE
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a report of games and players to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl ManyArgs {
    /// Returns true if one of the options is used.
    pub(super) fn is_used(&self) -> bool {
        let files = [&self.record, &self.csv, &self.html];
        let has_file = files.iter().any(|file| file.is_some());
        self.jobs.is_some() || self.shard.is_some() || self.report || has_file
    }

    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.record, &self.csv, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// The networks of `--net`, with a name that identifies them in record files.
#[derive(Clone, Debug)]
pub(super) struct NamedNetworks {
    pub(super) networks: Networks,
    name: String,
}

impl Default for NamedNetworks {
    fn default() -> NamedNetworks {
        NamedNetworks { networks: Networks::default(), name: "embedded".to_owned() }
    }
}

/// Parses `none`, `embedded`, or the path of a network file.
impl FromStr for NamedNetworks {
    type Err = <Networks as FromStr>::Err;

    fn from_str(text: &str) -> Result<NamedNetworks, Self::Err> {
        let networks: Networks = text.parse()?;
        let name = match &networks {
            networks if *networks == Networks::none() => "none".to_owned(),
            networks if *networks == Networks::default() => return Ok(NamedNetworks::default()),
            _ => checksum(Path::new(text)),
        };
        Ok(NamedNetworks { networks, name })
    }
}

/// Returns the checksum at the end of a network file.
fn checksum(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    let checksum = bytes.last_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes));
    format!("{checksum:08x}")
}

/// The games to analyse, and the options.
pub(super) struct Request<'a> {
    pub(super) many: &'a ManyArgs,
    pub(super) input: &'a PositionArgs,
    /// Files, folders, or `-`.
    pub(super) names: &'a [OsString],
    pub(super) limits: Limits,
    pub(super) hash_bytes: usize,
    pub(super) networks: &'a NamedNetworks,
    pub(super) is_json: bool,
    /// The format of the annotated games, if they are wanted.
    pub(super) annotates: Option<Format>,
}

/// The end of a run.
pub(super) struct Finished {
    /// The annotated games, if they are wanted.
    pub(super) games: Vec<GameTree>,
    /// The error of a run that was interrupted.
    pub(super) interruption: Option<anyhow::Error>,
}

/// A game to be analysed.
struct Task {
    /// Number of the game among all, from 0.
    index: usize,
    file: String,
    number: usize,
    game: Game,
    tree: GameTree,
}

/// An analysed game.
struct Analysed {
    index: usize,
    summary: GameSummary,
    /// The annotated game, if it is wanted.
    tree: Option<GameTree>,
}

/// The games of earlier runs, by file and number.
type Known = HashMap<(String, usize), GameSummary>;

/// Checks that a file of this format can hold an annotated game, before the game is analysed.
/// `is_only` is false if there are others.
///
/// # Errors
/// Returns an error if the format cannot store the game.
pub(super) fn ensure_annotatable(
    format: Format,
    tree: &GameTree,
    is_only: bool,
) -> anyhow::Result<()> {
    if format.holds_one_game() {
        ensure!(is_only, ONE_GAME);
        format.write_trees(std::slice::from_ref(tree))?;
    }
    Ok(())
}

/// The error if several games are to be annotated in a library.
const ONE_GAME: &str =
    "a RenLib library holds one game: annotate a .sgf file, or select a game with --game N";

/// Analyses the games and prints their summary.
///
/// # Errors
/// Returns an error if no game can be analysed, and if a file cannot be read or written.
pub(super) fn run(request: &Request<'_>) -> anyhow::Result<Finished> {
    request.many.outputs().try_for_each(run_file::ensure_writable)?;
    if request.many.report {
        print(request, &merged(request.names)?)?;
        return Ok(Finished { games: Vec::new(), interruption: None });
    }
    let files = files(request)?;
    let total = count(request, &files)?;
    ensure!(total <= 1 || !request.annotates.is_some_and(Format::holds_one_game), ONE_GAME);
    let settings = settings(&request.limits, request.networks);
    let (record, known) = match &request.many.record {
        None => (None, Known::new()),
        Some(path) => {
            let (file, known) = open_record(path, request.many.resume, &settings)
                .with_context(|| format!("opening {}", path.display()))?;
            (Some(file), known)
        }
    };
    ensure!(
        known.is_empty() || request.annotates.is_none(),
        "--annotate needs all games: {} of them were analysed by an earlier run",
        known.len()
    );
    let stop = Stop::new(request.many.jobs.unwrap_or(1));
    let on_interrupt = stop.clone();
    ctrl_c::on_interrupt(move || on_interrupt.stop()).context("installing the Ctrl-C handler")?;
    let progress = Progress::new(total);
    let mut results = Results { record, done: Vec::new(), skipped: 0, progress };
    analyse_all(request, &files, &known, &stop, &mut results)?;
    let Results { record, mut done, skipped, progress } = results;
    progress.clear();
    done.sort_by_key(|analysed| analysed.index);
    let (games, trees): (Vec<GameSummary>, Vec<Option<GameTree>>) =
        done.into_iter().map(|analysed| (analysed.summary, analysed.tree)).unzip();
    ensure!(!games.is_empty() || stop.is_set(), "there are no games to analyse");
    if skipped > 0 {
        note(format_args!("skipped {skipped} of {} games", games.len() + skipped));
    }
    print(request, &games)?;
    let interruption = stop.is_set().then(|| {
        // The record has no annotated games.
        let is_resumable = record.is_some() && request.annotates.is_none();
        let more = if is_resumable { ": --resume continues" } else { "" };
        let of_all = if total == 0 { String::new() } else { format!(" of {total}") };
        interrupted(anyhow!("interrupted after {}{of_all} games{more}", games.len()))
    });
    let games = trees.into_iter().flatten().collect();
    Ok(Finished { games, interruption })
}

/// The end of a run before all games are analysed.
#[derive(Clone)]
struct Stop {
    flag: Arc<AtomicBool>,
    /// The signals of each worker's search.
    signals: Arc<Vec<Signals>>,
}

impl Stop {
    fn new(workers: usize) -> Stop {
        let signals = (0..workers).map(|_| Signals::default()).collect();
        Stop { flag: Arc::default(), signals: Arc::new(signals) }
    }

    fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.signals.iter().for_each(Signals::stop);
    }

    fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// The results of a run.
struct Results {
    record: Option<File>,
    done: Vec<Analysed>,
    /// Number of invalid games.
    skipped: usize,
    progress: Progress,
}

impl Results {
    fn add(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        match outcome {
            Outcome::Known(analysed) => {
                self.done.push(analysed);
                self.progress.skip();
            }
            Outcome::Done(analysed) => {
                if let Some(record) = &mut self.record {
                    write_line(record, &serde_json::to_value(&analysed.summary)?)?;
                }
                self.progress.game(&analysed.summary);
                self.done.push(analysed);
            }
            Outcome::Skipped(count, why) => {
                if let Some(why) = why {
                    self.progress.clear();
                    note(why);
                }
                self.skipped += count;
                (0..count).for_each(|_| self.progress.skip());
            }
        }
        Ok(())
    }
}

/// Analyses the games of these files, except known ones, with a worker for each signal of `stop`.
fn analyse_all(
    request: &Request<'_>,
    files: &[OsString],
    known: &Known,
    stop: &Stop,
    results: &mut Results,
) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let (give, take) = mpsc::sync_channel::<Task>(stop.signals.len());
        let take = Arc::new(Mutex::new(take));
        let (report, reports) = mpsc::channel();
        for signals in stop.signals.iter() {
            let (take, report) = (Arc::clone(&take), report.clone());
            scope.spawn(move || work(request, &take, signals, &report));
        }
        scope.spawn(move || feed(request, files, known, &give, &report, &stop.flag));
        let received = reports.iter().try_for_each(|outcome| results.add(outcome));
        if received.is_err() {
            stop.stop();
        }
        received
    })
}

/// Returns the games of several record files.
fn merged(names: &[OsString]) -> anyhow::Result<Vec<GameSummary>> {
    let mut settings: Option<(&OsString, Value)> = None;
    let mut merged = Known::new();
    for name in names {
        let (own, games) = read_record(Path::new(name))?;
        let (first, expected) = settings.get_or_insert_with(|| (name, own.clone()));
        ensure!(
            is_same_run(&own, expected),
            "{} has other settings than {}: {own} instead of {expected}",
            name.display(),
            first.display()
        );
        for (key, game) in known(games) {
            match merged.entry(key) {
                Entry::Occupied(entry) => ensure!(
                    is_same_game(entry.get(), &game),
                    "game {} of {} in {} is another one than in the files before it: expected \
                     records of the same games, with the same --rule and --size",
                    game.number,
                    game.file,
                    name.display()
                ),
                Entry::Vacant(entry) => _ = entry.insert(game),
            }
        }
    }
    let mut games: Vec<GameSummary> = merged.into_values().collect();
    games.sort_by(|a, b| (&a.file, a.number).cmp(&(&b.file, b.number)));
    Ok(games)
}

/// Returns the games by file and number. A later one replaces an earlier one.
fn known(games: Vec<GameSummary>) -> Known {
    games.into_iter().map(|game| ((game.file.clone(), game.number), game)).collect()
}

/// Returns true if both are analyses of the same moves under the same rule.
fn is_same_game(one: &GameSummary, other: &GameSummary) -> bool {
    (&one.moves, &one.rule, &one.size) == (&other.moves, &other.rule, &other.size)
}

/// The outcome of analysing a game.
enum Outcome {
    /// Analysed by an earlier run.
    Known(Analysed),
    Done(Analysed),
    /// Invalid games, with the reason if it has not been reported yet.
    Skipped(usize, Option<String>),
}

/// The outcome of reading a file.
struct FileRead {
    /// Number of games in the file, including invalid ones and those of other parts.
    count: usize,
    /// Number of games of this part that were skipped.
    skipped: usize,
    /// The reason, unless it has been reported.
    why: Option<String>,
}

/// Passes the games of a file to `each` with their indexes among all games, which begin with
/// `first`, if `is_own` is true for the index.
fn read_games(
    request: &Request<'_>,
    file: &OsStr,
    first: usize,
    is_own: impl Fn(usize) -> bool,
    mut each: impl FnMut(&Input, usize, Position) -> anyhow::Result<()>,
) -> FileRead {
    let failed = |count: usize, error: anyhow::Error| FileRead {
        count,
        skipped: (first..first + count).filter(|&index| is_own(index)).count(),
        why: Some(format!("{}: {error:#}", file.display())),
    };
    let input = match request.input.read(file) {
        Ok(input) => input,
        Err(error) => return failed(1, error),
    };
    let is_single = input.has_selection();
    let index = |number: usize| if is_single { first } else { first + number - 1 };
    let is_wanted = |number: usize| is_own(index(number));
    let read = input.for_each_of(request.input, "game", is_wanted, |entry| {
        each(&input, index(entry.number), entry)
    });
    match read {
        Ok(Counts { seen, skipped }) => {
            FileRead { count: if is_single { 1 } else { seen }, skipped, why: None }
        }
        Err(error) => failed(input.count().max(1), error),
    }
}

/// Passes the games to the workers.
fn feed(
    request: &Request<'_>,
    files: &[OsString],
    known: &Known,
    give: &mpsc::SyncSender<Task>,
    report: &mpsc::Sender<Outcome>,
    stop: &AtomicBool,
) {
    let shard = request.many.shard;
    let is_own = |index: usize| shard.is_none_or(|shard| shard.contains(index));
    let (mut first, mut tasks) = (0, 0);
    for file in files {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let read = read_games(request, file, first, is_own, |input, index, entry| {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let game = request.input.main_line(&entry, input.is_record);
            source::final_position(&game)?;
            ensure!(!game.moves.is_empty(), "the game has no moves");
            if let Some(format) = request.annotates {
                ensure_annotatable(format, &entry.tree, tasks == 0)?;
            }
            let moves = pos::write(game.points(), game.height, RowOrder::FromBottom);
            let (file, number) = (file.to_string_lossy().into_owned(), entry.number);
            let (rule, size) =
                (game.variant.to_string(), format!("{}x{}", game.width, game.height));
            let same = known
                .get(&(file.clone(), number))
                .filter(|same| (&same.moves, &same.rule, &same.size) == (&moves, &rule, &size));
            if let Some(summary) = same.cloned() {
                // They may have been corrected.
                let result = game.result_on_board().or(game.result);
                let summary = GameSummary {
                    players: [game.black.clone(), game.white.clone()],
                    event: game.event.clone(),
                    date: game.date.clone(),
                    result: result.map(|result| result_word(result).to_owned()),
                    ..summary
                };
                let known = Analysed { index, summary, tree: None };
                _ = report.send(Outcome::Known(known));
            } else {
                // Nobody receives after an error of the output.
                _ = give.send(Task { index, file, number, game, tree: entry.tree });
                tasks += 1;
            }
            Ok(())
        });
        first += read.count;
        if read.skipped > 0 {
            _ = report.send(Outcome::Skipped(read.skipped, read.why));
        }
    }
}

/// Analyses games until there are no more.
fn work(
    request: &Request<'_>,
    take: &Mutex<mpsc::Receiver<Task>>,
    signals: &Signals,
    report: &mpsc::Sender<Outcome>,
) {
    let mut engine = Engine::new(request.hash_bytes);
    engine.set_networks(&request.networks.networks);
    loop {
        let Some(task) = take.lock().ok().and_then(|take| take.recv().ok()) else { return };
        let Task { index, file, number, game, mut tree } = task;
        let reviewed = review::review(&mut engine, &game, &request.limits, signals, |_, _| {});
        if signals.is_stopped() {
            continue;
        }
        let analysed = reviewed.map_err(anyhow::Error::from).and_then(|review| {
            let summary = summarize(&game, &review, &file, number);
            if request.annotates.is_some() {
                annotate(&mut tree, &review)?;
            }
            Ok(Analysed { index, summary, tree: request.annotates.map(|_| tree) })
        });
        _ = report.send(match analysed {
            Ok(analysed) => Outcome::Done(analysed),
            Err(error) => Outcome::Skipped(1, Some(format!("{file}, game {number}: {error:#}"))),
        });
    }
}

/// Returns the files to read. Folders are searched for game files.
fn files(request: &Request<'_>) -> anyhow::Result<Vec<OsString>> {
    let mut files = Vec::new();
    for name in request.names {
        let path = Path::new(name);
        if path.is_dir() {
            let before = files.len();
            let name = name.display();
            add_folder(path, &mut files).with_context(|| format!("reading {name}"))?;
            ensure!(files.len() > before, "{name} contains no game files");
        } else {
            files.push(name.clone());
        }
    }
    Ok(files)
}

/// Adds the game files in a folder and its subfolders. Subfolders that cannot be read are skipped
/// and reported on stderr.
fn add_folder(folder: &Path, files: &mut Vec<OsString>) -> std::io::Result<()> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        // Do not follow links to folders, which may form a cycle.
        if entry.is_dir() && !entry.is_symlink() {
            if let Err(error) = add_folder(&entry, files) {
                note(format_args!("{}: skipped: {error}", entry.display()));
            }
        } else if book::is_game_file(&entry) {
            files.push(entry.into_os_string());
        }
    }
    Ok(())
}

/// Returns the number of games in the files, including invalid ones.
fn count(request: &Request<'_>, files: &[OsString]) -> anyhow::Result<usize> {
    // stdin and pipes can be read only once.
    let is_pipe = |file: &OsString| {
        let path = Path::new(file);
        path.exists() && !path.is_file()
    };
    if files.iter().any(|file| file == "-" || is_pipe(file)) {
        return Ok(0);
    }
    let mut total = 0;
    for file in files {
        match request.input.read(file) {
            Ok(input) => total += input.count().max(1),
            Err(error) if files.len() == 1 => return Err(error),
            // Reported when the games are read.
            Err(_) => total += 1,
        }
    }
    let shard = request.many.shard;
    Ok((0..total).filter(|&index| shard.is_none_or(|shard| shard.contains(index))).count())
}

/// Returns the settings on which the analysis depends.
fn settings(limits: &Limits, networks: &NamedNetworks) -> Value {
    json!({
        "version": VERSION,
        "ms": limits.turn.map(|time| time.as_millis() as u64),
        "nodes": limits.max_nodes,
        "depth": limits.max_depth,
        "net": networks.name,
    })
}

/// Returns true if the games of two record files may be summarised together. A file of version 1
/// does not name its network.
fn is_same_run(one: &Value, other: &Value) -> bool {
    let is_known = |settings: &Value| {
        settings["version"].as_u64().is_some_and(|version| (1..=VERSION).contains(&version))
    };
    let has_same_net = one["net"].is_null() || other["net"].is_null() || one["net"] == other["net"];
    is_known(one)
        && is_known(other)
        && ["ms", "nodes", "depth"].iter().all(|key| one[key] == other[key])
        && has_same_net
}

/// Reads a record file.
fn read_record(path: &Path) -> anyhow::Result<(Value, Vec<GameSummary>)> {
    let bytes = run_file::read(path)?;
    let (settings, games, _) =
        parse_record(&bytes).with_context(|| format!("reading {}", path.display()))?;
    Ok((settings, games))
}

/// Returns the settings and the games of a record, and the length of its complete lines.
fn parse_record(bytes: &[u8]) -> anyhow::Result<(Value, Vec<GameSummary>, usize)> {
    let invalid = || NO_RECORD;
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = std::str::from_utf8(&bytes[..complete]).with_context(invalid)?;
    let mut lines = text.lines();
    let head: Value =
        serde_json::from_str(lines.next().with_context(invalid)?).with_context(invalid)?;
    let settings = head.get("analysis").with_context(invalid)?.clone();
    let games = lines.enumerate().map(|(number, line)| {
        serde_json::from_str(line).with_context(|| format!("line {}", number + 2))
    });
    Ok((settings, games.collect::<anyhow::Result<_>>()?, complete))
}

/// Opens the record file of a run. Returns the games of an earlier run that is resumed.
fn open_record(path: &Path, resume: bool, settings: &Value) -> anyhow::Result<(File, Known)> {
    if !path.exists() {
        let mut file = run_file::create(path)?;
        write_line(&mut file, &json!({ "analysis": settings }))?;
        return Ok((file, Known::new()));
    }
    ensure!(resume, "the file exists: continue its run with --resume, or use another file");
    let (mut file, bytes) = run_file::open(path)?;
    if !bytes.contains(&b'\n') {
        // Stopped before the first line was complete.
        let length = bytes.len().min(RECORD_START.len());
        ensure!(bytes[..length] == RECORD_START[..length], NO_RECORD);
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        write_line(&mut file, &json!({ "analysis": settings }))?;
        return Ok((file, Known::new()));
    }
    let (earlier, games, complete) = parse_record(&bytes)?;
    ensure!(
        is_same_run(&earlier, settings),
        "the earlier run had other settings: {earlier} instead of {settings}"
    );
    // A line that was cut off is analysed again.
    file.set_len(complete as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, known(games)))
}

fn write_line(file: &mut File, value: &Value) -> anyhow::Result<()> {
    file.write_all(format!("{value}\n").as_bytes()).context("writing the record file")?;
    Ok(file.flush()?)
}

/// Prints the summary, and writes it to the requested files.
fn print(request: &Request<'_>, games: &[GameSummary]) -> anyhow::Result<()> {
    let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => {
            let written = run_file::replace(path, text().as_bytes());
            written.with_context(|| format!("writing {}", path.display()))
        }
        None => Ok(()),
    };
    write(&request.many.csv, &|| many_report::csv(games))?;
    write(&request.many.html, &|| many_report::html(games))?;
    let text = if request.is_json { many_report::json(games) } else { many_report::text(games) };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// Progress on stderr: a line that is overwritten on a terminal, otherwise an occasional one.
struct Progress {
    /// Number of games; 0 if it is not known.
    total: usize,
    done: usize,
    analysed: usize,
    started: Instant,
    printed: Option<Instant>,
    is_terminal: bool,
}

impl Progress {
    fn new(total: usize) -> Progress {
        let is_terminal = std::io::stderr().is_terminal();
        let started = Instant::now();
        Progress { total, done: 0, analysed: 0, started, printed: None, is_terminal }
    }

    /// A game needs no analysis.
    fn skip(&mut self) {
        self.done += 1;
    }

    fn game(&mut self, game: &GameSummary) {
        (self.done, self.analysed) = (self.done + 1, self.analysed + 1);
        let is_due = self.printed.is_none_or(|at| at.elapsed() >= PROGRESS_INTERVAL);
        if !self.is_terminal && !is_due {
            return;
        }
        self.printed = Some(Instant::now());
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        let pace = self.analysed as f64 / minutes.max(1e-6);
        let total = if self.total == 0 { String::new() } else { format!("/{}", self.total) };
        let line = format!(
            "{}{total} games, {pace:.1} games/min, {}, game {}",
            self.done, game.file, game.number
        );
        if self.is_terminal {
            _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        } else {
            note(line);
        }
    }

    /// Removes the progress line from the terminal.
    fn clear(&self) {
        if self.is_terminal && self.printed.is_some() {
            _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
