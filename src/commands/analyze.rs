//! Analysis of a position, or of every move of a game.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::convert::{self, BoardArgs, Games, Rows};
use super::game_report;
use super::omissions;
use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::search::{Engine, Limits, Networks, Report, Reporter, Signals};
use kakugo_cli::stderr::note;
use kakugo_cli::units::{Time, parse_seconds};
use kakugo_cli::usage::usage;
use kakugo_record::analysis::drawing::{Style, draw};
use kakugo_record::analysis::review;
use kakugo_record::analysis::threats::{self, Threats};
use kakugo_record::analysis::win::with_its_end;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::notation::{name, names};
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::{Game, Move};

/// Analyse a position, or a complete game move by move
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// Position such as h8h9i8 (rows from the bottom), game file, or `-` for either on stdin
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    /// Position of row 1 in pos text
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Analyse only the position after N moves of the game
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Number of the game in the file, from 1 [default: all games]
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Time per position: seconds, or with a unit, such as 500ms or 1m
    #[arg(long, default_value = "2", value_parser = parse_seconds)]
    time: Time,
    /// Maximum depth, in plies
    #[arg(long)]
    depth: Option<u32>,
    /// Nodes per position (instead of --time)
    #[arg(long)]
    nodes: Option<u64>,
    /// Number of best lines of a position [default: 3]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=50))]
    lines: Option<u32>,
    /// Size of the transposition table, in megabytes
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: u32,
    /// Evaluate with the network in FILE (`none`: classical evaluation)
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<Networks>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo analyze h8h9i9g7 --time 5
  pbrain-kakugo analyze h8h9i9g7 --rule renju --lines 5 --json
  pbrain-kakugo analyze game.sgf --time 0.5        every move of a game
  pbrain-kakugo analyze game.sgf --at 23           the position after move 23
  pbrain-kakugo analyze club.sgf --game 3          the third game of a collection
  cat game.sgf | pbrain-kakugo analyze - --json    a game (SGF, psq, RenLib) or a position on stdin

Percentages are Black's expected result. The loss of a move is the drop in its player's expected result.
An evaluation of 100 means 62 %, 200 means 73 %, +M5 is a win in five plies, -M8 a loss in eight. The lines
of a position are evaluated for the side to move, the table of a game for Black.
";

/// The latest report of each line.
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

/// Runs `analyze`, which prints to stdout.
///
/// # Errors
/// Returns an error if the position or file is missing or invalid.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let empty = args.board.empty_game().map_err(usage)?;
    let input = input(args, &empty)?;
    let is_game = input.is_record && args.at.is_none();
    if is_game && args.lines.is_some() {
        return Err(usage(anyhow!("--lines needs a single position: select it with --at N")));
    }
    let limits = limits(args);
    let mut engine = Engine::new((args.hash as usize) << 20);
    engine.set_networks(&args.networks.clone().unwrap_or_default());
    let mut report = |game: &Game| {
        engine.clear();
        if is_game {
            analyze_game(args, game, &limits, &mut engine)
        } else {
            analyze_position(args, &convert::final_position(game)?, &limits, &mut engine)
        }
    };
    let (name, count) = (&input.name, input.games.len());
    let mut out = Output { is_json: args.json, is_list: count > 1, count: 0 };
    let mut skipped = Vec::new();
    for (number, game) in (1..).zip(input.games) {
        let game = match game {
            Err(error) if count == 1 => return Err(error).context(input.reading),
            game => game.map_err(anyhow::Error::from),
        };
        match game.and_then(|tree| report(&selected_moves(args, name, &tree)?)) {
            Ok(text) => out.print(number, &text)?,
            Err(error) if count == 1 => return Err(error),
            Err(error) => skipped.push((number, error)),
        }
    }
    out.end()?;
    let all = convert::counted(count, "game");
    match skipped.into_iter().next() {
        None => Ok(()),
        Some((number, error)) if out.count == 0 => {
            Err(error.context(format!("{name}, game {number}")))
        }
        Some((number, error)) => {
            let skipped = count - out.count;
            note(format_args!(
                "{name}: skipped {skipped} of {all}, first game {number}: {error:#}"
            ));
            Ok(())
        }
    }
}

/// What is analysed.
struct Input {
    /// Name of the file, or the position as text.
    name: String,
    games: Games,
    /// True for a game file, false for positions.
    is_record: bool,
    /// The context of an error if a single game cannot be read.
    reading: String,
}

/// Prints one report, or several as a list.
struct Output {
    is_json: bool,
    is_list: bool,
    /// Number of reports printed.
    count: usize,
}

impl Output {
    fn print(&mut self, number: usize, report: &str) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        match (self.is_json, self.is_list, self.count) {
            (_, false, _) => {}
            (true, _, before) => out.write_all(if before == 0 { b"[\n" } else { b",\n" })?,
            (false, _, before) => {
                let gap = if before == 0 { "" } else { "\n" };
                writeln!(out, "{gap}Game {number}\n")?;
            }
        }
        let is_element = self.is_json && self.is_list;
        out.write_all(if is_element { report.trim_end() } else { report }.as_bytes())?;
        self.count += 1;
        Ok(out.flush()?)
    }

    fn end(&self) -> anyhow::Result<()> {
        if self.is_json && self.is_list && self.count > 0 {
            std::io::stdout().lock().write_all(b"\n]\n")?;
        }
        Ok(())
    }
}

/// Reads what is analysed: the selected game, or all games of a file.
fn input(args: &AnalyzeArgs, empty: &Game) -> anyhow::Result<Input> {
    let rows: RowOrder = args.rows.into();
    let name = &args.position;
    let is_stdin = name == "-";
    if is_stdin || Path::new(name).is_file() {
        let fallback = Some(Format::Pos(rows));
        let (format, games) = convert::read_games(name, None, rows, &args.board, fallback)?;
        let name = if is_stdin { "stdin" } else { name };
        return select_game(args, name, games, !is_stdin || format != Format::Pos(rows));
    }
    convert::ensure_not_folder(name)?;
    // A missing file is not a usage error.
    let is_file_name = name.contains(['.', '/', '\\']) && !name.contains(char::is_whitespace);
    let is_position = name.trim().is_empty() || pos::begins_with_point(name);
    match position(args, empty) {
        Ok(game) if is_position => {
            select_game(args, name, vec![Ok(GameTree::from_game(&game))], false)
        }
        _ if is_file_name => Err(anyhow!("no such file: {name}")),
        Err(error) if is_position => Err(usage(error)),
        _ => Err(anyhow!("\"{name}\" is neither a file nor a position such as h8h9i8")),
    }
}

/// Returns all games, or the one that `--game` selects.
fn select_game(
    args: &AnalyzeArgs,
    name: &str,
    mut games: Games,
    is_record: bool,
) -> anyhow::Result<Input> {
    let count = games.len();
    if let Some(number) = args.game {
        ensure!(
            (1..=count).contains(&number),
            "--game {number} does not exist: {name} contains {}",
            convert::counted(count, "game")
        );
        games = vec![games.swap_remove(number - 1)];
    }
    let reading = match args.game {
        Some(number) if count > 1 => format!("reading {name}, game {number}"),
        _ => format!("reading {name}"),
    };
    Ok(Input { name: name.to_owned(), games, is_record, reading })
}

/// Returns the moves of a game that are analysed: all, or those up to the move of `--at`.
fn selected_moves(args: &AnalyzeArgs, name: &str, tree: &GameTree) -> anyhow::Result<Game> {
    omissions::report_after_pass(name, tree);
    let mut game = tree.main_line();
    if let Some(at) = args.at {
        let moves = game.moves.len();
        ensure!(at <= moves, "--at {at} is out of range: the game has {moves} moves");
        game.moves.truncate(at);
    }
    Ok(game)
}

fn position(args: &AnalyzeArgs, empty: &Game) -> anyhow::Result<Game> {
    let invalid = || format!("invalid position \"{}\"", args.position);
    let points = pos::read(&args.position, empty.height, args.rows.into()).with_context(invalid)?;
    let game = Game { moves: points.into_iter().map(Move::new).collect(), ..empty.clone() };
    convert::final_position(&game).with_context(invalid)?;
    Ok(game)
}

fn limits(args: &AnalyzeArgs) -> Limits {
    Limits {
        turn: args.nodes.is_none().then_some(args.time.0),
        max_depth: args.depth,
        max_nodes: args.nodes,
        multi_pv: args.lines.unwrap_or(3) as usize,
        ..Limits::default()
    }
}

fn analyze_position(
    args: &AnalyzeArgs,
    board: &Board,
    limits: &Limits,
    engine: &mut Engine,
) -> anyhow::Result<String> {
    let outcome = board.outcome();
    ensure!(outcome == Outcome::Ongoing, "the game is over: {}", outcome_in_words(outcome));
    let mut lines = Lines::default();
    let limits = Limits { start: Instant::now(), ..limits.clone() };
    let answer = engine.think(board, &limits, &Signals::default(), &mut lines);
    // Lines are searched one after the other. A later one may have a better score, and the best
    // move may have been found after the last complete round.
    for line in &mut lines.0 {
        line.pv = with_its_end(board, line.score, &line.pv, &Signals::default());
    }
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

/// Returns the kinds of threats with their names.
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

fn outcome_in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ongoing => "ongoing".to_owned(),
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Forbidden(foul) => format!("White has won, because Black made a {foul}"),
        Outcome::Draw => "a draw".to_owned(),
    }
}

fn analyze_game(
    args: &AnalyzeArgs,
    game: &Game,
    limits: &Limits,
    engine: &mut Engine,
) -> anyhow::Result<String> {
    convert::final_position(game)?;
    let empty = Game { moves: Vec::new(), ..game.clone() }.board()?;
    let moves: Vec<Point> = game.points().collect();
    let limits = Limits { multi_pv: 1, ..limits.clone() };
    let review = review::review(engine, &empty, &moves, &limits, &Signals::default(), |_, _| {});
    Ok(if args.json {
        game_report::json(game, &review)?
    } else {
        game_report::text(game, &review)?
    })
}
