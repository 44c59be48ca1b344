//! Boards drawn as text: [`parse`] reads a drawing, `Display` prints one.

use std::error::Error;
use std::fmt;

use super::{Board, Cell, Point, Side, UnsupportedSize, Variant};

/// A drawing that does not show a board: the reason as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidDiagram(String);

impl fmt::Display for InvalidDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid diagram: {}", self.0)
    }
}

impl Error for InvalidDiagram {}

/// Parses a drawing: `X` black, `O` white, `.` empty, `*` empty and marked, `#` blocked; spaces and
/// line breaks separate. White is to move if there are more black stones than white, else Black.
///
/// Returns the board and the marked points, both row by row, the order of the stones included.
///
/// # Errors
/// Rows differ in length, a sign is unknown, or the size is not supported.
pub fn parse(variant: Variant, drawing: &str) -> Result<(Board, Vec<Point>), InvalidDiagram> {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let width = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        let (number, length) = (row + 1, rows[row].len());
        return Err(InvalidDiagram(format!("row {number} has {length} points, expected {width}")));
    }
    let invalid = |error: &dyn Error| InvalidDiagram(error.to_string());
    let lines = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let unsupported = UnsupportedSize { width: lines(width), height: lines(rows.len()) };
    let size = |n: usize| u8::try_from(n).map_err(|_| invalid(&unsupported));
    let mut board =
        Board::new(size(width)?, size(rows.len())?, variant).map_err(|error| invalid(&error))?;
    let mut marks = Vec::new();
    for p in board.points() {
        let sign = rows[usize::from(p.y())][usize::from(p.x())];
        let placed = match sign {
            'X' => board.place(p, Side::Black),
            'O' => board.place(p, Side::White),
            '#' => board.block(p),
            '*' => {
                marks.push(p);
                Ok(())
            }
            '.' => Ok(()),
            other => {
                let name = board.name(p);
                let expected = "expected X, O, ., * or #";
                return Err(InvalidDiagram(format!(
                    "unknown sign '{other}' at {name}: {expected}"
                )));
            }
        };
        placed.map_err(|error| invalid(&error))?;
    }
    board.settle();
    let black = board.stones().filter(|stone| stone.side == Side::Black).count();
    let white = board.ply() - black;
    board.set_side_to_move(if black <= white { Side::Black } else { Side::White });
    Ok((board, marks))
}

impl Board {
    /// Returns the board that a drawing shows: `X` black, `O` white, `.` or `*` empty, `#` blocked;
    /// spaces and line breaks separate. The inverse of `Display`, except that the order of moves
    /// and the side to move are lost. White is to move if there are more black stones than white,
    /// else Black.
    ///
    /// # Errors
    /// Rows differ in length, a sign is unknown, or the size is not supported.
    ///
    /// ```
    /// use kakugo::{Board, Side, Variant};
    ///
    /// let board = Board::from_diagram(
    ///     Variant::FREESTYLE,
    ///     ". . . . . .
    ///      . X X X X .
    ///      . O O . . .
    ///      . . O O . .",
    /// )?;
    /// assert_eq!(board.side_to_move(), Side::Black);
    /// assert!(board.makes_five(board.parse_point("f3")?, Side::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_diagram(variant: Variant, drawing: &str) -> Result<Board, InvalidDiagram> {
        parse(variant, drawing).map(|(board, _)| board)
    }
}

/// Returns the board drawn in a string and its marked points, `(Board, Vec<Point>)`.
///
/// # Panics
/// The drawing is invalid: see [`diagram::parse`](crate::board::diagram::parse) for the signs.
#[cfg(any(feature = "internals", test))]
#[doc(hidden)]
#[macro_export]
macro_rules! board {
    ($variant:expr, $drawing:expr) => {
        $crate::board::diagram::parse($variant, $drawing).expect("a drawing of a board")
    };
}

/// One line per row, from the top, as [`Board::from_diagram`] parses it.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for p in self.points() {
            let sign = match self.cell(p) {
                Cell::Empty => '.',
                Cell::Wall => '#',
                Cell::Stone(Side::Black) => 'X',
                Cell::Stone(Side::White) => 'O',
            };
            let end = if p.x() + 1 == self.width() { "\n" } else { " " };
            write!(f, "{sign}{end}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_and_reading_are_inverse() {
        let drawing = ". X .\nO # X\n. . O\n";
        let (board, marks) = parse(Variant::FREESTYLE, drawing).unwrap();
        assert_eq!(board.to_string(), drawing);
        assert!(marks.is_empty());
        assert_eq!(board.side_to_move(), Side::Black);
    }

    #[test]
    fn bad_drawings_are_explained() {
        let fails = |drawing| parse(Variant::FREESTYLE, drawing).unwrap_err().to_string();
        assert!(fails("...\n..\n...").contains("row 2 has 2 points, expected 3"));
        assert!(fails("...\n.?.\n...").contains("unknown sign '?' at b2"));
        assert!(fails("..\n..").contains("unsupported board size 2x2"));
    }
}
