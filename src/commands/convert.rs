//! Converting game records: SGF and RenLib with variations, psq, rec, pos text both ways up, offset
//! openings.

use std::fmt::Display;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::{Args, ValueEnum};

use super::lost;
use kakugo::board::{self, Rule, Size, Variant};
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::analysis::drawing::sanitize;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::{FormatError, Game, Move};

/// Convert a game record. Names ending in .sgf, .psq, .rec, .pos, .txt (pos text), .open (offset openings) or
/// .lib (RenLib) tell the format, else SGF, psq and RenLib files are known by how they begin. SGF and RenLib
/// keep variations, comments and marks. Games that cannot be read or played are left out; stderr tells of
/// them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File to read, `-` for stdin (with --from, unless it begins as SGF, psq or RenLib files do).
    input: String,
    /// File to write, `-` for stdout (with --to).
    #[arg(required_unless_present = "list")]
    output: Option<String>,
    /// Format of the input: sgf, psq, rec, pos-bottom, pos-top, offset, lib.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format of the output; rec holds boards of 20x20 only.
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
    /// Size where the format does not tell, such as 15 or 19x13 [default: 15, of rec files 20].
    #[arg(long)]
    size: Option<String>,
    /// Rule where the format does not tell: freestyle, standard, renju, caro, caro-overline.
    #[arg(long, default_value = "freestyle", value_name = "RULE")]
    rule: Rule,
    /// Stones in a row that win, 3 to 6.
    #[arg(long, default_value_t = 5, alias = "win-length")]
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
        let Size { width, height } = self.size.as_deref().unwrap_or("15").parse()?;
        Ok(Game::new(width, height, Variant::new(self.rule, self.win)?))
    }
}

/// The format named, or the one that the file's name tells, if any.
fn format(word: Option<&str>, name: &str, rows: RowOrder) -> anyhow::Result<Option<Format>> {
    let Some(word) = word else { return Ok(Format::from_file_name(name, rows)) };
    let format = Format::from_name(word, rows).with_context(|| {
        let words: Vec<&str> = Format::names().collect();
        format!("there is no format \"{word}\": {}", words.join(", "))
    })?;
    Ok(Some(format))
}

/// Folders are told as such, not as files that cannot be read.
///
/// # Errors
/// It is one.
pub(super) fn ensure_no_folder(name: &str) -> anyhow::Result<()> {
    ensure!(!Path::new(name).is_dir(), "{name} is a folder");
    Ok(())
}

/// All games of a file, or why one of them cannot be read.
pub(super) type Games = Vec<Result<GameTree, FormatError>>;

/// Read all games of a file, or of stdin for `-`. `otherwise` is its format where nothing tells one.
///
/// # Errors
/// There is no such file, nothing tells its format, or it is of another one.
pub(super) fn read(
    name: &str,
    word: Option<&str>,
    rows: RowOrder,
    board: &Board,
    otherwise: Option<Format>,
) -> anyhow::Result<(Format, Games)> {
    let told = format(word, name, rows).map_err(usage)?;
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("reading stdin")?;
        bytes
    } else {
        ensure_no_folder(name)?;
        std::fs::read(name).with_context(|| format!("reading {name}"))?
    };
    let by_content = Format::detect(&bytes);
    let format = told.or(by_content).or(otherwise);
    let format = format.with_context(|| match name {
        "-" => "stdin does not tell its format: give --from".to_owned(),
        _ => format!("\"{name}\" does not tell its format, nor what is in it: give --from"),
    });
    let format = format.map_err(usage)?;
    let games = games(format, &bytes, board)?;
    let other = by_content.filter(|&other| word.is_none() && other != format);
    match (other, games.first()) {
        (Some(other), Some(Err(error))) if games.iter().all(Result::is_err) => {
            Err(anyhow!("reading {name}: {error}; it begins as {} files do", other.name()))
        }
        _ => Ok((format, games)),
    }
}

/// All games of these bytes.
///
/// # Errors
/// There is no such board.
fn games(format: Format, bytes: &[u8], board: &Board) -> anyhow::Result<Games> {
    let pattern = board.pattern().map_err(usage)?;
    let mut games = format.games(bytes, &pattern);
    // Piskvork writes rec files of boards of any size, which they do not tell.
    if format == Format::Rec && board.size.is_some() {
        for tree in games.iter_mut().flatten() {
            (tree.game.width, tree.game.height) = (pattern.width, pattern.height);
        }
    }
    Ok(games)
}

/// The position at the end of a game.
///
/// # Errors
/// Which move cannot be, and by which rule.
pub(super) fn end_of(game: &Game) -> anyhow::Result<board::Board> {
    game.board().map_err(|error| {
        let before = game.moves[..error.ply.min(game.moves.len())].to_vec();
        match (Game { moves: before, ..game.clone() }).result_on_board() {
            Some(_) => anyhow!("{error} under {} (see --rule)", game.variant),
            None => error.into(),
        }
    })
}

/// `1 game`, `3 lines`
pub(super) fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}

/// Run `convert`.
///
/// # Errors
/// A file cannot be read or written, or the format cannot hold the game.
pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    args.board.pattern().map_err(usage)?;
    let rows_out = args.rows_out.unwrap_or(args.rows).into();
    let output = args.output.as_deref().unwrap_or("-");
    let to = || {
        let to = format(args.to.as_deref(), output, rows_out).map_err(usage)?;
        if to.is_none() {
            ensure_no_folder(output)?;
        }
        let unknown = || usage(anyhow!("\"{output}\" does not tell its format: give --to"));
        to.ok_or_else(unknown)
    };
    let to = if args.list { None } else { Some(to()?) };
    let (from, rows) = (args.from.as_deref(), args.rows.into());
    let (_, games) = read(&args.input, from, rows, &args.board, None)?;
    let Some(to) = to else { return list(args, games) };
    let games = if args.lines { lines(args, to, games)? } else { chosen(args, games)? };
    if games.len() > 1 && matches!(to, Format::Psq | Format::Rec | Format::RenLib) {
        let count = games.len();
        let file = if to == Format::RenLib { "library" } else { "file" };
        let what = format!("one {file} holds one game, not {count} (--game N takes one)");
        return Err(anyhow!(what)).with_context(|| format!("writing {output}"));
    }
    if !args.lines {
        lost::of_games(&args.input, to, &games);
    }
    let bytes = to.write_trees(&games).with_context(|| format!("writing {output}"))?;
    if output == "-" {
        std::io::stdout().lock().write_all(&bytes).context("writing stdout")?;
    } else {
        std::fs::write(Path::new(output), bytes).with_context(|| format!("writing {output}"))?;
    }
    Ok(())
}

/// The games of the file, or the one that the arguments choose.
fn chosen(args: &ConvertArgs, games: Games) -> anyhow::Result<Vec<GameTree>> {
    let count = games.len();
    let games = (1..).zip(games).filter(|(number, _)| args.game.is_none_or(|game| game == *number));
    let games = games.map(|(number, game)| {
        (number, game.map_err(anyhow::Error::from).and_then(|game| playable(&game).map(|()| game)))
    });
    let games = sound(&args.input, "game", games)?;
    ensure!(!games.is_empty(), "{} holds {} (see --list)", args.input, counted(count, "game"));
    Ok(games)
}

/// Those that are sound; of the others stderr tells.
///
/// # Errors
/// None is.
fn sound<T>(
    input: &str,
    what: &str,
    all: impl Iterator<Item = (usize, anyhow::Result<T>)>,
) -> anyhow::Result<Vec<T>> {
    let (mut sound, mut left_out, mut first) = (Vec::new(), 0_usize, None);
    for (number, one) in all {
        match one {
            Ok(one) => sound.push(one),
            Err(error) => {
                left_out += 1;
                first.get_or_insert((number, error));
            }
        }
    }
    match first {
        None => {}
        Some((number, error)) if sound.is_empty() => {
            return Err(error.context(format!("{input}, {what} {number}")));
        }
        Some((number, error)) => {
            let all = counted(sound.len() + left_out, what);
            note(format_args!(
                "{input}: {left_out} of {all} left out, the first of them {what} {number}: {error:#}"
            ));
        }
    }
    Ok(sound)
}

/// Whether a game and its variations can be played.
///
/// # Errors
/// The first move that cannot.
fn playable(tree: &GameTree) -> anyhow::Result<()> {
    end_of(&tree.main_line())?;
    match tree.illegal_move() {
        Some((number, what)) => Err(anyhow!("a variation's move {number}: {what}")),
        None => Ok(()),
    }
}

/// Most memory for a list of lines, in bytes: every line repeats what it shares with the one before.
const MOST_BYTES: usize = 640 << 20;

/// What a move of a line takes, its comment apart.
const MOVE_BYTES: usize = 64;

/// Every line of the games as a game of its own, or the one that the arguments choose.
fn lines(args: &ConvertArgs, to: Format, games: Games) -> anyhow::Result<Vec<GameTree>> {
    let input = &args.input;
    let games = (1..).zip(games).map(|(number, game)| (number, game.map_err(anyhow::Error::from)));
    let games = sound(input, "game", games)?;
    lost::of_lines(input, to, &games);
    let lines = || games.iter().flat_map(GameTree::lines).map(|line| without_lost(line, to));
    if args.game.is_none() {
        let mut bytes = 0;
        for line in lines() {
            let taken = |played: &Move| MOVE_BYTES + played.comment.len();
            bytes += line.moves.iter().map(taken).sum::<usize>();
            ensure!(bytes <= MOST_BYTES, "{input} has too many lines; save a part of the library");
        }
    }
    let wanted = |(number, _): &(usize, _)| args.game.is_none_or(|line| line == *number);
    let made = |(number, line)| (number, end_of(&line).map(|_| GameTree::from_game(&line)));
    let made = sound(input, "line", (1..).zip(lines()).filter(wanted).map(made))?;
    let held = || counted(lines().count(), "line");
    ensure!(!made.is_empty(), "{input} holds {} (see --list --lines)", held());
    Ok(made)
}

/// A line without the comments that a format has no room for.
fn without_lost(mut line: Game, to: Format) -> Game {
    if !to.has_variations() {
        line.moves.iter_mut().for_each(|played| played.comment.clear());
    }
    line
}

/// Print one line about each game, or about each line of play.
fn list(args: &ConvertArgs, games: Games) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut put =
        |number: usize, what: &str| writeln!(out, "{number:>4}  {what}").context("writing stdout");
    if args.lines {
        let games =
            (1..).zip(games).map(|(number, game)| (number, game.map_err(anyhow::Error::from)));
        let games = sound(&args.input, "game", games)?;
        let lines = games.iter().flat_map(GameTree::lines);
        return (1..)
            .zip(lines)
            .try_for_each(|(number, line)| put(number, &summary(&GameTree::from_game(&line))));
    }
    if let [Err(error)] = &games[..] {
        return Err(error.clone()).with_context(|| format!("reading {}", args.input));
    }
    (1..).zip(games).try_for_each(|(number, game)| match game {
        Ok(game) => put(number, &summary(&game)),
        Err(error) => put(number, &format!("cannot be read: {error}")),
    })
}

/// A game in one line: players, result, date, board, moves.
fn summary(tree: &GameTree) -> String {
    let game = &tree.game;
    let known = |name: &str| if name.is_empty() { "?".to_owned() } else { sanitize(name) };
    let moves = tree.main_line().moves.len();
    let mut words = vec![format!("{} - {}", known(&game.black), known(&game.white))];
    words.extend(
        [&game.event, &game.date]
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| sanitize(text)),
    );
    words.push(format!("{} {}x{}", game.variant, game.width, game.height));
    words.push(counted(moves, "move"));
    if !tree.nodes.is_line() {
        words.push(format!("{} lines", tree.line_ends().count()));
    }
    words.push(game.result_in_words().unwrap_or_else(|| "no result".to_owned()));
    words.join(", ")
}
