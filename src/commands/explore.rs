//! An opening explorer: the moves played in a position, from libraries and game files.

use std::io::{BufWriter, Stdout, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::board::BoardArgs;
use super::convert;
use super::game_report::result_word;
use super::positions;
use super::search::SearchArgs;
use super::source;
use kakugo::board::Point;
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::book::{Book, Indexes, Search};
use kakugo_record::explorer::{NextMove, PositionStats, Ruleset};
use kakugo_record::game_tree::GameTree;
use kakugo_record::notation::name;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::{Game, Move};

/// Explore openings: the moves played in a position, with symmetric positions merged
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExploreArgs {
    /// Files (.lib, .sgf, .psq, .rec, .pos, .rif, .pgn, or .jsonl of the match runner), or folders
    /// of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Position: moves such as h8h9 (rows from the bottom), a drawn board, a file, or `-` for stdin
    #[arg(long, default_value = "", value_name = "POSITION")]
    at: String,
    #[command(flatten)]
    board: BoardArgs,
    /// Maximum number of moves, and of games that a search finds, to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// List all games with the position; with --json one line of JSON for each
    #[arg(long)]
    list: bool,
    /// Do not use or write indexes beside large files
    #[arg(long)]
    no_index: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo explore openings.lib --at h8h9
  pbrain-kakugo explore ~/.local/share/kakugo/games games.jsonl
  pbrain-kakugo explore club.sgf --at h8i9 --json
  pbrain-kakugo explore renjunet.rif --rule renju --player 'anna kask' --at h8h9
  pbrain-kakugo explore renjunet.rif --event 'world champ' --year 2010..2015 --list

Each rule and size is counted separately: --rule, --win and --size select the one to show. They also apply
to files that do not specify a rule or size. Of symmetric moves only one is listed. Lines are games and the
variations of libraries. Results are counted only if a game has one. Files of 4 MiB and more get an index
beside them, NAME.kakugo-index, which makes the next call fast.

A search counts and lists only the games that fit all of its options. --at finds the position in all
orientations and under any rule. Names match by the beginnings of their words, without case and accents.
";

/// Runs `explore`, which prints to stdout.
///
/// # Errors
/// Returns an error if a file cannot be read, or if the position is invalid.
pub fn run(args: &ExploreArgs) -> anyhow::Result<()> {
    let position = positions::read_one(&args.at, &args.board)?;
    let is_search = args.list || !args.search.is_empty();
    let indexes = if args.no_index { Indexes::Ignored } else { Indexes::Written };
    let mut book = Book::with_indexes(args.board.defaults().map_err(usage)?, indexes);
    let mut found = Found::new(args);
    if is_search {
        let filter = args.search.filter(&position).map_err(usage)?;
        for path in &args.files {
            let each = &mut |path: &Path, number, game: &GameTree| found.add(path, number, game);
            read(path, |path| book.search(path, Search { filter: &filter, each }))?;
        }
    } else {
        for path in &args.files {
            read(path, |path| book.add(path))?;
        }
    }
    for complaint in book.errors() {
        note(format_args!("{complaint}"));
    }
    if book.errors().iter().any(|error| error.to_string().contains("unsupported SGF game")) {
        note(format_args!("files of Go editors: {}", source::OTHER_GAME));
    }
    ensure!(
        book.explorer().lines() > 0 || book.games() > 0,
        "the files contain no games to explore"
    );
    if is_search && found.count == 0 && !args.at.trim().is_empty() {
        let hint = positions::size_hint(&args.at, &position);
        note(format_args!("no game fits the search{hint}"));
    }
    if args.list {
        return found.end();
    }
    let kind = Ruleset::new(position.width, position.height, position.variant);
    let (here, next) = book.explorer().lookup_game(&position);
    let next = &next[..next.len().min(args.top)];
    let text = if args.json {
        let mut value = as_json(&book, &position, here, next);
        if is_search {
            value["games"] = json!(book.games());
            value["found"] = json!(found.count);
            value["first"] = Value::Array(found.values);
        }
        format!("{value:#}\n")
    } else {
        let mut text = String::new();
        if is_search {
            let games = source::counted(book.games(), "game");
            text += &format!("Found {} of {games}.\n", found.count);
        }
        if found.count > 0 || !is_search {
            text += &as_text(&book, kind, &position, here, next);
        }
        if !found.texts.is_empty() {
            text += &format!("\n{}", found.texts.concat());
            let more = found.count - found.texts.len();
            if more > 0 {
                text += &format!("and {more} more: --list lists all of them\n");
            }
        }
        text
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn read(path: &Path, add: impl FnOnce(&Path) -> std::io::Result<()>) -> anyhow::Result<()> {
    ensure!(path.exists(), "no such file or folder: {}", path.display());
    add(path).with_context(|| format!("reading {}", path.display()))
}

/// The games of a search.
struct Found<'a> {
    args: &'a ExploreArgs,
    /// True if all games are in one file.
    is_one_file: bool,
    count: usize,
    /// The first games, unless all of them are listed.
    texts: Vec<String>,
    values: Vec<Value>,
    out: BufWriter<Stdout>,
    /// The first error of the output.
    result: std::io::Result<()>,
}

impl Found<'_> {
    fn new(args: &ExploreArgs) -> Found<'_> {
        Found {
            args,
            is_one_file: args.files.len() == 1 && !args.files[0].is_dir(),
            count: 0,
            texts: Vec::new(),
            values: Vec::new(),
            out: BufWriter::new(std::io::stdout()),
            result: Ok(()),
        }
    }

    fn add(&mut self, path: &Path, number: usize, game: &GameTree) {
        self.count += 1;
        let ExploreArgs { list, json, top, .. } = *self.args;
        if self.result.is_err() || (!list && self.count > top) {
            return;
        }
        match (list, json) {
            (true, false) => {
                let text = self.text(path, number, game);
                self.result = self.out.write_all(text.as_bytes());
            }
            (true, true) => {
                let value = game_json(path, number, game);
                self.result = writeln!(self.out, "{value}");
            }
            (false, false) => {
                let text = self.text(path, number, game);
                self.texts.push(text);
            }
            (false, true) => self.values.push(game_json(path, number, game)),
        }
    }

    fn text(&self, path: &Path, number: usize, game: &GameTree) -> String {
        let summary = convert::summary(game);
        if self.is_one_file {
            format!("{number:>6}  {summary}\n")
        } else {
            format!("{}:{number}  {summary}\n", path.display())
        }
    }

    fn end(mut self) -> anyhow::Result<()> {
        Ok(self.result.and_then(|()| self.out.flush())?)
    }
}

/// Returns a game as JSON, with its main line as moves up to the first pass.
fn game_json(path: &Path, number: usize, tree: &GameTree) -> Value {
    let game = tree.main_line();
    json!({
        "file": path.to_string_lossy(),
        "number": number,
        "black": game.black,
        "white": game.white,
        "event": game.event,
        "round": game.round,
        "date": game.date,
        "result": game.result.map(result_word),
        "rule": game.variant.to_string(),
        "size": format!("{}x{}", game.width, game.height),
        "opening": RenjuOpening::of_game(&game).map(convert::opening_json),
        "moves": pos::write(game.points(), game.height, RowOrder::FromBottom),
    })
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
        source::counted(lines, "line"),
        source::counted(book.explorer().positions(), "position"),
        source::counted(book.files(), "file")
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
