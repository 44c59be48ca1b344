//! The subcommand: play games into a file, or say what is in files.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use clap::Args;

use super::check;
use super::run::{Wanted, play_into};
use super::settings::Sizes;
use kakugo::board::Rule;
use kakugo::search::Networks;
use kakugo_cli::arguments::threads;
use kakugo_cli::ctrl_c;
use kakugo_cli::usage::usage;

/// Play games of the engine against itself and append them to a file, or check such files.
///
/// A run goes on where its file ends: start it again with the same file. Each of several processes
/// needs a file of its own.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// File to append to; with --check, files to check.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Say what is in the files, and play nothing.
    #[arg(long)]
    check: bool,
    /// Games wanted in the file.
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Games at a time, at most 1024.
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Nodes per move; a new file's default is 500.
    #[arg(long)]
    nodes: Option<u32>,
    /// The rule, as a word or Gomocup's number; a new file's default is freestyle.
    #[arg(long)]
    rule: Option<Rule>,
    /// Side of the board, or a range as 13-20 of which each game draws one; a new file's default
    /// is 15.
    #[arg(long)]
    size: Option<Sizes>,
    /// One of this many of a game's first moves is drawn by its ordering value, and fewer later, so
    /// that games leave the beaten track; 0: none. A new file's default is 12.
    #[arg(long)]
    stray: Option<u16>,
    /// Seed of the whole run; a new file's default is a random one.
    #[arg(long)]
    seed: Option<u64>,
    /// File of a network to value positions with, instead of the embedded one; `none` for the classical
    /// evaluation. The file of games does not keep it: say it again when a run goes on.
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<Networks>,
}

/// Run `selfplay`. Ctrl-C ends it between two moves; unfinished games are begun anew when it goes on.
///
/// # Errors
/// The file cannot be read or written, another process writes to it, it was begun with other
/// settings; with `--check`, a file is damaged.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<()> {
    let mut output = std::io::stdout();
    if args.check {
        return check::report(&args.files, &mut output);
    }
    let [file] = &args.files[..] else {
        return Err(usage(anyhow!("only one file can be written to; --check takes several")));
    };
    let &SelfplayArgs { games, threads, nodes, rule, size, stray, seed, .. } = args;
    let networks = args.networks.clone().unwrap_or_default();
    let wanted = Wanted { games, threads, nodes, rule, sizes: size, stray, seed, networks };
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("watching for Ctrl-C")?;
    play_into(file, &wanted, &stop, &mut output)
}
