//! The command line: without a subcommand the engine speaks the Gomocup protocol.

use std::env;
use std::io::{self, Write};
use std::process::{self, ExitCode};

use clap::{Parser, Subcommand};
use kakugo_cli::usage::UsageError;
use pbrain_kakugo::commands::{self, examples};
use pbrain_kakugo::session;

/// Exit code after a mistake in the command line: what clap uses, too.
const USAGE: u8 = 2;

/// A Gomoku engine. Without a subcommand it speaks the Gomocup protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "pbrain-kakugo", args_conflicts_with_subcommands = true)]
#[command(version, long_version = commands::version::version())]
#[command(after_help = examples::PROGRAM)]
struct Arguments {
    #[command(flatten)]
    setup: session::SessionArgs,
    #[command(subcommand)]
    mode: Option<Mode>,
}

/// The subcommands.
#[derive(Subcommand)]
enum Mode {
    #[cfg(feature = "play")]
    Play(kakugo_play::PlayArgs),
    #[cfg(feature = "records")]
    Analyze(commands::analyze::AnalyzeArgs),
    #[cfg(feature = "records")]
    Convert(commands::convert::ConvertArgs),
    #[cfg(feature = "records")]
    Explore(commands::explore::ExploreArgs),
    /// Play matches between engines.
    #[cfg(feature = "match")]
    #[command(after_help = examples::MATCH)]
    Match(Box<kakugo_match::MatchArgs>),
    /// Check an engine for a tournament.
    #[cfg(feature = "check")]
    #[command(after_help = examples::CHECK)]
    Check(kakugo_check::CheckArgs),
    #[command(after_help = examples::BENCH)]
    Bench(commands::bench::BenchArgs),
    /// Count legal move sequences.
    #[command(after_help = examples::PERFT)]
    Perft(commands::perft::PerftArgs),
    #[cfg(feature = "records")]
    #[command(after_help = examples::SOLVE)]
    Solve(commands::solve::SolveArgs),
    #[cfg(feature = "manual")]
    #[command(after_help = examples::COMPLETIONS)]
    Completions(commands::manual::CompletionsArgs),
    /// Print the man page (roff).
    #[cfg(feature = "manual")]
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
        Some(Mode::Play(args)) => kakugo_play::run(&args),
        #[cfg(feature = "records")]
        Some(Mode::Analyze(args)) => commands::analyze::run(&args),
        #[cfg(feature = "records")]
        Some(Mode::Convert(args)) => commands::convert::run(&args),
        #[cfg(feature = "records")]
        Some(Mode::Explore(args)) => commands::explore::run(&args),
        #[cfg(feature = "match")]
        Some(Mode::Match(args)) => return kakugo_match::run(*args, &env::current_exe()?),
        #[cfg(feature = "check")]
        Some(Mode::Check(args)) => return kakugo_check::run(&args, &env::current_exe()?),
        Some(Mode::Bench(args)) => commands::bench::run(&args),
        Some(Mode::Perft(args)) => commands::perft::run(&args),
        #[cfg(feature = "records")]
        Some(Mode::Solve(args)) => commands::solve::run(&args),
        #[cfg(feature = "manual")]
        Some(Mode::Completions(args)) => commands::manual::completions(
            &args,
            <Arguments as clap::CommandFactory>::command(),
            &words(),
        ),
        #[cfg(feature = "manual")]
        Some(Mode::Man) => commands::manual::page(<Arguments as clap::CommandFactory>::command()),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Values of arguments that other crates define, for completions.
#[cfg(feature = "manual")]
fn words() -> Vec<commands::manual::Words<'static>> {
    vec![
        #[cfg(feature = "play")]
        ("opening", kakugo_play::opening_words()),
        #[cfg(feature = "check")]
        ("profile", kakugo_check::profile_words()),
    ]
}
