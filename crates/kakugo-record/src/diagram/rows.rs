//! Rows of drawn boards.

use super::super::setup::Placement;
use kakugo::board::{MIN_SIZE, Side};

/// The content of a point; `None` is a free point.
pub(super) type Row = Vec<Option<Placement>>;

pub(super) const BLACK: Option<Placement> = Some(Placement::Stone(Side::Black));
pub(super) const WHITE: Option<Placement> = Some(Placement::Stone(Side::White));

/// Parses a row such as `15 . X>O . 15` or `|.XO.|`.
pub(super) fn row_of_signs(line: &str, has_marks: bool) -> Option<Row> {
    if let Some(row) = row_of_cells(line) {
        return Some(row);
    }
    let is_frame =
        |c: char| c.is_whitespace() || c.is_ascii_digit() || "|:\u{2502}\u{2503}".contains(c);
    let mut row = Row::new();
    let mut signs = line.trim_matches(is_frame).chars().peekable();
    while let Some(sign) = signs.next() {
        let is_stone = |c: &char| stone(*c).is_some();
        row.push(match sign {
            // The last stone.
            '>' | '|' | '\u{fe0e}' | '\u{fe0f}' => continue,
            '*' if has_marks && signs.peek().is_some_and(is_stone) => continue,
            c if c.is_whitespace() => continue,
            '#' => Some(Placement::Blocked),
            c if ".,+-_*!\u{b7}\u{2219}\u{30fb}\u{5341}".contains(c) => None,
            // Grid lines.
            '\u{2500}'..='\u{257f}' => None,
            c => Some(Placement::Stone(stone(c)?)),
        });
    }
    Some(row)
}

/// Parses a row of a table with empty cells for free points, such as `| 15 | X | | O |`.
fn row_of_cells(line: &str) -> Option<Row> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cells = inside.split('|').map(str::trim);
    let is_label = |cell: &&str| !cell.is_empty() && cell.bytes().all(|c| c.is_ascii_digit());
    let cells: Vec<&str> = cells.filter(|cell| !is_label(cell)).collect();
    if cells.len() < usize::from(MIN_SIZE) || !cells.contains(&"") {
        return None;
    }
    let content = |cell: &str| match row_of_signs(cell, false)?[..] {
        [] if cell.is_empty() => Some(None),
        [content] => Some(content),
        _ => None,
    };
    cells.into_iter().map(content).collect()
}

/// Returns the side of a stone. The letters may be Cyrillic.
pub(super) fn stone(sign: char) -> Option<Side> {
    match sign {
        'X' | 'x' | '\u{425}' | '\u{445}' | 'B' | 'b' | '@' => Some(Side::Black),
        '\u{25cf}' | '\u{26ab}' => Some(Side::Black),
        'O' | 'o' | '\u{41e}' | '\u{43e}' | 'W' | 'w' => Some(Side::White),
        '\u{25cb}' | '\u{25ef}' | '\u{26aa}' | '\u{3007}' => Some(Side::White),
        _ => None,
    }
}

/// Parses a row such as `0 0 1 2` or `0012`.
pub(super) fn row_of_digits(line: &str) -> Option<Row> {
    if line.contains(", ") {
        return None;
    }
    let digits = line.chars().filter(|&c| !c.is_whitespace() && c != ',');
    digits
        .map(|c| match c {
            '0' => Some(None),
            '1' => Some(BLACK),
            '2' => Some(WHITE),
            _ => None,
        })
        .collect()
}

/// Parses a row of numbers such as `0. 1. 2.` or `0, 1, 2`.
pub(super) fn row_of_numbers(line: &str) -> Option<Row> {
    numbers(line, "2")
}

/// Parses a row of numbers such as `0 1 -1`, where -1 is White.
pub(super) fn row_of_signed_numbers(line: &str) -> Option<Row> {
    numbers(line, "-1")
}

fn numbers(line: &str, white: &str) -> Option<Row> {
    // `0,0, 1,1` are offsets.
    let commas = line.matches(',').count();
    let spaced = line.matches(", ").count();
    if spaced > 0 && spaced < commas {
        return None;
    }
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let row: Option<Row> = words
        .map(|word| match word.trim_end_matches('0').strip_suffix('.').unwrap_or(word) {
            "0" | "-0" => Some(None),
            "1" => Some(BLACK),
            number if number == white => Some(WHITE),
            _ => None,
        })
        .collect();
    // So are short rows of pairs.
    row.filter(|row| !row.len().is_multiple_of(2) || row.len() >= 10)
}

/// Returns the parts of a line in brackets and quotes: `[[0, 1], [2, 0]]` has the parts `0, 1` and
/// `2, 0`. Returns `None` without brackets and quotes.
pub(super) fn parts_in_brackets(line: &str) -> Option<Vec<&str>> {
    const BRACKETS: [char; 8] = ['[', ']', '{', '}', '(', ')', '"', '\''];
    let (_, inside) = line.split_once(BRACKETS)?;
    // Text before the first bracket and after the last one is part of the program.
    let inside = &inside[..inside.rfind(BRACKETS).unwrap_or(inside.len())];
    let is_between = |c: char| c.is_whitespace() || ",;+".contains(c);
    let parts = inside.split(BRACKETS).map(|part| part.strip_suffix("\\n").unwrap_or(part));
    let parts = parts.filter(|part| !part.chars().all(is_between));
    let parts: Vec<&str> = parts.map(|part| part.trim().trim_end_matches([',', ';'])).collect();
    parts.iter().all(|part| part.len() >= usize::from(MIN_SIZE)).then_some(parts)
}
