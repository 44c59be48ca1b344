//! The subcommand: writes self-play games to a file, or checks such files.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use clap::Args;

use super::check;
use super::run::{Request, play_into};
use kakugo::board::Rule;
use kakugo::search::Networks;
use kakugo_cli::arguments::threads;
use kakugo_cli::ctrl_c;
use kakugo_cli::usage::usage;
use kakugo_train::selfplay::Sizes;

/// Write self-play games to a file, or check such files
///
/// To resume a run, start it again with the same file. Several processes need a file each.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// File to append to; with --check, files to check
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print statistics and damage of the files instead of playing
    #[arg(long)]
    check: bool,
    /// Total number of games in the file
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Number of concurrent games, at most 1024
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Nodes per move [default for a new file: 500]
    #[arg(long)]
    nodes: Option<u32>,
    /// Rule: a name or its number in the protocol [default for a new file: freestyle]
    #[arg(long)]
    rule: Option<Rule>,
    /// Board size, or a range such as 13-20 for random sizes [default for a new file: 15]
    #[arg(long)]
    size: Option<Sizes>,
    /// Play one in N opening moves at random, fewer later; 0: none [default for a new file: 12]
    #[arg(long, value_name = "N")]
    stray: Option<u16>,
    /// Random seed of the run [default for a new file: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Evaluate with the network in FILE (`none`: classical evaluation); repeat it to resume a run
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<Networks>,
}

/// Runs `selfplay`. Ctrl-C stops it between two moves. Unfinished games are replayed by the next
/// run.
///
/// # Errors
/// Returns an error if the file cannot be read or written, is in use by another process, or has
/// other settings. With `--check`, returns an error if a file is damaged.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<()> {
    let mut output = std::io::stdout();
    if args.check {
        return check::report(&args.files, &mut output);
    }
    let [file] = &args.files[..] else {
        return Err(usage(anyhow!(
            "several files are only allowed with --check: expected one file"
        )));
    };
    let &SelfplayArgs { games, threads, nodes, rule, size, stray, seed, .. } = args;
    let networks = args.networks.clone().unwrap_or_default();
    let request = Request { games, threads, nodes, rule, sizes: size, stray, seed, networks };
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("installing the Ctrl-C handler")?;
    play_into(file, &request, &stop, &mut output)
}
