//! What the engine thinks of a position, or of every move of a game.

use std::cmp::Reverse;
use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::convert::{self, Rows};
use crate::analysis::drawing::{Style, draw};
use crate::analysis::review::{self, Mistake, Review};
use crate::analysis::threats::{self, Threats};
use crate::board::{Board, Outcome, Point, Side};
use crate::record::pos::{self, RowOrder};
use crate::record::{Game, Move};
use crate::search::{Engine, Limits, Report, Reporter, Signals};

/// Analyse a position, or a whole game move by move.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// A position such as h8h9i8 (rows from the bottom), or the file of a game.
    position: String,
    #[command(flatten)]
    board: convert::Board,
    /// Where row 1 of pos text lies.
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Of a file, only the position after N moves.
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Game of the file, from 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// Seconds per position.
    #[arg(long, default_value_t = 2.0)]
    time: f64,
    /// Deepest iteration, in plies.
    #[arg(long)]
    depth: Option<u32>,
    /// Nodes per position (then without --time's limit).
    #[arg(long)]
    nodes: Option<u64>,
    /// Number of best lines.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=50))]
    lines: u32,
    /// Transposition table, in megabytes.
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo analyze h8h9i9g7 --time 5
  pbrain-kakugo analyze h8h9i9g7 --rule renju --lines 5 --json
  pbrain-kakugo analyze game.sgf --time 0.5        every move of a game
  pbrain-kakugo analyze game.sgf --at 23           the position after move 23

Percentages are Black's expected result. Evaluations are for the side to move: hundredths of an
advantage, +M5 a win in five plies, -M8 a loss in eight.
";

/// The newest report of each line.
#[derive(Default)]
struct Lines(Vec<Report>);

impl Reporter for Lines {
    fn report(&mut self, report: &Report) {
        match self.0.get_mut(report.line) {
            Some(line) => *line = report.clone(),
            None => self.0.push(report.clone()),
        }
    }
}

/// Run `analyze`, which prints to stdout.
///
/// # Errors
/// There is no such position or file.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let pattern = args.board.pattern()?;
    let is_file = std::path::Path::new(&args.position).is_file();
    let game = if is_file { file(args, &pattern)? } else { position(args, &pattern)? };
    let mut engine = Engine::new((args.hash as usize) << 20);
    let text = if is_file && args.at.is_none() {
        whole_game(args, &game, &mut engine)?
    } else {
        one_position(args, &game.board()?, &mut engine)?
    };
    print!("{text}");
    Ok(())
}

fn file(args: &AnalyzeArgs, pattern: &Game) -> anyhow::Result<Game> {
    let mut games = convert::read(&args.position, None, args.rows.into(), pattern)?;
    let count = games.len();
    ensure!((1..=count).contains(&args.game), "{} holds {count} games", args.position);
    let mut game = games.swap_remove(args.game - 1);
    if let Some(at) = args.at {
        ensure!(at <= game.moves.len(), "the game has only {} moves", game.moves.len());
        game.moves.truncate(at);
    }
    Ok(game)
}

fn position(args: &AnalyzeArgs, pattern: &Game) -> anyhow::Result<Game> {
    let points = pos::read(&args.position, pattern.height, args.rows.into())
        .with_context(|| format!("\"{}\" is neither a file nor a position", args.position))?;
    Ok(Game { moves: points.into_iter().map(Move::new).collect(), ..pattern.clone() })
}

fn limits(args: &AnalyzeArgs) -> anyhow::Result<Limits> {
    let time = Duration::try_from_secs_f64(args.time)
        .with_context(|| format!("{} is no time", args.time))?;
    Ok(Limits {
        start: Instant::now(),
        turn: args.nodes.is_none().then_some(time),
        max_depth: args.depth,
        max_nodes: args.nodes,
        multi_pv: args.lines as usize,
        ..Limits::default()
    })
}

fn name(p: Point, height: u8) -> String {
    pos::write([p], height, RowOrder::FromBottom)
}

fn names(points: &[Point], height: u8) -> String {
    points.iter().map(|&p| name(p, height)).collect::<Vec<_>>().join(" ")
}

fn one_position(args: &AnalyzeArgs, board: &Board, engine: &mut Engine) -> anyhow::Result<String> {
    let over = board.outcome();
    ensure!(over == Outcome::Ongoing, "the game is over: {}", outcome_name(over));
    let mut lines = Lines::default();
    let answer = engine.think(board, &limits(args)?, &Signals::default(), &mut lines);
    // Lines are searched one after the other: a later one may turn out better, and the very best
    // may have come up after the last full round.
    lines.0.sort_by_key(|line| (line.pv.first().copied() != answer.best, Reverse(line.score)));
    let threats = threats::of(board);
    let side = board.side_to_move();
    let height = board.height();
    if args.json {
        let lines: Vec<Value> = lines.0.iter().map(|line| line_json(line, side, height)).collect();
        let value = json!({
            "rule": board.variant().to_string(),
            "width": board.width(),
            "height": height,
            "to_move": side.to_string(),
            "best": answer.best.map(|p| name(p, height)),
            "depth": answer.depth,
            "nodes": answer.nodes,
            "lines": lines,
            "threats": {
                "black": threats_json(&threats[0], height),
                "white": threats_json(&threats[1], height),
            },
        });
        return Ok(format!("{value:#}\n"));
    }
    let mut text = format!("{}{side} to move, {}.\n\n", draw(board, Style::Plain), board.variant());
    writeln!(text, "{:>4} {:>6} {:>7} {:>8} {:>10}  line", "", "depth", "Black", "eval", "nodes")?;
    for (number, line) in (1..).zip(&lines.0) {
        let black = if side == Side::Black { line.score } else { -line.score };
        let percent = f64::from(black.win_rate_permille()) / 10.0;
        writeln!(
            text,
            "{:>3}. {:>6} {percent:>5.1} % {:>8} {:>10}  {}",
            number,
            format!("{}-{}", line.depth, line.seldepth),
            line.score.to_string(),
            line.nodes,
            names(&line.pv, height)
        )?;
    }
    for (side, threats) in Side::BOTH.into_iter().zip(&threats) {
        write!(text, "\n{side}'s threats: {}", threats_text(threats, height))?;
    }
    text.push('\n');
    Ok(text)
}

fn line_json(line: &Report, side: Side, height: u8) -> Value {
    let black = if side == Side::Black { line.score } else { -line.score };
    json!({
        "depth": line.depth,
        "seldepth": line.seldepth,
        "eval": line.score.to_string(),
        "black_permille": black.win_rate_permille(),
        "nodes": line.nodes,
        "ms": u64::try_from(line.elapsed.as_millis()).unwrap_or(u64::MAX),
        "moves": line.pv.iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
    })
}

/// The kinds of threats with their names.
fn kinds(threats: &Threats) -> [(&'static str, &Vec<Point>); 5] {
    [
        ("five", &threats.fives),
        ("open four", &threats.open_fours),
        ("four", &threats.fours),
        ("open three", &threats.open_threes),
        ("wins by fours", &threats.vcf),
    ]
}

fn threats_json(threats: &Threats, height: u8) -> Value {
    let entry = |(kind, points): (&str, &Vec<Point>)| {
        let points: Vec<String> = points.iter().map(|&p| name(p, height)).collect();
        (kind.replace(' ', "_"), json!(points))
    };
    Value::Object(kinds(threats).into_iter().map(entry).collect())
}

fn threats_text(threats: &Threats, height: u8) -> String {
    let found = kinds(threats).into_iter().filter(|(_, points)| !points.is_empty());
    let words: Vec<String> =
        found.map(|(kind, points)| format!("{kind} {}", names(points, height))).collect();
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
}

fn outcome_name(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ongoing => "it goes on".to_owned(),
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Forbidden(foul) => format!("White has won, Black made a {foul}"),
        Outcome::Draw => "a draw".to_owned(),
    }
}

fn whole_game(args: &AnalyzeArgs, game: &Game, engine: &mut Engine) -> anyhow::Result<String> {
    game.board()?;
    let empty = Game { moves: Vec::new(), ..game.clone() }.board()?;
    let moves: Vec<Point> = game.points().collect();
    let limits = Limits { multi_pv: 1, ..limits(args)? };
    let review = review::review(engine, &empty, &moves, &limits, &Signals::default(), |_, _| {});
    if args.json { Ok(game_json(game, &review)) } else { game_text(game, &review) }
}

fn game_json(game: &Game, review: &Review) -> String {
    let height = game.height;
    let moves: Vec<Value> = review
        .positions
        .iter()
        .enumerate()
        .map(|(number, judged)| {
            let before = number.checked_sub(1);
            json!({
                "number": number,
                "move": before.map(|i| name(game.moves[i].point, height)),
                "black_eval": judged.black.to_string(),
                "black_permille": judged.black_permille,
                "depth": judged.depth,
                "best_line": judged.best_line.iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let turning: Vec<Value> = review
        .turning_points
        .iter()
        .map(|turning| {
            json!({
                "number": turning.number,
                "move": name(turning.played, height),
                "side": turning.side.to_string(),
                "mistake": mistake(turning.mistake),
                "before_permille": turning.permille.0,
                "after_permille": turning.permille.1,
                "better": turning.line.iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
            })
        })
        .collect();
    format!("{:#}\n", json!({ "positions": moves, "turning_points": turning }))
}

fn mistake(mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::MissedFours => "missed a win by fours",
        Mistake::MissedWin => "missed a forced win",
        Mistake::AllowedWin => "allowed a forced win",
        Mistake::Slip => "gave away much",
    }
}

fn game_text(game: &Game, review: &Review) -> anyhow::Result<String> {
    let height = game.height;
    let mut text = String::new();
    let called = |name: &str, side: Side| {
        if name.is_empty() { side.to_string() } else { format!("{name} ({side})") }
    };
    let (black, white) = (called(&game.black, Side::Black), called(&game.white, Side::White));
    writeln!(text, "{black} - {white}, {} {}x{height}\n", game.variant, game.width)?;
    writeln!(text, "{:>4} {:>5} {:>7} {:>7} {:>5}  best", "move", "", "Black", "eval", "depth")?;
    for (number, judged) in review.positions.iter().enumerate() {
        let played = number.checked_sub(1).map(|i| name(game.moves[i].point, height));
        let turning = review.turning_points.iter().find(|turning| turning.number == number);
        let percent = f64::from(judged.black_permille) / 10.0;
        let best = &judged.best_line[..judged.best_line.len().min(6)];
        write!(
            text,
            "{number:>4} {:>5} {percent:>5.1} % {:>7} {:>5}  {}",
            played.unwrap_or_default(),
            judged.black.to_string(),
            judged.depth,
            names(best, height)
        )?;
        match turning {
            Some(turning) => writeln!(text, "   <- {}", mistake(turning.mistake))?,
            None => text.push('\n'),
        }
    }
    text.push_str("\nTurning points:\n");
    for turning in &review.turning_points {
        writeln!(
            text,
            "{:>4}. {} {}: {}; better {}",
            turning.number,
            turning.side,
            name(turning.played, height),
            mistake(turning.mistake),
            names(&turning.line, height)
        )?;
    }
    if review.turning_points.is_empty() {
        text.push_str("   none\n");
    }
    Ok(text)
}
