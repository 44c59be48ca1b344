//! Converting game records: SGF and RenLib with variations, psq, rec, pos text both ways up, offset
//! openings.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use crate::analysis::drawing::plain;
use crate::board::{MAX_SIZE, MIN_SIZE, Rule, Variant};
use crate::record::Game;
use crate::record::file::Format;
use crate::record::game_tree::GameTree;
use crate::record::pos::RowOrder;
use crate::usage::usage;

/// Convert a game record. Names ending in .sgf, .psq, .rec, .pos, .txt (pos text), .open (offset
/// openings) or .lib (RenLib) tell the format. SGF and RenLib keep variations, comments and marks.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File to read, `-` for stdin (with --from).
    input: String,
    /// File to write, `-` for stdout (with --to).
    #[arg(required_unless_present = "list")]
    output: Option<String>,
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
    /// Make a game of every variation, the main line first.
    #[arg(long)]
    lines: bool,
    /// List the games of the input instead of converting.
    #[arg(long, conflicts_with_all = ["output", "to", "rows_out", "game"])]
    list: bool,
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
  pbrain-kakugo convert openings.lib openings.sgf          the library as one tree
  pbrain-kakugo convert openings.lib openings.pos --lines  every line of it
  pbrain-kakugo convert openings.lib line7.psq --lines --game 7
  pbrain-kakugo convert club.sgf --list                    the games of a collection
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

/// Read the main lines of all games of a file, or of stdin for `-`.
///
/// # Errors
/// It cannot be read, or holds no game.
pub fn read(
    name: &str,
    word: Option<&str>,
    rows: RowOrder,
    pattern: &Game,
) -> anyhow::Result<Vec<Game>> {
    Ok(read_trees(name, word, rows, pattern)?.iter().map(GameTree::main_line).collect())
}

/// Read all games of a file with their variations, or of stdin for `-`.
///
/// # Errors
/// It cannot be read, or holds no game.
pub fn read_trees(
    name: &str,
    word: Option<&str>,
    rows: RowOrder,
    pattern: &Game,
) -> anyhow::Result<Vec<GameTree>> {
    let format = format(word, name, rows).map_err(usage)?;
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).context("reading stdin")?;
    } else {
        bytes = std::fs::read(name).with_context(|| format!("reading {name}"))?;
    }
    format.read_trees(&bytes, pattern).with_context(|| format!("reading {name}"))
}

/// Run `convert`.
///
/// # Errors
/// A file cannot be read or written, or the format cannot hold the game.
pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let pattern = args.board.pattern().map_err(usage)?;
    let rows_out = args.rows_out.unwrap_or(args.rows).into();
    let output = args.output.as_deref().unwrap_or("-");
    let to = || format(args.to.as_deref(), output, rows_out).map_err(usage);
    let to = if args.list { None } else { Some(to()?) };
    let mut games = read_trees(&args.input, args.from.as_deref(), args.rows.into(), &pattern)?;
    if args.lines {
        games = lines(&games).with_context(|| format!("listing the lines of {}", args.input))?;
    }
    let Some(to) = to else { return list(&games) };
    if let Some(number) = args.game {
        let count = games.len();
        let held = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
        ensure!((1..=count).contains(&number), "{} holds {held} (see --list)", args.input);
        games = vec![games.swap_remove(number - 1)];
    }
    for (number, game) in games.iter().enumerate() {
        let which = || format!("{}, game {}", args.input, number + 1);
        game.main_line().board().with_context(which)?;
        if let Some((ply, what)) = game.fault() {
            return Err(anyhow::anyhow!("a variation's move {ply}: {what}")).with_context(which);
        }
    }
    if !to.has_variations() {
        tell_what_is_lost(&args.input, &games);
    }
    let bytes = to.write_trees(&games).with_context(|| format!("writing {output}"))?;
    if output == "-" {
        std::io::stdout().lock().write_all(&bytes).context("writing stdout")?;
    } else {
        std::fs::write(Path::new(output), bytes).with_context(|| format!("writing {output}"))?;
    }
    Ok(())
}

/// Most moves in a list of lines: every line repeats what it shares with the one before.
const MOST_MOVES: usize = 10_000_000;

/// Every line of the games as a game of its own.
fn lines(games: &[GameTree]) -> anyhow::Result<Vec<GameTree>> {
    let (mut lines, mut moves) = (Vec::new(), 0);
    for line in games.iter().flat_map(GameTree::lines) {
        moves += line.moves.len();
        ensure!(moves <= MOST_MOVES, "there are too many; save a part of the library");
        lines.push(GameTree::of(&line));
    }
    Ok(lines)
}

/// Say on stderr what formats of a single line leave out.
fn tell_what_is_lost(input: &str, games: &[GameTree]) {
    let branched = games.iter().filter(|game| !game.nodes.is_line());
    let left_out: usize = branched.map(|game| game.lines().count().saturating_sub(1)).sum();
    if left_out > 0 {
        let variations = if left_out == 1 { "variation is" } else { "variations are" };
        eprintln!("{input}: {left_out} {variations} left out (--lines writes each as a game)");
    }
    let remarked = |game: &GameTree| {
        game.nodes.preorder().any(|id| {
            let node = game.nodes.value(id);
            !node.comment().is_empty() || !node.marks().is_empty()
        })
    };
    if games.iter().any(remarked) {
        eprintln!("{input}: comments and marks are left out");
    }
}

/// Print one line about each game.
fn list(games: &[GameTree]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for (number, game) in games.iter().enumerate() {
        writeln!(out, "{:>4}  {}", number + 1, summary(game)).context("writing stdout")?;
    }
    Ok(())
}

/// A game in one line: players, result, date, board, moves.
fn summary(tree: &GameTree) -> String {
    let game = &tree.game;
    let known = |name: &str| if name.is_empty() { "?".to_owned() } else { plain(name) };
    let moves = tree.main_line().moves.len();
    let mut words = vec![format!("{} - {}", known(&game.black), known(&game.white))];
    words.extend(
        [&game.event, &game.date]
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| plain(text)),
    );
    words.push(format!("{} {}x{}", game.variant, game.width, game.height));
    words.push(format!("{moves} {}", if moves == 1 { "move" } else { "moves" }));
    if !tree.nodes.is_line() {
        words.push(format!("{} lines", tree.lines().count()));
    }
    words.push(game.result_in_words().unwrap_or_else(|| "no result".to_owned()));
    words.join(", ")
}
