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
use kakugo::pattern::set::PointSet;
use kakugo::proof::with_its_end;
use kakugo::search::{Answer, Balance, Engine, Limits, Networks, Report, Reporter, Signals};
use kakugo_cli::units::{Time, parse_seconds};
use kakugo_cli::usage::usage;
use kakugo_record::analysis::drawing::{Style, draw};
use kakugo_record::analysis::review;
use kakugo_record::analysis::threats::{self, Threats};
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
    /// Number of the game in the file, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
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
    /// Analyse only these moves, such as g8,h9
    #[arg(long, value_name = "MOVES")]
    only: Option<String>,
    /// Exclude these moves, such as g8,h9
    #[arg(long, value_name = "MOVES")]
    without: Option<String>,
    /// Find 1 or 2 stones after which the position is closest to even
    #[arg(long, value_name = "STONES", value_parser = clap::value_parser!(u8).range(1..=2), conflicts_with = "lines")]
    balance: Option<u8>,
    /// Evaluation that --balance is to reach, for the side to move
    #[arg(
        long,
        value_name = "EVAL",
        requires = "balance",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    bias: i32,
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
  pbrain-kakugo analyze h8h9i9g7 --without g8,h10  what else is there?
  pbrain-kakugo analyze h8h9i9g7 --only j8,i10     which of the two is better?
  pbrain-kakugo analyze h8i9 --balance 1           the move that makes it even
  pbrain-kakugo analyze game.sgf --time 0.5        every move of a game
  pbrain-kakugo analyze game.sgf --at 23           the position after move 23
  cat game.sgf | pbrain-kakugo analyze - --json    a game (SGF, psq, RenLib) or a position on stdin

Percentages are Black's expected result. The loss of a move is the drop in its player's expected result.
An evaluation of 100 means 62 %, 200 means 73 %, +M5 is a win in five plies, -M8 a loss in eight. The lines
of a position are evaluated for the side to move, the table of a game for Black.
";

/// The lines of the latest report.
#[derive(Default)]
struct Lines(Vec<Report>);

impl Reporter for Lines {
    fn report(&mut self, report: &Report) {
        if report.line == 0 {
            self.0.clear();
        }
        self.0.push(report.clone());
    }
}

/// Runs `analyze`, which prints to stdout.
///
/// # Errors
/// Returns an error if the position or file is missing or invalid.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let empty = args.board.empty_game().map_err(usage)?;
    let limits = limits(args);
    let (game, is_record) = input(args, &empty)?;
    let mut engine = Engine::new((args.hash as usize) << 20);
    engine.set_networks(&args.networks.clone().unwrap_or_default());
    let text = if is_record && args.at.is_none() {
        analyze_game(args, &game, &limits, &mut engine)?
    } else {
        analyze_position(args, &convert::final_position(&game)?, &limits, &mut engine)?
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Returns the game to analyse, and whether it is a game file rather than a position.
fn input(args: &AnalyzeArgs, empty: &Game) -> anyhow::Result<(Game, bool)> {
    let rows: RowOrder = args.rows.into();
    let name = &args.position;
    let is_stdin = name == "-";
    if is_stdin || Path::new(name).is_file() {
        let fallback = Some(Format::Pos(rows));
        let (format, games) = convert::read_games(name, None, rows, &args.board, fallback)?;
        let shown = if is_stdin { "stdin" } else { name };
        return Ok((select_game(args, shown, games)?, !is_stdin || format != Format::Pos(rows)));
    }
    convert::ensure_not_folder(name)?;
    // A missing file is not a usage error.
    ensure!(!name.contains(['.', '/', '\\']), "no such file: {name}");
    ensure!(starts_with_point(name), "\"{name}\" is neither a file nor a position such as h8h9i8");
    let game = position(args, empty).map_err(usage)?;
    Ok((select_game(args, name, vec![Ok(GameTree::from_game(&game))])?, false))
}

/// Returns true if a word starts with a point, or is empty.
fn starts_with_point(word: &str) -> bool {
    let word = word.trim_start();
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    word.is_empty() || rest.len() < word.len() && rest.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the game that `--game` selects, up to the move of `--at`.
fn select_game(args: &AnalyzeArgs, name: &str, mut games: Games) -> anyhow::Result<Game> {
    let count = games.len();
    ensure!(
        (1..=count).contains(&args.game),
        "--game {} does not exist: {name} contains {}",
        args.game,
        convert::counted(count, "game")
    );
    let game = games.swap_remove(args.game - 1);
    let tree = game.with_context(|| match count {
        1 => format!("reading {name}"),
        _ => format!("reading {name}, game {}", args.game),
    })?;
    omissions::report_after_pass(name, &tree);
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
    let limits = Limits {
        start: Instant::now(),
        only: points(args, args.only.as_deref(), board).map_err(usage)?,
        without: points(args, args.without.as_deref(), board)
            .map_err(usage)?
            .unwrap_or(PointSet::EMPTY),
        ..limits.clone()
    };
    if !board.empty_points().any(|p| limits.allows(p)) {
        return Err(usage(anyhow!("--only and --without leave no move to analyse")));
    }
    let signals = Signals::default();
    let balance = args.balance.map(|stones| {
        let balance = if stones == 1 { Balance::ONE } else { Balance::TWO };
        balance.bias(args.bias)
    });
    let answer = match balance {
        None => engine.think(board, &limits, &signals, &mut lines),
        Some(balance) => engine.think_balance(board, balance, &limits, &signals, &mut lines),
    };
    ensure!(!lines.0.is_empty(), "there are not enough points for two stones");
    // Lines are searched one after the other. A later one may have a better score, and the best
    // move may have been found after the last complete round.
    for line in &mut lines.0 {
        line.pv = with_its_end(board, line.score, &line.pv, &signals);
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
            "balance": balanced(&answer, balance).iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
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
    if let Some(balance) = balance {
        let stones = names(balanced(&answer, Some(balance)), height);
        let goal = if args.bias == 0 { "even".to_owned() } else { args.bias.to_string() };
        writeln!(text, "\nClosest to {goal}: {stones} (evaluation {} for {side})", answer.score)?;
    }
    for (side, threats) in Side::BOTH.into_iter().zip(&threats) {
        write!(text, "\n{side}'s threats: {}", threats_text(threats, height))?;
    }
    text.push('\n');
    Ok(text)
}

/// Returns the stones that balance the position; none if they were not searched for.
fn balanced(answer: &Answer, balance: Option<Balance>) -> &[Point] {
    balance.and_then(|balance| answer.pv.get(..balance.stones())).unwrap_or_default()
}

/// Returns the points of `--only` or `--without`, separated by commas or blanks.
fn points(
    args: &AnalyzeArgs,
    text: Option<&str>,
    board: &Board,
) -> anyhow::Result<Option<PointSet>> {
    let Some(text) = text else { return Ok(None) };
    let invalid = || format!("invalid moves \"{text}\"");
    let points = pos::read(text, board.height(), args.rows.into()).with_context(invalid)?;
    ensure!(!points.is_empty(), "no moves: expected points such as g8,h9");
    for &p in &points {
        ensure!(
            p.x() < board.width() && board.is_empty(p),
            "{} is not empty",
            name(p, board.height())
        );
    }
    Ok(Some(points.into_iter().collect()))
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
    let single = [
        ("--lines", args.lines.is_some()),
        ("--only", args.only.is_some()),
        ("--without", args.without.is_some()),
        ("--balance", args.balance.is_some()),
    ];
    if let Some((option, _)) = single.iter().find(|(_, is_used)| *is_used) {
        return Err(usage(anyhow!("{option} needs a single position: select it with --at N")));
    }
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
