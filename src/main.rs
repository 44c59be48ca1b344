//! The command line: without a subcommand the engine speaks the Gomocup protocol.

use std::io::{self, IsTerminal};
use std::process::{self, ExitCode};
use std::{panic, thread};

use clap::{CommandFactory, Parser, Subcommand};
use kakugo::{arena, protocol, tools};

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
    /// Play matches between engines.
    Match(Box<arena::Args>),
    /// Count legal move sequences.
    Perft(tools::perft::Args),
    Solve(tools::solve::SolveArgs),
    #[cfg(feature = "play")]
    Play(kakugo::play::PlayArgs),
    Analyze(tools::analyze::AnalyzeArgs),
    Convert(tools::convert::ConvertArgs),
    /// Print completions for a shell, e.g. `pbrain-kakugo completions bash`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page (roff), e.g. `pbrain-kakugo man | man -l -`.
    Man,
    Selfplay(tools::selfplay::SelfplayArgs),
    Tune(tools::tune::TuneArgs),
}

fn main() -> ExitCode {
    let setup = protocol::Setup { began: protocol::process_began() };
    start_log();
    let outcome = match Arguments::parse().task {
        None => speak_protocol(setup).map(succeed),
        Some(Task::Perft(arguments)) => tools::perft::run(&arguments).map(succeed),
        Some(Task::Bench) => tools::bench::run().map(succeed),
        Some(Task::Match(arguments)) => play_match(*arguments),
        Some(Task::Solve(arguments)) => tools::solve::run(&arguments).map(succeed),
        Some(Task::Selfplay(arguments)) => tools::selfplay::run(&arguments).map(succeed),
        Some(Task::Tune(arguments)) => tools::tune::run(&arguments).map(succeed),
        #[cfg(feature = "play")]
        Some(Task::Play(arguments)) => kakugo::play::run(&arguments).map(succeed),
        Some(Task::Analyze(arguments)) => tools::analyze::run(&arguments).map(succeed),
        Some(Task::Convert(arguments)) => tools::convert::run(&arguments).map(succeed),
        Some(Task::Completions { shell }) => {
            let mut command = Arguments::command();
            clap_complete::generate(shell, &mut command, "pbrain-kakugo", &mut io::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Some(Task::Man) => print_manual().map(succeed),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pbrain-kakugo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The exit code of what cannot end otherwise.
fn succeed(_: ()) -> ExitCode {
    ExitCode::SUCCESS
}

/// The arena knows the rules only: proofs and values it gets from here.
fn play_match(arguments: arena::Args) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe()?;
    let services = arena::Services {
        prove: Some(&tools::judge::prove),
        evaluate: Some(&tools::judge::evaluate),
        program: &program,
    };
    arena::run(arguments, services)
}

/// The man page: the program, then each subcommand.
fn print_manual() -> anyhow::Result<()> {
    let mut command = Arguments::command();
    command.build();
    let mut output = io::stdout();
    clap_mangen::Man::new(command.clone()).render(&mut output)?;
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(&mut output)?;
    }
    Ok(())
}

/// Some managers take stderr for answers, so it stays silent unless `RUST_LOG` or `KAKUGO_LOG`
/// asks.
fn start_log() {
    let asks = |variable: &&&str| std::env::var_os(variable).is_some();
    if let Some(variable) = ["KAKUGO_LOG", "RUST_LOG"].iter().find(asks) {
        env_logger::Builder::from_env(*variable).init();
    }
}

fn speak_protocol(setup: protocol::Setup) -> anyhow::Result<()> {
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if io::stdin().is_terminal() {
        eprintln!("pbrain-kakugo speaks the Gomocup protocol: try START 15, BEGIN, TURN 7,8, END.");
        eprintln!("For other uses see --help.");
    }
    thread::Builder::new().name("hang-up".to_owned()).spawn(|| {
        if protocol::stdout_hung_up() {
            process::exit(0);
        }
    })?;
    protocol::serve(io::stdin(), io::stdout(), setup)
}
