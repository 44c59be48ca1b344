//! Boards drawn as text: [`crate::board!`] reads a drawing, `Display` makes one.
//!
//! ```
//! use kakugo::board;
//! use kakugo::board::{Side, Variant};
//!
//! let (board, marks) = board!(Variant::FREESTYLE,
//!     ". . . . . .
//!      . X X X X *
//!      . O O . . .
//!      . . O O . .");
//! assert!(board.makes_five(marks[0], Side::Black));
//! assert_eq!(board.side_to_move(), Side::Black);
//! ```

use std::fmt;

use super::{Board, Cell, Point, Side, Variant};

/// Read a drawing: `X` black, `O` white, `.` empty, `*` empty and marked, `#` wall; blanks and line
/// breaks separate. Black is to move if there are as many black stones as white, else White.
///
/// Returns the board and the marked points, row by row. The stones' order is row by row, too.
///
/// # Errors
/// Says which row or sign is wrong.
pub fn parse(variant: Variant, drawing: &str) -> Result<(Board, Vec<Point>), String> {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let width = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        return Err(format!("row {row} has {} points, not {width}", rows[row].len()));
    }
    let size = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
    let mut board =
        Board::new(size(width), size(rows.len()), variant).map_err(|e| e.to_string())?;
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
            other => return Err(format!("unknown sign '{other}' at {p}")),
        };
        placed.map_err(|e| e.to_string())?;
    }
    let black = board.stones().filter(|stone| stone.side == Side::Black).count();
    let white = board.ply() - black;
    board.set_side_to_move(if black <= white { Side::Black } else { Side::White });
    Ok((board, marks))
}

/// The board drawn in a string: `(Board, Vec<Point>)` of the position and its marked points.
/// Panics on a bad drawing; see [`diagram::parse`](crate::board::diagram::parse) for the signs.
#[macro_export]
macro_rules! board {
    ($variant:expr, $drawing:expr) => {
        $crate::board::diagram::parse($variant, $drawing).expect("a drawing of a board")
    };
}

/// One row a line, as [`parse`] reads it.
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
        let fails = |drawing| parse(Variant::FREESTYLE, drawing).unwrap_err();
        assert!(fails("...\n..\n...").contains("row 1 has 2 points"));
        assert!(fails("...\n.?.\n...").contains("unknown sign '?' at 1,1"));
        assert!(fails("..\n..").contains("unsupported board size 2x2"));
    }
}
