//! What the page is told, as JSON: the state of the game, findings of a search, a review.
//!
//! Values are always Black's expected result, per mille; points are `[x, y]` from the top left.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::game::end::{End, Forfeit};
use crate::game::live::{Action, LiveGame};
use crate::game::setup::PlayerKind;
use crate::game::status;
use crate::game::words;
use crate::kept::store::Listed;
use kakugo::board::{Board, Foul, Point, Side};
use kakugo::score::Score;
use kakugo_record::GameResult;
use kakugo_record::analysis::accuracy::{Accuracy, Grade, accuracy, losses};
use kakugo_record::analysis::puzzle::{Verdict, WinKind};
use kakugo_record::analysis::review::{Mistake, TurningPoint};
use kakugo_record::analysis::sequence::{ThreatKind, sequence};
use kakugo_record::analysis::threats::Threats;
use kakugo_record::book::Book;
use kakugo_record::explorer::{Explorer, PositionStats, Ruleset};
use kakugo_record::file::Format;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use super::findings::Findings;
use super::messages::digits_of;
use super::moves;
use super::note::Note;
use super::puzzles::{Hunt, Puzzle};
use super::sent::Head;
use super::trial::{Practice, Stage};

/// What belongs to a game's state besides the game.
pub struct Around<'a> {
    /// Whether clocks and computers wait.
    pub paused: bool,
    /// What is being thought about.
    pub thinking: Option<&'static str>,
    /// Number of lines analysed.
    pub analyse: Option<usize>,
    /// Values after so many stones.
    pub values: &'a [Option<u32>],
    /// A move suggested.
    pub hint: Option<Point>,
    /// Something to know about the latest change.
    pub note: Option<&'a Note>,
    /// Counts changes of the position.
    pub version: u64,
    /// Whether there is a review of this game, or a part of one.
    pub reviewed: bool,
    /// The review under way.
    pub under_way: Option<UnderWay>,
    /// The puzzle on the board.
    pub practice: Option<&'a Practice>,
}

/// How far a review has come.
pub struct UnderWay {
    /// Positions judged.
    pub done: usize,
    /// Of so many.
    pub total: usize,
    /// The players of its game, if that is not the one on the board.
    pub elsewhere: Option<Text>,
}

fn point(p: Point) -> Value {
    json!([p.x(), p.y()])
}

fn points<'a>(points: impl IntoIterator<Item = &'a Point>) -> Value {
    points.into_iter().map(|&p| point(p)).collect()
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The whole state of a game.
pub fn state(game: &LiveGame, around: &Around<'_>, now: Instant) -> Value {
    let board = game.board();
    let setup = game.setup();
    let line: Vec<Point> = game.line().collect();
    let side = board.side_to_move();
    let end = game.end();
    let choices: Vec<&str> = game.choices_offered().iter().map(|c| c.word()).collect();
    let steps = game.steps();
    let stones = steps.iter().filter(|step| matches!(step.action, Action::Stone(_)));
    let times: Vec<u64> = stones.map(|step| ms(step.spent)).collect();
    let nodes: Vec<u32> = game.nodes().iter().map(|node| node.number()).collect();
    json!({
        "type": "state",
        "version": around.version,
        "width": board.width(),
        "height": board.height(),
        "rule": setup.variant.rule().word(),
        "win": setup.variant.win_length(),
        "variant": words::variant(setup.variant),
        "opening": setup.opening.word(),
        "time": {
            "turn": setup.time.turn.map(ms),
            "game": setup.time.game.map(ms),
            "increment": ms(setup.time.increment),
            "thought": ms(setup.thought),
        },
        "moves": points(&line),
        "times": times,
        "at": board.ply(),
        "can_undo": game.can_undo(),
        "can_redo": game.can_redo(),
        "line": nodes,
        "step": game.at(),
        "node": game.node().number(),
        "below": moves::below(game),
        "main": game.tree().is_main(game.node()),
        "marks": moves::marks(game.tree().value(game.node())),
        "turn": side_word(side),
        "seat": game.turn(),
        "status": status::sentence(game),
        "end": end.as_ref().map(end_word),
        "told": game.told_end().is_some(),
        "winner": end.as_ref().and_then(End::winner).map(side_word),
        "row": points(&board.winning_line()),
        "forbidden": forbidden(game),
        "choices": choices,
        "players": Side::BOTH.map(|side| player(game, side, now)),
        "clock_runs": game.clock_runs(),
        "paused": around.paused,
        "thinking": around.thinking,
        "analyse": around.analyse,
        "values": around.values,
        "reviewed": around.reviewed,
        "reviewing": around.under_way.as_ref().map(|review| json!({
            "done": review.done,
            "total": review.total,
            "elsewhere": review.elsewhere,
        })),
        "hint": around.hint.map(point),
        "practice": around.practice.map(practice),
        "note": around.note.map(|note| &note.text),
        "note_to_all": around.note.is_some_and(|note| note.to_all),
    })
}

fn player(game: &LiveGame, side: Side, now: Instant) -> Value {
    let index = game.seat_of(side);
    let seat = &game.setup().seats[index];
    let (left, turn) = game.left(index, now);
    let (kind, number) = match seat.player {
        PlayerKind::Human => ("human", 0),
        PlayerKind::Kakugo(level) => ("kakugo", level),
        PlayerKind::Engine(engine) => ("engine", engine),
    };
    json!({
        "seat": index,
        "name": words::name(&seat.name),
        "kind": kind,
        "number": number,
        "left": left.map(ms),
        "turn_left": turn.map(ms),
        "used": ms(game.used_by(index, now)),
    })
}

/// A name that a record may lack.
fn told_name(name: &str) -> Option<Text> {
    (!name.is_empty()).then(|| words::name(name))
}

fn forbidden(game: &LiveGame) -> Value {
    let board = game.board();
    if game.end().is_some() || !board.variant().has_forbidden(Side::Black) {
        return json!([]);
    }
    let fouls = board.empty_points().filter_map(|p| {
        let foul = board.foul(p, Side::Black)?;
        Some(json!([p.x(), p.y(), foul_word(foul)]))
    });
    fouls.collect()
}

fn foul_word(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "6",
        Foul::DoubleFour => "44",
        Foul::DoubleThree => "33",
    }
}

fn end_word(end: &End) -> &'static str {
    match end {
        End::Row(_) => "row",
        End::Foul(_) => "foul",
        End::Full => "full",
        End::Told(..) => "told",
        End::Forfeit(_, Forfeit::Resigned) => "resigned",
        End::Forfeit(_, Forfeit::Time) => "time",
        End::Forfeit(_, Forfeit::Failed(_)) => "failed",
    }
}

/// How long the search under way has taken, and how many nodes it has seen.
pub fn pace(version: u64, elapsed: Duration, nodes: u64) -> Value {
    json!({
        "type": "pace",
        "version": version,
        "elapsed": ms(elapsed),
        "nodes": nodes,
        "speed": speed(nodes, elapsed),
    })
}

/// Nodes a second.
fn speed(nodes: u64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { (nodes as f64 / seconds).round() } else { 0.0 }
}

/// What a search has found so far.
pub fn findings(board: &Board, version: u64, findings: &Findings) -> Value {
    let black = board.side_to_move() == Side::Black;
    let view = |score: Score| if black { score } else { -score };
    let lines: Vec<Value> = findings
        .lines
        .iter()
        .map(|line| {
            let score = view(line.score);
            json!({
                "depth": line.depth,
                "score": score.to_string(),
                "permille": score.win_rate_permille(),
                "moves": points(&line.moves),
            })
        })
        .collect();
    let seen = findings.seen.as_ref();
    json!({
        "type": "analysis",
        "version": version,
        "lines": lines,
        "seldepth": findings.seldepth,
        "nodes": findings.nodes,
        "elapsed": ms(findings.elapsed),
        "speed": speed(findings.nodes, findings.elapsed),
        "threats": seen.map(|seen| seen.threats.each_ref().map(threats)),
        "heat": seen.map(|seen| {
            let heat = seen.candidates.iter().take(60);
            heat.map(|&(p, value)| json!([p.x(), p.y(), (value * 1000.0).round()]))
                .collect::<Value>()
        }),
    })
}

fn threats(threats: &Threats) -> Value {
    json!({
        "fives": points(&threats.fives),
        "open_fours": points(&threats.open_fours),
        "fours": points(&threats.fours),
        "open_threes": points(&threats.open_threes),
        "vcf": points(&threats.vcf),
    })
}

/// What a review says of the line shown, as far as it has come.
pub fn review(game: &LiveGame, book: Option<&Book>) -> Value {
    let nodes = game.reviewed_positions();
    let line: Vec<Point> = nodes.iter().filter_map(|&node| game.stone(node)).collect();
    let review = game.review_of(&nodes);
    let losses = losses(&review);
    let moves: Vec<Value> = (1..)
        .zip(&losses)
        .map(|(number, &loss)| {
            let grade = Grade::of(loss).map(|grade| match grade {
                Grade::Inaccuracy => "inaccuracy",
                Grade::Mistake => "mistake",
                Grade::Blunder => "blunder",
            });
            json!([nodes[number].number(), loss, grade])
        })
        .collect();
    let mut board = Board::new(game.board().width(), game.board().height(), game.setup().variant);
    let mut turning_points = review.turning_points.iter().peekable();
    let mut turning = Vec::new();
    for (i, &p) in line.iter().enumerate() {
        let Ok(board) = &mut board else { break };
        while let Some(point) = turning_points.next_if(|point| point.number == i + 1) {
            let mut told = turning_point(point);
            told["from"] = json!(nodes[i].number());
            told["node"] = json!(nodes[i + 1].number());
            let steps = sequence(board, &point.line);
            let is_won = steps.last().is_some_and(|step| step.makes == Some(ThreatKind::Five));
            told["goes_on"] = json!(point.mistake.is_missed_win() && !is_won);
            told["makes"] = steps.iter().map(|step| json!(step.makes.map(words::made))).collect();
            turning.push(told);
        }
        let _ = board.play(p);
    }
    json!({
        "type": "review",
        "positions": review.positions.len(),
        "of": nodes.len(),
        "shown": nodes == game.positions(),
        "moves": moves,
        "players": accuracy(&losses, game.given_stones()).map(|of_side| side_report(&of_side)),
        "turning_points": turning,
        "opening": book.map(|book| opening(game, book.explorer(), &nodes)),
    })
}

/// How often each move of a line was played in the position before it, up to the first that never was:
/// its node and point, the lines with it, and those that came to the position.
fn opening(game: &LiveGame, explorer: &Explorer, nodes: &[NodeId]) -> Value {
    let size = (game.board().width(), game.board().height());
    let variant = game.setup().variant;
    let stones: Vec<(NodeId, Point)> =
        nodes.iter().filter_map(|&node| Some((node, game.stone(node)?))).collect();
    let line: Vec<Point> = stones.iter().map(|&(_, p)| p).collect();
    let mut before = explorer.lookup(size, variant, &[]).0.lines;
    let mut told = Vec::new();
    for (ply, &(node, p)) in (1..).zip(&stones) {
        if before == 0 {
            break;
        }
        let lines = explorer.lookup(size, variant, &line[..ply]).0.lines;
        told.push(json!([node.number(), point(p), lines, before]));
        before = lines;
    }
    told.into()
}

fn side_report(accuracy: &Accuracy) -> Value {
    json!({
        "moves": accuracy.moves,
        "accuracy": (accuracy.percent * 10.0).round() / 10.0,
        "loss": accuracy.mean_loss.round(),
        "inaccuracies": accuracy.inaccuracies,
        "mistakes": accuracy.mistakes,
        "blunders": accuracy.blunders,
    })
}

fn turning_point(turning: &TurningPoint) -> Value {
    json!({
        "number": turning.number,
        "side": side_word(turning.side),
        "played": point(turning.played),
        "mistake": match turning.mistake {
            Mistake::MissedFours => "missed_fours",
            Mistake::MissedWin => "missed_win",
            Mistake::AllowedWin => "allowed_win",
            Mistake::Slip => "slip",
        },
        "before": turning.permille.0,
        "after": turning.permille.1,
        "line": points(&turning.line),
    })
}

/// Most moves of an opening that are told.
const MOST_NEXT: usize = 40;

/// What was played in a position, once the book has been read.
pub fn openings(book: Option<&Book>, board: &Board) -> Value {
    let Some(book) = book else { return json!({ "type": "openings", "reading": true }) };
    let explorer = book.explorer();
    let moves: Vec<Point> = board.stones().map(|stone| stone.point).collect();
    let size = (board.width(), board.height());
    let (here, next) = explorer.lookup(size, board.variant(), &moves);
    let told = |record: PositionStats| [record.lines, record.black, record.white, record.draws];
    let next = next.iter().take(MOST_NEXT);
    let next = next.map(|next| json!({ "move": point(next.point), "record": told(next.stats) }));
    json!({
        "type": "openings",
        "reading": false,
        "files": book.files(),
        "lines": explorer.lines(),
        "kinds": kinds(explorer, Ruleset::new(size.0, size.1, board.variant())),
        "here": told(here),
        "next": next.collect::<Vec<_>>(),
    })
}

/// What else the files hold where they hold no game of this kind.
fn kinds(explorer: &Explorer, kind: Ruleset) -> Value {
    if explorer.rulesets().iter().any(|(known, _)| *known == kind) {
        return json!([]);
    }
    let told = |(kind, lines): &(Ruleset, u64)| {
        json!([words::variant(kind.variant), kind.long, kind.short, lines])
    };
    explorer.rulesets().iter().map(told).collect()
}

/// The puzzles found so far.
pub fn puzzles(hunt: Option<&Hunt>) -> Value {
    let told = |puzzle: &Puzzle| {
        let mut told = about(puzzle);
        let [black, white] = &puzzle.setup.seats;
        told["black"] = json!(words::name(&black.name));
        told["white"] = json!(words::name(&white.name));
        told["width"] = json!(puzzle.setup.width);
        told["height"] = json!(puzzle.setup.height);
        told["moves"] = points(&puzzle.moves);
        told
    };
    json!({
        "type": "puzzles",
        "goes_on": hunt.is_some_and(|hunt| hunt.goes_on),
        "games": hunt.map_or(0, |hunt| hunt.done),
        "puzzles": hunt.iter().flat_map(|hunt| &hunt.puzzles).map(told).collect::<Vec<_>>(),
    })
}

/// What a puzzle is, without its solution.
fn about(puzzle: &Puzzle) -> Value {
    let (width, height) = (puzzle.setup.width, puzzle.setup.height);
    let moves = pos::write(puzzle.moves.iter().copied(), height, RowOrder::FromBottom);
    json!({
        "key": format!("{} {width}x{height} {moves}", puzzle.setup.variant),
        "side": side_word(puzzle.side),
        "kind": kind_of_win(puzzle.kind),
        "stones": puzzle.stones,
        "grade": puzzle.grade,
        "missed": puzzle.missed,
        "own": puzzle.own,
        "date": puzzle.date,
    })
}

/// What a win is made of.
fn kind_of_win(kind: WinKind) -> Text {
    match kind {
        WinKind::Five => text!("five"),
        WinKind::OpenFour => text!("open four"),
        WinKind::FourThree => text!("four-three"),
        WinKind::Fours => text!("fours (VCF)"),
        WinKind::Threats => text!("threats (VCT)"),
    }
}

fn practice(practice: &Practice) -> Value {
    let mut told = about(&practice.puzzle);
    let stage = match practice.stage {
        Stage::Try => "try",
        Stage::Judging(_) => "judging",
        Stage::Solved => "solved",
        Stage::Shown => "shown",
    };
    told["stage"] = json!(stage);
    told["hinted"] = json!(practice.hinted);
    told["mistakes"] = json!(practice.mistakes);
    if practice.asked_for_solution {
        told["solution"] = points(&practice.puzzle.line);
    }
    if let Some((tried, verdict)) = &practice.said {
        let (word, reply) = match verdict {
            Verdict::Solved => ("solved", None),
            Verdict::Right(reply) => ("right", Some(*reply)),
            Verdict::Wrong(reply) => ("wrong", *reply),
        };
        told["said"] =
            json!({ "verdict": word, "tried": point(*tried), "reply": reply.map(point) });
    }
    told
}

/// A record to be saved; its bytes are two hexadecimal digits each.
pub fn record(format: Format, bytes: &[u8]) -> Value {
    let (ending, kind) = match format {
        Format::Sgf => ("sgf", "application/x-go-sgf"),
        Format::Psq => ("psq", "text/plain"),
        Format::Rec => ("rec", "text/plain"),
        Format::RenLib => ("lib", "application/octet-stream"),
        _ => ("pos", "text/plain"),
    };
    let name = format!("kakugo.{ending}");
    json!({ "type": "record", "name": name, "kind": kind, "bytes": digits_of(bytes) })
}

/// Games of a file that are listed at once.
const GAMES_AT_ONCE: usize = 200;

/// Some of the games of a file, to choose one: those from this place on in the list of all.
pub fn games(heads: &[Head], from: usize) -> Value {
    let game = |head: &Head| {
        let game = &head.game;
        json!({
            "number": head.number,
            "black": told_name(&game.black),
            "white": told_name(&game.white),
            "event": game.event,
            "date": game.date,
            "variant": words::variant(game.variant),
            "moves": head.moves,
            "result": result_word(game.result),
        })
    };
    let some: Vec<Value> = heads.iter().skip(from).take(GAMES_AT_ONCE).map(game).collect();
    json!({ "from": from, "count": heads.len(), "games": some })
}

/// The games that are kept, the room's own among them.
pub fn kept(games: &[Listed], own: Option<&str>) -> Value {
    let game = |listed: &Listed| {
        let record = &listed.record;
        let (game, main) = (&record.game, record.main_line());
        json!({
            "id": listed.id,
            "own": own == Some(&*listed.id),
            "black": words::name(&game.black),
            "white": words::name(&game.white),
            "date": game.date,
            "variant": words::variant(game.variant),
            "width": game.width,
            "height": game.height,
            "result": result_word(game.result),
            "moves": main.points().map(point).collect::<Value>(),
        })
    };
    json!({ "type": "kept", "games": games.iter().map(game).collect::<Vec<_>>() })
}

/// Who won, in one word.
pub fn result_word(result: Option<GameResult>) -> Option<&'static str> {
    result.map(|result| match result {
        GameResult::Win(side) => side_word(side),
        GameResult::Draw => "draw",
    })
}
