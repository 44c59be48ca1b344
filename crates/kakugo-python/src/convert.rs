//! Points, rules, sides and limits from Python's values, and back.

use std::time::Duration;

use kakugo::{Board, Limits, Outcome, Point, Rule, Side, Variant};
use kakugo_record::pos::{self, RowOrder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A point: a name such as `h8`, or column and row from the top left corner, from 0.
#[derive(FromPyObject)]
pub enum PointArgument {
    /// The name.
    Name(String),
    /// Column and row.
    Xy(u8, u8),
}

/// Moves: a list of points, or text such as `h8h9i8`.
#[derive(FromPyObject)]
pub enum MovesArgument {
    /// The text.
    Text(String),
    /// The points.
    Points(Vec<PointArgument>),
}

/// A board size: the side of a square, or width and height.
#[derive(FromPyObject)]
pub enum SizeArgument {
    /// The side.
    Square(u8),
    /// Width and height.
    Sides(u8, u8),
}

/// Returns the error of an invalid value.
pub fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl PointArgument {
    /// Returns the point.
    pub fn on(&self, board: &Board) -> PyResult<Point> {
        match self {
            PointArgument::Name(name) => board.parse_point(name).map_err(invalid),
            &PointArgument::Xy(x, y) => Point::new(x, y)
                .filter(|&p| board.contains(p))
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
    pub fn sides(&self) -> (u8, u8) {
        match *self {
            SizeArgument::Square(side) => (side, side),
            SizeArgument::Sides(width, height) => (width, height),
        }
    }
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
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
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
            limits = limits.nodes(nodes);
        }
        if let Some(depth) = self.depth {
            limits = limits.depth(depth);
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
