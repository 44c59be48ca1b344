//! Positions and games that a command works on: as text, from a file, or from stdin.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

use super::board::BoardArgs;
use super::convert::{self, Rows, Source};
use super::omissions;
use kakugo::board::Side;
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::{FormatError, Game, Move};

/// The options for reading positions.
#[derive(Args, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// Position of row 1 in pos text
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    pub(super) rows: Rows,
    /// Number of the game or problem in the file, from 1 [default: all]
    #[arg(long, alias = "problem", value_name = "N")]
    pub(super) game: Option<usize>,
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
    pub(super) fn read(&self, name: &str) -> anyhow::Result<Input> {
        let empty = self.board.empty_game().map_err(usage)?;
        let rows: RowOrder = self.rows.into();
        let is_stdin = name == "-";
        let input = |name: &str, games, is_record| Input {
            name: name.to_owned(),
            games,
            selected: self.game,
            is_record,
        };
        if is_stdin || Path::new(name).is_file() {
            let fallback = Some(Format::Pos(rows));
            let source = Source::read(name, None, rows, &self.board, fallback)?;
            let name = if is_stdin { "stdin" } else { name };
            let is_record = !is_stdin || source.format() != Format::Pos(rows);
            return Ok(input(name, Games::File(source), is_record));
        }
        convert::ensure_not_folder(name)?;
        // A missing file is not a usage error.
        let is_file_name = name.contains(['.', '/', '\\']) && !name.contains(char::is_whitespace);
        let is_position = name.trim().is_empty() || pos::begins_with_point(name);
        match position(name, &empty, rows) {
            Ok(game) if is_position => {
                Ok(input(name, Games::Position(GameTree::from_game(&game)), false))
            }
            _ if is_file_name => Err(anyhow!("no such file: {name}")),
            Err(error) if is_position => Err(usage(error)),
            _ => Err(anyhow!("\"{name}\" is neither a file nor a position such as h8h9i8")),
        }
    }

    /// Returns the main line of a game with the side to move of `--to-move`, and reports what is
    /// unusual in it.
    pub(super) fn main_line(&self, entry: &Entry, is_record: bool) -> Game {
        let Entry { label, tree, .. } = entry;
        omissions::report_irregular(label, std::slice::from_ref(tree));
        if tree.has_late_setup() {
            note(format_args!("{label}: omitted the moves before the stones that are set up last"));
        }
        let mut game = tree.main_line();
        let side = game.sides().last().map_or(game.start.side_to_move(), Side::opponent);
        if !is_record && self.board.to_move().is_some_and(|to_move| to_move != side) {
            game.moves.push(Move::pass());
        }
        game
    }
}

/// Parses a position as text.
fn position(text: &str, empty: &Game, rows: RowOrder) -> anyhow::Result<Game> {
    let invalid = || format!("invalid position \"{text}\"");
    let points = pos::read(text, empty.height, rows).with_context(invalid)?;
    let game = Game { moves: points.into_iter().map(Move::new).collect(), ..empty.clone() };
    convert::final_position(&game).with_context(invalid)?;
    Ok(game)
}

impl Input {
    /// Returns the content of the file if it looks like lines of JSON.
    pub(super) fn json_lines(&self) -> Option<&[u8]> {
        let Games::File(source) = &self.games else { return None };
        Some(source.bytes()).filter(|bytes| bytes.trim_ascii_start().starts_with(b"{"))
    }

    /// Returns the number of games that [`Input::for_each`] reads, including invalid ones.
    pub(super) fn count(&self) -> usize {
        let Games::File(source) = &self.games else { return 1 };
        let mut count = 0;
        source.each_game(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        if self.selected.is_some() { count.min(1) } else { count }
    }

    /// Passes each game, or the one that `--game` selects, to `each`. Games are parsed one at a time.
    /// Those that fail are skipped and reported on stderr, called by `noun`.
    ///
    /// # Errors
    /// Returns the first error if no game succeeds, and errors of the output. Returns an error if
    /// `--game` selects a game that does not exist.
    pub(super) fn for_each(
        &self,
        noun: &str,
        each: impl FnMut(Entry) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut reading = Reading {
            input: self,
            noun,
            each,
            seen: 0,
            passed: 0,
            waiting: None,
            skipped: 0,
            first_error: None,
        };
        match &self.games {
            Games::Position(tree) => reading.add(Ok(tree.clone()))?,
            Games::File(source) => {
                let mut result = Ok(());
                source.each_game(|game| {
                    result = reading.add(game);
                    let is_done = self.selected.is_some() && reading.passed > 0;
                    if result.is_ok() && !is_done {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                result?;
            }
        }
        reading.end()
    }

    /// Returns the error of a file without valid games.
    fn explain(&self, error: FormatError) -> FormatError {
        match &self.games {
            Games::File(source) => source.explain(error),
            Games::Position(_) => error,
        }
    }
}

/// Passes the games of an input on. Each one waits for the next, which shows whether it is alone.
struct Reading<'a, F> {
    input: &'a Input,
    noun: &'a str,
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
        if self.input.selected.is_none_or(|number| number == self.seen) {
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

    fn end(mut self) -> anyhow::Result<()> {
        self.pass_on()?;
        let Input { name, selected, .. } = self.input;
        let count = || convert::counted(self.seen, self.noun);
        if let Some(number) = selected
            && self.passed == 0
        {
            bail!("--game {number} does not exist: {name} contains {}", count());
        }
        ensure!(self.seen > 0, "{name} contains no {}s", self.noun);
        let Some((number, error)) = self.first_error else { return Ok(()) };
        if self.skipped == self.seen {
            let error = match error.downcast::<FormatError>() {
                Ok(error) => self.input.explain(error).into(),
                Err(error) => error,
            };
            return Err(error.context(format!("{name}, {} {number}", self.noun)));
        }
        note(format_args!(
            "{name}: skipped {} of {}, first {} {number}: {error:#}",
            self.skipped,
            count(),
            self.noun
        ));
        Ok(())
    }
}
