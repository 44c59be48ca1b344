//! Game files and texts of any format, read game by game, as the commands receive them.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::ValueEnum;

use super::board::BoardArgs;
use kakugo::board::{Board, Foul, Outcome, Side};
use kakugo_cli::usage::usage;
use kakugo_record::file::{BEGINNING_BYTES, Format, no_games};
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::search::GameFilter;
use kakugo_record::setup::Setup;
use kakugo_record::tree::NodeId;
use kakugo_record::{Defaults, FormatError, Game, diagram, offset, rif, sav, stone_list};

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

/// The games of a file with their numbers, each with the error if it cannot be read.
pub(super) type Games = Vec<(usize, Result<GameTree, FormatError>)>;

/// Returns the format with this name, or else the one of the file's extension, if it has one.
pub(super) fn format(
    word: Option<&str>,
    name: &OsStr,
    rows: RowOrder,
) -> anyhow::Result<Option<Format>> {
    let by_name = || Format::from_file_name(&name.to_string_lossy(), rows);
    let Some(word) = word else { return Ok(by_name()) };
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
pub(super) fn ensure_not_folder(name: &OsStr) -> anyhow::Result<()> {
    ensure!(!Path::new(name).is_dir(), "{} is a folder: expected a file", name.display());
    Ok(())
}

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
        name: &OsStr,
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
        if word.is_none() && bytes.starts_with(br#"{"kind":"match""#) {
            let name = name.display();
            return Err(usage(anyhow!(
                "{name} is a match record: explore reads it, and \
                 match report {name} --sgf FILE writes its games"
            )));
        }
        let by_content = Format::detect(&bytes);
        // Text files may hold any format.
        let is_text = word.is_none() && matches!(specified, Some(Format::Pos(_)));
        let specified = specified.filter(|_| !(is_text && by_content.is_some()));
        let format = specified.or(by_content).or(fallback);
        let format = format.with_context(|| {
            let name =
                if name == "-" { "stdin".to_owned() } else { format!("\"{}\"", name.display()) };
            format!("unknown format of {name}: specify it with --from")
        });
        let format = format.map_err(usage)?;
        let looks_like = by_content.filter(|&other| word.is_none() && other != format);
        Ok(Source { bytes, file, format, looks_like, defaults, to_move: board.to_move() })
    }

    /// Returns a source with the content of a text. The format is `word`, or else that of its
    /// content, or position text.
    ///
    /// # Errors
    /// Returns an error if the format is unknown, or if it is not a format of texts.
    pub(super) fn of_text(
        text: &str,
        word: Option<&str>,
        rows: RowOrder,
        board: &BoardArgs,
    ) -> anyhow::Result<Source> {
        let mut defaults = board.defaults().map_err(usage)?;
        defaults.accepts_any_sgf |= word.is_some();
        let bytes = text.as_bytes().to_vec();
        let specified =
            word.map(|word| format(Some(word), OsStr::new(""), rows)).transpose().map_err(usage)?;
        let format = specified.flatten().or_else(|| Format::detect(&bytes));
        let format = format.unwrap_or(Format::Pos(rows));
        let to_move = board.to_move();
        Ok(Source { bytes, file: None, format, looks_like: None, defaults, to_move })
    }

    /// Returns the content if it looks like lines of JSON.
    pub(super) fn json_lines(&self) -> Option<&[u8]> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        // Programs write drawn boards in the same brackets.
        let is_drawing = || std::str::from_utf8(bytes).is_ok_and(diagram::is_diagram);
        (bytes.trim_ascii_start().starts_with(b"{") && !is_drawing()).then_some(bytes)
    }

    /// Returns true if the content shows its format: anything but a list of moves.
    pub(super) fn is_recognised(&self) -> bool {
        let text = std::str::from_utf8(&self.bytes).unwrap_or("");
        Format::detect(&self.bytes).is_some()
            || diagram::is_diagram(text)
            || stone_list::is_stone_list(text)
            || sav::is_saved_game(text)
            || offset::looks_like_offsets(text)
    }

    /// Checks that the first game can be read and played.
    ///
    /// # Errors
    /// Returns the first error of the game.
    pub(super) fn check_first(&self) -> anyhow::Result<()> {
        let mut first = None;
        self.each_game(|game| {
            first = Some(game);
            ControlFlow::Break(())
        });
        final_position(&first.unwrap_or_else(|| Err(no_games()))?.main_line())?;
        Ok(())
    }

    /// Returns the format of the file.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Passes the games to `each`, one at a time, until it returns `Break`. Invalid games are
    /// passed as errors.
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
    pub(super) fn games(&self, filter: &GameFilter) -> Games {
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
    pub(super) fn explain_first(&self, games: &mut Games) {
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
fn read_content(
    name: &OsStr,
    specified: Option<Format>,
) -> anyhow::Result<(Vec<u8>, Option<File>)> {
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
    let file = file.with_context(|| format!("reading {}", name.display()))?;
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

/// Returns the outcome of a game as a phrase.
pub(super) fn outcome_in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ongoing => "ongoing".to_owned(),
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Forbidden(foul) => {
            let article = if foul == Foul::Overline { "an" } else { "a" };
            format!("White has won, because Black made {article} {foul}")
        }
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// Returns a count with its noun: `1 game`, `3 lines`.
pub(super) fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", if count == N::from(1) { "" } else { "s" })
}
