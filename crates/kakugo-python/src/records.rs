//! `Game`, and reading and writing of game files.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;
use kakugo_record::{Defaults, Move};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::board::Board;
use crate::convert::{MovesArgument, SizeArgument, Whole, invalid, names, result_word, variant_of};
use crate::pickle::{self, GameState};

/// A game record: the main line of a game.
#[pyclass(module = "kakugo")]
#[derive(Clone)]
pub struct Game {
    game: kakugo_record::Game,
}

/// Content of a file: text or bytes.
#[derive(FromPyObject)]
pub enum Content {
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (moves=None, size=SizeArgument::Square(Whole(15)), rule="freestyle",
        win_length=Whole(5), black="", white="", event="", date="", result=None),
        text_signature = "(moves=None, size=15, rule='freestyle', win_length=5, black='', \
            white='', event='', date='', result=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        moves: Option<MovesArgument>,
        size: SizeArgument,
        rule: &str,
        win_length: Whole,
        black: &str,
        white: &str,
        event: &str,
        date: &str,
        result: Option<&str>,
    ) -> PyResult<Game> {
        let ((width, height), variant) = (size.sides()?, variant_of(rule, win_length)?);
        let empty = kakugo::Board::new(width, height, variant).map_err(invalid)?;
        let points = moves.map_or(Ok(Vec::new()), |moves| moves.on(&empty))?;
        let game = kakugo_record::Game {
            black: black.to_owned(),
            white: white.to_owned(),
            event: event.to_owned(),
            date: date.to_owned(),
            result: crate::convert::result(result)?,
            moves: points.into_iter().map(Move::new).collect(),
            ..kakugo_record::Game::new(width, height, variant)
        };
        game.board().map_err(invalid)?;
        Ok(Game { game })
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> u8 {
        self.game.width
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> u8 {
        self.game.height
    }

    /// The rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.game.variant.rule().word()
    }

    /// Number of stones in a row that win.
    #[getter]
    fn win_length(&self) -> u8 {
        self.game.variant.win_length()
    }

    /// False if the file does not state the rule and it was assumed.
    #[getter]
    fn states_rule(&self) -> bool {
        !self.game.assumes_rule
    }

    /// The name of the player with Black.
    #[getter]
    fn black(&self) -> &str {
        &self.game.black
    }

    /// The name of the player with White.
    #[getter]
    fn white(&self) -> &str {
        &self.game.white
    }

    /// The name of the event.
    #[getter]
    fn event(&self) -> &str {
        &self.game.event
    }

    /// The round of the event.
    #[getter]
    fn round(&self) -> &str {
        &self.game.round
    }

    /// The date as text.
    #[getter]
    fn date(&self) -> &str {
        &self.game.date
    }

    /// The winner or ``"draw"``; ``None`` if unknown.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.game.result.map(result_word)
    }

    /// The moves; ``None`` is a pass.
    #[getter]
    fn moves(&self) -> PyResult<Vec<Option<String>>> {
        let board = self.game.first_board().map_err(invalid)?;
        Ok(self.game.moves.iter().map(|m| m.point.map(|p| board.name(p))).collect())
    }

    /// The comment on each move.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        self.game.moves.iter().map(|m| m.comment.as_str()).collect()
    }

    /// The position after ``ply`` moves, by default after all of them.
    #[pyo3(signature = (ply=None))]
    fn board(&self, ply: Option<Whole>) -> PyResult<Board> {
        let moves = &self.game.moves;
        let plies = 0..=i64::try_from(moves.len()).unwrap_or(i64::MAX);
        let count = ply.map_or(Ok(moves.len()), |ply| ply.within("ply", plies))?;
        let moves = moves.iter().take(count).cloned().collect();
        let game = kakugo_record::Game { moves, ..self.game.clone() };
        Ok(Board { board: game.board().map_err(invalid)? })
    }

    /// The result that the final position shows.
    #[getter]
    fn result_on_board(&self) -> Option<&'static str> {
        self.game.result_on_board().map(result_word)
    }

    /// True if everything that the records contain is equal.
    fn __eq__(&self, other: PyRef<'_, Game>) -> bool {
        self.game == other.game
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let game = &self.game;
        (game.width, game.height, &game.black, &game.white, &game.date).hash(&mut hasher);
        game.points().for_each(|p| p.hash(&mut hasher));
        hasher.finish()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (), GameState) {
        (this.get_type(), (), pickle::of_game(&this.borrow().game))
    }

    fn __setstate__(&mut self, state: GameState) -> PyResult<()> {
        self.game = pickle::game(state)?;
        Ok(())
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.game.moves.len()
    }

    /// True, although the game may have no moves.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let board = self.game.first_board();
        let moves = board.map(|board| names(&board, &self.game.points().collect::<Vec<_>>()));
        format!("<kakugo.Game {} {}>", self.rule(), moves.unwrap_or_default().join(" "))
    }
}

fn format_of(name: &str) -> PyResult<Format> {
    Format::from_name(name, RowOrder::FromBottom).ok_or_else(|| {
        let names: Vec<&str> = Format::names().collect();
        invalid(format!("unknown format '{name}': expected one of {}", names.join(", ")))
    })
}

fn games_of(
    bytes: &[u8],
    format: Format,
    rule: Option<&str>,
    size: Option<&SizeArgument>,
    win_length: Whole,
) -> PyResult<Vec<Game>> {
    let (width, height) = size.map_or(Ok((15, 15)), SizeArgument::sides)?;
    let variant = variant_of(rule.unwrap_or("freestyle"), win_length)?;
    let game = kakugo_record::Game::new(width, height, variant);
    let (names_rule, names_size) = (rule.is_some(), size.is_some());
    let defaults = Defaults { accepts_any_sgf: names_rule, names_rule, names_size, ..game.into() };
    let games = format.read(bytes, defaults).map_err(|error| match error.is_other_game() {
        true => invalid(error.with_hint("name the rule with rule= to read it as Gomoku or Renju")),
        false => invalid(error),
    })?;
    Ok(games.into_iter().map(|game| Game { game }).collect())
}

/// Reads the games in the content of a file. The format is detected; text without a signature is
/// read as moves such as ``h8h9i8``. ``rule``, ``size`` and ``win_length`` are for files that do
/// not state them; the size is 15 by default, or 20 for ``"rec"``.
#[pyfunction]
#[pyo3(signature = (content, format=None, rule=None, size=None, win_length=Whole(5)),
    text_signature = "(content, format=None, rule=None, size=None, win_length=5)")]
pub fn read(
    content: Content,
    format: Option<&str>,
    rule: Option<&str>,
    size: Option<SizeArgument>,
    win_length: Whole,
) -> PyResult<Vec<Game>> {
    let bytes = match content {
        Content::Text(text) => text.into_bytes(),
        Content::Bytes(bytes) => bytes,
    };
    let format = match format {
        Some(name) => format_of(name)?,
        None => Format::detect(&bytes).unwrap_or(Format::Pos(RowOrder::FromBottom)),
    };
    games_of(&bytes, format, rule, size.as_ref(), win_length)
}

/// Reads the games in a file: SGF, Piskvork, Gomotur, RenLib, Yixin-Board, RenjuNet, PGN, or
/// text.
#[pyfunction]
#[pyo3(signature = (path, format=None, rule=None, size=None, win_length=Whole(5)),
    text_signature = "(path, format=None, rule=None, size=None, win_length=5)")]
pub fn load(
    path: PathBuf,
    format: Option<&str>,
    rule: Option<&str>,
    size: Option<SizeArgument>,
    win_length: Whole,
) -> PyResult<Vec<Game>> {
    let bytes = std::fs::read(&path).map_err(|error| os_error(&path, &error))?;
    let name = path.to_string_lossy();
    let format = match format {
        Some(name) => format_of(name)?,
        None => Format::of_file(&name, &bytes, RowOrder::FromBottom).ok_or_else(|| {
            invalid(format!("{name}: unknown file type: specify it with format="))
        })?,
    };
    games_of(&bytes, format, rule, size.as_ref(), win_length)
        .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

fn os_error(path: &std::path::Path, error: &std::io::Error) -> PyErr {
    PyOSError::new_err((error.raw_os_error(), error.to_string(), path.display().to_string()))
}

/// Fails if a game has passes or moves out of turn, and the format cannot store them: it would end
/// before the first.
fn check_moves(games: &[PyRef<'_, Game>], format: Format) -> PyResult<()> {
    if format.stores_passes() {
        return Ok(());
    }
    for (number, game) in (1..).zip(games) {
        let moves = &game.game.moves;
        let Some(at) = moves.iter().position(|m| !m.is_regular()) else { continue };
        let game = if games.len() > 1 { format!("game {number}: ") } else { String::new() };
        let what = if moves[at].point.is_none() { "a pass" } else { "out of turn" };
        let (number, name) = (at + 1, format.name());
        return Err(invalid(format!(
            "{game}move {number} is {what}, which {name} files cannot store: use sgf"
        )));
    }
    Ok(())
}

fn bytes_of(games: &[PyRef<'_, Game>], format: Format) -> PyResult<Vec<u8>> {
    check_moves(games, format)?;
    let trees: Vec<_> = games
        .iter()
        .map(|game| kakugo_record::game_tree::GameTree::from_game(&game.game))
        .collect();
    format.write_trees(&trees).map_err(invalid)
}

/// The content of a file with these games. Raises ``ValueError`` if the format cannot hold their
/// moves. It may omit the rest: all formats except ``"sgf"`` and ``"link"`` omit the rule (name it
/// when you read the file), and all except ``"sgf"``, ``"psq"``, ``"rec"`` and ``"pgn"`` omit the
/// names of players.
#[pyfunction]
#[pyo3(signature = (games, format="sgf"))]
pub fn write<'py>(
    py: Python<'py>,
    games: Vec<PyRef<'py, Game>>,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &bytes_of(&games, format_of(format)?)?))
}

/// Writes games to a file, as `write` does. Its name determines the format.
#[pyfunction]
#[pyo3(signature = (path, games, format=None))]
pub fn save(path: PathBuf, games: Vec<PyRef<'_, Game>>, format: Option<&str>) -> PyResult<()> {
    let name = path.to_string_lossy();
    let format = match format {
        Some(name) => format_of(name)?,
        None => Format::from_file_name(&name, RowOrder::FromBottom).ok_or_else(|| {
            invalid(format!("{name}: unknown file type: specify it with format="))
        })?,
    };
    let bytes = bytes_of(&games, format)?;
    std::fs::write(&path, bytes).map_err(|error| os_error(&path, &error))
}
