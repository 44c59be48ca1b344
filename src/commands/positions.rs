//! Positions and games that a command works on: as text, from a file, or from stdin.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

use super::board::BoardArgs;
use super::omissions;
use super::source::{self, Rows, Source};
use kakugo::board::{Side, Variant};
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::{FormatError, Game, Move, sgf};

/// The options for reading positions.
#[derive(Args, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// Format of the position or file, as for `convert` [default: by its name or content]
    #[arg(long, value_name = "FORMAT")]
    pub(super) from: Option<String>,
    /// Position of row 1 in pos text
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    pub(super) rows: Rows,
    /// Number of the game or problem in the file, from 1 [default: all]
    #[arg(long, visible_alias = "problem", value_name = "N")]
    pub(super) game: Option<usize>,
    /// True after a note on an assumed rule: one is enough.
    #[arg(skip)]
    has_noted_rule: AtomicBool,
    /// True after a note on an opening that is not read.
    #[arg(skip)]
    has_noted_opening: AtomicBool,
    /// True after a note on options that a file overrides.
    #[arg(skip)]
    has_noted_override: AtomicBool,
}

/// The games of an input, or positions as games.
pub(super) struct Input {
    /// Name of the file, or the position as text.
    pub(super) name: String,
    games: Games,
    /// Number of the game to select, from 1.
    selected: Option<usize>,
    /// True for a game file, false for positions as text.
    pub(super) is_record: bool,
    /// True if the text of a position is an argument of the command.
    is_argument: bool,
}

enum Games {
    /// A position as text.
    Position(GameTree),
    /// A file, parsed game by game.
    File(Source),
}

/// A game of an input.
pub(super) struct Entry {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// The name of the file, with the number if there are several games.
    pub(super) label: String,
    /// True if no other game of the file is read.
    pub(super) is_only: bool,
    pub(super) tree: GameTree,
}

impl PositionArgs {
    /// Reads a position as text, a game file, or stdin if `name` is `-`.
    ///
    /// # Errors
    /// Returns an error if there is no such file or the position is invalid.
    pub(super) fn read(&self, name: &OsStr) -> anyhow::Result<Input> {
        read(name, self.from.as_deref(), self.rows.into(), &self.board, self.game)
    }

    /// Checks that an argument is not the text of a position, which has no games.
    ///
    /// # Errors
    /// Returns an error if it is.
    pub(super) fn ensure_games(&self, name: &OsStr) -> anyhow::Result<()> {
        if name == "-" || Path::new(name).exists() {
            return Ok(());
        }
        let is_position = self.read(name).is_ok_and(|input| !input.is_record);
        if is_position {
            return Err(usage(anyhow!(
                "\"{}\" is a position: several inputs, and the options for many games, need game \
                 files (put the moves of one position in quotes)",
                name.display()
            )));
        }
        Ok(())
    }

    /// Reports once that `--rule` or `--win` does not apply to a game of this rule.
    pub(super) fn report_overridden(&self, label: &str, variant: Variant) {
        if let Some(options) = self.board.overridden_by(variant)
            && !self.has_noted_override.swap(true, Ordering::Relaxed)
        {
            omissions::report_overridden(label, &options, variant);
        }
    }

    /// Returns the main line of a game with the side to move of `--to-move`, and reports what is
    /// unusual in it.
    pub(super) fn main_line(&self, entry: &Entry, is_record: bool) -> Game {
        main_line(&entry.tree, &entry.label, is_record, &self.board)
    }

    /// Returns the same for the position after `at` moves, if it is given.
    ///
    /// # Errors
    /// Returns an error if the game has fewer moves.
    pub(super) fn main_line_to(
        &self,
        entry: &Entry,
        is_record: bool,
        at: Option<usize>,
    ) -> anyhow::Result<Game> {
        let mut game = reported_line(&entry.tree, &entry.label);
        if let Some(at) = at {
            let moves = game.moves.len();
            ensure!(at <= moves, "--at {at} is out of range: the game has {moves} moves");
            game.moves.truncate(at);
        }
        set_side(&mut game, is_record, &self.board);
        Ok(game)
    }
}

/// The error of a file that does not exist, with its name.
#[derive(Debug)]
struct NoSuchFile(String);

impl Display for NoSuchFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such file: {}", self.0)
    }
}

impl Error for NoSuchFile {}

/// Returns the position that a text, or the only game of a file, ends with. Moves are letter and
/// number, rows from the bottom. An empty text is the empty board.
///
/// # Errors
/// As [`PositionArgs::read`], and if there are several games. Errors of a text are usage errors,
/// those of a file are not.
pub(super) fn read_one(name: &str, board: &BoardArgs) -> anyhow::Result<Game> {
    // Without a position, `--to-move` is only for the positions of the files.
    if name.trim().is_empty() {
        return board.empty_game().map_err(usage);
    }
    let is_file = name == "-" || Path::new(name).exists();
    final_position_of(name, board)
        .map_err(|error| if is_file || error.is::<NoSuchFile>() { error } else { usage(error) })
}

/// Returns the possible reason why no game has the position of `--at`: games of another size.
pub(super) fn size_hint(at: &str, position: &Game) -> String {
    let Game { width, height, .. } = position;
    match at.trim() {
        "" => String::new(),
        _ => format!(" (the position of --at is on {width}x{height}: see --size)"),
    }
}

fn final_position_of(name: &str, board: &BoardArgs) -> anyhow::Result<Game> {
    let input = read(OsStr::new(name), None, RowOrder::FromBottom, board, None)?;
    let mut trees = Vec::new();
    input.each_game(|game| {
        trees.push(game);
        if trees.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let count = trees.len();
    let tree = trees.pop().filter(|_| count == 1);
    let tree = tree.with_context(|| {
        let found = if count == 0 { "none" } else { "several" };
        format!("{}: expected one position, found {found}", input.name)
    })?;
    let tree = tree.map_err(|error| input.explain(error))?;
    let game = main_line(&tree, &input.name, input.is_record, board);
    source::final_position(&game)
        .with_context(|| format!("invalid position \"{}\"", input.name))?;
    Ok(game)
}

fn read(
    name: &OsStr,
    from: Option<&str>,
    rows: RowOrder,
    board: &BoardArgs,
    selected: Option<usize>,
) -> anyhow::Result<Input> {
    let empty = board.empty_game().map_err(usage)?;
    let is_stdin = name == "-";
    let input = |name: &str, games, is_record| {
        let name = name.to_owned();
        Input { name, games, selected, is_record, is_argument: false }
    };
    // Pipes are files as well.
    let path = Path::new(name);
    if is_stdin || (path.exists() && !path.is_dir()) {
        let source = Source::read(name, from, rows, board, Some(Format::Pos(rows)))?;
        let is_record = !is_stdin || stores_moves(source.format());
        let name = if is_stdin { "stdin".into() } else { name.to_string_lossy() };
        return Ok(input(&name, Games::File(source), is_record));
    }
    source::ensure_not_folder(name)?;
    let name = name.to_str().ok_or_else(|| NoSuchFile(name.display().to_string()))?;
    let label = if name.contains('\n') { "the position" } else { name };
    let argument = |games, is_record| Input { is_argument: true, ..input(label, games, is_record) };
    if name.trim().is_empty() {
        return Ok(argument(Games::Position(GameTree::from_game(&empty)), false));
    }
    let source = Source::of_text(name, from, rows, board)?;
    // A missing file is not a usage error.
    let is_recognised = source.is_recognised();
    let is_file_name =
        !is_recognised && name.contains(['.', '/', '\\']) && !name.contains(char::is_whitespace);
    let is_position = from.is_some() || is_recognised || pos::begins_with_point(name);
    let is_record = stores_moves(source.format());
    match source.check_first() {
        Ok(()) if is_position => Ok(argument(Games::File(source), is_record)),
        _ if source.json_lines().is_some() => Ok(argument(Games::File(source), false)),
        _ if is_file_name => Err(NoSuchFile(name.to_owned()).into()),
        Err(error) if is_position => {
            Err(usage(error.context(format!("invalid position \"{label}\""))))
        }
        _ if name.contains('\n') => Err(usage(anyhow!(
            "unknown text: expected moves such as h8h9i8, or rows of X, O and ."
        ))),
        _ => Err(anyhow!("\"{label}\" is neither a file nor a position such as h8h9i8")),
    }
}

/// Returns the main line of a game with the side to move of the options, and reports what is
/// unusual in it.
fn main_line(tree: &GameTree, label: &str, is_record: bool, board: &BoardArgs) -> Game {
    let mut game = reported_line(tree, label);
    set_side(&mut game, is_record, board);
    game
}

/// Returns the main line of a game, and reports what is unusual in it.
fn reported_line(tree: &GameTree, label: &str) -> Game {
    omissions::report_irregular_game(label, tree);
    if tree.has_late_setup() {
        note(format_args!("{label}: omitted the moves before the stones that are set up last"));
    }
    tree.main_line()
}

/// Sets the side to move of the options. In positions as text, it comes first.
fn set_side(game: &mut Game, is_record: bool, board: &BoardArgs) {
    let side = game.sides().last().map_or(game.start.side_to_move(), Side::opponent);
    if !is_record && board.to_move().is_some_and(|to_move| to_move != side) {
        game.moves.push(Move::pass());
    }
}

/// Returns true if files of a format hold games rather than positions.
fn stores_moves(format: Format) -> bool {
    use Format::{Diagram, Link, Offset, Pos, RenLibPos, Sav};
    !matches!(format, Pos(_) | Offset | Diagram | RenLibPos | Sav | Link)
}

impl Input {
    /// Returns true if the file holds positions as text, not games.
    pub(super) fn is_position_text(&self) -> bool {
        match &self.games {
            Games::Position(_) => true,
            Games::File(source) => !stores_moves(source.format()),
        }
    }

    /// Returns the content of the file if it looks like lines of JSON.
    pub(super) fn json_lines(&self) -> Option<&[u8]> {
        let Games::File(source) = &self.games else { return None };
        source.json_lines()
    }

    /// Passes each game to `each`, until it returns `Break`.
    fn each_game(&self, mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>) {
        match &self.games {
            Games::Position(tree) => _ = each(Ok(tree.clone())),
            Games::File(source) => source.each_game(each),
        }
    }

    /// Returns the number of games that [`Input::for_each`] reads, including invalid ones.
    pub(super) fn count(&self) -> usize {
        let mut count = 0;
        self.each_game(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        if self.selected.is_some() { count.min(1) } else { count }
    }

    /// Passes each game, or the one that `--game` selects, to `each`. Games are parsed one at a
    /// time. Those that fail are skipped and reported on stderr, called by `noun`. Returns their
    /// number.
    ///
    /// # Errors
    /// Returns the first error if no game succeeds, and errors of the output. Returns an error if
    /// `--game` selects a game that does not exist.
    pub(super) fn for_each(
        &self,
        args: &PositionArgs,
        noun: &str,
        each: impl FnMut(Entry) -> anyhow::Result<()>,
    ) -> anyhow::Result<usize> {
        Ok(self.for_each_of(args, noun, |_| true, each)?.skipped)
    }

    /// Passes on, as [`Input::for_each`] does, the games whose number in the file `is_wanted`.
    /// Others are neither passed on nor reported.
    ///
    /// # Errors
    /// As [`Input::for_each`].
    pub(super) fn for_each_of(
        &self,
        args: &PositionArgs,
        noun: &str,
        is_wanted: impl Fn(usize) -> bool,
        each: impl FnMut(Entry) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let mut reading = Reading {
            input: self,
            args,
            noun,
            is_wanted: &is_wanted,
            each,
            seen: 0,
            passed: 0,
            waiting: None,
            skipped: 0,
            first_error: None,
        };
        let mut result = Ok(());
        self.each_game(|game| {
            result = reading.add(game);
            let is_done = self.selected.is_some() && reading.passed > 0;
            if result.is_ok() && !is_done {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        result?;
        reading.end()
    }

    /// Returns true if `--game` selects one game.
    pub(super) fn has_selection(&self) -> bool {
        self.selected.is_some()
    }

    /// Returns the error of a file without valid games.
    fn explain(&self, error: FormatError) -> FormatError {
        match &self.games {
            Games::File(source) => source.explain(error),
            Games::Position(_) => error,
        }
    }
}

/// The numbers of games of an input.
pub(super) struct Counts {
    /// Games read.
    pub(super) seen: usize,
    /// Games that failed, of those that were wanted.
    pub(super) skipped: usize,
}

/// Passes the games of an input on. Each one waits for the next, which shows whether it is alone.
struct Reading<'a, F> {
    input: &'a Input,
    args: &'a PositionArgs,
    noun: &'a str,
    /// Returns true for the numbers of games to be passed on.
    is_wanted: &'a dyn Fn(usize) -> bool,
    each: F,
    /// Number of games read.
    seen: usize,
    /// Number of games passed on.
    passed: usize,
    waiting: Option<(usize, Result<GameTree, FormatError>)>,
    /// Number of games that failed.
    skipped: usize,
    /// The first error, with the number of its game.
    first_error: Option<(usize, anyhow::Error)>,
}

impl<F: FnMut(Entry) -> anyhow::Result<()>> Reading<'_, F> {
    fn add(&mut self, game: Result<GameTree, FormatError>) -> anyhow::Result<()> {
        self.seen += 1;
        self.pass_on()?;
        let is_selected = self.input.selected.is_none_or(|number| number == self.seen);
        if is_selected && (self.is_wanted)(self.seen) {
            self.waiting = Some((self.seen, game));
        }
        Ok(())
    }

    /// Passes the waiting game on.
    fn pass_on(&mut self) -> anyhow::Result<()> {
        let Some((number, game)) = self.waiting.take() else { return Ok(()) };
        self.passed += 1;
        let Input { name, selected, .. } = self.input;
        let has_several = self.seen > 1;
        let is_only = !has_several || selected.is_some();
        let label =
            if has_several { format!("{name}, {} {number}", self.noun) } else { name.clone() };
        let game = match game {
            Err(error) if is_only => {
                Err(self.input.explain(error)).with_context(|| format!("reading {label}"))
            }
            game => game.map_err(anyhow::Error::from),
        };
        if let Ok(tree) = &game {
            self.report_assumptions(&label, tree);
        }
        match game.and_then(|tree| (self.each)(Entry { number, label, is_only, tree })) {
            // Without an output, there is no reason to go on.
            Err(error) if is_only || error.is::<std::io::Error>() => return Err(error),
            Err(error) => {
                self.skipped += 1;
                self.first_error.get_or_insert((number, error));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Reports the rule of the first game that does not state one, the first game that states
    /// another one than the options, and the first whose opening is not read.
    fn report_assumptions(&self, label: &str, tree: &GameTree) {
        if sgf::has_unread_opening(tree)
            && !self.args.has_noted_opening.swap(true, Ordering::Relaxed)
        {
            omissions::report_unread_opening(label);
        }
        let unknown = sgf::unknown_rule(tree);
        let is_assumed = tree.game.assumes_rule && (unknown.is_some() || !self.input.is_argument);
        if is_assumed && !self.args.has_noted_rule.swap(true, Ordering::Relaxed) {
            omissions::report_assumed_rule(label, unknown.as_deref(), tree.game.variant);
        }
        self.args.report_overridden(label, tree.game.variant);
    }

    /// Returns the numbers of games.
    fn end(mut self) -> anyhow::Result<Counts> {
        self.pass_on()?;
        let Input { name, selected, .. } = self.input;
        let Reading { seen, passed, skipped, noun, .. } = self;
        if let Some(number) = selected
            && !(1..=seen).contains(number)
        {
            let option = if noun == "problem" { "--problem" } else { "--game" };
            let count = source::counted(seen, noun);
            bail!("{option} {number} does not exist: {name} contains {count}");
        }
        ensure!(seen > 0, "{name} contains no {noun}s");
        let Some((number, error)) = self.first_error else {
            return Ok(Counts { seen, skipped: 0 });
        };
        if skipped == passed {
            let error = match error.downcast::<FormatError>() {
                Ok(error) => self.input.explain(error).into(),
                Err(error) => error,
            };
            return Err(error.context(format!("{name}, {noun} {number}")));
        }
        let all = source::counted(passed, noun);
        note(format_args!("{name}: skipped {skipped} of {all}, first {noun} {number}: {error:#}"));
        Ok(Counts { seen, skipped })
    }
}
