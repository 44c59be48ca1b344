//! Converting game records: SGF, psq, rec, pos text both ways up, offset openings, RenLib.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use crate::board::{MAX_SIZE, MIN_SIZE, Rule, Variant};
use crate::record::Game;
use crate::record::file::Format;
use crate::record::pos::RowOrder;

/// Convert a game record. Names ending in .sgf, .psq, .rec, .pos, .txt (pos text), .open (offset
/// openings) or .lib (RenLib, reading only) tell the format.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File to read, `-` for stdin (with --from).
    input: String,
    /// File to write, `-` for stdout (with --to).
    output: String,
    /// Format of the input: sgf, psq, rec, pos-bottom, pos-top, offset, lib.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format of the output.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    board: Board,
    /// Where row 1 of the input's pos text lies.
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Where row 1 of the output's pos text lies [default: as --rows].
    #[arg(long, value_enum)]
    rows_out: Option<Rows>,
    /// Write only game N of the input, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

/// What a format does not tell.
#[derive(Args, Debug)]
pub struct Board {
    /// Size where the format does not tell: 15 or 19x13.
    #[arg(long, default_value = "15")]
    size: String,
    /// Rule where the format does not tell: freestyle, standard, renju, caro, caro-overline.
    #[arg(long, default_value = "freestyle", value_name = "RULE")]
    rule: Rule,
    /// Stones in a row that win, 3 to 6.
    #[arg(long, default_value_t = 5)]
    win: u8,
}

/// Where row 1 lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rows {
    /// At the bottom: Yixin-Board, gomocalc, printed diagrams.
    Bottom,
    /// At the top: c-gomoku-cli, GomocupJudge, pygomo.
    Top,
}

impl From<Rows> for RowOrder {
    fn from(rows: Rows) -> RowOrder {
        match rows {
            Rows::Bottom => RowOrder::FromBottom,
            Rows::Top => RowOrder::FromTop,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo convert game.psq game.sgf --rule renju
  pbrain-kakugo convert openings.lib openings.sgf          every line of the library
  pbrain-kakugo convert openings.lib line7.psq --game 7
  pbrain-kakugo convert a.pos b.pos --rows top --rows-out bottom
  echo h8h9i8 | pbrain-kakugo convert - - --from pos-bottom --to offset
";

impl Board {
    /// An empty game that tells what a format does not.
    ///
    /// # Errors
    /// There is no such board.
    pub fn pattern(&self) -> anyhow::Result<Game> {
        let (width, height) = self.size.split_once(['x', 'X']).unwrap_or((&self.size, &self.size));
        let side = |text: &str| {
            let side = text.parse::<u8>().ok().filter(|n| (MIN_SIZE..=MAX_SIZE).contains(n));
            side.with_context(|| format!("\"{}\" is no board size: try 15 or 19x13", self.size))
        };
        Ok(Game::new(side(width)?, side(height)?, Variant::new(self.rule, self.win)?))
    }
}

/// The format named, or the one that the file's name tells.
fn format(word: Option<&str>, name: &str, rows: RowOrder) -> anyhow::Result<Format> {
    match word {
        Some(word) => Format::from_word(word, rows).with_context(|| {
            let words: Vec<&str> = Format::words().collect();
            format!("there is no format \"{word}\": {}", words.join(", "))
        }),
        None => Format::of_name(name, rows)
            .with_context(|| format!("\"{name}\" does not tell its format: give --from or --to")),
    }
}

/// Read all games of a file, or of stdin for `-`.
///
/// # Errors
/// It cannot be read, or holds no game.
pub fn read(
    name: &str,
    word: Option<&str>,
    rows: RowOrder,
    pattern: &Game,
) -> anyhow::Result<Vec<Game>> {
    let format = format(word, name, rows)?;
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).context("reading stdin")?;
    } else {
        bytes = std::fs::read(name).with_context(|| format!("reading {name}"))?;
    }
    format.read(&bytes, pattern).with_context(|| format!("reading {name}"))
}

/// Run `convert`.
///
/// # Errors
/// A file cannot be read or written, or the format cannot hold the game.
pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let pattern = args.board.pattern()?;
    let rows_out = args.rows_out.unwrap_or(args.rows);
    let to = format(args.to.as_deref(), &args.output, rows_out.into())?;
    let mut games = read(&args.input, args.from.as_deref(), args.rows.into(), &pattern)?;
    if let Some(number) = args.game {
        let count = games.len();
        ensure!((1..=count).contains(&number), "{} holds {count} games", args.input);
        games = vec![games.swap_remove(number - 1)];
    }
    for (number, game) in games.iter().enumerate() {
        game.board().with_context(|| format!("{}, game {}", args.input, number + 1))?;
    }
    let text = to.write(&games).with_context(|| format!("writing {}", args.output))?;
    if args.output == "-" {
        std::io::stdout().lock().write_all(text.as_bytes()).context("writing stdout")?;
    } else {
        std::fs::write(Path::new(&args.output), text)
            .with_context(|| format!("writing {}", args.output))?;
    }
    Ok(())
}
