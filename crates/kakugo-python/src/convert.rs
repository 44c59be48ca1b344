//! Points, rules, sides and limits from Python's values, and back.

use std::ops::RangeInclusive;
use std::time::Duration;

use kakugo::board::{MAX_SIZE, MIN_SIZE};
use kakugo::{Board, Limits, Outcome, Point, Rule, Side, Variant};
use kakugo_record::GameResult;
use kakugo_record::pos::{self, RowOrder};
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A whole number of any size. Beyond 64 bits, it is the nearest that fits.
#[derive(Clone, Copy)]
pub struct Whole(pub i64);

/// A point: a name such as `h8`, or column and row from the top left corner, from 0.
pub enum PointArgument {
    /// The name.
    Name(String),
    /// Column and row.
    Xy(Whole, Whole),
}

/// Moves: a list of points, or text such as `h8h9i8`.
pub enum MovesArgument {
    /// The text.
    Text(String),
    /// The points.
    Points(Vec<PointArgument>),
}

/// A board size: the side of a square, or width and height.
pub enum SizeArgument {
    /// The side.
    Square(Whole),
    /// Width and height.
    Sides(Whole, Whole),
}

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match object.extract::<i64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Whole(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            number => number.map(Whole),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for PointArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PointArgument> {
        if let Ok(name) = object.extract() {
            return Ok(PointArgument::Name(name));
        }
        let pair = object.extract::<(Whole, Whole)>();
        let (x, y) = pair
            .map_err(|_| other_type(&object, "a point: a name such as 'h8', or a pair (x, y)"))?;
        Ok(PointArgument::Xy(x, y))
    }
}

impl<'py> FromPyObject<'_, 'py> for MovesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MovesArgument> {
        match object.extract() {
            Ok(text) => Ok(MovesArgument::Text(text)),
            Err(_) => object.extract().map(MovesArgument::Points),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for SizeArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SizeArgument> {
        if let Ok(side) = object.extract() {
            return Ok(SizeArgument::Square(side));
        }
        let sides = object.extract::<(Whole, Whole)>();
        let (width, height) = sides
            .map_err(|_| other_type(&object, "a board size: 15, or a pair (width, height)"))?;
        Ok(SizeArgument::Sides(width, height))
    }
}

/// Returns the error of an argument of another type than expected.
fn other_type(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, not '{name}'"))
}

/// Returns the error of an invalid value.
pub fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Whole {
    /// Returns the number if it is in this range. `name` is that of the argument.
    pub fn within<T: TryFrom<i64>>(self, name: &str, range: RangeInclusive<i64>) -> PyResult<T> {
        let Whole(number) = self;
        let (least, greatest) = (range.start(), range.end());
        Some(number)
            .filter(|number| range.contains(number))
            .and_then(|n| T::try_from(n).ok())
            .ok_or_else(|| {
                invalid(format!("invalid {name} {number}: expected {least} to {greatest}"))
            })
    }
}

impl PointArgument {
    /// Returns the point.
    pub fn on(&self, board: &Board) -> PyResult<Point> {
        match self {
            PointArgument::Name(name) => board.parse_point(name).map_err(invalid),
            &PointArgument::Xy(Whole(x), Whole(y)) => u8::try_from(x)
                .ok()
                .zip(u8::try_from(y).ok())
                .and_then(|(x, y)| Point::new(x, y).filter(|&p| board.contains(p)))
                .ok_or_else(|| invalid(format!("the point ({x}, {y}) is off the board"))),
        }
    }
}

impl MovesArgument {
    /// Returns the points.
    pub fn on(&self, board: &Board) -> PyResult<Vec<Point>> {
        match self {
            MovesArgument::Text(text) => {
                pos::read(text, board.height(), RowOrder::FromBottom).map_err(invalid)
            }
            MovesArgument::Points(points) => points.iter().map(|point| point.on(board)).collect(),
        }
    }
}

impl SizeArgument {
    /// Returns width and height.
    pub fn sides(&self) -> PyResult<(u8, u8)> {
        let (width, height) = match *self {
            SizeArgument::Square(side) => (side, side),
            SizeArgument::Sides(width, height) => (width, height),
        };
        let side = |side: Whole| side.within("size", MIN_SIZE.into()..=MAX_SIZE.into());
        Ok((side(width)?, side(height)?))
    }
}

/// Returns the rule with this name and this win length of any size.
pub fn variant_of(rule: &str, win_length: Whole) -> PyResult<Variant> {
    variant(rule, win_length.within("win_length", 0..=u8::MAX.into())?)
}

/// Returns the rule with this name and win length.
pub fn variant(rule: &str, win_length: u8) -> PyResult<Variant> {
    let rule: Rule = rule.parse().map_err(invalid)?;
    Variant::new(rule, win_length).map_err(invalid)
}

/// Returns the word for a side: `black` or `white`.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// Returns the side with this word.
pub fn side(word: &str) -> PyResult<Side> {
    match word {
        "black" => Ok(Side::Black),
        "white" => Ok(Side::White),
        _ => Err(invalid(format!("unknown side '{word}': expected 'black' or 'white'"))),
    }
}

/// Returns the word for an outcome; `None` while the game goes on.
pub fn outcome_word(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Win(side) => Some(side_word(side)),
        Outcome::Forbidden(_) => Some("white"),
        Outcome::Draw => Some("draw"),
    }
}

/// Returns the word for a result: `black`, `white` or `draw`.
pub fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(side) => side_word(side),
        GameResult::Draw => "draw",
    }
}

/// Returns the result with this word.
pub fn result(word: Option<&str>) -> PyResult<Option<GameResult>> {
    Ok(match word {
        None => None,
        Some("black") => Some(GameResult::Win(Side::Black)),
        Some("white") => Some(GameResult::Win(Side::White)),
        Some("draw") => Some(GameResult::Draw),
        Some(word) => {
            let expected = "expected 'black', 'white', 'draw' or None";
            return Err(invalid(format!("unknown result '{word}': {expected}")));
        }
    })
}

/// Returns the names of points.
pub fn names(board: &Board, points: &[Point]) -> Vec<String> {
    points.iter().map(|&p| board.name(p)).collect()
}

/// The bounds of a search, as keyword arguments.
#[derive(Clone, Copy, Default)]
pub struct Bounds {
    /// Seconds.
    pub time: Option<f64>,
    /// Nodes.
    pub nodes: Option<Whole>,
    /// Plies.
    pub depth: Option<Whole>,
}

impl Bounds {
    /// Returns the limits.
    pub fn limits(self) -> PyResult<Limits> {
        let mut limits = Limits::new();
        if let Some(seconds) = self.time {
            let time = Duration::try_from_secs_f64(seconds);
            let time =
                time.map_err(|_| invalid(format!("invalid time {seconds}: expected seconds")))?;
            limits = limits.time(time);
        }
        if let Some(nodes) = self.nodes {
            limits = limits.nodes(nodes.within("nodes", 0..=i64::MAX)?);
        }
        if let Some(depth) = self.depth {
            limits = limits.depth(depth.within("depth", 0..=u32::MAX.into())?);
        }
        Ok(limits)
    }

    /// Returns the limits of a search that must end by itself.
    pub fn finite_limits(self) -> PyResult<Limits> {
        if self.time.is_none() && self.nodes.is_none() && self.depth.is_none() {
            return Err(invalid("a search needs a limit: time, nodes or depth"));
        }
        self.limits()
    }
}
