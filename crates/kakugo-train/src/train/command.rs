//! The subcommand: trains a network, or reports its prediction quality.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;

use super::games::Games;
use super::run::{Run, report};
use super::settings::Settings;
use crate::selfplay::Sizes;
use kakugo::board::Rule;
use kakugo::eval::network::{Network, embedded};
use kakugo_cli::arguments::{fraction, threads};
use kakugo_cli::ctrl_c;
use kakugo_cli::stderr::note;

/// Train the value network of a rule on self-play games
///
/// Also writes loss curves, and a checkpoint every minute and at Ctrl-C. The checkpoint is removed
/// at the end.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Self-play files, all of one rule
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File to write the network to; with --report, the network to test (a file, or `embedded`)
    #[arg(long)]
    out: PathBuf,
    /// Report how well the network predicts held-out games instead of training
    #[arg(long)]
    report: bool,
    /// Resume from the checkpoint, if there is one
    #[arg(long)]
    resume: bool,
    /// Start from the network in FILE, or from the `embedded` one, instead of random weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Board sizes that the network supports, such as 13-20 [default: those of the games and
    /// --from]
    #[arg(long, value_name = "FROM-TO")]
    sizes: Option<Sizes>,
    /// Number of samples, for renju per colour [default: 40 million; with --from, 3 per position]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Number of threads, at most 1024 [default: number of CPUs]; does not change the network
    #[arg(long, value_parser = threads)]
    threads: Option<usize>,
    /// Samples per step
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Maximum learning rate; decays to a hundredth
    #[arg(long, default_value_t = 0.002, value_parser = fraction::<f32>)]
    rate: f32,
    /// Weight of the search's score in the target; the rest is the game's result
    #[arg(long, default_value_t = 0.5, value_parser = fraction::<f32>)]
    share: f32,
    /// Weight decay of single codes, relative to their learning rate; lines use a fifth
    #[arg(long, default_value_t = 1.0, value_parser = decay)]
    decay: f32,
    /// Skip positions that the search has solved
    #[arg(long)]
    unsolved: bool,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Default number of samples from random weights.
const SAMPLES: u64 = 40_000_000;
/// Default number of samples per position from a network. With ten, positions are memorised.
const SAMPLES_PER_POSITION: u64 = 3;

/// The name of the network embedded in the program.
const EMBEDDED: &str = "embedded";

impl TrainArgs {
    /// Returns the number of samples per section, for this total number of positions.
    fn samples(&self, positions: usize, rule: Rule) -> u64 {
        let of_section = positions / Network::sections_of(rule);
        self.samples.unwrap_or(match self.from {
            Some(_) => (SAMPLES_PER_POSITION * of_section as u64).max(1),
            None => SAMPLES,
        })
    }
}

/// Returns the network in a file, or the embedded one for `rule`.
fn read(path: &Path, rule: Rule) -> anyhow::Result<Network> {
    let name = || path.display().to_string();
    let bytes = match embedded(rule) {
        Some(bytes) if path.as_os_str() == EMBEDDED => bytes,
        _ => std::fs::read(path).with_context(name)?,
    };
    Network::from_bytes(&bytes).with_context(name)
}

/// Parses a number from 0 to 100.
fn decay(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// Runs `train`.
///
/// # Errors
/// Returns an error if a file cannot be read or written, if the games have different rules, or if
/// the checkpoint belongs to another run.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    let threads = args.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("starting the threads")?;
    let (rule, games) = Games::read(&args.games)?;
    let positions = games.train.iter().map(|game| game.scores.len()).sum();
    note(format_args!(
        "{rule}: {} training games with {positions} positions, {} held-out games",
        games.train.len(),
        games.held_out.len()
    ));
    let &TrainArgs { rate, share, decay, seed, ref out, .. } = args;
    let samples = args.samples(positions, rule);
    let (batch, solved) = (args.batch as usize, !args.unsolved);
    let from = args.from.as_ref().map(|path| read(path, rule)).transpose()?;
    let checksum = from.as_ref().map(Network::checksum);
    let settings = Settings { samples, batch, rate, share, decay, solved, seed, from: checksum };
    if args.report {
        let network = read(out, rule)?;
        return pool.install(|| report(&network, rule, &games, &settings, &mut std::io::stdout()));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("installing the Ctrl-C handler")?;
    let (resume, from, sizes) = (args.resume, from.as_ref(), args.sizes);
    let run = Run { rule, games: &games, settings, out, resume, from, sizes };
    pool.install(|| run.train(&stop, &mut std::io::stdout()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        train: TrainArgs,
    }

    #[test]
    fn invalid_values_are_rejected() {
        let parse = |option: &str, value: &str| {
            Program::try_parse_from(["train", "a.games", "--out", "a.net", option, value]).is_ok()
        };
        assert!(parse("--sizes", "9-20") && parse("--sizes", "15"));
        assert!(parse("--rate", "0.001") && parse("--share", "0") && parse("--share", "1"));
        for (option, value) in [
            ("--sizes", "20-13"),
            ("--sizes", "40"),
            ("--samples", "0"),
            ("--batch", "0"),
            ("--rate", "nan"),
            ("--rate", "inf"),
            ("--share", "1.1"),
            ("--share", "some"),
            ("--decay", "101"),
            ("--decay", "nan"),
        ] {
            assert!(!parse(option, value), "{option} {value}");
        }
        assert!(parse("--from", "embedded"));
    }

    #[test]
    fn the_default_number_of_samples_depends_on_from() {
        let samples = |options: &[&str], rule: Rule| {
            let words = ["train", "a.games", "--out", "a.net"].iter().chain(options);
            Program::try_parse_from(words).unwrap().train.samples(5_000_001, rule)
        };
        let from = ["--from", "embedded"];
        assert_eq!(samples(&[], Rule::Freestyle), 40_000_000);
        assert_eq!(samples(&from, Rule::Freestyle), 15_000_003);
        // In renju each colour has half of the positions.
        assert_eq!(samples(&from, Rule::Renju), 7_500_000);
        assert_eq!(samples(&["--samples", "7"], Rule::Freestyle), 7);
        assert_eq!(samples(&["--samples", "7", "--from", "embedded"], Rule::Renju), 7);
    }

    #[test]
    fn networks_are_read_from_the_program_or_a_file() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro] {
            assert_eq!(read(Path::new("embedded"), rule).unwrap().rule, rule);
        }
        let error = format!("{:#}", read(Path::new("./embedded"), Rule::Caro).unwrap_err());
        assert!(error.starts_with("./embedded: "), "{error}");
    }
}
