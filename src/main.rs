//! `pbrain-kakugo`: the engine's one program.
use clap::{Parser, Subcommand};
use kakugo::tools;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions and print the node signature.
    Bench,
    Solve(tools::solve::SolveArgs),
    Selfplay(tools::selfplay::SelfplayArgs),
    Tune(tools::tune::TuneArgs),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Some(Command::Bench) => {
            let signature = tools::bench::run(|line| println!("{line}"))?;
            let nps = signature.nodes as f64 / signature.elapsed.as_secs_f64();
            println!("{nps:.0} nodes/s\n{}", signature.nodes);
        }
        Some(Command::Solve(args)) => tools::solve::run(&args)?,
        Some(Command::Selfplay(args)) => tools::selfplay::run(&args)?,
        Some(Command::Tune(args)) => tools::tune::run(&args)?,
        None => {}
    }
    Ok(())
}
