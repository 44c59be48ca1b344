//! The command line of `kakugo-lab`: self-play, openings, problems, training, tuning and checks.

#[cfg(feature = "tuning")]
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kakugo_cli::logging;
use kakugo_cli::usage::UsageError;
use kakugo_lab::{examples, ladder, openings, problems, reviews, selfplay};
use kakugo_train::{train, tune};

/// Exit code after an error in the command line, as clap's.
const USAGE_ERROR: u8 = 2;

/// Self-play, training, tuning and checks for Kakugo
#[derive(Parser)]
#[command(name = "kakugo-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(after_help = examples::LADDER)]
    Ladder(ladder::LadderArgs),
    #[command(after_help = examples::OPENINGS)]
    Openings(openings::OpeningsArgs),
    #[command(after_help = examples::PROBLEMS)]
    Problems(problems::ProblemsArgs),
    #[command(after_help = examples::REVIEWS)]
    Reviews(reviews::ReviewsArgs),
    #[command(after_help = examples::SELFPLAY)]
    Selfplay(selfplay::SelfplayArgs),
    #[cfg(feature = "tuning")]
    #[command(after_help = examples::SPSA)]
    Spsa(kakugo_lab::spsa::SpsaArgs),
    /// Tune the search by SPSA (needs a build with `--features tuning`)
    #[cfg(not(feature = "tuning"))]
    #[command(disable_help_flag = true)]
    Spsa {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    #[command(after_help = examples::TRAIN)]
    Train(train::TrainArgs),
    #[command(after_help = examples::TUNE)]
    Tune(tune::TuneArgs),
}

fn main() -> ExitCode {
    logging::init();
    let done = match Arguments::parse().command {
        Command::Ladder(args) => ladder::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Problems(args) => problems::run(&args),
        Command::Reviews(args) => reviews::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        #[cfg(feature = "tuning")]
        Command::Spsa(args) => env::current_exe()
            .map_err(anyhow::Error::from)
            .and_then(|program| kakugo_lab::spsa::run(&args, &program)),
        #[cfg(not(feature = "tuning"))]
        Command::Spsa { args } => Err(needs_tuning(&args)),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    // stderr may be closed.
    let _ = writeln!(io::stderr(), "kakugo-lab: {error:#}");
    if error.is::<UsageError>() { ExitCode::from(USAGE_ERROR) } else { ExitCode::FAILURE }
}

/// Returns the error of `spsa` in a build whose tunables are constants.
#[cfg(not(feature = "tuning"))]
fn needs_tuning(args: &[String]) -> anyhow::Error {
    let command = "cargo run --release -p kakugo-lab --features tuning -- spsa";
    let command = [&[command.to_owned()], args].concat().join(" ");
    kakugo_cli::usage::usage(anyhow::anyhow!(
        "this build cannot change tunables of the search: run `{command}`"
    ))
}
