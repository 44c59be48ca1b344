//! Counts of legal move sequences (perft), which change if the rules change.
//!
//! A sequence ends with the game: after a win, or on a full board. Forbidden moves of Black are not
//! legal. The name comes from chess: "performance test, move path enumeration".

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Context;

use kakugo::board::perft::perft;
use kakugo::board::{Board, Rule, Size, Variant};
use kakugo_cli::usage::usage;

/// Count legal move sequences
#[derive(clap::Args, Clone, Debug)]
pub struct PerftArgs {
    /// Rule: freestyle, standard, renju, caro, caro-overline, or its number in the protocol
    #[arg(long, default_value = "freestyle")]
    pub rule: Rule,
    /// Board size, such as 15 or 20x12; each side 3 to 32
    #[arg(long, default_value = "15")]
    pub size: Size,
    /// Number of stones in a row that wins
    #[arg(long, default_value_t = 5, value_name = "N", alias = "win")]
    pub win_length: u8,
    /// Maximum length of a sequence, in moves
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
}

/// Runs `perft`, which prints a table of counts.
///
/// # Errors
/// Returns an error if rule, size and win length do not fit, or if stdout cannot be written.
pub fn run(args: &PerftArgs) -> anyhow::Result<()> {
    write_table(args, &mut io::stdout().lock())
}

/// Writes one row per depth, each as soon as it is known.
fn write_table(args: &PerftArgs, output: &mut impl Write) -> anyhow::Result<()> {
    let variant = Variant::new(args.rule, args.win_length).map_err(|error| usage(error.into()))?;
    let Size { width, height } = args.size;
    let mut board = Board::new(width, height, variant).map_err(|error| usage(error.into()))?;
    writeln!(output, "{variant} on {width}x{height}").context("writing the table")?;
    writeln!(output, "{:>5} {:>20} {:>10} {:>13}", "depth", "sequences", "ms", "sequences/s")?;
    for depth in 1..=args.depth {
        let start = Instant::now();
        let sequences = perft(&mut board, depth);
        let elapsed = start.elapsed();
        let speed = sequences as f64 / elapsed.as_secs_f64().max(1e-6);
        writeln!(output, "{depth:>5} {sequences:>20} {:>10} {speed:>13.0}", elapsed.as_millis())?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(args: PerftArgs) -> anyhow::Result<String> {
        let mut output = Vec::new();
        write_table(&args, &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn table_has_one_row_per_depth() {
        let size = Size { width: 4, height: 3 };
        let args = PerftArgs { rule: Rule::Standard, size, win_length: 3, depth: 3 };
        let table = table(args).unwrap();
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(rows[0], "standard, 3 in a row on 4x3");
        let counts: Vec<&str> =
            rows[2..].iter().map(|row| row.split_whitespace().nth(1).unwrap()).collect();
        assert_eq!(counts, ["12", "132", "1320"]);
    }

    #[test]
    fn errors_name_the_unsupported_value() {
        let args = |width, height, win_length| PerftArgs {
            rule: Rule::Renju,
            size: Size { width, height },
            win_length,
            depth: 1,
        };
        assert!(table(args(2, 15, 5)).unwrap_err().to_string().contains("2x15"));
        assert!(table(args(15, 15, 4)).unwrap_err().to_string().contains("win length 4"));
    }

    #[test]
    fn rules_are_parsed_from_name_or_number() {
        for rule in Rule::ALL {
            assert_eq!(rule.number().to_string().parse(), Ok(rule));
            assert_eq!(rule.word().to_uppercase().parse(), Ok(rule));
        }
        for bad in ["2", "", "caro overline", "renjus"] {
            assert!(bad.parse::<Rule>().is_err(), "{bad}");
        }
    }
}
