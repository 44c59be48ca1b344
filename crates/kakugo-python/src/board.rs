//! `Board`: the rules.

use kakugo::{Cell, Outcome, Point, Variant};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::{
    MovesArgument, PointArgument, SizeArgument, Whole, invalid, names, outcome_word, side,
    side_word, variant_of,
};
use crate::pickle::{self, BoardState};

/// The result of `__reduce__` of a board: the class, its arguments, and the state.
type Reduced<'py> = (Bound<'py, PyType>, ((u8, u8), &'static str, u8), BoardState);

/// A position, with the moves that led to it. Black moves first.
#[pyclass(module = "kakugo")]
#[derive(Clone)]
pub struct Board {
    /// The board of the engine.
    pub board: kakugo::Board,
}

impl Board {
    /// Returns an empty board.
    pub fn empty(size: &SizeArgument, variant: Variant) -> PyResult<Board> {
        let (width, height) = size.sides()?;
        let board = kakugo::Board::new(width, height, variant).map_err(invalid)?;
        Ok(Board { board })
    }

    /// Returns a copy of the board of the engine, which other threads cannot change.
    pub fn copied(board: &Bound<'_, Board>) -> PyResult<kakugo::Board> {
        Ok(board.try_borrow()?.board.clone())
    }

    fn play_point(&mut self, p: Point) -> PyResult<()> {
        if self.board.outcome() != Outcome::Ongoing {
            return Err(invalid("the game is over"));
        }
        let name = self.board.name(p);
        self.board.play(p).map_err(|error| invalid(format!("{name}: {error}")))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (size=SizeArgument::Square(Whole(15)), rule="freestyle", win_length=Whole(5),
        moves=None), text_signature = "(size=15, rule='freestyle', win_length=5, moves=None)")]
    fn new(
        size: SizeArgument,
        rule: &str,
        win_length: Whole,
        moves: Option<MovesArgument>,
    ) -> PyResult<Board> {
        let mut board = Board::empty(&size, variant_of(rule, win_length)?)?;
        if let Some(moves) = moves {
            for p in moves.on(&board.board)? {
                board.play_point(p)?;
            }
        }
        Ok(board)
    }

    /// A board drawn with ``X`` (Black), ``O`` (White), ``.`` (empty) and ``#`` (blocked), top row
    /// first. Its stones are set up: see `settle`.
    #[staticmethod]
    #[pyo3(signature = (text, rule="freestyle", win_length=Whole(5), side_to_move=None),
        text_signature = "(text, rule='freestyle', win_length=5, side_to_move=None)")]
    fn from_diagram(
        text: &str,
        rule: &str,
        win_length: Whole,
        side_to_move: Option<&str>,
    ) -> PyResult<Board> {
        let variant = variant_of(rule, win_length)?;
        let mut board = kakugo::Board::from_diagram(variant, text).map_err(invalid)?;
        if let Some(word) = side_to_move {
            board.set_side_to_move(side(word)?);
        }
        Ok(Board { board })
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> u8 {
        self.board.width()
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> u8 {
        self.board.height()
    }

    /// The rule, such as ``"renju"``.
    #[getter]
    fn rule(&self) -> &'static str {
        self.board.variant().rule().word()
    }

    /// Number of stones in a row that win.
    #[getter]
    fn win_length(&self) -> u8 {
        self.board.variant().win_length()
    }

    /// ``"black"`` or ``"white"``; may be set.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        side_word(self.board.side_to_move())
    }

    #[setter]
    fn set_side_to_move(&mut self, word: &str) -> PyResult<()> {
        self.board.set_side_to_move(side(word)?);
        Ok(())
    }

    /// The stones in the order in which they were placed.
    #[getter]
    fn stones(&self) -> Vec<(String, &'static str)> {
        let stone = |stone: kakugo::Stone| (self.board.name(stone.point), side_word(stone.side));
        self.board.stones().map(stone).collect()
    }

    /// The blocked points.
    #[getter]
    fn blocked(&self) -> Vec<String> {
        let is_blocked = |p: &Point| self.board.cell(*p) == Cell::Wall;
        names(&self.board, &self.board.points().filter(is_blocked).collect::<Vec<_>>())
    }

    /// A hash of the position: rule, size, stones, blocked points and side to move. Equal positions
    /// have equal keys, whatever the order of the moves. Keys may differ between versions.
    #[getter]
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// ``None`` while the game goes on. A forbidden move wins for White.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        outcome_word(self.board.outcome())
    }

    /// True if a side has won or the board is full.
    #[getter]
    fn is_over(&self) -> bool {
        self.board.outcome() != Outcome::Ongoing
    }

    /// The stones of the winning row; empty if there is none.
    #[getter]
    fn winning_line(&self) -> Vec<String> {
        names(&self.board, &self.board.winning_line())
    }

    /// Places a stone of the side to move. Renju's forbidden points may be played: they lose.
    fn play(&mut self, point: PointArgument) -> PyResult<()> {
        let p = point.on(&self.board)?;
        self.play_point(p)
    }

    /// Places a stone of either side. The opponent of ``side`` is to move after it. Call `settle`
    /// after the last stone of a position that is set up.
    fn place(&mut self, point: PointArgument, side: &str) -> PyResult<()> {
        let (p, side) = (point.on(&self.board)?, crate::convert::side(side)?);
        let name = self.board.name(p);
        self.board.place(p, side).map_err(|error| invalid(format!("{name}: {error}")))
    }

    /// Declares the stones on the board as set up rather than played: none is a forbidden move, and
    /// a five of them ends the game, even if its last stone was placed before others.
    fn settle(&mut self) {
        self.board.settle();
    }

    /// Blocks a free point for the whole game: nobody may play there.
    fn block(&mut self, point: PointArgument) -> PyResult<()> {
        let p = point.on(&self.board)?;
        let name = self.board.name(p);
        self.board.block(p).map_err(|error| invalid(format!("{name}: {error}")))
    }

    /// Takes back the last stone and returns its point. Raises ``IndexError`` without stones.
    fn undo(&mut self) -> PyResult<String> {
        let stone = self.board.undo();
        let stone = stone.ok_or_else(|| PyIndexError::new_err("there is no stone to take back"))?;
        Ok(self.board.name(stone.point))
    }

    /// True if the point is empty and not forbidden to the side to move.
    fn is_legal(&self, point: PointArgument) -> PyResult<bool> {
        Ok(self.board.is_legal(point.on(&self.board)?))
    }

    /// The points that the side to move may play; empty if the game is over.
    fn legal_points(&self) -> Vec<String> {
        if self.board.outcome() != Outcome::Ongoing {
            return Vec::new();
        }
        let legal = |p: &Point| self.board.is_legal(*p);
        let points: Vec<Point> = self.board.empty_points().filter(legal).collect();
        names(&self.board, &points)
    }

    /// The points that renju forbids to Black, with ``"overline"``, ``"double-four"`` or
    /// ``"double-three"``.
    fn forbidden_points(&self) -> Vec<(String, String)> {
        let forbidden = self.board.forbidden_points();
        forbidden.map(|(p, foul)| (self.board.name(p), foul.to_string())).collect()
    }

    /// The name of a point.
    fn name(&self, x: Whole, y: Whole) -> PyResult<String> {
        Ok(self.board.name(PointArgument::Xy(x, y).on(&self.board)?))
    }

    /// Column and row of a point.
    fn xy(&self, point: PointArgument) -> PyResult<(u8, u8)> {
        let p = point.on(&self.board)?;
        Ok((p.x(), p.y()))
    }

    /// A copy with the same moves.
    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    /// True if the positions are equal, whatever the order of the moves.
    fn __eq__(&self, other: PyRef<'_, Board>) -> bool {
        let (one, other) = (&self.board, &other.board);
        let game = |board: &kakugo::Board| (board.width(), board.height(), board.variant());
        one.key() == other.key()
            && game(one) == game(other)
            && one.side_to_move() == other.side_to_move()
            && one.points().all(|p| one.cell(p) == other.cell(p))
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> Reduced<'py> {
        let this_board = this.borrow();
        let board = &this_board.board;
        let size = (board.width(), board.height());
        let variant = board.variant();
        let arguments = (size, variant.rule().word(), variant.win_length());
        (this.get_type(), arguments, pickle::of_board(board))
    }

    fn __setstate__(&mut self, state: BoardState) -> PyResult<()> {
        self.board = pickle::board(&self.board, state)?;
        Ok(())
    }

    fn __getitem__(&self, point: PointArgument) -> PyResult<Option<&'static str>> {
        Ok(match self.board.cell(point.on(&self.board)?) {
            Cell::Stone(side) => Some(side_word(side)),
            _ => None,
        })
    }

    /// The number of stones.
    fn __len__(&self) -> usize {
        self.board.ply()
    }

    /// True, although the board may have no stones.
    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }

    fn __repr__(&self) -> String {
        let moves: Vec<Point> = self.board.stones().map(|stone| stone.point).collect();
        format!(
            "<kakugo.Board {}x{} {}, {} to move: {}>",
            self.board.width(),
            self.board.height(),
            self.rule(),
            self.side_to_move(),
            self.board.names(&moves)
        )
    }
}
