//! The command line: without a subcommand the engine speaks the Gomocup protocol.

use std::env;
use std::io::{self, Write};
use std::process::{self, ExitCode};

use clap::{CommandFactory, Parser, Subcommand};
use kakugo::tools::examples;
use kakugo::usage::UsageError;
use kakugo::{arena, check, session, tools};

/// Exit code after a mistake in the command line: what clap uses, too.
const USAGE: u8 = 2;

/// A Gomoku engine. Without a subcommand it speaks the Gomocup protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "pbrain-kakugo", args_conflicts_with_subcommands = true)]
#[command(version, long_version = tools::version::version())]
#[command(after_help = examples::PROGRAM)]
struct Arguments {
    #[command(flatten)]
    setup: session::SessionArgs,
    #[command(subcommand)]
    mode: Option<Mode>,
}

/// What else it can do.
#[derive(Subcommand)]
enum Mode {
    #[cfg(feature = "play")]
    Play(kakugo::play::PlayArgs),
    Analyze(tools::analyze::AnalyzeArgs),
    Convert(tools::convert::ConvertArgs),
    Explore(tools::explore::ExploreArgs),
    /// Play matches between engines.
    #[command(after_help = examples::MATCH)]
    Match(Box<arena::MatchArgs>),
    /// Check what a tournament will say of a brain.
    #[command(after_help = examples::CHECK)]
    Check(check::CheckArgs),
    #[command(after_help = examples::BENCH)]
    Bench(tools::bench::BenchArgs),
    /// Count legal move sequences.
    #[command(after_help = examples::PERFT)]
    Perft(tools::perft::PerftArgs),
    #[command(after_help = examples::SOLVE)]
    Solve(tools::solve::SolveArgs),
    #[command(after_help = examples::SELFPLAY)]
    Selfplay(tools::selfplay::SelfplayArgs),
    #[cfg(feature = "tuning")]
    #[command(after_help = examples::SPSA)]
    Spsa(tools::spsa::SpsaArgs),
    #[command(after_help = examples::TRAIN)]
    Train(tools::train::TrainArgs),
    #[command(after_help = examples::TUNE)]
    Tune(tools::tune::TuneArgs),
    #[command(after_help = examples::COMPLETIONS)]
    Completions(tools::manual::CompletionsArgs),
    /// Print the man page (roff).
    #[command(after_help = examples::MAN)]
    Man,
}

fn main() -> ExitCode {
    // Some managers take stderr for answers, so it stays silent unless a variable asks.
    let asks = |variable: &&&str| env::var_os(variable).is_some();
    if let Some(variable) = ["KAKUGO_LOG", "RUST_LOG"].iter().find(asks) {
        env_logger::Builder::from_env(*variable).init();
    }
    run(Arguments::parse()).unwrap_or_else(|error| {
        // The reader has read enough: `pbrain-kakugo man | head`.
        if error.downcast_ref().is_some_and(reader_left) {
            return ExitCode::SUCCESS;
        }
        // Nobody may read these words either.
        let _ = writeln!(io::stderr(), "pbrain-kakugo: {error:#}");
        if error.is::<UsageError>() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
    })
}

/// Whether a write failed because the other end of the pipe was closed.
fn reader_left(error: &io::Error) -> bool {
    // Windows has three names for it, of which the library knows two: ERROR_PIPE_NOT_CONNECTED is left.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let done = match arguments.mode {
        None => session::speak(arguments.setup, || process::exit(0)),
        #[cfg(feature = "play")]
        Some(Mode::Play(args)) => kakugo::play::run(&args),
        Some(Mode::Analyze(args)) => tools::analyze::run(&args),
        Some(Mode::Convert(args)) => tools::convert::run(&args),
        Some(Mode::Explore(args)) => tools::explore::run(&args),
        Some(Mode::Match(args)) => return play_match(*args),
        Some(Mode::Check(args)) => return check::run(&args, &env::current_exe()?),
        Some(Mode::Bench(args)) => tools::bench::run(&args),
        Some(Mode::Perft(args)) => tools::perft::run(&args),
        Some(Mode::Solve(args)) => tools::solve::run(&args),
        Some(Mode::Selfplay(args)) => tools::selfplay::run(&args),
        #[cfg(feature = "tuning")]
        Some(Mode::Spsa(args)) => tools::spsa::run(&args, &env::current_exe()?),
        Some(Mode::Train(args)) => tools::train::run(&args),
        Some(Mode::Tune(args)) => tools::tune::run(&args),
        Some(Mode::Completions(args)) => {
            tools::manual::completions(&args, Arguments::command(), &words())
        }
        Some(Mode::Man) => tools::manual::page(Arguments::command()),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Words that arguments take, of modules that `tools` does not know.
fn words() -> Vec<tools::manual::Words<'static>> {
    vec![
        #[cfg(feature = "play")]
        ("opening", kakugo::play::opening_words()),
        ("profile", check::profile_words()),
    ]
}

/// The arena knows the rules only: proofs and values it gets from here.
fn play_match(args: arena::MatchArgs) -> anyhow::Result<ExitCode> {
    let (prove, evaluate) = (&tools::judge::prove, &tools::judge::evaluate);
    let program = &env::current_exe()?;
    arena::run(args, arena::Services { prove: Some(prove), evaluate: Some(evaluate), program })
}
