//! Solves positions: finds the forced wins of problems, and counts those of a test suite.
//!
//! A test suite has JSON lines with the fields `rule` (Gomocup number), `size`, `moves` (Black first,
//! alternating), `kind` and `win_moves`. A position counts as solved if the search finds a forced
//! win. Wins with a known first move are counted separately, because other moves may win, too.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::analyze::outcome_in_words;
use super::convert;
use super::positions::PositionArgs;
use kakugo::board::{Board, Outcome, Point, Rule, UnsupportedSize, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_record::analysis::win::with_its_end;
use kakugo_record::notation::{name, names};

/// Solve positions: find a forced win and its line
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Position such as h8h9i8, game file with one or many positions, or `-` for stdin; or a test
    /// suite of JSON lines with `rule` (Gomocup number), `size`, `moves`; optional: `kind`,
    /// `win_moves`
    positions: String,
    #[command(flatten)]
    input: PositionArgs,
    /// Time per position, in milliseconds
    #[arg(long, default_value_t = 1000)]
    time: u64,
    /// Size of the transposition table, in megabytes
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Test suites: print every position that was not solved
    #[arg(long)]
    unsolved: bool,
    /// Positions: print one line of JSON for each
    #[arg(long)]
    json: bool,
}

/// Counts of one class of positions.
#[derive(Default)]
struct Tally {
    positions: u32,
    solved: u32,
    /// Positions whose best move is one of the known winning moves.
    known: u32,
    time: Duration,
}

/// Runs `solve`, which prints to stdout.
///
/// # Errors
/// Returns an error if the file cannot be read or has no valid position.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let path = Path::new(&args.positions);
    if path.is_file() {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        if bytes.trim_ascii_start().starts_with(b"{") {
            let text = String::from_utf8(bytes)
                .with_context(|| format!("reading positions from {}", path.display()))?;
            return run_suite(args, path, &text);
        }
    }
    let mut engine = Engine::new(args.hash << 20);
    let mut output = std::io::stdout();
    let (mut count, mut solved) = (0, 0);
    let input = args.input.read(&args.positions)?;
    let is_record = input.is_record;
    input.for_each(|number, label, tree| {
        let board = convert::final_position(&args.input.main_line(label, &tree, is_record))?;
        let found = solve(args, &mut engine, &board);
        count += 1;
        solved += u32::from(found.wins);
        writeln!(output, "{}", if args.json { found.json(number) } else { found.line(number) })?;
        Ok(())
    })?;
    if count > 1 && !args.json {
        writeln!(output, "\nsolved {solved} of {count}")?;
    }
    Ok(())
}

/// The result of solving one position.
struct Found {
    board: Board,
    wins: bool,
    score: String,
    /// Moves of the winner up to the five.
    moves: Option<usize>,
    line: Vec<Point>,
}

fn solve(args: &SolveArgs, engine: &mut Engine, board: &Board) -> Found {
    let board = board.clone();
    if board.outcome() != Outcome::Ongoing {
        let score = outcome_in_words(board.outcome());
        return Found { board, wins: false, score, moves: None, line: Vec::new() };
    }
    engine.clear();
    let turn = Some(Duration::from_millis(args.time));
    let limits = Limits { start: Instant::now(), turn, ..Limits::default() };
    let signals = Signals::default();
    let answer = engine.think(&board, &limits, &signals, &mut Silent);
    Found {
        wins: answer.score.is_win(),
        score: answer.score.to_string(),
        moves: answer.score.plies_to_five().map(|plies| plies.div_ceil(2)),
        line: with_its_end(&board, answer.score, &answer.pv, &signals),
        board,
    }
}

impl Found {
    /// Returns the result as text: whether the position is won, in how many moves, and the line.
    fn line(&self, number: usize) -> String {
        let side = self.board.side_to_move();
        if self.board.outcome() != Outcome::Ongoing {
            return format!("{number:>4}  the game is over: {}", self.score);
        }
        let line = names(&self.line, self.board.height());
        let in_moves = |moves| convert::counted(moves, "move");
        match self.moves {
            Some(moves) if self.wins => {
                format!("{number:>4}  {side} wins in {}: {line}", in_moves(moves))
            }
            Some(moves) => format!("{number:>4}  {side} loses in {}: {line}", in_moves(moves)),
            None => {
                format!("{number:>4}  no win found for {side} (evaluation {}): {line}", self.score)
            }
        }
    }

    fn json(&self, number: usize) -> String {
        let height = self.board.height();
        let is_over = self.board.outcome() != Outcome::Ongoing;
        json!({
            "number": number,
            "rule": self.board.variant().to_string(),
            "to_move": self.board.side_to_move().to_string(),
            "over": is_over,
            "wins": self.wins,
            "moves": self.moves,
            "eval": Some(&self.score).filter(|_| !is_over),
            "line": self.line.iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
        })
        .to_string()
    }
}

/// Solves a test suite and prints a table of counts.
fn run_suite(args: &SolveArgs, path: &Path, text: &str) -> anyhow::Result<()> {
    let mut output = std::io::stdout();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut engine = Engine::new(args.hash << 20);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let context = || format!("{} line {}", path.display(), number + 1);
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
    ensure!(!tallies.is_empty(), "{} contains no positions", path.display());
    let [class, positions, solved] = ["class", "positions", "solved"];
    writeln!(output, "{class:28} {positions:>9} {solved:>7} {:>7} {:>9}", "known", "seconds")?;
    for (class, t) in &tallies {
        let seconds = t.time.as_secs_f64();
        let Tally { positions, solved, known, .. } = t;
        writeln!(output, "{class:28} {positions:>9} {solved:>7} {known:>7} {seconds:>9.2}")?;
    }
    Ok(())
}

/// Parses a list of points `[column, row]`.
fn points(value: &Value) -> anyhow::Result<Vec<Point>> {
    let point = |xy: &Value| {
        let coordinate = |i: usize| u8::try_from(xy[i].as_u64()?).ok();
        let point = || Point::new(coordinate(0)?, coordinate(1)?);
        point().with_context(|| format!("invalid point {xy}: expected [column, row]"))
    };
    let list = value.as_array().context("expected a list of points [column, row]")?;
    list.iter().map(point).collect()
}

/// Returns a numeric field of a position.
fn number(case: &Value, field: &str) -> anyhow::Result<u64> {
    match &case[field] {
        Value::Null => bail!("missing field '{field}'"),
        value => {
            value.as_u64().with_context(|| format!("invalid {field} {value}: expected a number"))
        }
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
    fn help_example_is_a_valid_position() {
        let line = examples::SOLVE.lines().find(|line| line.trim().starts_with('{'));
        let case: Value = serde_json::from_str(line.unwrap()).unwrap();
        let board = read_board(&case).unwrap();
        let wins = points(&case["win_moves"]).unwrap();
        let limits = Limits { max_nodes: Some(5000), ..Limits::default() };
        let answer = Engine::new(1 << 20).think(&board, &limits, &Signals::default(), &mut Silent);
        assert!(answer.score.is_win() && wins.contains(&answer.best.unwrap()));
    }

    #[test]
    fn errors_distinguish_missing_and_invalid_numbers() {
        let error = |case: Value| format!("{:#}", read_board(&case).unwrap_err());
        assert_eq!(error(json!({ "size": 15, "moves": [] })), "missing field 'rule'");
        let named = json!({ "rule": "renju", "size": 15, "moves": [] });
        assert_eq!(error(named), "invalid rule \"renju\": expected a number");
        assert_eq!(error(json!({ "rule": 0, "moves": [] })), "missing field 'size'");
        let large = error(json!({ "rule": 0, "size": 300, "moves": [] }));
        assert!(large.starts_with("unsupported board size 300x300"), "{large}");
    }

    #[test]
    fn moves_must_be_a_list() {
        for wrong in [Value::Null, json!("h8h9"), json!({ "x": 7 })] {
            let error = read_board(&json!({ "rule": 0, "size": 15, "moves": wrong })).unwrap_err();
            assert_eq!(format!("{error:#}"), "moves: expected a list of points [column, row]");
        }
    }

    #[test]
    fn invalid_points_are_rejected() {
        let case = |moves: Value| json!({ "rule": 0, "size": 15, "moves": moves });
        assert_eq!(read_board(&case(json!([[7, 7], [8, 8]]))).unwrap().ply(), 2);
        for wrong in [json!([8, 300]), json!([8]), json!([-1, 2]), json!("h8")] {
            let error = read_board(&case(json!([[7, 7], wrong, [8, 8]]))).unwrap_err();
            assert!(format!("{error:#}").contains("invalid point"), "{error:#}");
        }
    }
}
