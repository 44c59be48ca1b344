//! An opening explorer: the moves played in a position, from libraries and game files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::convert;
use kakugo::board::{Point, Side};
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::book::{Book, Indexes};
use kakugo_record::explorer::{NextMove, PositionStats, Ruleset};
use kakugo_record::notation::name;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::{Game, Move};

/// Explore openings: the moves played in a position, with symmetric positions merged
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExploreArgs {
    /// Files (.lib, .sgf, .psq, .rec, .pos, .rif, or .jsonl of the match runner), or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Moves of the position, rows from the bottom: h8h9
    #[arg(long, default_value = "", value_name = "MOVES")]
    at: String,
    #[command(flatten)]
    board: convert::BoardArgs,
    /// Maximum number of moves to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// Do not use or write indexes beside large files
    #[arg(long)]
    no_index: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo explore openings.lib --at h8h9
  pbrain-kakugo explore ~/.local/share/kakugo/games games.jsonl
  pbrain-kakugo explore club.sgf --at h8i9 --json

Each rule and size is counted separately: --rule, --win and --size select the one to show. They also apply
to files that do not specify a rule or size. Of symmetric moves only one is listed. Lines are games and the
variations of libraries. Results are counted only if a game has one. Files of 4 MiB and more get an index
beside them, NAME.kakugo-index, which makes the next call fast.
";

/// Runs `explore`, which prints to stdout.
///
/// # Errors
/// Returns an error if a file cannot be read, or if the position is invalid.
pub fn run(args: &ExploreArgs) -> anyhow::Result<()> {
    let empty = args.board.empty_game().map_err(usage)?;
    let (width, height) = (empty.width, empty.height);
    let invalid = || format!("invalid position \"{}\"", args.at);
    let moves = pos::read(&args.at, height, RowOrder::FromBottom).with_context(invalid);
    let moves = moves.map_err(usage)?;
    if let Some(&outside) = moves.iter().find(|point| point.x() >= width) {
        let point = name(outside, height);
        return Err(usage(anyhow!("{}: {point} is off the board", invalid())));
    }
    let repeated = (1..moves.len()).find(|&i| moves[..i].contains(&moves[i]));
    if let Some(i) = repeated {
        let point = name(moves[i], height);
        return Err(usage(anyhow!("{}: {point} is occupied", invalid())));
    }
    let indexes = if args.no_index { Indexes::Ignored } else { Indexes::Written };
    let mut book = Book::with_indexes(args.board.defaults().map_err(usage)?, indexes);
    for path in &args.files {
        add(&mut book, path)?;
    }
    for complaint in book.errors() {
        note(format_args!("{complaint}"));
    }
    if book.errors().iter().any(|error| error.to_string().contains("unsupported SGF game")) {
        note(format_args!("files of Go editors: {}", convert::OTHER_GAME));
    }
    ensure!(book.explorer().lines() > 0, "the files contain no games to explore");
    let kind = Ruleset::new(width, height, empty.variant);
    let side = Side::to_move_after(moves.len());
    let moves = moves.into_iter().map(Move::new);
    let mut position = Game { moves: moves.collect(), ..empty.clone() };
    if args.board.to_move().is_some_and(|to_move| to_move != side) {
        position.moves.push(Move::pass());
    }
    let (here, next) = book.explorer().lookup_game(&position);
    let next = &next[..next.len().min(args.top)];
    let text = if args.json {
        format!("{:#}\n", as_json(&book, &position, here, next))
    } else {
        as_text(&book, kind, &position, here, next)
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn add(book: &mut Book, path: &Path) -> anyhow::Result<()> {
    ensure!(path.exists(), "no such file or folder: {}", path.display());
    book.add(path).with_context(|| format!("reading {}", path.display()))
}

/// Returns the opening that a move begins; `None` if the position has its opening already.
fn opening_after(position: &Game, point: Point) -> Option<&'static RenjuOpening> {
    let moves = position.moves.iter().cloned().chain([Move::new(point)]).collect();
    let after = Game { moves, ..position.clone() };
    if position.moves.len() == 2 { RenjuOpening::of_game(&after) } else { None }
}

fn as_json(book: &Book, position: &Game, here: PositionStats, next: &[NextMove]) -> Value {
    let counts = |record: PositionStats| {
        let PositionStats { lines, black, white, draws } = record;
        json!({ "lines": lines, "black": black, "white": white, "draws": draws })
    };
    let next = next.iter().map(|next| {
        let mut value = counts(next.stats);
        value["move"] = json!(name(next.point, position.height));
        if let Some(opening) = opening_after(position, next.point) {
            value["opening"] = convert::opening_json(opening);
        }
        value
    });
    json!({
        "files": book.files(),
        "assumed_rule": book.assumed_rule().map(|variant| variant.to_string()),
        "lines": book.explorer().lines(),
        "positions": book.explorer().positions(),
        "kinds": book.explorer().rulesets().iter().map(|(kind, lines)| json!({
            "rule": kind.variant.rule().word(),
            "win": kind.variant.win_length(),
            "size": format!("{}x{}", kind.long, kind.short),
            "lines": lines,
        })).collect::<Vec<_>>(),
        "opening": RenjuOpening::of_game(position).map(convert::opening_json),
        "here": counts(here),
        "next": next.collect::<Vec<_>>(),
    })
}

fn as_text(
    book: &Book,
    kind: Ruleset,
    position: &Game,
    here: PositionStats,
    next: &[NextMove],
) -> String {
    let lines = book.explorer().lines();
    let mut text = format!(
        "{} with {} in {}\n\n",
        convert::counted(lines, "line"),
        convert::counted(book.explorer().positions(), "position"),
        convert::counted(book.files(), "file")
    );
    if let Some(variant) = book.assumed_rule() {
        text += &format!(
            "Games that do not state the rule count as {variant} (change it with --rule).\n\n"
        );
    }
    let kinds = book.explorer().rulesets();
    if lines > 0 && kinds.iter().all(|(known, _)| *known != kind) {
        text += &format!("No lines of {} found. The files contain\n", in_words(&kind));
        for (kind, lines) in kinds {
            text += &format!("{lines:>8} of {}\n", in_words(kind));
        }
        text += "Select one with --rule, --win and --size.\n\n";
    }
    if let Some(opening) = RenjuOpening::of_game(position) {
        text += &format!("Opening: {opening}\n\n");
    }
    text += &format!("{:>6} {:>8} {:>8} {:>8} {:>8}\n", "move", "lines", "Black", "White", "draws");
    let row = |what: &str, record: PositionStats, opening: Option<&RenjuOpening>| {
        let PositionStats { lines, black, white, draws } = record;
        let opening = opening.map(|opening| format!("  {opening}")).unwrap_or_default();
        format!("{what:>6} {lines:>8} {black:>8} {white:>8} {draws:>8}{opening}\n")
    };
    text += &row("here", here, None);
    for next in next {
        let opening = opening_after(position, next.point);
        text += &row(&name(next.point, position.height), next.stats, opening);
    }
    text
}

/// Returns rule and size, such as `renju 15x15`.
fn in_words(kind: &Ruleset) -> String {
    format!("{} {}x{}", kind.variant, kind.long, kind.short)
}
