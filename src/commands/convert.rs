//! Conversion of game files: SGF and RenLib with variations, psq, rec, pos text with row 1 at the
//! top or bottom, and offset openings.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::board::BoardArgs;
use super::omissions;
use super::search::{self, SearchArgs};
use kakugo::board::{Board, Side, Size};
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::analysis::drawing::sanitize;
use kakugo_record::file::{BEGINNING_BYTES, Format, no_games};
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::search::GameFilter;
use kakugo_record::setup::Setup;
use kakugo_record::tree::NodeId;
use kakugo_record::{Defaults, FormatError, Game, Move, rif, sgf};

/// Convert game files: SGF, RenLib, psq, rec, pos text, offset openings
///
/// The format is taken from the name: .sgf, .psq, .rec, .pos or .txt (pos text, a drawn board, or a
/// binary RenLib position), .open (offset openings), .lib (RenLib), .sav (Yixin-Board), .rif
/// (RenjuNet). Otherwise SGF, psq, RenLib and RIF files are recognised by their content.
/// SGF and RenLib store variations, comments and marks. Games that cannot be read or played are
/// skipped and reported on stderr.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File to read, `-` for stdin (with --from, except for SGF, psq and RenLib)
    input: String,
    /// File to write, `-` for stdout (with --to)
    #[arg(required_unless_present = "list")]
    output: Option<String>,
    /// Format of the input: sgf, psq, rec, pos-bottom, pos-top, offset, lib, pos-binary, sav,
    /// diagram, rif
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Format of the output, except diagram and rif; rec files support only 20x20 boards
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Position of row 1 in the input's pos text
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Position of row 1 in the output's pos text [default: as --rows]
    #[arg(long, value_enum)]
    rows_out: Option<Rows>,
    /// Write only game N of the input, from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Write every variation as a game of its own, main line first
    #[arg(long)]
    lines: bool,
    /// List the games of the input instead of converting
    #[arg(long, conflicts_with_all = ["output", "to", "rows_out", "game"])]
    list: bool,
    #[command(flatten)]
    search: SearchArgs,
    /// Only games with this position, in any orientation: moves, rows from the bottom
    #[arg(long, default_value = "", value_name = "MOVES", help_heading = "Search")]
    at: String,
}

/// Position of row 1 on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rows {
    /// At the bottom: Yixin-Board, gomocalc, printed diagrams
    Bottom,
    /// At the top: c-gomoku-cli, GomocupJudge, pygomo
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
  pbrain-kakugo convert openings.lib openings.pos --lines  every line as a game
  pbrain-kakugo convert openings.lib line7.psq --lines --game 7
  pbrain-kakugo convert club.sgf --list                    the games of a collection
  pbrain-kakugo convert db.rif won.sgf --player anna --result win
  pbrain-kakugo convert go.sgf game.sgf --rule renju       a file of a Go editor
  pbrain-kakugo convert a.pos b.pos --rows top --rows-out bottom
  echo h8h9i8 | pbrain-kakugo convert - - --from pos-bottom --to offset
";

/// Returns the format with this name, or else the one of the file's extension, if it has one.
fn format(word: Option<&str>, name: &str, rows: RowOrder) -> anyhow::Result<Option<Format>> {
    let Some(word) = word else { return Ok(Format::from_file_name(name, rows)) };
    let format = Format::from_name(word, rows).with_context(|| {
        let words: Vec<&str> = Format::names().collect();
        format!("unknown format \"{word}\": expected one of {}", words.join(", "))
    })?;
    Ok(Some(format))
}

/// Rejects folders with a message of their own.
///
/// # Errors
/// Returns an error if `name` is a folder.
pub(super) fn ensure_not_folder(name: &str) -> anyhow::Result<()> {
    ensure!(!Path::new(name).is_dir(), "{name} is a folder: expected a file");
    Ok(())
}

/// The games of a file with their numbers, each with the error if it cannot be read.
type Games = Vec<(usize, Result<GameTree, FormatError>)>;

/// A game file whose format is known. Its games are parsed when they are needed.
pub(super) struct Source {
    /// The content, or only its beginning if it is read from `file`.
    bytes: Vec<u8>,
    /// A database, which is read as a stream.
    file: Option<File>,
    format: Format,
    /// Another format that the content looks like.
    looks_like: Option<Format>,
    defaults: Defaults,
    /// The size of `--size`.
    size: Option<Size>,
    to_move: Option<Side>,
}

/// The hint for SGF files of other games.
pub(super) const OTHER_GAME: &str = "name the rule with --rule to read it as Gomoku or Renju";

impl Source {
    /// Reads a file, or stdin if `name` is `-`. The format is `word`, or else the one of the file's
    /// extension, its content, or `fallback`, in this order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or its format is unknown.
    pub(super) fn read(
        name: &str,
        word: Option<&str>,
        rows: RowOrder,
        board: &BoardArgs,
        fallback: Option<Format>,
    ) -> anyhow::Result<Source> {
        let mut defaults = board.defaults().map_err(usage)?;
        // A format that the user names is not in doubt.
        defaults.accepts_any_sgf |= word.is_some();
        let specified = format(word, name, rows).map_err(usage)?;
        let (bytes, file) = read_content(name, specified)?;
        let by_content = Format::detect(&bytes);
        // Text files may hold any format.
        let is_text = word.is_none() && matches!(specified, Some(Format::Pos(_)));
        let specified = specified.filter(|_| !(is_text && by_content.is_some()));
        let format = specified.or(by_content).or(fallback);
        let format = format.with_context(|| {
            let name = if name == "-" { "stdin".to_owned() } else { format!("\"{name}\"") };
            format!("unknown format of {name}: specify it with --from")
        });
        let format = format.map_err(usage)?;
        let looks_like = by_content.filter(|&other| word.is_none() && other != format);
        let size = board.size.as_ref().map(|_| {
            let Game { width, height, .. } = defaults.game;
            Size { width, height }
        });
        Ok(Source { bytes, file, format, looks_like, defaults, size, to_move: board.to_move() })
    }

    /// Returns the content of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the format of the file.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Passes the games to `each`, one at a time, until it returns `Break`. Invalid games are passed
    /// as errors.
    pub(super) fn each_game(
        &self,
        mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
    ) {
        let defaults = self.defaults.clone();
        let each = |game| each(self.complete(game));
        match &self.file {
            Some(file) => {
                let _ = rif::games(file, defaults.game.variant, each);
            }
            None => self.format.each_game(&self.bytes, defaults, each),
        }
    }

    /// Adds to a game what the command line specifies and the file does not, and hints to errors.
    fn complete(&self, game: Result<GameTree, FormatError>) -> Result<GameTree, FormatError> {
        let mut tree = match game {
            Err(error) if error.is_other_game() => return Err(error.with_hint(OTHER_GAME)),
            game => game?,
        };
        // Piskvork writes rec files of boards of any size, without the size.
        if self.format == Format::Rec
            && let Some(Size { width, height }) = self.size
        {
            (tree.game.width, tree.game.height) = (width, height);
        }
        if let Some(side) = self.to_move {
            set_missing_sides(&mut tree, side);
        }
        tree.game.assumes_rule &= !self.defaults.names_rule;
        Ok(tree)
    }

    /// Returns the error of a file without valid games. If the content looks like another format,
    /// it names that.
    pub(super) fn explain(&self, error: FormatError) -> FormatError {
        match self.looks_like.map(Format::name) {
            Some(other) => {
                error.with_hint(&format!("the file looks like {other}: try --from {other}"))
            }
            None => error,
        }
    }

    /// Returns the games that pass a filter, and errors. The result is not empty without a filter.
    fn games(&self, filter: &GameFilter) -> Games {
        let mut games = Games::new();
        let mut number = 0;
        self.each_game(|game| {
            number += 1;
            if game.as_ref().map_or(true, |game| filter.matches(game)) {
                games.push((number, game));
            }
            ControlFlow::Continue(())
        });
        if number == 0 {
            games.push((1, Err(no_games())));
        }
        if games.len() == number.max(1) && games.iter().all(|(_, game)| game.is_err()) {
            self.explain_first(&mut games);
        }
        games
    }

    /// Adds a hint to the first error of a file without valid games.
    fn explain_first(&self, games: &mut Games) {
        if let Some((_, Err(first))) = games.first_mut() {
            *first = self.explain(first.clone());
        }
    }
}

/// Reads a file, or stdin if `name` is `-`. Of a database, reads only the beginning and returns the
/// file as well. `specified` is the format if it is known.
///
/// # Errors
/// Returns an error if the file cannot be read.
fn read_content(name: &str, specified: Option<Format>) -> anyhow::Result<(Vec<u8>, Option<File>)> {
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).context("reading stdin")?;
        return Ok((bytes, None));
    }
    ensure_not_folder(name)?;
    let mut read = || {
        let mut file = File::open(name)?;
        if file.metadata()?.is_file() {
            (&file).take(BEGINNING_BYTES).read_to_end(&mut bytes)?;
            if specified.or_else(|| Format::detect(&bytes)) == Some(Format::Rif) {
                return Ok(Some(file));
            }
        }
        file.read_to_end(&mut bytes)?;
        Ok(None)
    };
    let file: std::io::Result<Option<File>> = read();
    let file = file.with_context(|| format!("reading {name}"))?;
    Ok((bytes, file))
}

/// Sets the side to move in positions that do not specify it.
fn set_missing_sides(tree: &mut GameTree, side: Side) {
    if tree.game.start.has_assumed_side() {
        tree.game.start.to_move = Some(side);
    }
    let is_open = |id: &NodeId| {
        let setup = tree.nodes.value(*id).setup();
        setup.is_some_and(Setup::has_assumed_side)
    };
    let open: Vec<NodeId> = tree.nodes.preorder().filter(is_open).collect();
    for id in open {
        tree.nodes.value_mut(id).edit_note(|note| {
            note.setup.iter_mut().for_each(|setup| setup.to_move = Some(side));
        });
    }
}

/// Returns the position at the end of a game.
///
/// # Errors
/// Returns the first invalid move, with the rule if the game was already over.
pub(super) fn final_position(game: &Game) -> anyhow::Result<Board> {
    game.board().map_err(|error| {
        let Some(ply) = error.ply else { return error.into() };
        let before = game.moves[..ply.min(game.moves.len())].to_vec();
        match (Game { moves: before, ..game.clone() }).result_on_board() {
            Some(_) => anyhow!("{error} under {} (see --rule)", game.variant),
            None => error.into(),
        }
    })
}

/// Returns a count with its noun: `1 game`, `3 lines`.
pub(super) fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", if count == N::from(1) { "" } else { "s" })
}

/// Runs `convert`.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the format cannot store the game.
pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    args.board.empty_game().map_err(usage)?;
    let rows_out = args.rows_out.unwrap_or(args.rows).into();
    let output = args.output.as_deref().unwrap_or("-");
    let to = || {
        let to = format(args.to.as_deref(), output, rows_out).map_err(usage)?;
        if to.is_none() {
            ensure_not_folder(output)?;
        }
        let name = if output == "-" { "stdout".to_owned() } else { format!("\"{output}\"") };
        to.ok_or_else(|| usage(anyhow!("unknown format of {name}: specify it with --to")))
    };
    let to = if args.list { None } else { Some(to()?) };
    let (from, rows) = (args.from.as_deref(), args.rows.into());
    let source = Source::read(&args.input, from, rows, &args.board, None)?;
    let position = search::position(&args.at, &args.board).map_err(usage)?;
    let filter = args.search.filter(&position).map_err(usage)?;
    let Some(to) = to else { return list(args, &source, &filter) };
    let games = source.games(&filter);
    if !filter.is_empty() && games.iter().all(|(_, game)| game.is_err()) {
        return Err(anyhow!("{} contains no game that fits the search", args.input));
    }
    let games = if args.lines { lines(args, to, games)? } else { select_games(args, to, games)? };
    if games.len() > 1 && to.holds_one_game() {
        let (format, count) = (to.name(), games.len());
        let what = format!(
            "{format} files store one game, not {count}: select one with --game N (see --list)"
        );
        return Err(anyhow!(what)).with_context(|| format!("writing {output}"));
    }
    omissions::report_irregular(&args.input, &games);
    omissions::report_setup(&args.input, to, &games);
    if !args.lines {
        omissions::report(&args.input, to, &games);
    }
    let bytes = to.write_trees(&games).with_context(|| format!("writing {output}"))?;
    if output == "-" {
        std::io::stdout().lock().write_all(&bytes).context("writing stdout")?;
    } else {
        std::fs::write(Path::new(output), bytes).with_context(|| format!("writing {output}"))?;
    }
    Ok(())
}

/// Returns the valid games of the file, or the one that `--game` selects.
fn select_games(args: &ConvertArgs, to: Format, games: Games) -> anyhow::Result<Vec<GameTree>> {
    let count = games.len();
    let games = games.into_iter();
    let games = games.filter(|(number, _)| args.game.is_none_or(|game| game == *number));
    let checked = |game: Result<GameTree, FormatError>| {
        let game = game?;
        validate(&game)?;
        to.check_start(&game)?;
        Ok(game)
    };
    let games = games.map(|(number, game)| (number, checked(game)));
    let games = skip_invalid(&args.input, "game", games)?;
    ensure!(!games.is_empty(), "{} contains {} (see --list)", args.input, counted(count, "game"));
    Ok(games)
}

/// Returns the valid items, and reports the number of the others on stderr.
///
/// # Errors
/// Returns the first error if there are only invalid items.
fn skip_invalid<T>(
    input: &str,
    noun: &str,
    items: impl Iterator<Item = (usize, anyhow::Result<T>)>,
) -> anyhow::Result<Vec<T>> {
    let (mut valid, mut skipped, mut first) = (Vec::new(), 0_usize, None);
    for (number, item) in items {
        match item {
            Ok(item) => valid.push(item),
            Err(error) => {
                skipped += 1;
                first.get_or_insert((number, error));
            }
        }
    }
    match first {
        None => {}
        Some((number, error)) if valid.is_empty() => {
            return Err(error.context(format!("{input}, {noun} {number}")));
        }
        Some((number, error)) => {
            let all = counted(valid.len() + skipped, noun);
            note(format_args!(
                "{input}: skipped {skipped} of {all}, first {noun} {number}: {error:#}"
            ));
        }
    }
    Ok(valid)
}

/// Validates a game and its variations.
///
/// # Errors
/// Returns the first invalid move.
fn validate(tree: &GameTree) -> anyhow::Result<()> {
    final_position(&tree.main_line())?;
    match tree.illegal_move() {
        Some((number, what)) => Err(anyhow!("move {number} of a variation: {what}")),
        None => Ok(()),
    }
}

/// Maximum memory for all lines of a file, in bytes. Every line repeats the moves that it shares
/// with the one before.
const MAX_BYTES: usize = 640 << 20;

/// Memory of one move without its comment, in bytes.
const MOVE_BYTES: usize = 64;

/// Returns every line of the games as a game of its own, or the one that `--game` selects.
fn lines(args: &ConvertArgs, to: Format, games: Games) -> anyhow::Result<Vec<GameTree>> {
    let input = &args.input;
    let games = games.into_iter();
    let games = games.map(|(number, game)| (number, game.map_err(anyhow::Error::from)));
    let games = skip_invalid(input, "game", games)?;
    omissions::report_for_lines(input, to, &games);
    let lines = || games.iter().flat_map(GameTree::lines).map(|line| without_omitted(line, to));
    if args.game.is_none() {
        let mut bytes = 0;
        for line in lines() {
            let size = |played: &Move| MOVE_BYTES + played.comment.len();
            bytes += line.moves.iter().map(size).sum::<usize>();
            ensure!(
                bytes <= MAX_BYTES,
                "{input} has too many lines: select one with --game N, or save a part of the file"
            );
        }
    }
    let wanted = |(number, _): &(usize, _)| args.game.is_none_or(|line| line == *number);
    let checked = |line: &Game| {
        final_position(line)?;
        let tree = GameTree::from_game(line);
        to.check_start(&tree)?;
        Ok(tree)
    };
    let tree = |(number, line)| (number, checked(&line));
    let trees = skip_invalid(input, "line", (1..).zip(lines()).filter(wanted).map(tree))?;
    let count = || counted(lines().count(), "line");
    ensure!(!trees.is_empty(), "{input} contains {} (see --list --lines)", count());
    Ok(trees)
}

/// Returns a line without the comments that the format cannot store.
fn without_omitted(mut line: Game, to: Format) -> Game {
    if !to.has_variations() {
        line.moves.iter_mut().for_each(|played| played.comment.clear());
    }
    line
}

/// Prints a summary of each game that passes a filter, or of each line of play.
fn list(args: &ConvertArgs, source: &Source, filter: &GameFilter) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut put =
        |number: usize, what: &str| writeln!(out, "{number:>4}  {what}").context("writing stdout");
    if args.lines {
        let games = source.games(filter).into_iter();
        let games = games.map(|(number, game)| (number, game.map_err(anyhow::Error::from)));
        let games = skip_invalid(&args.input, "game", games)?;
        let lines = games.iter().flat_map(GameTree::lines);
        (1..)
            .zip(lines)
            .try_for_each(|(number, line)| put(number, &summary(&GameTree::from_game(&line))))?;
        return out.flush().context("writing stdout");
    }
    let mut invalid = 0_usize;
    let mut put_game = |number: usize, game: &Result<GameTree, FormatError>| match game {
        Ok(game) if filter.matches(game) => put(number, &summary(game)),
        Ok(_) => Ok(()),
        Err(error) if filter.is_empty() => put(number, &format!("cannot be read: {error}")),
        Err(_) => {
            invalid += 1;
            Ok(())
        }
    };
    // Errors before the first valid game. If there is none, the first error gets a hint.
    let mut waiting = Games::new();
    let (mut count, mut has_valid) = (0, false);
    let mut result = Ok(());
    source.each_game(|game| {
        count += 1;
        if game.is_err() && !has_valid {
            waiting.push((count, game));
            return ControlFlow::Continue(());
        }
        has_valid = true;
        let mut games = waiting.drain(..).chain([(count, game)]);
        result = games.try_for_each(|(number, game)| put_game(number, &game));
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    if count == 0 {
        waiting.push((1, Err(no_games())));
    }
    source.explain_first(&mut waiting);
    if let [(_, Err(error))] = &waiting[..] {
        return Err(error.clone()).with_context(|| format!("reading {}", args.input));
    }
    waiting.iter().try_for_each(|(number, game)| put_game(*number, game))?;
    out.flush().context("writing stdout")?;
    if invalid > 0 {
        note(format_args!(
            "{}: skipped {} that cannot be read",
            args.input,
            counted(invalid, "game")
        ));
    }
    Ok(())
}

/// Returns an opening as JSON.
pub(super) fn opening_json(opening: &RenjuOpening) -> Value {
    let RenjuOpening { code, name, japanese, .. } = opening;
    json!({ "code": code, "name": name, "japanese": japanese })
}

/// Returns a game in one line: players, event, date, board, moves, result.
pub(super) fn summary(tree: &GameTree) -> String {
    let game = &tree.game;
    let player = |name: &str| if name.is_empty() { "?".to_owned() } else { sanitize(name) };
    let line = tree.main_line();
    let mut words = vec![format!("{} - {}", player(&game.black), player(&game.white))];
    words.extend(
        [&game.event, &game.date]
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| sanitize(text)),
    );
    let root = tree.nodes.value(NodeId::ROOT).note();
    let opening =
        root.and_then(|note| note.other.iter().find(|other| other.name == rif::moves::OPENING));
    let stated = opening.map(|opening| sanitize(&sgf::unescape(&opening.values[0])));
    let known = RenjuOpening::of_game(&line).filter(|known| {
        // The file may have the same name.
        let stated = stated.as_deref().unwrap_or_default().to_lowercase();
        !stated.contains(&known.name.to_lowercase()) && !stated.contains(known.japanese)
    });
    words.extend(stated);
    words.extend(known.map(ToString::to_string));
    words.push(format!("{} {}x{}", game.variant, game.width, game.height));
    let stones = line.start.black().len() + line.start.white().len();
    if stones > 0 {
        words.push(format!("position of {}", counted(stones, "stone")));
    }
    words.push(counted(line.moves.len(), "move"));
    if !tree.nodes.is_line() {
        words.push(format!("{} lines", tree.line_ends().count()));
    }
    words.push(game.result_in_words().unwrap_or_else(|| "no result".to_owned()));
    words.join(", ")
}
