//! The command line of `pbrain-kakugo`. Without a subcommand it speaks the Gomocup protocol.

use std::env;
use std::io::{self, Write};
use std::process::{self, ExitCode};

#[cfg(feature = "manual")]
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use kakugo_cli::interrupted::{INTERRUPTED, Interrupted};
use kakugo_cli::logging;
use kakugo_cli::usage::UsageError;
use kakugo_session::SessionArgs;
use pbrain_kakugo::commands::{self, examples};

/// Exit code after an error in the command line, as clap's.
const USAGE_ERROR: u8 = 2;

/// Subcommands of earlier versions that now belong to the program `kakugo-lab`.
const MOVED_TO_LAB: [&str; 4] = ["selfplay", "train", "tune", "spsa"];

/// A Gomoku and Renju engine. Without a subcommand it speaks the Gomocup protocol on stdin and
/// stdout.
#[derive(Parser)]
#[command(name = "pbrain-kakugo", args_conflicts_with_subcommands = true)]
#[command(version, long_version = commands::version::version())]
#[command(after_help = examples::PROGRAM)]
struct Arguments {
    #[command(flatten)]
    session: SessionArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "play")]
    Play(kakugo_play::PlayArgs),
    #[cfg(feature = "records")]
    Analyze(commands::analyze::AnalyzeArgs),
    #[cfg(feature = "records")]
    Convert(commands::convert::ConvertArgs),
    #[cfg(feature = "records")]
    Explore(commands::explore::ExploreArgs),
    /// Play matches between engines
    #[cfg(feature = "match")]
    #[command(after_help = examples::MATCH)]
    Match(Box<kakugo_match::MatchArgs>),
    /// Check an engine for a tournament
    #[cfg(feature = "check")]
    #[command(after_help = examples::CHECK)]
    Check(kakugo_check::CheckArgs),
    #[command(after_help = examples::BENCH)]
    Bench(commands::bench::BenchArgs),
    #[command(after_help = examples::PERFT)]
    Perft(commands::perft::PerftArgs),
    #[cfg(feature = "records")]
    #[command(after_help = examples::SOLVE)]
    Solve(commands::solve::SolveArgs),
    #[cfg(feature = "manual")]
    #[command(after_help = examples::COMPLETIONS)]
    Completions(commands::manual::CompletionsArgs),
    /// Print the man page (roff)
    #[cfg(feature = "manual")]
    #[command(after_help = examples::MAN)]
    Man,
}

/// The argument with which Yixin-Board starts its engine on Windows. It has no effect: all text is
/// UTF-8.
const FORCE_UTF8: &str = "--force-utf8";

fn main() -> ExitCode {
    logging::init();
    run(parse()).unwrap_or_else(|error| {
        // A closed pipe is not an error: `pbrain-kakugo man | head`.
        if error.downcast_ref().is_some_and(is_closed_pipe) {
            return ExitCode::SUCCESS;
        }
        // stderr may be closed, too.
        let _ = writeln!(io::stderr(), "pbrain-kakugo: {error:#}");
        if error.is::<UsageError>() {
            ExitCode::from(USAGE_ERROR)
        } else if error.is::<Interrupted>() {
            ExitCode::from(INTERRUPTED)
        } else {
            ExitCode::FAILURE
        }
    })
}

/// Returns the arguments of the program, or ends it with a usage error.
fn parse() -> Arguments {
    // Managers start a session without other arguments. The definitions of all commands would take
    // 1.4 MB, which count towards `max_memory`.
    if env::args_os().skip(1).all(|argument| argument == FORCE_UTF8) {
        return Arguments { session: SessionArgs::of_process(), command: None };
    }
    // A script that starts the engine may add arguments of its own.
    let arguments = env::args_os().filter(|argument| argument != FORCE_UTF8);
    Arguments::try_parse_from(arguments).unwrap_or_else(|error| with_hint(error).exit())
}

/// Returns the error with a hint at the new program, if the subcommand has moved there.
fn with_hint(mut error: clap::Error) -> clap::Error {
    let name = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if error.kind() == ErrorKind::InvalidSubcommand => name,
        _ => return error,
    };
    if MOVED_TO_LAB.contains(&&**name) {
        let features = if name == "spsa" { " --features tuning" } else { "" };
        let hint = format!(
            "'{name}' is now part of kakugo-lab, in the source tree: \
             cargo run --release -p kakugo-lab{features} -- {name}"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// Returns true if a write failed because the other end of the pipe was closed.
fn is_closed_pipe(error: &io::Error) -> bool {
    // Windows has three codes for this. The standard library maps two of them to `BrokenPipe`.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let done = match arguments.command {
        None => kakugo_session::serve_stdio(arguments.session, || process::exit(0)),
        #[cfg(feature = "play")]
        Some(Command::Play(args)) => kakugo_play::run(&args),
        #[cfg(feature = "records")]
        Some(Command::Analyze(args)) => commands::analyze::run(&args),
        #[cfg(feature = "records")]
        Some(Command::Convert(args)) => commands::convert::run(&args),
        #[cfg(feature = "records")]
        Some(Command::Explore(args)) => commands::explore::run(&args),
        #[cfg(feature = "match")]
        Some(Command::Match(args)) => return kakugo_match::run(*args, &env::current_exe()?),
        #[cfg(feature = "check")]
        Some(Command::Check(args)) => return kakugo_check::run(&args, &env::current_exe()?),
        Some(Command::Bench(args)) => commands::bench::run(&args),
        Some(Command::Perft(args)) => commands::perft::run(&args),
        #[cfg(feature = "records")]
        Some(Command::Solve(args)) => commands::solve::run(&args),
        #[cfg(feature = "manual")]
        Some(Command::Completions(args)) => {
            commands::manual::completions(&args, Arguments::command(), &argument_values())
        }
        #[cfg(feature = "manual")]
        Some(Command::Man) => commands::manual::man_page(Arguments::command()),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Returns the values of arguments that other crates define, for completions.
#[cfg(feature = "manual")]
fn argument_values() -> Vec<commands::manual::ArgumentValues<'static>> {
    vec![
        #[cfg(feature = "play")]
        ("opening", kakugo_play::opening_words()),
        #[cfg(feature = "check")]
        ("profile", kakugo_check::profile_words()),
    ]
}
