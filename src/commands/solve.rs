//! Solving test positions: how many forced wins are found in a given time.
//!
//! Reads JSON lines with the fields `rule` (Gomocup number), `size`, `moves` (Black first,
//! alternating), `kind` and `win_moves`. A position counts as solved if the search claims a forced
//! win; whether its first move is among the known ones is reported apart, since others may win, too.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::Value;

use kakugo::board::{Board, Point, Rule, UnsupportedSize, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};

/// Solve the positions of a file and report how many forced wins were found.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// JSON lines with `rule` (Gomocup's number), `size`, `moves` (Black first), and if known `kind` and `win_moves`.
    file: PathBuf,
    /// Time per position, in milliseconds.
    #[arg(long, default_value_t = 1000)]
    time: u64,
    /// Transposition table, in megabytes.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Print every position that was not solved.
    #[arg(long)]
    unsolved: bool,
}

/// Counts of one class of positions.
#[derive(Default)]
struct Tally {
    positions: u32,
    solved: u32,
    known: u32,
    time: Duration,
}

/// Run `solve` and print a table to stdout.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let mut output = std::io::stdout();
    let text = std::fs::read_to_string(&args.file)
        .with_context(|| format!("reading positions from {}", args.file.display()))?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut engine = Engine::new(args.hash << 20);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let context = || format!("{} line {}", args.file.display(), number + 1);
        let case: Value = serde_json::from_str(line).with_context(context)?;
        let board = read_board(&case).with_context(context)?;
        let wins = match &case["win_moves"] {
            Value::Null => Vec::new(),
            wins => points(wins).context("win_moves").with_context(context)?,
        };
        engine.clear();
        let start = Instant::now();
        let turn = Some(Duration::from_millis(args.time));
        let limits = Limits { start, turn, ..Limits::default() };
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        let solved = answer.score.is_win();
        let known = answer.best.is_some_and(|p| wins.contains(&p));
        let kind = case["kind"].as_str().unwrap_or("?");
        for class in [format!("{kind}, {}", board.variant()), kind.to_owned(), "~ all".to_owned()] {
            let tally = tallies.entry(class).or_default();
            tally.positions += 1;
            tally.solved += u32::from(solved);
            tally.known += u32::from(known);
            tally.time += start.elapsed();
        }
        if args.unsolved && !solved {
            let best = answer.best.map_or(String::new(), |p| p.to_string());
            writeln!(output, "unsolved {} {kind}: {best} score {}", case["id"], answer.score)?;
        }
    }
    ensure!(!tallies.is_empty(), "{} holds no positions", args.file.display());
    let [class, positions, solved] = ["class", "positions", "solved"];
    writeln!(output, "{class:28} {positions:>9} {solved:>7} {:>7} {:>9}", "known", "seconds")?;
    for (class, t) in &tallies {
        let seconds = t.time.as_secs_f64();
        let Tally { positions, solved, known, .. } = t;
        writeln!(output, "{class:28} {positions:>9} {solved:>7} {known:>7} {seconds:>9.2}")?;
    }
    Ok(())
}

/// The points of a list.
fn points(value: &Value) -> anyhow::Result<Vec<Point>> {
    let point = |xy: &Value| {
        let coordinate = |i: usize| u8::try_from(xy[i].as_u64()?).ok();
        let point = || Point::new(coordinate(0)?, coordinate(1)?);
        point().with_context(|| format!("{xy} is no point"))
    };
    value.as_array().context("no list of points")?.iter().map(point).collect()
}

/// A number among the fields of a position.
fn number(case: &Value, field: &str) -> anyhow::Result<u64> {
    match &case[field] {
        Value::Null => bail!("no {field}"),
        value => value.as_u64().with_context(|| format!("{field} is no number: {value}")),
    }
}

fn read_board(case: &Value) -> anyhow::Result<Board> {
    let rule = number(case, "rule")?;
    let rule = Rule::ALL
        .into_iter()
        .find(|known| u64::from(known.number()) == rule)
        .with_context(|| format!("unknown rule {rule}"))?;
    let size = number(case, "size")?;
    let lines = u32::try_from(size).unwrap_or(u32::MAX);
    let side = u8::try_from(size).map_err(|_| UnsupportedSize { width: lines, height: lines })?;
    let mut board = Board::new(side, side, Variant::five(rule))?;
    for p in points(&case["moves"]).context("moves")? {
        board.play(p)?;
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::examples;

    #[test]
    fn the_line_in_the_help_is_a_position() {
        let line = examples::SOLVE.lines().find(|line| line.trim().starts_with('{'));
        let case: Value = serde_json::from_str(line.unwrap()).unwrap();
        let board = read_board(&case).unwrap();
        let wins = points(&case["win_moves"]).unwrap();
        let limits = Limits { max_nodes: Some(5000), ..Limits::default() };
        let answer = Engine::new(1 << 20).think(&board, &limits, &Signals::default(), &mut Silent);
        assert!(answer.score.is_win() && wins.contains(&answer.best.unwrap()));
    }

    #[test]
    fn a_field_that_is_no_number_is_not_called_missing() {
        let told = |case: Value| format!("{:#}", read_board(&case).unwrap_err());
        assert_eq!(told(json!({ "size": 15, "moves": [] })), "no rule");
        let named = json!({ "rule": "renju", "size": 15, "moves": [] });
        assert_eq!(told(named), "rule is no number: \"renju\"");
        assert_eq!(told(json!({ "rule": 0, "moves": [] })), "no size");
        let large = told(json!({ "rule": 0, "size": 300, "moves": [] }));
        assert!(large.starts_with("unsupported board size 300x300"), "{large}");
    }

    #[test]
    fn moves_that_are_no_list_are_no_empty_board() {
        for wrong in [Value::Null, json!("h8h9"), json!({ "x": 7 })] {
            let error = read_board(&json!({ "rule": 0, "size": 15, "moves": wrong })).unwrap_err();
            assert_eq!(format!("{error:#}"), "moves: no list of points");
        }
    }

    #[test]
    fn a_stone_that_is_no_point_is_not_left_out() {
        let case = |moves: Value| json!({ "rule": 0, "size": 15, "moves": moves });
        assert_eq!(read_board(&case(json!([[7, 7], [8, 8]]))).unwrap().ply(), 2);
        for wrong in [json!([8, 300]), json!([8]), json!([-1, 2]), json!("h8")] {
            let error = read_board(&case(json!([[7, 7], wrong, [8, 8]]))).unwrap_err();
            assert!(format!("{error:#}").contains("is no point"), "{error:#}");
        }
    }
}
