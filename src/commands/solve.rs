//! Solves positions: is there a forced win, in how many moves, and by which line?
//!
//! Positions come as text, as game files with one or many positions, or as JSON lines with the fields
//! `rule` (Gomocup number), `size`, `moves` (Black first, alternating) and optionally `id`, `kind` and
//! `win_moves`. A position counts as solved if the search proves a win. Wins with a known first move
//! are counted separately, because other moves may win, too.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::analyze::outcome_in_words;
use super::convert;
use super::positions::PositionArgs;
use kakugo::board::{Board, Outcome, Point, Rule, UnsupportedSize, Variant};
use kakugo::proof::with_its_end;
use kakugo::search::{Answer, Engine, Limits, Signals, Silent};
use kakugo_record::Game;
use kakugo_record::analysis::drawing::sanitize;
use kakugo_record::notation::names;

/// Find forced wins: in a position, or in each problem of a file
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Position such as h8h9i8, file with one or many problems (set-up stones, drawn boards, games,
    /// JSON lines), or `-` for either on stdin
    #[arg(value_name = "POSITION")]
    position: String,
    #[command(flatten)]
    input: PositionArgs,
    /// Time per position, in milliseconds
    #[arg(long, default_value_t = 1000)]
    time: u64,
    /// Nodes per position (instead of --time)
    #[arg(long)]
    nodes: Option<u64>,
    /// Size of the transposition table, in megabytes
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Print only the problems that were not solved
    #[arg(long)]
    unsolved: bool,
    /// Print a line of JSON for each problem
    #[arg(long)]
    json: bool,
}

/// A position to solve.
struct Problem {
    /// Its number in the file, from 1.
    number: usize,
    /// Its name in the file; may be empty.
    name: String,
    board: Board,
    /// Class for the table of results, if the file has one.
    kind: Option<String>,
    /// First moves that are known to win.
    wins: Vec<Point>,
}

/// The result of the search in a problem.
struct Solution {
    answer: Answer,
    /// The line of a forced win or loss, up to the five if possible.
    line: Vec<Point>,
    time: Duration,
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

/// Solves problems and prints the results.
struct Solver<'a> {
    args: &'a SolveArgs,
    engine: Engine,
    /// Counts by class, of problems that have one.
    tallies: BTreeMap<String, Tally>,
    all: Tally,
}

/// Runs `solve`, which prints the result of each problem, and the counts if there are several.
///
/// # Errors
/// Returns an error if the position or file is missing or invalid.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let input = args.input.read(&args.position)?;
    let engine = Engine::new(args.hash << 20);
    let (tallies, all) = (BTreeMap::new(), Tally::default());
    let mut solver = Solver { args, engine, tallies, all };
    if let Some(lines) = input.json_lines() {
        let text = std::str::from_utf8(lines).with_context(|| format!("reading {}", input.name))?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let mut count = 0_usize;
        for (line, text) in lines {
            count += 1;
            if args.input.game.is_some_and(|game| game != count) {
                continue;
            }
            let problem = json_problem(args, count, text);
            solver.add(&problem.with_context(|| format!("{} line {line}", input.name))?, false)?;
        }
        if let Some(number) = args.input.game
            && solver.all.positions == 0
        {
            let count = convert::counted(count, "problem");
            bail!("--game {number} does not exist: {} contains {count}", input.name);
        }
        return solver.end();
    }
    let mut is_single = false;
    input.for_each("problem", |entry| {
        let game = args.input.main_line(&entry, input.is_record);
        let name = game_name(&game);
        is_single = entry.is_only;
        solver.add(&problem(entry.number, name, convert::final_position(&game)?)?, is_single)
    })?;
    if is_single { Ok(()) } else { solver.end() }
}

impl Solver<'_> {
    /// Solves a problem and prints the result: as text if it is the only one, or as a row.
    fn add(&mut self, problem: &Problem, is_single: bool) -> anyhow::Result<()> {
        let solution = solve(self.args, problem, &mut self.engine);
        let solved = solution.answer.score.is_win();
        let known = solution.answer.best.is_some_and(|p| problem.wins.contains(&p));
        let kind = problem.kind.as_deref();
        let classes =
            kind.map(|kind| [format!("{kind}, {}", problem.board.variant()), kind.to_owned()]);
        for class in classes.into_iter().flatten() {
            self.tallies.entry(class).or_default().add(solved, known, solution.time);
        }
        self.all.add(solved, known, solution.time);
        if self.args.unsolved && solved {
            return Ok(());
        }
        let mut output = std::io::stdout();
        if self.args.json {
            writeln!(output, "{}", solution.json(problem))?;
        } else if is_single {
            write!(output, "{}", solution.text(problem))?;
        } else {
            writeln!(output, "{}", solution.row(problem))?;
        }
        Ok(output.flush()?)
    }

    /// Prints the counts.
    fn end(self) -> anyhow::Result<()> {
        let Solver { args, mut tallies, all, .. } = self;
        let mut output = std::io::stdout();
        if args.json {
            return Ok(());
        }
        if tallies.is_empty() {
            let Tally { positions, solved, time, .. } = all;
            let seconds = time.as_secs_f64();
            let positions = convert::counted(positions, "problem");
            writeln!(output, "\n{positions}: {solved} won, {seconds:.1} s")?;
            return Ok(());
        }
        tallies.insert("~ all".to_owned(), all);
        let [class, positions, solved] = ["class", "positions", "solved"];
        writeln!(
            output,
            "\n{class:28} {positions:>9} {solved:>7} {:>7} {:>9}",
            "known", "seconds"
        )?;
        for (class, t) in &tallies {
            let seconds = t.time.as_secs_f64();
            let Tally { positions, solved, known, .. } = t;
            writeln!(output, "{class:28} {positions:>9} {solved:>7} {known:>7} {seconds:>9.2}")?;
        }
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, solved: bool, known: bool, time: Duration) {
        self.positions += 1;
        self.solved += u32::from(solved);
        self.known += u32::from(known);
        self.time += time;
    }
}

/// Searches for a forced win in a position whose game is not over.
fn solve(args: &SolveArgs, problem: &Problem, engine: &mut Engine) -> Solution {
    engine.clear();
    let start = Instant::now();
    let limits = Limits {
        start,
        turn: args.nodes.is_none().then(|| Duration::from_millis(args.time)),
        max_nodes: args.nodes,
        ..Limits::default()
    };
    let signals = Signals::default();
    let answer = engine.think(&problem.board, &limits, &signals, &mut Silent);
    let line = if answer.score.is_decided() {
        with_its_end(&problem.board, answer.score, &answer.pv, &signals)
    } else {
        answer.pv.clone()
    };
    Solution { answer, line, time: start.elapsed() }
}

impl Solution {
    /// Returns the moves of the winner to the five, of a win or loss in this number of plies.
    fn moves(plies: usize) -> usize {
        plies.div_ceil(2)
    }

    /// Returns the result in words, such as `Black wins in 4 moves`.
    fn result(&self, problem: &Problem) -> String {
        let side = problem.board.side_to_move();
        let score = self.answer.score;
        match score.plies_to_five() {
            Some(plies) => {
                let winner = if score.is_win() { side } else { side.opponent() };
                let moves =
                    convert::counted(u8::try_from(Self::moves(plies)).unwrap_or(u8::MAX), "move");
                format!("{winner} wins in {moves}")
            }
            None => format!("no forced win found for {side}"),
        }
    }

    /// Returns the result for a person, with the line.
    fn text(&self, problem: &Problem) -> String {
        let Problem { board, .. } = problem;
        let Answer { score, depth, nodes, .. } = self.answer;
        let what = if score.is_decided() { "line" } else { "best" };
        let line = names(&self.line, board.height());
        let seconds = self.time.as_secs_f64();
        let eval = if score.is_decided() { String::new() } else { format!("evaluation {score}, ") };
        format!(
            "{}\n{what}: {line}\n\n{} to move, {}; {eval}depth {depth}, {nodes} nodes, {seconds:.2} s\n",
            self.result(problem),
            board.side_to_move(),
            board.variant(),
        )
    }

    /// Returns the result as a row of a list.
    fn row(&self, problem: &Problem) -> String {
        let line = names(&self.line, problem.board.height());
        let name =
            if problem.name.is_empty() { String::new() } else { format!("{}: ", problem.name) };
        format!("{:>4}  {name}{}: {line}", problem.number, self.result(problem))
    }

    /// Returns the result as JSON.
    fn json(&self, problem: &Problem) -> Value {
        let Problem { number, name, board, .. } = problem;
        let score = self.answer.score;
        let result = match score {
            _ if score.is_win() => "win",
            _ if score.is_loss() => "loss",
            _ => "unknown",
        };
        let plies = score.plies_to_five();
        json!({
            "problem": number,
            "name": name,
            "rule": board.variant().to_string(),
            "width": board.width(),
            "height": board.height(),
            "to_move": board.side_to_move().to_string(),
            "result": result,
            "plies": plies,
            "moves": plies.map(Self::moves),
            "eval": score.to_string(),
            "line": self.line.iter().map(|&p| names(&[p], board.height())).collect::<Vec<_>>(),
            "depth": self.answer.depth,
            "nodes": self.answer.nodes,
            "ms": u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

/// Returns the name of a problem in a game file: the event, or the players.
fn game_name(game: &Game) -> String {
    let players = [&game.black, &game.white].map(|name| sanitize(name));
    match (game.event.is_empty(), players) {
        (false, _) => sanitize(&game.event),
        (true, [black, white]) if black.is_empty() && white.is_empty() => String::new(),
        (true, [black, white]) => format!("{black} - {white}"),
    }
}

/// Returns a problem, unless its game is over.
fn problem(number: usize, name: String, board: Board) -> anyhow::Result<Problem> {
    let outcome = board.outcome();
    ensure!(outcome == Outcome::Ongoing, "the game is over: {}", outcome_in_words(outcome));
    Ok(Problem { number, name, board, kind: None, wins: Vec::new() })
}

/// Parses a line of JSON.
fn json_problem(args: &SolveArgs, number: usize, line: &str) -> anyhow::Result<Problem> {
    let case: Value = serde_json::from_str(line)?;
    let mut board = read_board(&case)?;
    if let Some(side) = args.input.board.to_move() {
        board.set_side_to_move(side);
    }
    let wins = match &case["win_moves"] {
        Value::Null => Vec::new(),
        wins => points(wins).context("win_moves")?,
    };
    let name = match &case["id"] {
        Value::Null => String::new(),
        Value::String(name) => sanitize(name),
        id => id.to_string(),
    };
    let kind = case["kind"].as_str().unwrap_or("?").to_owned();
    Ok(Problem { kind: Some(kind), wins, ..problem(number, name, board)? })
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
