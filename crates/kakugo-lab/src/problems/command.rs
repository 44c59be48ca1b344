//! The subcommand: searches for problems in self-play games, and writes the pack.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;

use super::choose;
use super::run::search;
use kakugo_cli::{ctrl_c, run_file};

/// Search for problems in self-play games, and write the pack
///
/// The games are played by levels 2 to 6 on 15x15, freestyle and renju in turn. To resume a run,
/// start it again with the same file.
#[derive(Args, Debug)]
pub struct ProblemsArgs {
    /// File of the run; games are appended
    file: PathBuf,
    /// Largest number of games; the run ends sooner if there are enough problems
    #[arg(long, default_value_t = 20_000)]
    games: usize,
    /// Random seed of the run [default for a new file: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Choose the pack from the file and write it to PACK, instead of playing
    #[arg(long, value_name = "PACK", conflicts_with_all = ["games", "seed"])]
    pack: Option<PathBuf>,
}

/// Runs `problems`. Ctrl-C stops it between two games.
///
/// # Errors
/// Returns an error if the file cannot be read or written, is in use by another process, or has
/// another seed. With `--pack`, returns an error if it has too few problems of a step.
pub fn run(args: &ProblemsArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.pack {
        run_file::ensure_writable(path)?;
        let pack = choose::pack(&args.file)?;
        return std::fs::write(path, pack).with_context(|| format!("writing {}", path.display()));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("installing the Ctrl-C handler")?;
    search(&args.file, args.games, args.seed, &stop, &mut std::io::stdout())
}
