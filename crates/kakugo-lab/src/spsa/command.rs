//! The subcommand: play pairs and follow their results, or report what a run has come to.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;

use super::boards::Boards;
use super::climb::{Climb, LAG, Trial};
use super::log::{Log, Reading, read};
use super::progress::Progress;
use super::report;
use super::run::drive;
use super::settings::{Wanted, networks};
use super::worker::{Worker, serve};
use kakugo_cli::ctrl_c;

/// Tune the numbers of the search by SPSA: pairs of games between players that differ a little in all
/// of them at once.
///
/// A run goes on where its file ends: start it again with the same file.
#[derive(Args, Debug)]
pub struct SpsaArgs {
    /// File of the run.
    #[arg(required_unless_present = "worker")]
    file: Option<PathBuf>,
    /// Pairs of games planned; values move less and less until then. A new file's default is 20,000.
    #[arg(long)]
    pairs: Option<u32>,
    /// Nodes per move, within a tenth; a new file's default is 8,000.
    #[arg(long)]
    nodes: Option<u32>,
    /// Rules and sizes of the boards, as freestyle:15 or standard:13-20, with :N after those that are
    /// to be played N times as often; several with commas. A new file's default is
    /// freestyle:15,freestyle:20,standard:15,renju:15.
    #[arg(long)]
    rules: Option<Boards>,
    /// File of a network to value positions with, instead of the embedded one of its rule; `none` for
    /// the classical evaluation. Several with commas.
    #[arg(long, value_delimiter = ',', value_name = "FILE")]
    net: Vec<String>,
    /// Tune only what begins so; several with commas.
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    only: Vec<String>,
    /// Do not tune what begins so; several with commas.
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    without: Vec<String>,
    /// How far a game won moves a value in the end, as a part of its step; before that up to two and
    /// a half times as far. A new file's default is 0.002: a run of a few thousand pairs needs more to
    /// come anywhere, at the price of more chance.
    #[arg(long)]
    rate: Option<f64>,
    /// Transposition table of a player, in MiB; a new file's default is 2.
    #[arg(long)]
    hash: Option<u32>,
    /// Seed of the whole run; a new file's default is a random one.
    #[arg(long)]
    seed: Option<u64>,
    /// Pairs at a time, each in a process of its own; by default as many as the machine has cores.
    #[arg(long)]
    workers: Option<usize>,
    /// Print the values that a run has come to, and play nothing.
    #[arg(long)]
    report: bool,
    /// Draw the values' paths into this file (SVG), and play nothing.
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Play the pairs that are asked for on stdin: what the command starts for itself.
    #[arg(long, hide = true)]
    worker: bool,
}

/// Run `spsa`; `program` is the program itself, which is started for each worker. Ctrl-C ends a run;
/// pairs that are not finished are played anew when it goes on.
///
/// # Errors
/// The file cannot be read or written, another process writes to it, it was begun with other
/// settings; a worker does not work.
pub fn run(args: &SpsaArgs, program: &Path) -> anyhow::Result<()> {
    let Some(file) = &args.file else { return work() };
    let play = || play(args, file, program);
    let done = if args.is_to_look() { look(args, file) } else { play() };
    done.with_context(|| file.display().to_string())
}

impl SpsaArgs {
    fn wanted(&self) -> Wanted {
        let &SpsaArgs { pairs, nodes, rate, hash, seed, .. } = self;
        let SpsaArgs { rules: boards, net: nets, only, without, .. } = self;
        let (boards, nets) = (boards.clone(), nets.clone());
        let (only, without) = (only.clone(), without.clone());
        Wanted { pairs, nodes, boards, nets, rate, hash, seed, only, without }
    }

    fn is_to_look(&self) -> bool {
        #[cfg(feature = "plots")]
        if self.plot.is_some() {
            return true;
        }
        self.report
    }
}

/// Be a worker.
fn work() -> anyhow::Result<()> {
    // Ctrl-C at a terminal reaches the workers, too; the driver ends them in its own time.
    ctrl_c::on_interrupt(|| {}).context("watching for Ctrl-C")?;
    serve(io::stdin().lock(), &mut io::stdout().lock(), set_tunable)
}

#[cfg(feature = "tuning")]
use kakugo::search::set_tunable;

/// Only tests are built without what sets a tunable.
#[cfg(not(feature = "tuning"))]
fn set_tunable(_: &str, _: i32) -> bool {
    false
}

/// Report, and draw.
fn look(args: &SpsaArgs, file: &Path) -> anyhow::Result<()> {
    let reading = read(&std::fs::read(file)?)?.context("nothing is in it yet")?;
    #[cfg(feature = "plots")]
    if let Some(path) = &args.plot {
        let written = std::fs::write(path, super::plot::svg(&reading)?);
        written.with_context(|| format!("writing {}", path.display()))?;
    }
    if args.report { report::table(&reading, &mut io::stdout().lock()) } else { Ok(()) }
}

/// Play until the run is over or Ctrl-C is pressed.
fn play(args: &SpsaArgs, file: &Path, program: &Path) -> anyhow::Result<()> {
    let (mut log, Reading { settings, pairs, .. }) = Log::open(file, &args.wanted())?;
    networks(&settings.nets)?;
    let mut climb = report::follow(&settings, &pairs, |_| {});
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("watching for Ctrl-C")?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let workers = args.workers.unwrap_or(cores).clamp(1, LAG as usize + 1);
    let players = (0..workers).map(|_| {
        let mut worker = Worker::new(program, &settings);
        move |trial: &Trial, is_over: &dyn Fn() -> bool| worker.play(trial, is_over)
    });
    let mut stderr = io::stderr();
    _ = writeln!(
        stderr,
        "{}: {} tunables, {} nodes a move, {}, seed {}, {workers} workers",
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
        &mut |climb: &Climb<'_>| progress.tell(climb, &mut io::stderr()),
    )?;
    progress.tell_now(&climb, &mut stderr);
    let word = if climb.done() < settings.pairs {
        "stopped; the same command goes on"
    } else {
        "done; --report prints the values"
    };
    _ = writeln!(stderr, "{word}");
    Ok(())
}
