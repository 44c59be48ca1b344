//! The subcommand: train a network, or say how well one predicts.

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

/// Train the value network of a rule on games made by `selfplay`.
///
/// Beside the network go a checkpoint, written every minute and at Ctrl-C and removed in the end, and
/// the curves of the losses.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Files of games, all of one rule.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Where to write the network; with --report, the network to report
    /// on, which may be `embedded`.
    #[arg(long)]
    out: PathBuf,
    /// Say how well the network predicts games that it has not learnt from, and train nothing.
    #[arg(long)]
    report: bool,
    /// Go on from the checkpoint, if there is one. Without this an unfinished run is not overwritten.
    #[arg(long)]
    resume: bool,
    /// Begin with this network instead of random numbers: a file, or `embedded` for the one that plays now.
    /// What it has learnt from games that are no longer there stays.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Sides of the boards that the network is to serve, as 13-20. If not given those of the games and of the
    /// network begun with.
    #[arg(long, value_name = "FROM-TO")]
    sizes: Option<Sizes>,
    /// Samples to learn, a position counted as often as it comes; for renju as many for each colour
    /// to move. If not given 40 million; with --from three for each position of the games, for ten learn them
    /// by heart.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Threads, at most 1024; as many as there are processors if not given. The network does not depend
    /// on it.
    #[arg(long, value_parser = threads)]
    threads: Option<usize>,
    /// Samples per step.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Highest rate of Adam; it falls to a hundredth.
    #[arg(long, default_value_t = 0.002, value_parser = fraction::<f32>)]
    rate: f32,
    /// Weight of the search's score in what is learnt; the rest is the game's result, or what the
    /// search expected before the next stray.
    #[arg(long, default_value_t = 0.5, value_parser = fraction::<f32>)]
    share: f32,
    /// How much the numbers of single codes shrink with each step, in units of their own rate (0.3 of
    /// `--rate`), so that rare codes keep to what their shapes are worth; those of lines shrink a fifth as
    /// much; 0: not at all.
    #[arg(long, default_value_t = 1.0, value_parser = decay)]
    decay: f32,
    /// Leave out positions that the search has solved.
    #[arg(long)]
    unsolved: bool,
    /// Seed of all draws.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Samples from random numbers on, if nothing else is said.
const SAMPLES: u64 = 40_000_000;
/// Samples for each position from a network on.
const SAMPLES_A_POSITION: u64 = 3;

/// The word for the network that the program carries.
const EMBEDDED: &str = "embedded";

impl TrainArgs {
    /// Samples for each section, from so many positions.
    fn samples(&self, positions: usize, rule: Rule) -> u64 {
        let of_section = positions / Network::sections_of(rule);
        self.samples.unwrap_or(match self.from {
            Some(_) => (SAMPLES_A_POSITION * of_section as u64).max(1),
            None => SAMPLES,
        })
    }
}

/// The network in a file, or the embedded one for `rule`.
fn read(path: &Path, rule: Rule) -> anyhow::Result<Network> {
    let name = || path.display().to_string();
    let bytes = match embedded(rule) {
        Some(bytes) if path.as_os_str() == EMBEDDED => bytes,
        _ => std::fs::read(path).with_context(name)?,
    };
    Network::from_bytes(&bytes).with_context(name)
}

/// A number from 0 to 100.
fn decay(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 100".to_owned())
}

/// Run `train`.
///
/// # Errors
/// A file cannot be read or written, the games are of several rules, the checkpoint is of another
/// run.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    let threads = args.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("starting the threads")?;
    let (rule, games) = Games::read(&args.games)?;
    let positions = games.train.iter().map(|game| game.scores.len()).sum();
    note(format_args!(
        "{rule}: {} games to learn from with {positions} positions, {} games held out",
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
        .context("watching for Ctrl-C")?;
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
    fn numbers_that_no_network_can_come_of_are_refused() {
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
    fn without_a_number_of_samples_that_of_positions_counts() {
        let samples = |options: &[&str], rule: Rule| {
            let words = ["train", "a.games", "--out", "a.net"].iter().chain(options);
            Program::try_parse_from(words).unwrap().train.samples(5_000_001, rule)
        };
        let from = ["--from", "embedded"];
        assert_eq!(samples(&[], Rule::Freestyle), 40_000_000);
        assert_eq!(samples(&from, Rule::Freestyle), 15_000_003);
        // Either colour to move has half of them there.
        assert_eq!(samples(&from, Rule::Renju), 7_500_000);
        assert_eq!(samples(&["--samples", "7"], Rule::Freestyle), 7);
        assert_eq!(samples(&["--samples", "7", "--from", "embedded"], Rule::Renju), 7);
    }

    #[test]
    fn a_network_is_the_embedded_one_or_a_file() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro] {
            assert_eq!(read(Path::new("embedded"), rule).unwrap().rule, rule);
        }
        let error = format!("{:#}", read(Path::new("./embedded"), Rule::Caro).unwrap_err());
        assert!(error.starts_with("./embedded: "), "{error}");
    }
}
