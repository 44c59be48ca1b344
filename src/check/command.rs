//! `check`: what is run, and what is said of it.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::bench::{Bench, Subject};
use super::catalogue::chosen;
use super::item::Check;
use super::page::page;
use super::profile::{PROFILES, Profile};
use super::report;
use super::runner::{self, Outcome};
use super::verdict::Verdict;
use crate::board::Rule;
use crate::client::{self, EngineConfig, EngineOptions, Process, Time};
use crate::ctrl_c::{self, INTERRUPTED};
use crate::usage::usage;

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
    #[arg(long, value_name = "TIME", default_value = "300ms")]
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
        output.write_all(report::list(&checks).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let config = EngineOptions::from_words(&args.engine).and_then(|words| words.resolve(program));
    let config = config.map_err(usage)?;
    if let Some(folder) = args.html.as_deref().and_then(Path::parent) {
        let exists = folder.as_os_str().is_empty() || folder.is_dir();
        ensure!(exists, "writing {}: there is no such folder", folder.display());
    }
    client::adopt_orphans();
    ensure_starts(&config)?;
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
    };
    let bench = Bench { subject: &subject, profile, turn: args.turn.0 };
    let progress = Progress::new(checks.len());
    let outcomes = runner::run(&bench, &checks, args.jobs, |outcome| progress.tell(outcome));
    progress.end();
    if args.json {
        writeln!(output, "{:#}", report::json(&subject, profile, &outcomes))?;
    } else {
        output.write_all(report::text(&subject, profile, &outcomes).as_bytes())?;
    }
    if let Some(path) = &args.html {
        let page = page(&subject, profile, &outcomes);
        std::fs::write(path, page).with_context(|| format!("writing {}", path.display()))?;
    }
    let failed = outcomes.iter().any(|outcome| matches!(outcome.verdict, Verdict::Fail(_)));
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A program that cannot be run would fail every check in the same words.
fn ensure_starts(config: &EngineConfig) -> Result<()> {
    match Process::spawn(config) {
        Ok(process) => process.end(),
        Err(error) => bail!("cannot run {:?}: {error}", config.command),
    }
    Ok(())
}

/// The manager that was named, and those of its checks that were.
fn wanted(args: &CheckArgs) -> Result<(&'static Profile, Vec<&'static Check>)> {
    let profile = Profile::named(&args.profile).with_context(|| {
        format!("there is no manager \"{}\": {}", args.profile, profile_words().join(", "))
    })?;
    let checks = chosen(profile, &args.only).map_err(|word| {
        anyhow!("{} asks for nothing that is called \"{word}\" (see --list)", profile.name)
    })?;
    ensure!(!args.turn.0.is_zero(), "--turn: a move needs some time");
    Ok((profile, checks))
}

/// A folder that goes away with this.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch> {
        let path = std::env::temp_dir().join(format!("kakugo-check-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Scratch(path))
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
