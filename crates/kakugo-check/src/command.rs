//! The `check` command: runs the checks and prints the results.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use super::catalogue::select;
use super::check::{Area, Check};
use super::context::{CheckContext, Target};
use super::html::html;
use super::profile::{PROFILES, Profile};
use super::report;
use super::runner::{self, Outcome};
use super::verdict::Verdict;
use kakugo::board::Rule;
use kakugo_cli::ctrl_c::{self, INTERRUPTED};
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;
use kakugo_cli::units::Time;
use kakugo_cli::usage::usage;
use kakugo_protocol::client::{self, EngineConfig, EngineOptions, Process};

/// Default time limit per move if timing is not tested.
const TURN: Time = Time(Duration::from_millis(300));

/// Arguments of `check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Command line of the engine or `self`, then settings such as dir=FOLDER or env.NAME=VALUE
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Vec<String>,
    /// Check the engine as MANAGER runs it; strict combines all managers
    ///
    /// strict, piskvork, judge (GomocupJudge), c-gomoku-cli, qpiskvork or yixin-board.
    #[arg(long, value_name = "MANAGER", default_value = "strict")]
    profile: String,
    /// Run only these areas or checks (see --list)
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Rules that the engine supports
    #[arg(
        long,
        value_name = "RULE,..",
        value_delimiter = ',',
        default_value = "freestyle,standard,renju,caro,caro-overline"
    )]
    rules: Vec<Rule>,
    /// Also check the tournament entry in the zip file FILE
    #[arg(long, value_name = "FILE")]
    zip: Option<PathBuf>,
    /// Time limit per move if timing is not tested
    #[arg(long, value_name = "TIME", default_value_t = TURN)]
    turn: Time,
    /// Number of concurrent checks; timing checks run one by one
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Write an HTML report to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// List the checks with their sources and exit
    #[arg(long)]
    list: bool,
}

/// Returns the names of the managers that `--profile` accepts.
pub fn profile_words() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.name).collect()
}

/// Runs `check`. `program` is the executable for `self`. The exit code is 0 if
/// checks were made and none failed.
///
/// # Errors
/// Fails if an argument is invalid, the engine cannot be started, or the report cannot be written.
pub fn run(args: &CheckArgs, program: &Path) -> Result<ExitCode> {
    let (profile, checks) = select_checks(args).map_err(usage)?;
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
    let options = options.and_then(|options| reject_match_settings(&options).map(|()| options));
    let config = options.and_then(|options| options.resolve(program)).map_err(usage)?;
    let config = with_absolute_paths(config);
    if let Some(path) = &args.html {
        run_file::ensure_writable(path)?;
    }
    if let Some(path) = &args.zip {
        run_file::read(path)?;
    }
    client::adopt_orphans();
    Process::ensure_runs(&config)?;
    let scratch = tempfile::Builder::new().prefix("kakugo-check-").tempdir();
    let scratch = scratch.context("creating a temporary folder")?;
    let folder = scratch.path().to_owned();
    ctrl_c::on_interrupt(move || {
        client::kill_engines();
        let _ = std::fs::remove_dir_all(&folder);
        std::process::exit(INTERRUPTED.into());
    })
    .context("installing the Ctrl-C handler")?;
    let target = Target {
        config,
        rules: args.rules.clone(),
        zip: args.zip.clone(),
        scratch: scratch.path().to_owned(),
        arguments: rerun_arguments(args),
    };
    let context = CheckContext { target: &target, profile, turn: args.turn.0 };
    let progress = Progress::new(checks.len());
    let outcomes = runner::run(&context, &checks, args.jobs, |outcome| progress.update(outcome));
    progress.clear();
    if let Some(path) = &args.html {
        let page = html(&target, profile, &outcomes);
        let written = run_file::replace(path, page.as_bytes());
        written.with_context(|| format!("writing {}", path.display()))?;
    }
    let text = match args.json {
        true => format!("{:#}\n", report::json(&target, profile, &outcomes)),
        false => report::text(&target, profile, &outcomes),
    };
    match output.write_all(text.as_bytes()) {
        // A closed pipe (`check | head`) does not change the exit code.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(exit_code(&outcomes))
}

/// Returns the exit code: a failure if a check failed or if all of them were skipped, which is most
/// likely a mistake in `--only` or `--rules`.
fn exit_code(outcomes: &[Outcome]) -> ExitCode {
    let [_, fail, _, skipped] = report::counts(outcomes.iter());
    if skipped == outcomes.len() {
        note(format_args!("nothing was checked: {skipped} skipped, see --only and --rules"));
        return ExitCode::FAILURE;
    }
    if fail > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Rejects settings that have no effect because the checks set their own limits.
fn reject_match_settings(options: &EngineOptions) -> Result<()> {
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
        "unsupported settings for check: {} (the checks set their own limits; expected dir=, \
                 env.NAME=, name=, pause= or swap2_sides=)",
        given.join(", ")
    );
    Ok(())
}

/// Makes file names in the command line absolute, because some checks start the engine in another
/// folder (`python3 engine.py`).
fn with_absolute_paths(mut config: EngineConfig) -> EngineConfig {
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

/// Returns command-line arguments that check the same engine, without `--zip`.
fn rerun_arguments(args: &CheckArgs) -> String {
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

/// Returns the selected manager and its selected checks.
fn select_checks(args: &CheckArgs) -> Result<(&'static Profile, Vec<&'static Check>)> {
    let profile = Profile::named(&args.profile).with_context(|| {
        format!("unknown manager '{}': expected {}", args.profile, profile_words().join(", "))
    })?;
    let mut only = args.only.clone();
    let zip = Area::Zip.name();
    let names_zip = only.iter().any(|word| word.split('.').next() == Some(zip));
    if args.zip.is_some() && !only.is_empty() && !names_zip {
        only.push(zip.to_owned());
    }
    let checks = select(profile, &only).map_err(|word| {
        anyhow!("unknown check '{word}' for {}: see --list for areas and checks", profile.name)
    })?;
    ensure!(
        args.zip.is_none() || checks.iter().any(|check| check.area == Area::Zip),
        "--zip cannot be used with --profile {}: it does not check zip files",
        profile.name
    );
    ensure!(!args.turn.0.is_zero(), "--turn must be greater than 0");
    ensure!(args.jobs > 0, "--jobs must be at least 1");
    Ok((profile, checks))
}

/// A progress line on stderr, if stderr is a terminal.
struct Progress {
    total: usize,
    done: Mutex<(usize, usize)>,
    enabled: bool,
}

impl Progress {
    fn new(total: usize) -> Progress {
        let enabled = std::io::stderr().is_terminal();
        if enabled {
            let _ = write!(std::io::stderr(), "0 of {total} checks");
        }
        Progress { total, done: Mutex::default(), enabled }
    }

    fn update(&self, outcome: &Outcome) {
        if !self.enabled {
            return;
        }
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.0 += 1;
        done.1 += usize::from(matches!(outcome.verdict, Verdict::Fail(_)));
        let (count, failed) = *done;
        let _ = write!(
            std::io::stderr(),
            "\r\x1b[K{count} of {} checks, {failed} failed ({})",
            self.total,
            outcome.check.id
        );
    }

    fn clear(&self) {
        if self.enabled {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
