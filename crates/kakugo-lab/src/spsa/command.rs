//! The subcommand: runs the optimisation, or reports on a run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;

use super::boards::Boards;
use super::climb::{Climb, LAG, Trial};
use super::log::{Log, LogContents, read};
use super::progress::Progress;
use super::report;
use super::run::drive;
use super::settings::{Request, networks};
use super::worker::{Worker, serve};
use kakugo_cli::ctrl_c;

/// Tune the search by SPSA: pairs of games in which both players perturb all tunables
///
/// To resume a run, start it again with the same file.
#[derive(Args, Debug)]
pub struct SpsaArgs {
    /// File of the run
    #[arg(required_unless_present = "worker")]
    file: Option<PathBuf>,
    /// Total number of pairs; step sizes decay until then [default for a new file: 20000]
    #[arg(long)]
    pairs: Option<u32>,
    /// Nodes per move, varied by up to 10 % [default for a new file: 8000]
    #[arg(long)]
    nodes: Option<u32>,
    /// RULE:SIZE[:WEIGHT], separated by commas, such as freestyle:15 or standard:13-20:3
    /// [default for a new file: freestyle:15,freestyle:20,standard:15,renju:15]
    #[arg(long)]
    rules: Option<Boards>,
    /// Evaluate with the network in FILE for its rule (`none`: classical evaluation);
    /// several are separated by commas
    #[arg(long, value_delimiter = ',', value_name = "FILE")]
    net: Vec<String>,
    /// Tune only tunables with these prefixes, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    only: Vec<String>,
    /// Exclude tunables with these prefixes, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    without: Vec<String>,
    /// Final change of a value per won game, as a fraction of its step; up to 2.5 times as much
    /// before. Short runs need more. [default for a new file: 0.002]
    #[arg(long)]
    rate: Option<f64>,
    /// Size of each player's transposition table, in MiB [default for a new file: 2]
    #[arg(long)]
    hash: Option<u32>,
    /// Random seed of the run [default for a new file: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Number of worker processes, which play one pair each [default: number of cores]
    #[arg(long)]
    workers: Option<usize>,
    /// Print the current values instead of playing
    #[arg(long)]
    report: bool,
    /// Write a chart of all values to FILE (SVG) instead of playing
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Play the pairs requested on stdin, as a worker process
    #[arg(long, hide = true)]
    worker: bool,
}

/// Runs `spsa`. `program` is the path of this program, which is started for each worker. Ctrl-C
/// stops the run. Unfinished pairs are replayed by the next run.
///
/// # Errors
/// Returns an error if the file cannot be read or written, is in use by another process, or has
/// other settings, or if a worker fails repeatedly.
pub fn run(args: &SpsaArgs, program: &Path) -> anyhow::Result<()> {
    let Some(file) = &args.file else { return run_worker() };
    let done = if args.only_reports() { report(args, file) } else { optimise(args, file, program) };
    done.with_context(|| file.display().to_string())
}

impl SpsaArgs {
    fn request(&self) -> Request {
        let &SpsaArgs { pairs, nodes, rate, hash, seed, .. } = self;
        let SpsaArgs { rules: boards, net: nets, only, without, .. } = self;
        let (boards, nets) = (boards.clone(), nets.clone());
        let (only, without) = (only.clone(), without.clone());
        Request { pairs, nodes, boards, nets, rate, hash, seed, only, without }
    }

    fn only_reports(&self) -> bool {
        #[cfg(feature = "plots")]
        if self.plot.is_some() {
            return true;
        }
        self.report
    }
}

fn run_worker() -> anyhow::Result<()> {
    // Ctrl-C in a terminal reaches the workers, too. Only the driver may stop them.
    ctrl_c::on_interrupt(|| {}).context("installing the Ctrl-C handler")?;
    serve(io::stdin().lock(), &mut io::stdout().lock(), set_tunable)
}

#[cfg(feature = "tuning")]
use kakugo::search::set_tunable;

/// Stands in for the function of the feature `tuning`, in tests without it.
#[cfg(not(feature = "tuning"))]
fn set_tunable(_: &str, _: i32) -> bool {
    false
}

/// Prints the table and writes the chart, as requested.
fn report(args: &SpsaArgs, file: &Path) -> anyhow::Result<()> {
    let contents = read(&std::fs::read(file)?)?.context("the file is empty")?;
    #[cfg(feature = "plots")]
    if let Some(path) = &args.plot {
        let written = std::fs::write(path, super::plot::svg(&contents)?);
        written.with_context(|| format!("writing {}", path.display()))?;
    }
    if args.report { report::table(&contents, &mut io::stdout().lock()) } else { Ok(()) }
}

/// Plays until all pairs are finished or Ctrl-C is pressed.
fn optimise(args: &SpsaArgs, file: &Path, program: &Path) -> anyhow::Result<()> {
    let (mut log, LogContents { settings, pairs, .. }) = Log::open(file, &args.request())?;
    networks(&settings.nets)?;
    let mut climb = report::replay(&settings, &pairs, |_| {});
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("installing the Ctrl-C handler")?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let workers = args.workers.unwrap_or(cores).clamp(1, LAG as usize + 1);
    let players = (0..workers).map(|_| {
        let mut worker = Worker::new(program, &settings);
        move |trial: &Trial, is_over: &dyn Fn() -> bool| worker.play(trial, is_over)
    });
    let mut stderr = io::stderr();
    _ = writeln!(
        stderr,
        "{}: {} tunables, {} nodes per move, {}, seed {}, {workers} workers",
        file.display(),
        settings.dimensions.len(),
        settings.nodes,
        settings.boards,
        settings.seed,
    );
    let mut progress = Progress::new(&settings, climb.done());
    drive(
        &mut climb,
        settings.pairs,
        players.collect(),
        &stop,
        &mut |pair| log.append(pair),
        &mut |climb: &Climb<'_>| progress.update(climb, &mut io::stderr()),
    )?;
    progress.print(&climb, &mut stderr);
    let text = if climb.done() < settings.pairs {
        "stopped; run the same command to resume"
    } else {
        "done; --report prints the values"
    };
    _ = writeln!(stderr, "{text}");
    Ok(())
}
