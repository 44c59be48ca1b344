//! The command line: without a subcommand the engine speaks the Gomocup protocol.

use std::io::{self, IsTerminal};
use std::process::{self, ExitCode};
use std::{panic, thread};

use clap::{Parser, Subcommand};
use kakugo::{protocol, tools};

/// A Gomoku engine. Without a subcommand it speaks the Gomocup protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "pbrain-kakugo", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

/// What else it can do.
#[derive(Subcommand)]
enum Task {
    /// Search fixed positions and print the node signature.
    Bench,
    /// Count legal move sequences.
    Perft(tools::perft::Args),
    Solve(tools::solve::SolveArgs),
    #[cfg(feature = "play")]
    Play(kakugo::play::PlayArgs),
    Selfplay(tools::selfplay::SelfplayArgs),
    Tune(tools::tune::TuneArgs),
}

fn main() -> ExitCode {
    start_log();
    let outcome = match Arguments::parse().task {
        None => speak_protocol(),
        Some(Task::Perft(arguments)) => tools::perft::run(&arguments),
        Some(Task::Bench) => tools::bench::run(),
        Some(Task::Solve(arguments)) => tools::solve::run(&arguments),
        #[cfg(feature = "play")]
        Some(Task::Play(arguments)) => kakugo::play::run(&arguments),
        Some(Task::Selfplay(arguments)) => tools::selfplay::run(&arguments),
        Some(Task::Tune(arguments)) => tools::tune::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-kakugo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Some managers take stderr for answers, so it stays silent unless `RUST_LOG` or `KAKUGO_LOG`
/// asks; panics go to the log, too.
fn start_log() {
    let asks = |variable: &&&str| std::env::var_os(variable).is_some();
    if let Some(variable) = ["KAKUGO_LOG", "RUST_LOG"].iter().find(asks) {
        env_logger::Builder::from_env(*variable).init();
    }
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

fn speak_protocol() -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        eprintln!("pbrain-kakugo speaks the Gomocup protocol: try START 15, BEGIN, TURN 7,8, END.");
        eprintln!("For other uses see --help.");
    }
    thread::Builder::new().name("hang-up".to_owned()).spawn(|| {
        if protocol::stdout_hung_up() {
            process::exit(0);
        }
    })?;
    protocol::serve(io::stdin(), io::stdout())
}
