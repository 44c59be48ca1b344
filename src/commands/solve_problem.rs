//! The problems that `solve` works on: positions of game files, JSON lines, and the built-in pack.

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::Value;

use super::source::outcome_in_words;
use kakugo::board::{Board, Outcome, Point, Rule, UnsupportedSize, Variant};
use kakugo_record::problems;
use kakugo_record::text::sanitize;

/// A position to solve.
pub(super) struct Problem {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// Its name in the file; may be empty.
    pub(super) name: String,
    pub(super) board: Board,
    /// The rule was assumed, because the file does not state one.
    pub(super) assumes_rule: bool,
    /// Class for the table of results, if there is one.
    pub(super) kind: Option<String>,
    /// First moves that are known to be right.
    pub(super) right: Vec<Point>,
    /// True if the side to move is to find a defence, not a win.
    pub(super) is_defence: bool,
}

impl Problem {
    /// Returns a problem, unless its game is over.
    pub(super) fn new(number: usize, name: String, board: Board) -> anyhow::Result<Problem> {
        let outcome = board.outcome();
        ensure!(outcome == Outcome::Ongoing, "the game is over: {}", outcome_in_words(outcome));
        let (kind, right) = (None, Vec::new());
        Ok(Problem { number, name, board, assumes_rule: false, kind, right, is_defence: false })
    }

    /// Parses a line of JSON.
    pub(super) fn of_json(number: usize, line: &str) -> anyhow::Result<Problem> {
        let case: Value = serde_json::from_str(line).map_err(invalid_json)?;
        let board = read_board(&case)?;
        let right = match &case["win_moves"] {
            Value::Null => Vec::new(),
            wins => points(wins).context("win_moves")?,
        };
        let name = match &case["id"] {
            Value::Null => String::new(),
            Value::String(name) => sanitize(name),
            id => id.to_string(),
        };
        let kind = case["kind"].as_str().unwrap_or("?").to_owned();
        Ok(Problem { kind: Some(kind), right, ..Problem::new(number, name, board)? })
    }

    /// Returns a problem of the built-in pack.
    pub(super) fn of_pack(number: usize, problem: &problems::Problem) -> anyhow::Result<Problem> {
        let step = problem.step;
        Ok(Problem {
            kind: Some(format!("{} {}", step.number(), step.words())),
            right: problem.right.clone(),
            is_defence: step.is_defence(),
            ..Problem::new(number, format!("{}, {}", problem.rule, step.words()), problem.board())?
        })
    }
}

/// Returns the error of a line that is not JSON. Its number is that of the file, not of the line.
fn invalid_json(error: serde_json::Error) -> anyhow::Error {
    let (text, column) = (error.to_string(), error.column());
    let what = text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what);
    anyhow!("invalid JSON at column {column}: {what}")
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
    use kakugo::search::{Engine, Limits, Signals, Silent};

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
    fn invalid_json_is_located_by_its_column() {
        let error = Problem::of_json(1, "{x}").err().unwrap().to_string();
        assert_eq!(error, "invalid JSON at column 2: key must be a string");
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
