//! What was played in a position, by libraries, collections and records of matches.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::convert;
use super::notation::name;
use crate::board::Point;
use crate::record::book::Book;
use crate::record::explorer::{Next, Record};
use crate::record::pos::{self, RowOrder};
use crate::usage::usage;

/// Explore openings: the next moves from a position in libraries and games, all symmetries joined.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExploreArgs {
    /// Files (.lib, .sgf, .psq, .rec, .pos, or .jsonl of the match runner), and folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The position, rows from the bottom: h8h9.
    #[arg(long, default_value = "", value_name = "MOVES")]
    at: String,
    #[command(flatten)]
    board: convert::Board,
    /// Most moves listed.
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo explore openings.lib --at h8h9
  pbrain-kakugo explore ~/.local/share/kakugo/games games.jsonl
  pbrain-kakugo explore club.sgf --at h8i9 --json

Of moves that the position's symmetry makes alike one is listed. Lines are games, and the variations of
libraries; results are those of games that tell one.
";

/// Run `explore`, which prints to stdout.
///
/// # Errors
/// A file cannot be read, or the moves are none.
pub fn run(args: &ExploreArgs) -> anyhow::Result<()> {
    let pattern = args.board.pattern().map_err(usage)?;
    let (width, height) = (pattern.width, pattern.height);
    let moves = pos::read(&args.at, height, RowOrder::FromBottom)
        .with_context(|| format!("\"{}\" is no position", args.at));
    let moves = moves.map_err(usage)?;
    let mut book = Book::new(pattern);
    for path in &args.files {
        add(&mut book, path)?;
    }
    for (file, why) in book.refused() {
        eprintln!("{}: left out: {why}", file.display());
    }
    let (here, next) = book.explorer().look(width, height, &moves);
    let text = if args.json {
        format!("{:#}\n", as_json(&book, here, &next, height))
    } else {
        as_text(&book, here, &next[..next.len().min(args.top)], height)
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn add(book: &mut Book, path: &Path) -> anyhow::Result<()> {
    ensure!(path.exists(), "there is no file or folder {}", path.display());
    book.add(path).with_context(|| format!("reading {}", path.display()))
}

fn as_json(book: &Book, here: Record, next: &[Next], height: u8) -> Value {
    let told = |record: Record| json!({ "lines": record.lines, "black": record.black, "white": record.white, "draws": record.draws });
    let next = next.iter().map(|next| {
        let mut value = told(next.record);
        value["move"] = json!(name(next.point, height));
        value
    });
    json!({
        "files": book.files(),
        "lines": book.explorer().lines(),
        "positions": book.explorer().positions(),
        "here": told(here),
        "next": next.collect::<Vec<_>>(),
    })
}

fn as_text(book: &Book, here: Record, next: &[Next], height: u8) -> String {
    let (lines, positions) = (book.explorer().lines(), book.explorer().positions());
    let mut text = format!(
        "{lines} lines with {positions} positions in {} {}\n\n",
        book.files(),
        if book.files() == 1 { "file" } else { "files" }
    );
    text += &format!("{:>6} {:>8} {:>8} {:>8} {:>8}\n", "move", "lines", "Black", "White", "draws");
    let row = |what: &str, record: Record| {
        let Record { lines, black, white, draws } = record;
        format!("{what:>6} {lines:>8} {black:>8} {white:>8} {draws:>8}\n")
    };
    text += &row("here", here);
    let named = |point: Point| name(point, height);
    next.iter().for_each(|next| text += &row(&named(next.point), next.record));
    text
}
