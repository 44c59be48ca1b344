//! Positions as points in algebraic notation, `h8h9i8`, Black first.
//!
//! The letters are the column from the left (`z` is followed by `aa`, `ab`, ..), the number is the
//! row from 1. Programs disagree on row 1: c-gomoku-cli, GomocupJudge and pygomo number rows from
//! the **top**; Yixin-Board, gomocalc and printed diagrams from the **bottom**. Both agree only on
//! the middle row, so every function takes a [`RowOrder`].
//!
//! `--` and `pass` are passes when moves are read. They are not written.
//!
//! Rule, size, names and result are not stored.

use std::borrow::Cow;
use std::fmt::Write;

use super::FormatError;
use crate::text::text;
use kakugo::board::Point;

/// Characters between points, besides spaces, arrows and numbers in circles.
const SEPARATORS: &str = ",_-.;|/+>=()[]{}\"'\u{2013}\u{2014}\u{3001}\u{3002}\u{30fb}";

/// The edge of the board with row 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowOrder {
    /// Row 1 is the top row (c-gomoku-cli, GomocupJudge, pygomo).
    FromTop,
    /// Row 1 is the bottom row (Yixin-Board, gomocalc, printed diagrams).
    FromBottom,
}

impl RowOrder {
    /// Converts a row index in this order to a row index from the top, or back. Both start at 0.
    fn flip(self, index: u8, height: u8) -> Option<u8> {
        match self {
            RowOrder::FromTop => Some(index).filter(|&y| y < height),
            RowOrder::FromBottom => height.checked_sub(1)?.checked_sub(index),
        }
    }
}

/// Returns the letters of a column.
pub fn column_letters(x: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    if x < 26 { letter(x).to_string() } else { [letter(x / 26 - 1), letter(x)].iter().collect() }
}

/// Writes points without separators.
pub fn write(points: impl IntoIterator<Item = Point>, height: u8, rows: RowOrder) -> String {
    points.into_iter().fold(String::new(), |mut text, p| {
        let row = rows.flip(p.y(), height).unwrap_or(p.y());
        let _ = write!(text, "{}{}", column_letters(p.x()), u16::from(row) + 1);
        text
    })
}

/// Reads points, in upper or lower case, also in full-width characters. Between points there may
/// be punctuation, arrows and move numbers (`1. h8 i9 2. i7 g9`, `1) h8`, `1 h8 2 i9`, `[h8][i9]`).
/// A hyphen may separate letter and number (`H-8`).
///
/// # Errors
/// Returns an error for text that is not a point of the board, and for a pass.
pub fn read(text: &str, height: u8, rows: RowOrder) -> Result<Vec<Point>, FormatError> {
    let points = read_moves(text, height, rows)?.into_iter();
    let pass = || FormatError::new(text!("a pass ('--' or 'pass') where only points are expected"));
    points.map(|point| point.ok_or_else(pass)).collect()
}

/// Reads moves as [`read`] does points. `--` and `pass` are passes.
///
/// # Errors
/// Returns an error for text that is neither a point of the board nor a pass.
pub fn read_moves(
    text: &str,
    height: u8,
    rows: RowOrder,
) -> Result<Vec<Option<Point>>, FormatError> {
    let text = &*half_width(text);
    let mut points = Vec::new();
    let mut rest = skip_between(text, 0);
    while !rest.is_empty() {
        if let Some((count, tail)) = leading_passes(rest) {
            points.extend(std::iter::repeat_n(None, count));
            rest = skip_between(tail, points.len());
            continue;
        }
        let letters = rest.chars().take_while(char::is_ascii_alphabetic).count();
        let (name, tail) = rest.split_at(letters);
        let hyphen = usize::from(letters > 0 && tail.starts_with('-'));
        let digits = tail[hyphen..].chars().take_while(char::is_ascii_digit).count();
        let (number, tail) = tail[hyphen..].split_at(digits);
        let point = column_index(name)
            .zip(number.parse::<u8>().ok().and_then(|n| n.checked_sub(1)))
            .and_then(|(x, row)| Point::new(x, rows.flip(row, height)?));
        let shown: String = rest.chars().take((letters + hyphen + digits).max(1)).collect();
        points.push(Some(point.ok_or_else(|| {
            FormatError::new(text!(
                "invalid point '{0}': expected a letter and a row from 1 to {1}",
                shown,
                height
            ))
        })?));
        rest = skip_between(tail, points.len());
    }
    Ok(points)
}

/// Returns the text after separators and move numbers. `count` is the number of points before it.
fn skip_between(text: &str, count: usize) -> &str {
    let mut rest = skip_separators(text);
    while let Some((number, tail)) = leading_number(rest) {
        // Without a mark, only the number of the next move or pair of moves is one.
        let is_expected =
            number == count + 1 || (number == count / 2 + 1 && count.is_multiple_of(2));
        let marked = tail.strip_prefix(['.', ')', ':']);
        match marked {
            Some(tail) => rest = skip_separators(tail),
            None if is_expected && tail.starts_with(char::is_whitespace) => {
                rest = skip_separators(tail);
            }
            None => break,
        }
    }
    rest
}

/// Returns the text after separators, up to a pass.
fn skip_separators(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with(is_separator) && leading_passes(rest).is_none() {
        // The hyphens of an arrow belong together.
        let hyphens = rest.trim_start_matches('-');
        rest = if hyphens.len() < rest.len() { hyphens } else { &rest[first_length(rest)..] };
    }
    rest
}

/// Returns the length of the first character in bytes.
fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// Returns the number of passes that a text begins with, and the text after them. A pass is `pass`
/// or `--`. All hyphens in a row are read at once, because an arrow (`-->`) is not a pass.
fn leading_passes(text: &str) -> Option<(usize, &str)> {
    const WORD: &str = "pass";
    if text.get(..WORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(WORD)) {
        return Some((1, &text[WORD.len()..]));
    }
    let tail = text.trim_start_matches('-');
    let count = (text.len() - tail.len()) / 2;
    (count > 0 && !tail.starts_with('>')).then_some((count, tail))
}

/// Returns the number at the beginning of a text, and the text after it.
fn leading_number(text: &str) -> Option<(usize, &str)> {
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &text[..text.len() - tail.len()];
    Some((number.parse().ok()?, tail))
}

/// A numbered list of moves, to which lines are added one after the other.
#[derive(Default)]
pub(super) struct NumberedMoves {
    /// Number of moves so far.
    moves: usize,
    /// The number at the end, before a move of the next line (`2. i7 g9 3.`).
    at_end: Option<usize>,
    /// True after a number that counts pairs of moves, as in `2. i7 g9`.
    counts_pairs: bool,
}

impl NumberedMoves {
    /// Adds a line if it continues the list.
    pub(super) fn add_if_continued(&mut self, line: &str) -> bool {
        let line = LineOfMoves::parse(line);
        let continues = self.is_continued_by(&line);
        if continues {
            self.add_parsed(&line);
        }
        continues
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: &str) {
        self.add_parsed(&LineOfMoves::parse(line));
    }

    fn add_parsed(&mut self, line: &LineOfMoves) {
        if let Some((number, before)) = line.last_number {
            let before = self.moves + before;
            self.counts_pairs = number > 1 && is_number_of_pair(number, before);
            self.at_end = (before == self.moves + line.moves).then_some(number);
        } else if line.moves > 0 {
            self.at_end = None;
        }
        self.moves += line.moves;
    }

    fn is_continued_by(&self, line: &LineOfMoves) -> bool {
        let fits = |number: usize, before: usize| {
            let before = self.moves + before;
            number == before + 1 || is_number_of_pair(number, before)
        };
        match line.first_number {
            // `2. i7 g9`.
            Some((number, 0)) => number > 1,
            // `g9 3. j8`, after `2. i7`.
            Some((number, before)) => {
                number > 1 && (fits(number, before) || self.at_end.is_some_and(|n| fits(n, 0)))
            }
            // `j8` after `3.`, and `g9` or `1-0` after `2. i7`.
            None if line.is_only_moves && line.moves > 0 => {
                let completes_pair =
                    self.counts_pairs && line.moves == 1 && !self.moves.is_multiple_of(2);
                completes_pair || self.at_end.is_some_and(|number| fits(number, 0))
            }
            None => line.is_result && self.moves > 0,
        }
    }
}

/// Returns true if a pair of moves has this number. `before` is the number of moves before it.
fn is_number_of_pair(number: usize, before: usize) -> bool {
    before.is_multiple_of(2) && number == before / 2 + 1
}

/// The content of a line of moves.
#[derive(Default)]
struct LineOfMoves {
    /// Number of moves.
    moves: usize,
    /// The first move number, and the number of moves before it in the line.
    first_number: Option<(usize, usize)>,
    /// The last move number.
    last_number: Option<(usize, usize)>,
    /// True if the line has only moves and numbers, and perhaps a result.
    is_only_moves: bool,
    /// True if the line is only a result.
    is_result: bool,
}

impl LineOfMoves {
    fn parse(line: &str) -> LineOfMoves {
        let text = &*half_width(line);
        let (text, result) = split_result(text);
        let is_result = result.is_some() && text.trim().is_empty();
        let mut line = LineOfMoves { is_only_moves: true, is_result, ..LineOfMoves::default() };
        let mut rest = skip_separators(text);
        while !rest.is_empty() {
            if let Some((count, tail)) = leading_passes(rest) {
                line.moves += count;
                rest = tail;
            } else if let Some(tail) = after_move(rest) {
                line.moves += 1;
                rest = tail;
            } else if let Some((number, tail)) = leading_move_number(rest) {
                line.last_number = Some((number, line.moves));
                line.first_number = line.first_number.or(line.last_number);
                rest = tail;
            } else {
                line.is_only_moves = false;
                let is_inside = |c: char| !c.is_whitespace();
                rest = rest.trim_start_matches(is_inside);
            }
            rest = skip_separators(rest);
        }
        line
    }
}

/// Returns the number before a move and the text after it: `2. i7`, `2) i7`, `2 i7`, or `2.` at the
/// end of a line.
fn leading_move_number(text: &str) -> Option<(usize, &str)> {
    let (number, tail) = leading_number(text)?;
    let is_marked = tail.starts_with(['.', ')', ':']);
    let is_point_next = || begins_with_move(tail.trim_start());
    let is_number = is_marked || (tail.starts_with(char::is_whitespace) && is_point_next());
    is_number.then_some((number, tail))
}

/// Separates the result at the end of a list of moves: `1-0`, `0-1`, `1/2-1/2` or `*`.
pub(super) fn split_result(text: &str) -> (&str, Option<&str>) {
    const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "\u{bd}-\u{bd}", "*"];
    let text = text.trim_end();
    let word = text.rfind(char::is_whitespace).map_or(text, |at| text[at..].trim_start());
    if RESULTS.contains(&word) {
        (&text[..text.len() - word.len()], Some(word))
    } else {
        (text, None)
    }
}

/// Returns true if a text begins with a point such as `h8` or a pass, after separators and a move
/// number.
pub fn begins_with_point(text: &str) -> bool {
    begins_with_move(skip_between(&half_width(text), 0))
}

fn begins_with_move(rest: &str) -> bool {
    if leading_passes(rest).is_some() {
        return true;
    }
    after_move(rest).is_some()
}

/// Returns the text after a point that a text begins with, whether or not the board has it.
fn after_move(text: &str) -> Option<&str> {
    let tail = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = tail.strip_prefix('-').unwrap_or(tail);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    (tail.len() < text.len() && rest.len() < number.len()).then_some(rest)
}

fn is_separator(c: char) -> bool {
    let is_circled_number = ('\u{2460}'..='\u{24ff}').contains(&c);
    let is_arrow = ('\u{2190}'..='\u{21ff}').contains(&c);
    c.is_whitespace() || SEPARATORS.contains(c) || is_circled_number || is_arrow
}

/// Returns a text with full-width letters, digits and signs as ASCII.
pub(super) fn half_width(text: &str) -> Cow<'_, str> {
    let is_full_width = |c: char| ('\u{ff01}'..='\u{ff5e}').contains(&c);
    if !text.contains(is_full_width) {
        return Cow::Borrowed(text);
    }
    let half = |c: char| match u32::from(c) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xff01 + 0x21).unwrap_or(c),
        _ => c,
    };
    Cow::Owned(text.chars().map(half).collect())
}

fn column_index(letters: &str) -> Option<u8> {
    let value = |c: u8| c.to_ascii_lowercase() - b'a';
    match letters.as_bytes() {
        [c] => Some(value(*c)),
        [c, d] => (value(*c) + 1).checked_mul(26)?.checked_add(value(*d)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_row_orders_round_trip() {
        let points = [(0, 0), (7, 7), (14, 2), (27, 19)].map(|(x, y)| Point::new(x, y).unwrap());
        assert_eq!(write(points, 20, RowOrder::FromTop), "a1h8o3ab20");
        assert_eq!(write(points, 20, RowOrder::FromBottom), "a20h13o18ab1");
        for rows in [RowOrder::FromTop, RowOrder::FromBottom] {
            assert_eq!(read(&write(points, 20, rows), 20, rows).unwrap(), points);
        }
    }

    #[test]
    fn numbers_and_separators_between_points_are_skipped() {
        let points = read("h8i9i7g9", 15, RowOrder::FromBottom).unwrap();
        for text in [
            "1. H8 I9 2. I7 G9",
            "1.h8 i9 2.i7 g9",
            "1. h8, 2. i9, 3. i7, 4. g9",
            "1) h8 i9\n2) i7 g9",
            "1 h8 2 i9 3 i7 4 g9",
            "1 h8 i9 2 i7 g9",
            "1... h8 1... i9 2. i7; g9",
            "h8_i9_i7_g9",
            "h8-i9-i7-g9",
            " h8 - i9 - i7 - g9.",
            "h8.i9.i7.g9",
            "h8|i9|i7/g9",
            "h8,i9,i7,g9,",
            "(1) H8 (2) I9 (3) I7 (4) G9",
            "[h8][i9][i7][g9]",
            "[\"h8\",\"i9\",\"i7\",\"g9\"]",
            "h8+i9+i7+g9",
            "h8 -> i9 -> i7 \u{2192} g9",
            "H-8 I-9 I-7 G-9",
            "\u{ff28}\u{ff18}\u{3001}\u{ff29}\u{ff19}\u{3001}\u{ff49}\u{ff17} g9",
            "\u{2460}h8\u{2461}i9\u{2462}i7\u{2463}g9",
            "1\u{ff1a}h8 2\u{ff1a}i9 3: i7 4: g9",
        ] {
            assert_eq!(read(text, 15, RowOrder::FromBottom).as_ref(), Ok(&points), "{text}");
            assert!(begins_with_point(text), "{text}");
        }
        for text in ["h8 7 i9", "h8 2i9", "1h8", "1.", "2 h8", "h8 99999999999999999999. i9"] {
            let read = read(text, 15, RowOrder::FromBottom);
            assert!(read.is_err() || read == Ok(Vec::new()), "{text}: {read:?}");
        }
        let continues = |first: &str, line: &str| {
            let mut list = NumberedMoves::default();
            list.add(first);
            list.add_if_continued(line)
        };
        for line in [" 2. i7 g9", "12) a1", "2 h9", "2. i7", "1-0", " * "] {
            assert!(continues("1. h8 i9", line), "{line}");
        }
        for line in ["2 3", "1 h8", "1. h8", "h8", "2,3", "h8 1-0", "h8 2. i9 3. i7", "?"] {
            assert!(!continues("1. h8 i9", line), "{line}");
        }
    }

    #[test]
    fn wrapped_lists_of_moves_are_continued() {
        for (first, line) in [
            ("1. h8 i9 2. h10", "h9 3. j8 k9 4."),
            ("1. h8 i9 2. h10 h9 3.", "j8 k9"),
            ("1. h8 i9 2. h10 h9 3.", "j8 k9 4. j9"),
            ("1 h8 2 i9 3 h10", "h9 5 j8"),
            ("1. h8 i9 2. h10 h9 3. j8", "k9 1-0"),
            ("1. h8 i9 2. h10 h9 3. j8", "k9"),
            ("1. h8 i9 2. h10 h9 3. j8", "0-1"),
        ] {
            let mut list = NumberedMoves::default();
            list.add(first);
            assert!(list.add_if_continued(line), "{first} | {line}");
        }
        for (first, line) in [
            ("h8 i9", "i7 2. g9"),
            ("h8 i9 i7", "g9"),
            ("1. h8 i9 2. h10", "1. h8"),
            ("1. h8 i9 2. h10 h9", "j8 k9"),
            ("1. h8 i9 2. h10", "Another game"),
        ] {
            let mut list = NumberedMoves::default();
            list.add(first);
            assert!(!list.add_if_continued(line), "{first} | {line}");
        }
        assert_eq!(split_result("h8 i9 1-0 "), ("h8 i9 ", Some("1-0")));
        assert_eq!(split_result("h8-i9"), ("h8-i9", None));
    }

    #[test]
    fn two_hyphens_and_the_word_are_passes() {
        let moves = |text: &str| {
            let moves = read_moves(text, 15, RowOrder::FromBottom).unwrap();
            let name = |point: &Option<Point>| match point {
                Some(point) => write([*point], 15, RowOrder::FromBottom),
                None => "--".to_owned(),
            };
            moves.iter().map(name).collect::<String>()
        };
        for text in ["h8--i9", "h8 -- i9", "h8, --, i9", "h8 pass i9", "h8 Pass, i9", "h8---i9"] {
            assert_eq!(moves(text), "h8--i9", "{text}");
            assert!(read(text, 15, RowOrder::FromBottom).is_err(), "{text}");
        }
        assert_eq!(moves("1. h8 -- 2. i9 PASS"), "h8--i9--");
        assert_eq!(moves("-- h8----i9--"), "--h8----i9--");
        // Other hyphens separate points, or a letter and its number.
        for text in ["h8-i9", "h8 - i9", "h8->i9", "h8 --> i9", "h8--->i9", "H-8 I-9", "H-8-I-9"] {
            assert_eq!(moves(text), "h8i9", "{text}");
        }
        assert!(begins_with_point("-- h8") && begins_with_point("pass"));
        assert!(read_moves("h8 passes", 15, RowOrder::FromBottom).is_err());
    }

    #[test]
    fn many_hyphens_are_read_quickly() {
        let hyphens = "-".repeat(1_000_001);
        let moves = read_moves(&format!("h8{hyphens}i9"), 15, RowOrder::FromBottom).unwrap();
        assert_eq!(moves.len(), 500_002);
        let points = read(&format!("h8{hyphens}>i9"), 15, RowOrder::FromBottom).unwrap();
        assert_eq!(points.len(), 2);
        assert!(begins_with_point(&hyphens) && !begins_with_point(&format!("{hyphens}>")));
    }

    #[test]
    fn row_orders_agree_only_on_the_middle_row() {
        let top = read("h8", 15, RowOrder::FromTop).unwrap();
        assert_eq!(top, read("H8", 15, RowOrder::FromBottom).unwrap());
        assert_ne!(
            read("h9", 15, RowOrder::FromTop).unwrap(),
            read("h9", 15, RowOrder::FromBottom).unwrap()
        );
    }

    #[test]
    fn invalid_points_are_quoted() {
        for bad in ["8h", "h", "h0", "h16", "zzz1", "h8 ?", "h999", "é3"] {
            let error = read(bad, 15, RowOrder::FromBottom).unwrap_err();
            assert!(error.to_string().starts_with("invalid point '"), "{bad}: {error}");
        }
        assert!(read("h16", 15, RowOrder::FromTop).is_err());
        let error = read("h8", 7, RowOrder::FromBottom).unwrap_err().to_string();
        assert_eq!(error, "invalid point 'h8': expected a letter and a row from 1 to 7");
    }
}
