//! Names of points as players write them: `h8` is the eighth column from the left, the eighth row
//! from the bottom.
//!
//! Columns are letters without gaps, `a` to `z` and then `aa` to `af`. Rows count from 1. A name
//! depends on the height of the board, because [`Point`] counts rows from the top.

use std::error::Error;
use std::fmt;

use super::{Board, Point};

/// Characters of an invalid name that the error message shows.
const SHOWN: usize = 40;

/// A text that does not name a point of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPoint {
    text: String,
    /// The name of the point at the upper right.
    last: String,
}

impl fmt::Display for UnknownPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid point '{}': expected a1 to {}", self.text, self.last)
    }
}

impl Error for UnknownPoint {}

/// The letters of the column with this index, from 0 at the left.
fn column_name(x: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    if x < 26 { letter(x).into() } else { [letter(x / 26 - 1), letter(x)].iter().collect() }
}

/// The inverse of [`column_name`]; capitals are accepted.
fn column(letters: &str) -> Option<u8> {
    let number =
        |letter: u8| letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase() - b'a');
    match *letters.as_bytes() {
        [letter] => number(letter),
        [first, second] => (number(first)? + 1).checked_mul(26)?.checked_add(number(second)?),
        _ => None,
    }
}

impl Board {
    /// Returns the name of a point on this board, such as `h8` for the centre of 15x15: letters for
    /// the column from the left, then the row from the bottom. The point must be on the board.
    ///
    /// ```
    /// use kakugo::{Board, Point, Variant};
    ///
    /// let board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// let top_left = Point::new(0, 0).unwrap();
    /// assert_eq!(board.name(top_left), "a15");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(&self, p: Point) -> String {
        format!("{}{}", column_name(p.x()), i32::from(self.height()) - i32::from(p.y()))
    }

    /// Returns the names of several points, separated by spaces.
    pub fn names(&self, points: &[Point]) -> String {
        points.iter().map(|&p| self.name(p)).collect::<Vec<_>>().join(" ")
    }

    /// Parses the name of a point, such as `h8` or `H8`. The inverse of [`Board::name`].
    ///
    /// # Errors
    /// The text does not name a point of this board.
    ///
    /// ```
    /// use kakugo::{Board, Variant};
    ///
    /// let board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// let centre = board.parse_point("h8")?;
    /// assert_eq!((centre.x(), centre.y()), (7, 7));
    /// assert_eq!(
    ///     board.parse_point("q3").unwrap_err().to_string(),
    ///     "invalid point 'q3': expected a1 to o15",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_point(&self, name: &str) -> Result<Point, UnknownPoint> {
        let name = name.trim();
        let point = || {
            let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
            let row: u8 = digits.parse().ok()?;
            let y = self.height().checked_sub(row)?;
            Point::new(column(letters)?, y).filter(|&p| self.contains(p))
        };
        point().ok_or_else(|| UnknownPoint {
            text: name.chars().take(SHOWN).collect(),
            last: format!("{}{}", column_name(self.width() - 1), self.height()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    #[test]
    fn every_point_has_a_name_of_its_own() {
        for (width, height) in [(3, 3), (15, 15), (20, 12), (32, 32)] {
            let board = Board::new(width, height, Variant::FREESTYLE).unwrap();
            for p in board.points() {
                let name = board.name(p);
                assert_eq!(board.parse_point(&name), Ok(p), "{name}");
                assert_eq!(board.parse_point(&format!(" {} ", name.to_uppercase())), Ok(p));
            }
        }
    }

    #[test]
    fn rows_count_from_the_bottom_and_columns_go_on_after_z() {
        let board = Board::new(32, 20, Variant::FREESTYLE).unwrap();
        let names = [(0, 19), (0, 0), (25, 19), (26, 19), (31, 0)]
            .map(|(x, y)| board.name(Point::new(x, y).unwrap()));
        assert_eq!(names, ["a1", "a20", "z1", "aa1", "af20"]);
    }

    #[test]
    fn other_texts_are_rejected() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for bad in
            ["", "h", "8", "8h", "h0", "h16", "p8", "h-8", "h8 i8", "hh8", "h256", "é8", "zzz1"]
        {
            let error = board.parse_point(bad).unwrap_err().to_string();
            assert_eq!(error, format!("invalid point '{bad}': expected a1 to o15"));
        }
        let long = board.parse_point(&"x".repeat(1000)).unwrap_err().to_string();
        assert!(long.len() < 100, "{long}");
    }
}
