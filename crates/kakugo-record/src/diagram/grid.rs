//! Boards drawn with connecting lines, such as `+-+-X-+-O`.
//!
//! Stones stand on the crossings of the lines, or in the cells between them. Lines between rows,
//! and the signs between points, are skipped.

use super::rows::{Row, row_of_signs, stone};
use crate::FormatError;
use crate::text::text;
use kakugo::board::MIN_SIZE;

/// A board drawn with lines.
pub(super) struct Grid {
    /// Index of its first line.
    pub(super) line: usize,
    crossings: Vec<Row>,
    /// The points between bars, and those before the first bar and after the last one.
    cells: Vec<Row>,
    /// True if the cells before the first bar and after the last one belong to the board.
    is_open: bool,
}

/// A line of a grid.
enum Line {
    /// Crossings and stones, with at least one sign between each two of them: `+--X--+`. The second
    /// value is true if a line leads beyond the first of them: `---+---+---`.
    Crossings(Row, bool),
    /// Cells around bars, empty or with a stone: `|   | X |`.
    Cells(Row),
}

/// Returns the grids of a text.
pub(super) fn find(lines: &[(usize, &str)]) -> Vec<Grid> {
    let mut grids = Vec::new();
    let mut grid = Grid::new(0);
    for &(number, text) in lines {
        match parse(text) {
            None => {
                grids.extend(grid.completed());
                grid = Grid::new(number + 1);
            }
            Some(Line::Crossings(row, is_open)) => {
                grid.is_open |= is_open;
                grid.crossings.push(row);
            }
            Some(Line::Cells(row)) => grid.cells.push(row),
        }
    }
    grids.extend(grid.completed());
    grids
}

impl Grid {
    fn new(line: usize) -> Grid {
        Grid { line, crossings: Vec::new(), cells: Vec::new(), is_open: false }
    }

    /// Returns the grid if it is a board.
    fn completed(self) -> Option<Grid> {
        let (crossings, cells) = (has_stone(&self.crossings), has_stone(&self.cells));
        let has_size = |rows: &[Row]| rows.len() >= usize::from(MIN_SIZE);
        let is_board = match (crossings, cells) {
            (true, true) => false,
            // Without lines between them, rows of cells are a table.
            (false, true) => has_size(&self.cells) && !self.crossings.is_empty(),
            // Without a free crossing, the lines are free points: `--x-o--`.
            (true, false) => has_size(&self.crossings) && has_free_point(&self.crossings),
            (false, false) => {
                has_size(&self.crossings) && self.crossings[0].len() == self.crossings.len()
            }
        };
        is_board.then_some(self)
    }

    /// Returns the rows of the board, or an error if their lengths differ.
    pub(super) fn rows(self) -> Result<Vec<Row>, FormatError> {
        let is_open = self.is_open;
        let without_ends =
            |mut row: Row| if is_open { row } else { row.drain(1..row.len() - 1).collect() };
        let rows: Vec<Row> = if has_stone(&self.cells) {
            self.cells.into_iter().map(without_ends).collect()
        } else {
            self.crossings
        };
        let expected = rows[0].len();
        match rows.iter().position(|row| row.len() != expected) {
            None => Ok(rows),
            Some(odd) => Err(FormatError::new(text!(
                "row {0} of the drawing has length {1}, expected {2}",
                odd + 1,
                rows[odd].len(),
                expected
            ))),
        }
    }
}

fn has_stone(rows: &[Row]) -> bool {
    rows.iter().flatten().any(Option::is_some)
}

fn has_free_point(rows: &[Row]) -> bool {
    rows.iter().flatten().any(Option::is_none)
}

fn parse(line: &str) -> Option<Line> {
    let is_label = |c: char| c.is_whitespace() || c.is_ascii_digit();
    let inside = line.trim_matches(is_label);
    let is_open = inside.starts_with(is_line);
    let crossings = crossings(inside).map(|row| Line::Crossings(row, is_open));
    let line = crossings.or_else(|| cells(inside).map(Line::Cells))?;
    let (Line::Crossings(row, _) | Line::Cells(row)) = &line;
    // An open board has more cells than crossings.
    (row.len() + usize::from(is_open) >= usize::from(MIN_SIZE)).then_some(line)
}

/// Parses crossings and stones with lines between them. At the ends, there may be lines, too.
fn crossings(text: &str) -> Option<Row> {
    let text = text.trim_matches(is_line);
    let mut row = Row::new();
    let mut is_between = true;
    for sign in text.chars() {
        if is_line(sign) {
            is_between = true;
            continue;
        }
        if ['\u{fe0e}', '\u{fe0f}'].contains(&sign) {
            continue;
        }
        let is_crossing = "+.\u{b7}*".contains(sign)
            || ('\u{2500}'..='\u{257f}').contains(&sign) && !is_bar(sign);
        if !std::mem::take(&mut is_between) || !(is_crossing || stone(sign).is_some()) {
            return None;
        }
        row.push(row_of_signs(sign.encode_utf8(&mut [0; 4]), false)?.pop().flatten());
    }
    Some(row)
}

/// Parses cells around bars. There may be bars at the ends.
fn cells(text: &str) -> Option<Row> {
    if !text.contains(is_bar) {
        return None;
    }
    let content = |cell: &str| match row_of_signs(cell, false)?[..] {
        [] if cell.trim().is_empty() => Some(None),
        [content] if cell.trim().chars().all(|c| stone(c).is_some() || ".*#".contains(c)) => {
            Some(content)
        }
        _ => None,
    };
    text.split(is_bar).map(content).collect()
}

/// Returns true for a sign that connects points of a row.
fn is_line(sign: char) -> bool {
    "-=\u{2500}\u{2501}\u{2550}".contains(sign)
}

/// Returns true for a sign that connects rows.
fn is_bar(sign: char) -> bool {
    "|\u{2502}\u{2503}\u{2551}".contains(sign)
}
