//! The bench searches fixed positions to fixed depths with one thread. The sum of nodes is its
//! signature.
//!
//! The signature must be the same on every machine and in every build. It changes only if the
//! search or the evaluation changes. The speed is printed for information.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Context;

use kakugo::bench::{CASES, Case};
use kakugo::board::Board;
use kakugo::search::{Answer, Networks};

/// Search fixed positions and print the node signature
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Evaluate with the network in FILE (`none`: classical evaluation); changes the signature
    #[arg(long = "net", value_name = "FILE")]
    pub networks: Option<Networks>,
}

/// Runs `bench`, which prints a line per position, the speed, and last the signature.
///
/// # Errors
/// Returns an error if stdout cannot be written.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let networks = args.networks.clone().unwrap_or_default();
    let mut output = io::stdout().lock();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (number, case) in CASES.iter().enumerate() {
        let board = case.board().with_context(|| format!("position {}", number + 1))?;
        let start = Instant::now();
        let answer = case.search(&board, 0, &networks);
        time += start.elapsed();
        nodes += answer.nodes;
        writeln!(output, "{}", line(case, &board, &answer))?;
    }
    writeln!(output, "{:.0} nodes/s\n{nodes}", nodes as f64 / time.as_secs_f64())?;
    Ok(())
}

fn line(case: &Case, board: &Board, answer: &Answer) -> String {
    let (width, height) = (board.width(), board.height());
    let best = answer.best.map_or("none".to_owned(), |p| p.to_string());
    format!(
        "{}, {width}x{height}, {} stones, depth {}: {best} score {} nodes {}",
        board.variant(),
        board.ply(),
        case.depth,
        answer.score,
        answer.nodes
    )
}
