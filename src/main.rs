//! The command line.

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(name = "pbrain-kakugo", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play matches between engines
    Match(Box<kakugo::arena::Args>),
}

fn main() -> anyhow::Result<ExitCode> {
    env_logger::init();
    let Command::Match(args) = Cli::parse().command;
    let program = std::env::current_exe()?;
    kakugo::arena::run(
        *args,
        kakugo::arena::Services { prove: None, evaluate: None, program: &program },
    )
}
