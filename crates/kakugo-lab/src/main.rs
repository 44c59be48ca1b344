//! The program `kakugo-lab`: self-play, training and tuning.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kakugo_cli::usage::UsageError;
use kakugo_lab::{examples, selfplay, train, tune};

/// Exit code after an error in the command line, as clap's.
const USAGE: u8 = 2;

/// Self-play, training and tuning for Kakugo.
#[derive(Parser)]
#[command(name = "kakugo-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    #[command(after_help = examples::SELFPLAY)]
    Selfplay(selfplay::SelfplayArgs),
    #[cfg(feature = "tuning")]
    #[command(after_help = examples::SPSA)]
    Spsa(kakugo_lab::spsa::SpsaArgs),
    #[command(after_help = examples::TRAIN)]
    Train(train::TrainArgs),
    #[command(after_help = examples::TUNE)]
    Tune(tune::TuneArgs),
}

fn main() -> ExitCode {
    if let Some(variable) = ["KAKUGO_LOG", "RUST_LOG"].iter().find(|v| env::var_os(v).is_some()) {
        env_logger::Builder::from_env(*variable).init();
    }
    let done = match Arguments::parse().command {
        Command::Selfplay(args) => selfplay::run(&args),
        #[cfg(feature = "tuning")]
        Command::Spsa(args) => env::current_exe()
            .map_err(anyhow::Error::from)
            .and_then(|program| kakugo_lab::spsa::run(&args, &program)),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    // stderr may be closed.
    let _ = writeln!(io::stderr(), "kakugo-lab: {error:#}");
    if error.is::<UsageError>() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}
