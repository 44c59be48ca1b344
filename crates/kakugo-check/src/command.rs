//! `check`: what is run, and what is said of it.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::bench::{Bench, Subject};
use super::catalogue::chosen;
use super::item::{Area, Check};
use super::page::page;
use super::profile::{PROFILES, Profile};
use super::report;
use super::runner::{self, Outcome};
use super::verdict::Verdict;
use kakugo::board::Rule;
use kakugo_cli::ctrl_c::{self, INTERRUPTED};
use kakugo_cli::run_file;
use kakugo_cli::units::Time;
use kakugo_cli::usage::usage;
use kakugo_protocol::client::{self, EngineConfig, EngineOptions, Process};

/// Time for a move where it does not matter, unless said otherwise.
const TURN: Time = Time(Duration::from_millis(300));

/// Arguments of `check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Command line of the brain, or `self`; then settings as in `match`: dir=FOLDER, env.NAME=VALUE
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Vec<String>,
    /// Check as this manager would: strict (all of them at once), piskvork, judge, c-gomoku-cli, qpiskvork or
    /// yixin-board
    #[arg(long, value_name = "MANAGER", default_value = "strict")]
    profile: String,
    /// Only these areas or checks (see --list)
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    only: Vec<String>,
    /// The rules that the brain is to know
    #[arg(
        long,
        value_name = "RULE,..",
        value_delimiter = ',',
        default_value = "freestyle,standard,renju,caro,caro-overline"
    )]
    rules: Vec<Rule>,
    /// The zip of its tournament entry, to be checked as well
    #[arg(long, value_name = "FILE")]
    zip: Option<PathBuf>,
    /// Time for a move where it does not matter
    #[arg(long, value_name = "TIME", default_value_t = TURN)]
    turn: Time,
    /// Checks at a time, where they do not need the machine for themselves
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Write a page as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Say what would be checked, and by whose wish
    #[arg(long)]
    list: bool,
}

/// The managers that `--profile` knows.
pub fn profile_words() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.name).collect()
}

/// Run `check`. `program` stands for `self`. The exit code is 0 only if nothing failed.
///
/// # Errors
/// An argument makes no sense, the brain cannot be started, or the page cannot be written.
pub fn run(args: &CheckArgs, program: &Path) -> Result<ExitCode> {
    let (profile, checks) = wanted(args).map_err(usage)?;
    let mut output = std::io::stdout();
    if args.list {
        let list = match args.json {
            true => format!("{:#}\n", report::list_json(&checks)),
            false => report::list(&checks),
        };
        output.write_all(list.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = EngineOptions::from_words(&args.engine);
    let options = options.and_then(|options| only_what_counts(&options).map(|()| options));
    let config = options.and_then(|options| options.resolve(program)).map_err(usage)?;
    let config = anchored(config);
    if let Some(path) = &args.html {
        run_file::ensure_writable(path)?;
    }
    if let Some(path) = &args.zip {
        run_file::read(path)?;
    }
    client::adopt_orphans();
    Process::ensure_runs(&config)?;
    let scratch = Scratch::new()?;
    let folder = scratch.0.clone();
    ctrl_c::on_interrupt(move || {
        client::kill_engines();
        let _ = std::fs::remove_dir_all(&folder);
        std::process::exit(INTERRUPTED.into());
    })
    .context("watching for Ctrl-C")?;
    let subject = Subject {
        config,
        rules: args.rules.clone(),
        zip: args.zip.clone(),
        scratch: scratch.0.clone(),
        words: words(args),
    };
    let bench = Bench { subject: &subject, profile, turn: args.turn.0 };
    let progress = Progress::new(checks.len());
    let outcomes = runner::run(&bench, &checks, args.jobs, |outcome| progress.tell(outcome));
    progress.end();
    if let Some(path) = &args.html {
        let page = page(&subject, profile, &outcomes);
        std::fs::write(path, page).with_context(|| format!("writing {}", path.display()))?;
    }
    let text = match args.json {
        true => format!("{:#}\n", report::json(&subject, profile, &outcomes)),
        false => report::text(&subject, profile, &outcomes),
    };
    match output.write_all(text.as_bytes()) {
        // Whoever has read enough of the table may still ask for the exit code.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    let failed = outcomes.iter().any(|outcome| matches!(outcome.verdict, Verdict::Fail(_)));
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Refuse settings that mean something in a match only: checks set limits themselves.
fn only_what_counts(options: &EngineOptions) -> Result<()> {
    let EngineOptions { turn, game, increment, tolerance, nodes, depth, memory, threads, .. } =
        options;
    let EngineOptions { startup, patience, lenient, info, .. } = options;
    let given = [
        ("turn", turn.is_some()),
        ("match", game.is_some()),
        ("increment", increment.is_some()),
        ("tolerance", tolerance.is_some()),
        ("nodes", nodes.is_some()),
        ("depth", depth.is_some()),
        ("memory", memory.is_some()),
        ("threads", threads.is_some()),
        ("startup", startup.is_some()),
        ("patience", patience.is_some()),
        ("lenient", lenient.is_some()),
        ("info", !info.is_empty()),
    ];
    let given: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    ensure!(
        given.is_empty(),
        "the checks set limits themselves; what they take is dir=, env.NAME=, name=, pause= and swap2_sides=, not {}",
        given.join(", ")
    );
    Ok(())
}

/// The same brain, found from any folder: some checks start it in another one, and `python3 brain.py` names a
/// file of this one.
fn anchored(mut config: EngineConfig) -> EngineConfig {
    let Some(here) = config.dir.clone().or_else(|| std::env::current_dir().ok()) else {
        return config;
    };
    for word in config.command.iter_mut().skip(1) {
        let path = here.join(&*word);
        if path.is_file() {
            if config.dir.is_none() {
                config.dir = path.parent().map(Path::to_owned);
            }
            *word = path.to_string_lossy().into_owned();
        }
    }
    config
}

/// The words of a command line that checks the same brain, but for its zip.
fn words(args: &CheckArgs) -> String {
    let mut words = args.engine.clone();
    if args.turn != TURN {
        words.extend(["--turn".to_owned(), args.turn.to_string()]);
    }
    if args.rules != Rule::ALL {
        let rules: Vec<String> = args.rules.iter().map(ToString::to_string).collect();
        words.extend(["--rules".to_owned(), rules.join(",")]);
    }
    client::join_words(&words)
}

/// The manager that was named, and those of its checks that were.
fn wanted(args: &CheckArgs) -> Result<(&'static Profile, Vec<&'static Check>)> {
    let profile = Profile::named(&args.profile).with_context(|| {
        format!("there is no manager \"{}\": {}", args.profile, profile_words().join(", "))
    })?;
    let mut only = args.only.clone();
    let zip = Area::Zip.name();
    let names_zip = only.iter().any(|word| word.split('.').next() == Some(zip));
    if args.zip.is_some() && !only.is_empty() && !names_zip {
        only.push(zip.to_owned());
    }
    let checks = chosen(profile, &only).map_err(|word| {
        anyhow!("{} asks for nothing that is called \"{word}\" (see --list)", profile.name)
    })?;
    ensure!(
        args.zip.is_none() || checks.iter().any(|check| check.area == Area::Zip),
        "{} never sees a zip: leave out --zip",
        profile.name
    );
    ensure!(!args.turn.0.is_zero(), "--turn: a move needs some time");
    ensure!(args.jobs > 0, "--jobs 0 checks nothing: 1 check at a time at least");
    Ok((profile, checks))
}

/// A folder that goes away with this.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch> {
        // One may be left from a process of this number that was killed.
        for number in 0.. {
            let name = format!("kakugo-check-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => {
                    made.with_context(|| format!("making {}", path.display()))?;
                    return Ok(Scratch(path));
                }
            }
        }
        bail!("there is no name left for a temporary folder")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A line on stderr that tells how far the checks are, where somebody sees it.
struct Progress {
    all: usize,
    done: Mutex<(usize, usize)>,
    seen: bool,
}

impl Progress {
    fn new(all: usize) -> Progress {
        Progress { all, done: Mutex::default(), seen: std::io::stderr().is_terminal() }
    }

    fn tell(&self, outcome: &Outcome) {
        if !self.seen {
            return;
        }
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.0 += 1;
        done.1 += usize::from(matches!(outcome.verdict, Verdict::Fail(_)));
        let (count, failed) = *done;
        let _ = write!(
            std::io::stderr(),
            "\r\x1b[K{count} of {} checks, {failed} failed ({})",
            self.all,
            outcome.check.id
        );
    }

    fn end(&self) {
        if self.seen {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
