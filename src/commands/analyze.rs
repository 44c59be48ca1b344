//! Analysis of a position, or of every move of a game.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

use super::game_report;
use super::many::{self, ManyArgs, NamedNetworks};
use super::position_analysis::{BalanceGoal, PositionAnalysis};
use super::positions::PositionArgs;
use super::source;
use kakugo::board::{Board, MAX_SIZE, Outcome};
use kakugo::pattern::set::PointSet;
use kakugo::search::{Engine, Limits, Signals};
use kakugo_cli::arguments::hash_megabytes;
use kakugo_cli::run_file;
use kakugo_cli::units::{Time, parse_seconds};
use kakugo_cli::usage::usage;
use kakugo_record::Game;
use kakugo_record::analysis::annotate::annotate;
use kakugo_record::analysis::review::{self, Review};
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::notation::name;
use kakugo_record::pos::{self, RowOrder};

/// Analyse a position, or a complete game move by move
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// Position such as h8h9i8 (rows from the bottom) or a drawn board, game file, folder of game
    /// files, or `-` for a position or a file on stdin
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<OsString>,
    #[command(flatten)]
    input: PositionArgs,
    /// Analyse only the position after N moves of the game
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Time per position: seconds, or with a unit, such as 500ms or 1m
    #[arg(long, default_value = "2", value_parser = parse_seconds)]
    time: Time,
    /// Maximum depth, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes per position (instead of --time)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of best lines of a position, up to 50 [default: 3]
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
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = hash_megabytes)]
    hash: u32,
    /// Evaluate with the network in FILE (`none`: classical evaluation)
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<NamedNetworks>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the games with comments, symbols and better lines to FILE (.sgf or .lib)
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    many: ManyArgs,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo analyze h8h9i9g7 --time 5
  pbrain-kakugo analyze h8h9i9g7 --rule renju --lines 5 --json
  pbrain-kakugo analyze h8h9i9g7 --to-move white   the same stones, White to move
  pbrain-kakugo analyze ...../.XO../..X../...../..... --to-move white   a drawn board
  pbrain-kakugo analyze h8h9i9g7 --without g8,h10  what else is there?
  pbrain-kakugo analyze h8h9i9g7 --only j8,i10     which of the two is better?
  pbrain-kakugo analyze h8i9 --balance 1           the move that makes it even
  pbrain-kakugo analyze game.sgf --time 0.5        every move of a game
  pbrain-kakugo analyze game.sgf --at 23           the position after move 23
  pbrain-kakugo analyze club.sgf --game 3          the third game of a collection
  pbrain-kakugo analyze club.sgf --annotate a.sgf  all games, with comments and better lines
  pbrain-kakugo analyze games/ --jobs 2 --record run.jsonl --resume --html report.html
  cat game.sgf | pbrain-kakugo analyze - --json    a game (SGF, psq, RenLib) or a position on stdin

Percentages are Black's expected result. The loss of a move is the drop in its player's expected result.
An evaluation of 100 means 62 %, 200 means 73 %, +M5 is a win in five plies or sooner, -M8 a loss in eight.
The lines of a position are evaluated for the side to move, the table of a game for Black.
";

/// Runs `analyze`, which prints to stdout.
///
/// # Errors
/// Returns an error if the position or file is missing or invalid.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let moves = moves_of_words(&args.positions);
    let [position, more @ ..] = moves.as_ref().map_or(&args.positions[..], std::slice::from_ref)
    else {
        return Err(usage(anyhow!("expected a position, a file or a folder")));
    };
    if args.many.is_used() || !more.is_empty() || Path::new(position).is_dir() {
        return analyze_many(args);
    }
    let input = args.input.read(position)?;
    let mut annotated = args.annotate.as_deref().map(Annotated::new).transpose()?;
    let limits = limits(args);
    let mut engine = Engine::new((args.hash as usize) << 20);
    engine.set_networks(&args.networks.clone().unwrap_or_default().networks);
    let mut out = Output { is_json: args.json, count: 0, is_list: false };
    input.for_each(&args.input, "game", |entry| {
        let game = args.input.main_line_to(&entry, input.is_record, args.at)?;
        engine.clear();
        // A position in a file has no moves.
        let is_game = input.is_record && args.at.is_none() && !game.moves.is_empty();
        out.is_list = !entry.is_only;
        if !is_game {
            ensure!(annotated.is_none(), "--annotate needs a game with moves");
            return out.print(entry.number, &analyze_position(args, &game, &limits, &mut engine)?);
        }
        if let Some(annotated) = &annotated {
            many::ensure_annotatable(annotated.format, &entry.tree, entry.is_only)?;
        }
        let review = review_game(args, &game, &limits, &mut engine)?;
        out.print(entry.number, &report(args, &game, &review)?)?;
        if let Some(annotated) = &mut annotated {
            let mut tree = entry.tree;
            annotate(&mut tree, &review)?;
            annotated.games.push(tree);
        }
        Ok(())
    })?;
    out.end()?;
    annotated.map_or(Ok(()), |annotated| annotated.write())
}

/// Returns several arguments as one position if they are its moves, typed without quotes.
fn moves_of_words(words: &[OsString]) -> Option<OsString> {
    let is_file = |word: &OsString| word == "-" || Path::new(word).exists();
    if words.len() < 2 || words.iter().any(is_file) {
        return None;
    }
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let text = words?.join(" ");
    let moves = pos::read_moves(&text, MAX_SIZE, RowOrder::FromBottom);
    moves.is_ok_and(|moves| !moves.is_empty()).then(|| text.into())
}

/// The file with the annotated games.
struct Annotated<'a> {
    path: &'a Path,
    format: Format,
    games: Vec<GameTree>,
}

impl<'a> Annotated<'a> {
    fn new(path: &'a Path) -> anyhow::Result<Annotated<'a>> {
        let name = path.to_string_lossy();
        let format = Format::from_file_name(&name, RowOrder::FromBottom);
        let format = format.filter(|format| format.has_variations()).ok_or_else(|| {
            usage(anyhow!("cannot annotate \"{name}\": expected a name that ends in .sgf or .lib"))
        })?;
        run_file::ensure_writable(path)?;
        Ok(Annotated { path, format, games: Vec::new() })
    }

    fn write(&self) -> anyhow::Result<()> {
        let bytes = self.format.write_trees(&self.games);
        let writing = || format!("writing {}", self.path.display());
        run_file::replace(self.path, &bytes.with_context(writing)?).with_context(writing)
    }
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
    game: &Game,
    limits: &Limits,
    engine: &mut Engine,
) -> anyhow::Result<String> {
    let board = &source::final_position(game)?;
    let outcome = board.outcome();
    ensure!(outcome == Outcome::Ongoing, "the game is over: {}", source::outcome_in_words(outcome));
    let limits = Limits {
        start: Instant::now(),
        only: only(args, board).map_err(usage)?,
        without: points(args, args.without.as_deref(), board)
            .map_err(usage)?
            .unwrap_or(PointSet::EMPTY),
        ..limits.clone()
    };
    ensure_legal_move(&limits, board).map_err(usage)?;
    let goal = args.balance.map(|stones| BalanceGoal { stones, bias: args.bias });
    let analysis = PositionAnalysis::search(board, &limits, goal, engine)?;
    Ok(if args.json { analysis.json(game) } else { analysis.text(game) })
}

/// Checks that `--only` and `--without` leave a legal move. A side that has none has lost, which
/// the analysis shows.
fn ensure_legal_move(limits: &Limits, board: &Board) -> anyhow::Result<()> {
    let is_restricted = limits.only.is_some() || !limits.without.is_empty();
    let has_move = || board.empty_points().any(|p| limits.allows(p) && board.is_legal(p));
    ensure!(!is_restricted || has_move(), "--only and --without leave no legal move to analyse");
    Ok(())
}

/// Returns the points of `--only`, none of which may be forbidden.
fn only(args: &AnalyzeArgs, board: &Board) -> anyhow::Result<Option<PointSet>> {
    let points = points(args, args.only.as_deref(), board)?;
    let side = board.side_to_move();
    for p in points.iter().flat_map(|points| points.iter()) {
        if let Some(foul) = board.foul(p, side) {
            bail!("{} is forbidden to {side}: {foul}", name(p, board.height()));
        }
    }
    Ok(points)
}

/// Returns the points of `--only` or `--without`, separated by commas or blanks.
fn points(
    args: &AnalyzeArgs,
    text: Option<&str>,
    board: &Board,
) -> anyhow::Result<Option<PointSet>> {
    let Some(text) = text else { return Ok(None) };
    let invalid = || format!("invalid moves \"{text}\"");
    let points = pos::read(text, board.height(), args.input.rows.into()).with_context(invalid)?;
    ensure!(!points.is_empty(), "no moves: expected points such as g8,h9");
    for &p in &points {
        let (width, height) = (board.width(), board.height());
        let point = name(p, height);
        ensure!(p.x() < width, "{point} is off the {width}x{height} board");
        ensure!(board.is_empty(p), "{point} is not empty");
    }
    Ok(Some(points.into_iter().collect()))
}

fn review_game(
    args: &AnalyzeArgs,
    game: &Game,
    limits: &Limits,
    engine: &mut Engine,
) -> anyhow::Result<Review> {
    if let Some(option) = single_position_option(args) {
        return Err(usage(anyhow!("{option} needs a single position: select it with --at N")));
    }
    source::final_position(game)?;
    let limits = review_limits(args, limits);
    Ok(review::review(engine, game, &limits, &Signals::default(), |_, _| {})?)
}

/// Returns the name of an option that needs a single position.
fn single_position_option(args: &AnalyzeArgs) -> Option<&'static str> {
    let single = [
        ("--lines", args.lines.is_some()),
        ("--only", args.only.is_some()),
        ("--without", args.without.is_some()),
        ("--balance", args.balance.is_some()),
    ];
    single.iter().find(|(_, is_used)| *is_used).map(|(option, _)| *option)
}

/// Returns the limits for each position of a game.
fn review_limits(args: &AnalyzeArgs, limits: &Limits) -> Limits {
    match args.nodes {
        Some(_) => Limits { multi_pv: 1, ..limits.clone() },
        None => Limits { max_depth: args.depth, ..review::limits_in(args.time.0) },
    }
}

fn analyze_many(args: &AnalyzeArgs) -> anyhow::Result<()> {
    if let Some(option) = single_position_option(args).or(args.at.map(|_| "--at")) {
        return Err(usage(anyhow!("{option} cannot be used with many games")));
    }
    args.positions.iter().try_for_each(|name| args.input.ensure_games(name))?;
    let annotated = args.annotate.as_deref().map(Annotated::new).transpose()?;
    let networks = args.networks.clone().unwrap_or_default();
    let many::Finished { games, interruption } = many::run(&many::Request {
        many: &args.many,
        input: &args.input,
        names: &args.positions,
        limits: review_limits(args, &limits(args)),
        hash_bytes: (args.hash as usize) << 20,
        networks: &networks,
        is_json: args.json,
        annotates: annotated.as_ref().map(|annotated| annotated.format),
    })?;
    // An interrupted run may have no games.
    if let Some(annotated) = annotated.filter(|_| !games.is_empty()) {
        Annotated { games, ..annotated }.write()?;
    }
    interruption.map_or(Ok(()), Err)
}

fn report(args: &AnalyzeArgs, game: &Game, review: &Review) -> anyhow::Result<String> {
    let report = if args.json { game_report::json } else { game_report::text };
    report(game, review)
}
