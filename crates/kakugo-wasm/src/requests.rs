//! Requests and replies.

use std::time::Duration;

use kakugo::bench::CASES;
use kakugo::board::perft::perft;
use kakugo::clock::Instant;
use kakugo::eval::network::{NetworkTables, unpacked};
use kakugo::search::Networks;
use kakugo::{
    Board, Engine, Foul, Level, Limits, Line, Outcome, Point, Rule, Score, Side, StopHandle,
    WinKind,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::abi;
use crate::position::{Points, PositionJson};

/// Transposition table of a new session, in MB.
const HASH_MB: usize = 32;
/// Maximum transposition table, in MB: a module has 4 GB.
const MAX_HASH_MB: usize = 2048;
/// Maximum depth of [`Request::Perft`].
const MAX_PERFT: u32 = 8;

/// A request.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[serde(deny_unknown_fields)]
enum Request {
    /// Use the packed network in the attachment for its rule.
    Network,
    /// List the names of the networks that searches of a position use, or those of the bench.
    Networks {
        #[serde(default)]
        position: Option<PositionJson>,
    },
    /// Set the size of the transposition table.
    Hash { mb: usize },
    /// Forget everything about earlier searches.
    NewGame,
    /// Find the best move.
    BestMove {
        position: PositionJson,
        #[serde(default)]
        limits: LimitsJson,
        #[serde(default)]
        level: Option<usize>,
    },
    /// Find the best lines.
    Analyze {
        position: PositionJson,
        #[serde(default)]
        limits: LimitsJson,
    },
    /// Find a forced win.
    Solve {
        position: PositionJson,
        #[serde(default)]
        limits: LimitsJson,
    },
    /// State whose turn it is, the result on the board and the legal points.
    Status { position: PositionJson },
    /// List the points that renju forbids to Black.
    ForbiddenPoints { position: PositionJson },
    /// Count sequences of moves.
    Perft { position: PositionJson, depth: u32 },
    /// Search the positions of the bench, each to its depth less `reduction`.
    Bench {
        #[serde(default)]
        reduction: u32,
    },
}

/// Limits of a search.
#[derive(Deserialize, Clone, PartialEq, Default, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct LimitsJson {
    /// Milliseconds.
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    lines: Option<usize>,
    /// The first moves to search, all of them.
    only: Option<Points>,
    /// First moves that are excluded.
    without: Option<Points>,
}

impl LimitsJson {
    fn limits(&self, board: &Board) -> Result<Limits, String> {
        let mut limits = Limits::new().stop(&StopHandle::polling(abi::stopped));
        if let Some(ms) = self.time {
            let time = Duration::try_from_secs_f64(ms / 1000.0);
            limits = limits.time(time.map_err(|_| format!("invalid time {ms}: expected ms"))?);
        }
        if let Some(nodes) = self.nodes {
            limits = limits.nodes(nodes);
        }
        if let Some(depth) = self.depth {
            limits = limits.depth(depth);
        }
        if let Some(points) = &self.only {
            limits = limits.only(points.parse(board)?);
        }
        if let Some(points) = &self.without {
            limits = limits.without(points.parse(board)?);
        }
        Ok(limits.lines(self.lines.unwrap_or(1)))
    }
}

/// The engine of a module with its networks.
pub struct Session {
    engine: Engine,
    networks: Networks,
}

impl Default for Session {
    fn default() -> Session {
        Session { engine: Engine::new(HASH_MB << 20), networks: Networks::default() }
    }
}

impl Session {
    /// Answers a request with `{"ok": …}` or `{"error": "…"}`.
    pub fn answer(&mut self, request: &str, attachment: &[u8]) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("request: {error}"));
        match request.and_then(|request| self.perform(request, attachment)) {
            Ok(value) => json!({ "ok": value }).to_string(),
            Err(error) => json!({ "error": error }).to_string(),
        }
    }

    fn perform(&mut self, request: Request, attachment: &[u8]) -> Result<Value, String> {
        Ok(match request {
            Request::Network => {
                self.networks.set(network(attachment)?);
                self.engine.set_networks(&self.networks);
                Value::Null
            }
            Request::Hash { mb } => {
                if !(1..=MAX_HASH_MB).contains(&mb) {
                    return Err(format!("invalid size {mb}: expected 1 to {MAX_HASH_MB} MB"));
                }
                self.engine.set_hash_bytes(mb << 20);
                Value::Null
            }
            Request::NewGame => {
                self.engine.clear();
                Value::Null
            }
            Request::Networks { position: None } => json!(NETWORKS.map(Rule::word)),
            Request::Networks { position: Some(position) } => {
                json!(network_of(&position.board()?).map(Rule::word).as_slice())
            }
            Request::BestMove { position, limits, level } => {
                let board = position.board()?;
                let limits = limits.limits(&board)?;
                let level = match level {
                    None => Level::default(),
                    Some(number) => Level::of(number)
                        .ok_or_else(|| format!("invalid level {number}: expected 1 to 10"))?,
                };
                let best = self.engine.best_move_at_level(&board, &limits, level);
                json!(best.map(|p| board.name(p)))
            }
            Request::Analyze { position, limits } => {
                let board = position.board()?;
                self.analysis(&board, &limits.limits(&board)?)
            }
            Request::Solve { position, limits } => {
                let board = position.board()?;
                forced_win(&board, &limits.limits(&board)?)
            }
            Request::Status { position } => status(&position.board()?),
            Request::ForbiddenPoints { position } => {
                let board = position.board()?;
                let point = |(p, foul)| json!({ "point": board.name(p), "foul": foul_word(foul) });
                board.forbidden_points().map(point).collect()
            }
            Request::Perft { position, depth } => {
                if depth > MAX_PERFT {
                    return Err(format!("invalid depth {depth}: expected at most {MAX_PERFT}"));
                }
                json!(perft(&mut position.board()?, depth))
            }
            Request::Bench { reduction } => bench(&self.networks, reduction)?,
        })
    }

    fn analysis(&mut self, board: &Board, limits: &Limits) -> Value {
        let report = |line: &Line| abi::report(&line_json(board, line).to_string());
        let analysis = self.engine.analyze_live(board, limits, report);
        let lines = analysis.lines.iter().map(|line| line_json(board, line));
        let value = json!({
            "best": analysis.best.map(|p| board.name(p)),
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "lines": lines.collect::<Vec<_>>(),
        });
        with_score(value, analysis.score)
    }
}

/// The rules with a network of their own.
const NETWORKS: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

/// Returns the rule whose network evaluates positions of a board; `None` if there is none.
fn network_of(board: &Board) -> Option<Rule> {
    let variant = board.variant();
    match variant.rule() {
        _ if variant.win_length() != 5 => None,
        Rule::Caro | Rule::CaroOverline => Some(Rule::Caro),
        rule @ (Rule::Freestyle | Rule::Standard | Rule::Renju) => Some(rule),
    }
}

fn forced_win(board: &Board, limits: &Limits) -> Value {
    json!(kakugo::solve(board, limits).map(|win| json!({
        "kind": if win.kind == WinKind::Fours { "fours" } else { "threats" },
        "moves": names(board, &win.line),
        "isComplete": win.is_complete,
    })))
}

fn status(board: &Board) -> Value {
    let outcome = board.outcome();
    let winner = match outcome {
        Outcome::Ongoing => None,
        Outcome::Win(side) => Some(side_word(side)),
        Outcome::Forbidden(_) => Some(side_word(Side::White)),
        Outcome::Draw => Some("draw"),
    };
    let is_over = outcome != Outcome::Ongoing;
    let is_legal = |p: &Point| !is_over && board.is_legal(*p);
    let legal: Vec<Point> = board.empty_points().filter(is_legal).collect();
    json!({
        "sideToMove": side_word(board.side_to_move()),
        "isOver": is_over,
        "winner": winner,
        "winningLine": names(board, &board.winning_line()),
        "legalPoints": names(board, &legal),
    })
}

/// Reads a packed network.
///
/// # Errors
/// Returns the reason if the bytes are not a network.
pub fn network(packed: &[u8]) -> Result<NetworkTables, String> {
    let bytes = unpacked(packed).ok_or("network: the file is damaged")?;
    NetworkTables::read(&bytes).map_err(|error| format!("network: {error}"))
}

/// Searches the positions of the bench, and returns its signature and the time.
///
/// # Errors
/// Returns an error if a position is not valid, which the tests of the engine exclude.
pub fn bench(networks: &Networks, reduction: u32) -> Result<Value, String> {
    let (mut nodes, mut ms, mut cases) = (0, 0.0, Vec::new());
    for case in &CASES {
        let board = case.board().ok_or("bench: invalid position")?;
        let start = Instant::now();
        let answer = case.search(&board, reduction, networks);
        let time = start.elapsed().as_secs_f64() * 1000.0;
        (nodes, ms) = (nodes + answer.nodes, ms + time);
        cases.push(json!({ "nodes": answer.nodes, "ms": time }));
    }
    Ok(json!({ "signature": nodes, "ms": ms, "cases": cases }))
}

fn line_json(board: &Board, line: &Line) -> Value {
    let value = json!({
        "rank": line.rank,
        "depth": line.depth,
        "selectiveDepth": line.selective_depth,
        "moves": names(board, &line.moves),
        "nodes": line.nodes,
        "ms": line.time.as_secs_f64() * 1000.0,
    });
    with_score(value, line.score)
}

/// Adds the fields of a score to an object.
fn with_score(mut object: Value, score: Score) -> Value {
    object["score"] = json!(score.value());
    object["mate"] = json!(score.mate());
    object["winRate"] = json!(score.win_rate());
    object
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

fn names(board: &Board, points: &[Point]) -> Vec<String> {
    points.iter().map(|&p| board.name(p)).collect()
}

const fn foul_word(foul: Foul) -> &'static str {
    match foul {
        Foul::DoubleThree => "double-three",
        Foul::DoubleFour => "double-four",
        Foul::Overline => "overline",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(request: &str) -> Value {
        serde_json::from_str(&Session::default().answer(request, &[])).unwrap()
    }

    #[test]
    fn a_best_move_completes_a_five() {
        let request = r#"{"do":"bestMove","position":{"moves":"h8a1i8a2j8a3k8a15"},
            "limits":{"time":1000}}"#;
        let best = answer(request)["ok"].as_str().unwrap().to_owned();
        assert!(["g8", "l8"].contains(&&*best), "{best}");
        let weak = r#"{"do":"bestMove","position":{},"level":1}"#;
        assert!(answer(weak)["ok"].is_string());
        let over = r#"{"do":"bestMove","position":{"moves":"h8a1i8a2j8a3k8a15l8"}}"#;
        assert_eq!(answer(over)["ok"], Value::Null);
    }

    #[test]
    fn analyses_have_lines_in_order() {
        let request = r#"{"do":"analyze","position":{"moves":"h8 h9 i9"},
            "limits":{"nodes":5000,"lines":3}}"#;
        let analysis = answer(request)["ok"].clone();
        let lines = analysis["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["moves"][0], analysis["best"]);
        assert_eq!(lines[2]["rank"], 3);
        assert!(lines.iter().all(|line| line["score"].is_i64() && line["mate"].is_null()));
        let request = r#"{"do":"analyze","position":{"moves":"h8 h9 i9"},
            "limits":{"nodes":500,"only":"a1","without":["b1"]}}"#;
        assert_eq!(answer(request)["ok"]["best"], "a1");
    }

    #[test]
    fn statuses_have_the_result_on_the_board() {
        let status = |position: &str| {
            answer(&format!(r#"{{"do":"status","position":{position}}}"#))["ok"].clone()
        };
        let count = |status: &Value| status["legalPoints"].as_array().map(Vec::len);
        let open = status(r#"{"rule":"renju","moves":"f8a1g8a15h6o1h7o15"}"#);
        assert_eq!((&open["sideToMove"], &open["winner"]), (&json!("black"), &Value::Null));
        // Without the point of a double three.
        assert_eq!((&open["isOver"], count(&open)), (&json!(false), Some(225 - 8 - 1)));
        let won = status(r#"{"moves":"h8a1i8a2j8a3k8a4l8"}"#);
        assert_eq!((&won["sideToMove"], &won["winner"]), (&json!("white"), &json!("black")));
        assert_eq!((&won["isOver"], count(&won)), (&json!(true), Some(0)));
        assert_eq!(won["winningLine"], json!(["h8", "i8", "j8", "k8", "l8"]));
        let foul = status(r#"{"rule":"renju","moves":"f8a1g8a15h6o1h7o15h8"}"#);
        assert_eq!((&foul["winner"], &foul["winningLine"]), (&json!("white"), &json!([])));
    }

    #[test]
    fn networks_follow_from_the_rule_as_it_is_read() {
        let networks = |position: &str| {
            answer(&format!(r#"{{"do":"networks","position":{position}}}"#))["ok"].clone()
        };
        assert_eq!(networks("{}"), json!(["freestyle"]));
        for rule in ["renju", "Renju", " RENJU ", "4"] {
            assert_eq!(networks(&format!(r#"{{"rule":"{rule}"}}"#)), json!(["renju"]), "{rule}");
        }
        assert_eq!(networks(r#"{"rule":"caro-overline"}"#), json!(["caro"]));
        assert_eq!(networks(r#"{"winLength":4}"#), json!([]));
        let all = json!(["freestyle", "standard", "renju", "caro"]);
        assert_eq!(answer(r#"{"do":"networks"}"#)["ok"], all);
    }

    #[test]
    fn wins_and_forbidden_points_are_found() {
        let win = r#"{"do":"solve","position":{"moves":"g8a1h8o1i6a15i7o15"}}"#;
        let win = answer(win)["ok"].clone();
        assert_eq!((&win["kind"], &win["isComplete"]), (&json!("threats"), &json!(true)));
        assert_eq!(answer(r#"{"do":"solve","position":{}}"#)["ok"], Value::Null);
        let forbidden = r#"{"do":"forbiddenPoints","position":
            {"rule":"renju","moves":"f8a1g8a15h6o1h7o15"}}"#;
        let expected = json!([{ "point": "h8", "foul": "double-three" }]);
        assert_eq!(answer(forbidden)["ok"], expected);
    }

    #[test]
    fn perft_counts_sequences() {
        let request = r#"{"do":"perft","position":{"width":3,"height":3},"depth":2}"#;
        assert_eq!(answer(request)["ok"], 72);
    }

    #[test]
    fn the_npm_package_has_the_version_of_the_crate() {
        let package: Value = serde_json::from_str(include_str!("../npm/package.json")).unwrap();
        assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn errors_are_replies() {
        for (request, wrong) in [
            ("", "request"),
            (r#"{"do":"fly"}"#, "fly"),
            (r#"{"do":"hash","mb":0}"#, "1 to 2048"),
            (r#"{"do":"network"}"#, "damaged"),
            (r#"{"do":"perft","position":{},"depth":9}"#, "at most 8"),
            (r#"{"do":"bestMove","position":{},"level":11}"#, "1 to 10"),
            (r#"{"do":"analyze","position":{},"limits":{"time":-1}}"#, "time"),
            (r#"{"do":"solve","position":{"moves":"x"}}"#, "x"),
        ] {
            let reply = answer(request);
            assert!(reply["error"].as_str().unwrap().contains(wrong), "{request}: {reply}");
        }
    }
}
