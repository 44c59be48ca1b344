//! Conversion of game files: SGF and RenLib with variations, psq, rec, pos text with row 1 at the
//! top or bottom, and offset openings.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::board::BoardArgs;
use super::omissions;
use super::positions;
use super::search::SearchArgs;
use super::source::{self, Games, Rows, Source};
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::file::{Format, no_games};
use kakugo_record::game_tree::{GameTree, Node};
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::search::GameFilter;
use kakugo_record::text::sanitize;
use kakugo_record::tree::NodeId;
use kakugo_record::{FormatError, rif, sgf};

/// Convert game files: SGF, RenLib, psq, rec, pos text, offset openings
///
/// The format is taken from the name: .sgf, .psq, .rec, .pos or .txt (pos text, a drawn board, or a
/// binary RenLib position), .open or .opn (offset openings), .lib (RenLib), .sav (Yixin-Board),
/// .rif (RenjuNet), .pgn (games with tags, as of PlayOK). Otherwise SGF, psq, RenLib, RIF and PGN
/// files are recognised by their content. SGF and RenLib store variations, comments and marks.
/// Games that cannot be read or played are skipped and reported on stderr.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// File to read, `-` for stdin
    input: OsString,
    /// File to write, `-` for stdout (with --to)
    #[arg(required_unless_present = "list")]
    output: Option<OsString>,
    /// Format of the input: sgf, psq, rec, pos-bottom, pos-top, offset, lib, pos-binary, sav,
    /// diagram, rif, link, pgn
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
    /// Only games with this position, in any orientation: moves, a drawn board, or a file
    #[arg(long, default_value = "", value_name = "POSITION", help_heading = "Search")]
    at: String,
}

impl ConvertArgs {
    /// Returns the name of the input for messages.
    fn input_name(&self) -> Cow<'_, str> {
        if self.input == "-" { "stdin".into() } else { self.input.to_string_lossy() }
    }

    /// Returns true if only games that fit a search are wanted.
    fn has_search(&self) -> bool {
        !self.search.is_empty() || !self.at.trim().is_empty()
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

/// Runs `convert`.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the format cannot store the game.
pub fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    args.board.empty_game().map_err(usage)?;
    let rows_out = args.rows_out.unwrap_or(args.rows).into();
    let output = args.output.as_deref().unwrap_or(OsStr::new("-"));
    let to = || {
        let to = source::format(args.to.as_deref(), output, rows_out).map_err(usage)?;
        if to.is_none() {
            source::ensure_not_folder(output)?;
        }
        let name =
            if output == "-" { "stdout".to_owned() } else { format!("\"{}\"", output.display()) };
        to.ok_or_else(|| usage(anyhow!("unknown format of {name}: specify it with --to")))
    };
    let to = if args.list { None } else { Some(to()?) };
    let (from, rows) = (args.from.as_deref(), args.rows.into());
    // Text on stdin without a known format is a list of moves, a drawn board or offsets.
    let fallback = (args.input == "-").then_some(Format::Pos(rows));
    let source = Source::read(&args.input, from, rows, &args.board, fallback)?;
    let position = positions::read_one(&args.at, &args.board)?;
    let filter = args.search.filter(&position).map_err(usage)?;
    let hint = positions::size_hint(&args.at, &position);
    let Some(to) = to else { return list(args, &source, &filter, &hint) };
    let games = source.games(&filter);
    report_overridden(args, &games);
    if !filter.is_empty() && games.iter().all(|(_, game)| game.is_err()) {
        return Err(anyhow!("{} contains no game that fits the search{hint}", args.input_name()));
    }
    let (noun, games) = match args.lines {
        true => ("line", lines(args, to, games)?),
        false => ("game", select_games(args, to, games)?),
    };
    if games.len() > 1 && to.holds_one_game() {
        let (format, count) = (to.name(), games.len());
        let what = format!(
            "{format} files store one game, not {count}: select one with --game N (see --list)"
        );
        return Err(anyhow!(what)).with_context(|| format!("writing {}", output.display()));
    }
    omissions::report_irregular(&args.input_name(), noun, &games);
    let games: Vec<GameTree> = games.into_iter().map(|(_, game)| game).collect();
    let bytes = to.write_trees(&games).with_context(|| format!("writing {}", output.display()))?;
    if !args.lines {
        omissions::report(&args.input_name(), to, &games);
    }
    if output == "-" {
        std::io::stdout().lock().write_all(&bytes).context("writing stdout")?;
    } else {
        let written = run_file::replace(Path::new(output), &bytes);
        written.with_context(|| format!("writing {}", output.display()))?;
    }
    Ok(())
}

/// Reports the first game whose rule is not that of `--rule` and `--win`.
fn report_overridden(args: &ConvertArgs, games: &Games) {
    // The number of --game is that of a line with --lines.
    let selected = args.game.filter(|_| !args.lines);
    let games = games.iter().filter(|(number, _)| selected.is_none_or(|game| game == *number));
    let mut variants = games.filter_map(|(_, game)| Some(game.as_ref().ok()?.game.variant));
    let overridden = |variant| Some((args.board.overridden_by(variant)?, variant));
    if let Some((options, variant)) = variants.find_map(overridden) {
        omissions::report_overridden(&args.input_name(), &options, variant);
    }
}

/// Returns the valid games of the file with their numbers, or the one that `--game` selects.
fn select_games(
    args: &ConvertArgs,
    to: Format,
    games: Games,
) -> anyhow::Result<Vec<(usize, GameTree)>> {
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
    let games = skip_invalid(&args.input_name(), "game", games)?;
    ensure!(!games.is_empty(), missing(args, &source::counted(count, "game"), "--list"));
    Ok(games)
}

/// Returns the valid items with their numbers, and reports how many others there are on stderr.
///
/// # Errors
/// Returns the first error if there are only invalid items.
fn skip_invalid<T>(
    input: &str,
    noun: &str,
    items: impl Iterator<Item = (usize, anyhow::Result<T>)>,
) -> anyhow::Result<Vec<(usize, T)>> {
    let (mut valid, mut skipped, mut first) = (Vec::new(), 0_usize, None);
    for (number, item) in items {
        match item {
            Ok(item) => valid.push((number, item)),
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
            let all = source::counted(valid.len() + skipped, noun);
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
    source::final_position(&tree.main_line())?;
    match tree.illegal_move() {
        Some((number, what)) => Err(anyhow!("move {number} of a variation: {what}")),
        None => Ok(()),
    }
}

/// Maximum memory for all lines of a file, in bytes. Every line repeats the moves that it shares
/// with the one before.
const MAX_BYTES: usize = 640 << 20;

/// Memory of one move without annotations, or of a mark, in bytes.
const NODE_BYTES: usize = 64;

/// Returns every line of the games as a game of its own with its number, or the one that `--game`
/// selects.
fn lines(args: &ConvertArgs, to: Format, games: Games) -> anyhow::Result<Vec<(usize, GameTree)>> {
    let input = &*args.input_name();
    let games = readable(input, games)?;
    match args.game {
        None => omissions::report_for_lines(input, to, &games),
        Some(number) => {
            let mut ends =
                games.iter().flat_map(|tree| tree.line_ends().map(move |end| (tree, end)));
            let line = ends.nth(number.wrapping_sub(1)).map(|(tree, end)| tree.line_tree(end));
            omissions::report_for_lines(input, to, line.as_slice());
        }
    }
    let lines = || games.iter().flat_map(|tree| lines_for(tree, to));
    if args.game.is_none() {
        let mut bytes = 0;
        for line in lines() {
            bytes += line.nodes.preorder().map(|id| size(line.nodes.value(id))).sum::<usize>();
            ensure!(
                bytes <= MAX_BYTES,
                "{input} has too many lines: select one with --game N, or save a part of the file"
            );
        }
    }
    let wanted = |(number, _): &(usize, _)| args.game.is_none_or(|line| line == *number);
    let checked = |tree: GameTree| {
        source::final_position(&tree.main_line())?;
        to.check_start(&tree)?;
        Ok(tree)
    };
    let tree = |(number, line)| (number, checked(line));
    let trees = skip_invalid(input, "line", (1..).zip(lines()).filter(wanted).map(tree))?;
    let count = || source::counted(lines().count(), "line");
    ensure!(!trees.is_empty(), missing(args, &count(), "--list --lines"));
    Ok(trees)
}

/// Returns the games that can be read.
fn readable(input: &str, games: Games) -> anyhow::Result<Vec<GameTree>> {
    let games = games.into_iter();
    let games = games.map(|(number, game)| (number, game.map_err(anyhow::Error::from)));
    let games = skip_invalid(input, "game", games)?;
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

/// Returns the error if `--game` selects nothing, or if there are no games.
fn missing(args: &ConvertArgs, count: &str, list: &str) -> String {
    let input = args.input_name();
    match args.game {
        Some(number) if args.has_search() => format!(
            "--game {number} does not fit the search, which finds {count} in {input} (see {list})"
        ),
        Some(number) => {
            format!("--game {number} does not exist: {input} contains {count} (see {list})")
        }
        None => format!("{input} contains {count} (see {list})"),
    }
}

/// Returns the lines of a game, without the annotations that the format cannot store.
fn lines_for(tree: &GameTree, to: Format) -> impl Iterator<Item = GameTree> {
    tree.line_ends().map(move |end| {
        if to.has_variations() {
            return tree.line_tree(end);
        }
        let mut line = tree.line(end);
        line.moves.iter_mut().for_each(|played| played.comment.clear());
        GameTree::from_game(&line)
    })
}

/// Returns the approximate size of a node in memory, in bytes.
fn size(node: &Node) -> usize {
    let Some(note) = node.note() else { return NODE_BYTES };
    let values = note.other.iter().flat_map(|property| &property.values);
    let others = values.map(|value| NODE_BYTES + value.len()).sum::<usize>();
    NODE_BYTES * (2 + note.marks.len()) + note.comment.len() + others
}

/// Prints a summary of each game that passes a filter, or of each line of play. `hint` is the
/// possible reason if there is none.
fn list(
    args: &ConvertArgs,
    source: &Source,
    filter: &GameFilter,
    hint: &str,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut listed = 0_usize;
    let mut put = |number: usize, what: &str| {
        listed += 1;
        writeln!(out, "{number:>4}  {what}").context("writing stdout")
    };
    let note_if_none = |listed: usize| {
        if listed == 0 && !filter.is_empty() {
            note(format_args!("no game fits the search{hint}"));
        }
    };
    if args.lines {
        let games = readable(&args.input_name(), source.games(filter))?;
        let lines = games.iter().flat_map(|tree| lines_for(tree, Format::Sgf));
        (1..).zip(lines).try_for_each(|(number, line)| put(number, &summary(&line)))?;
        note_if_none(listed);
        return out.flush().context("writing stdout");
    }
    let mut invalid = 0_usize;
    let mut put_game = |number: usize, game: &Result<GameTree, FormatError>| match game {
        Ok(game) if filter.matches(game) => match validate(game) {
            Ok(()) => put(number, &summary(game)),
            Err(error) => put(number, &format!("{}; cannot be played: {error:#}", summary(game))),
        },
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
        return Err(error.clone()).with_context(|| format!("reading {}", args.input_name()));
    }
    waiting.iter().try_for_each(|(number, game)| put_game(*number, game))?;
    out.flush().context("writing stdout")?;
    note_if_none(listed);
    if invalid > 0 {
        note(format_args!(
            "{}: skipped {} that cannot be read",
            args.input_name(),
            source::counted(invalid, "game")
        ));
    }
    Ok(())
}

/// Returns an opening as JSON.
pub(super) fn opening_json(opening: &RenjuOpening) -> Value {
    let RenjuOpening { code, name, japanese, .. } = opening;
    json!({ "code": code, "name": name, "japanese": japanese })
}

/// Returns a game in one line: name, players (unless the name holds both), event, date, board,
/// moves, result.
pub(super) fn summary(tree: &GameTree) -> String {
    let game = &tree.game;
    let player = |name: &str| if name.is_empty() { "?".to_owned() } else { sanitize(name) };
    let line = tree.main_line();
    let name = tree.name();
    let is_named = [&game.black, &game.white].iter().all(|player| name.contains(&***player));
    let players = (name.is_empty() || !is_named)
        .then(|| format!("{} - {}", player(&game.black), player(&game.white)));
    let filled = |text: &str| (!text.is_empty()).then(|| sanitize(text));
    let first = [filled(&name), players, filled(&game.event), filled(&game.date)];
    let mut words: Vec<String> = first.into_iter().flatten().collect();
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
        words.push(format!("position of {}", source::counted(stones, "stone")));
    }
    words.push(source::counted(line.moves.len(), "move"));
    if !tree.nodes.is_line() {
        words.push(format!("{} lines", tree.line_ends().count()));
    }
    words.push(game.result_in_words().unwrap_or_else(|| "no result".to_owned()));
    words.join(", ")
}
