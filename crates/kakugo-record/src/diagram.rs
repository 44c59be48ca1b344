//! Boards drawn as text, as found on web pages, in chats and in the output of engines.
//!
//! ```text
//! 15 . . . . .
//! 14 . X O . .      one character per point, with or without spaces
//! 13 . . X . .      coordinates and other lines around the board are skipped
//!    a b c d e
//! White to move     optional
//! ```
//!
//! | meaning | characters |
//! |---|---|
//! | black stone | `X` `x` `B` `b` `@` `●` `⚫` |
//! | white stone | `O` `o` `W` `w` `○` `⚪` |
//! | free point | `.` `,` `+` `-` `_` `*` `·` `!` and lines of a grid |
//! | blocked point | `#` |
//!
//! Rows may also be separated by `/`. Square drawings of digits have `0` for free points, `1` for
//! black and `2` for white stones. If the text does not say whose turn it is, Black is to move, or
//! White if there are more black stones than white ones. The order of the moves is lost. This
//! format is only read.

use super::setup::{Placement, Setup};
use super::{FormatError, Game};
use crate::text::text;
use kakugo::board::{MAX_SIZE, MIN_SIZE, Point, Side, Variant};

/// The content of a point; `None` is a free point.
type Row = Vec<Option<Placement>>;

const BLACK: Option<Placement> = Some(Placement::Stone(Side::Black));
const WHITE: Option<Placement> = Some(Placement::Stone(Side::White));

/// Returns true if a text contains a drawing of a board.
pub fn is_diagram(text: &str) -> bool {
    board(text).is_some()
}

/// Reads the first board of a text as a game without moves.
///
/// # Errors
/// Returns an error if there is no drawing.
pub fn read(text: &str, variant: Variant) -> Result<Game, FormatError> {
    let rows = board(text).ok_or_else(|| {
        FormatError::new(text!(
            "no drawing of a board: expected rows of equal length with X, O and ."
        ))
    })?;
    let side = |length: usize| u8::try_from(length).unwrap_or(u8::MAX);
    let mut game = Game::new(side(rows[0].len()), side(rows.len()), variant);
    let mut setup = Setup::default();
    for (y, row) in (0..).zip(&rows) {
        for (x, content) in (0..).zip(row) {
            if let (Some(p), Some(what)) = (Point::new(x, y), content) {
                setup.put(p, *what);
            }
        }
    }
    setup.to_move = text.lines().find_map(to_move);
    game.start = setup;
    Ok(game)
}

/// Returns the rows of the first board. Its rows may be separated by `/` instead of line breaks.
fn board(text: &str) -> Option<Vec<Row>> {
    let with_breaks = || text.contains('/').then(|| text.replace('/', "\n"));
    board_in_lines(text).or_else(|| board_in_lines(&with_breaks()?))
}

fn board_in_lines(text: &str) -> Option<Vec<Row>> {
    // Lines of offsets such as `0,0, 1,1` are digits as well, but not a square.
    let digits = rows(text, row_of_digits).filter(|rows| rows.len() == rows[0].len());
    // `*` is a free point, or precedes the stones of a winning row.
    let signs = || rows(text, |line: &str| row_of_signs(line, false));
    let marked_signs = || rows(text, |line: &str| row_of_signs(line, true));
    digits.or_else(|| {
        let (signs, marked_signs) = (signs(), marked_signs());
        let count = |rows: &Option<Vec<Row>>| rows.as_ref().map_or(0, Vec::len);
        if count(&marked_signs) > count(&signs) { marked_signs } else { signs }
    })
}

/// Returns the first block of lines with rows of equal length that shows stones and free points.
fn rows(text: &str, row: impl Fn(&str) -> Option<Row>) -> Option<Vec<Row>> {
    let sizes = usize::from(MIN_SIZE)..=usize::from(MAX_SIZE);
    let mut block: Vec<Row> = Vec::new();
    for line in text.lines().map(Some).chain([None]) {
        let row = line.and_then(&row).filter(|row| sizes.contains(&row.len()));
        let continues = match (&row, block.first()) {
            (Some(row), Some(first)) => row.len() == first.len(),
            (Some(_), None) => true,
            (None, _) => false,
        };
        if !continues {
            // Decorations have no stones or no free points.
            let has = |is: fn(&Option<Placement>) -> bool| block.iter().flatten().any(is);
            let is_board = has(Option::is_none) && has(|content| [BLACK, WHITE].contains(content));
            if sizes.contains(&block.len()) && is_board {
                return Some(block);
            }
            block.clear();
        }
        block.extend(row);
    }
    None
}

/// Parses a row such as `15 . X>O . 15` or `|.XO.|`.
fn row_of_signs(line: &str, has_marks: bool) -> Option<Row> {
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
            c if ".,+-_*!\u{b7}\u{2219}\u{30fb}".contains(c) => None,
            // Grid lines.
            '\u{2500}'..='\u{257f}' => None,
            c => Some(Placement::Stone(stone(c)?)),
        });
    }
    Some(row)
}

/// Returns the side of a stone.
fn stone(sign: char) -> Option<Side> {
    match sign {
        'X' | 'x' | 'B' | 'b' | '@' | '\u{25cf}' | '\u{26ab}' => Some(Side::Black),
        'O' | 'o' | 'W' | 'w' | '\u{25cb}' | '\u{26aa}' => Some(Side::White),
        _ => None,
    }
}

/// Parses a row such as `0 0 1 2` or `0012`.
fn row_of_digits(line: &str) -> Option<Row> {
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

/// Returns the side that a line such as `White to move` names.
pub(super) fn to_move(line: &str) -> Option<Side> {
    let line = line.trim().to_lowercase();
    let (before, after) =
        ["to move", "to play", "'s turn"].into_iter().find_map(|words| line.split_once(words))?;
    let names = before.split_whitespace().last().into_iter();
    let names = names.chain(after.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty()));
    names.into_iter().find_map(|name| match name {
        "black" | "x" => Some(Side::Black),
        "white" | "o" => Some(Side::White),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::drawing::{Style, draw};
    use crate::pos::{self, RowOrder};

    fn shown(text: &str) -> (String, String, Side) {
        let game = read(text, Variant::RENJU).unwrap_or_else(|error| panic!("{error}: {text}"));
        let names = |points: &[Point]| {
            pos::write(points.iter().copied(), game.height, RowOrder::FromBottom)
        };
        (names(game.start.black()), names(game.start.white()), game.start.side_to_move())
    }

    #[test]
    fn drawings_in_several_alphabets_are_read() {
        let expected = ("b3d2".to_owned(), "c3".to_owned(), Side::White);
        for text in [
            ".....\n.XO..\n...X.\n.....\n",
            "- - - - -\n- x o - -\n- - - x -\n- - - - -",
            "+++++\n+BW++\n+++B+\n+++++",
            "...../.XO../...X./.....",
            "A board:\n\n 4 . . . . .\n 3 . @ O . .\n 2 . . . @ .\n 1 . . . . .\n   a b c d e\n",
            "\u{253c}\u{253c}\u{253c}\u{253c}\u{253c}\r\n\u{253c}\u{25cf}\u{25cb}\u{253c}\u{253c}\r\n\u{253c}\u{253c}\u{253c}\u{25cf}\u{253c}\r\n\u{253c}\u{253c}\u{253c}\u{253c}\u{253c}\r\n",
            "00000\n00000\n01200\n00010\n00000\n",
            "0,0,0,0,0\n0,0,0,0,0\n0,1,2,0,0\n0,0,0,1,0\n0,0,0,0,0\n",
            "|. . . . .|\n|. X>O . .|\n|. . * X .|\n|. . . . .|",
        ] {
            assert_eq!(shown(text), expected, "{text}");
            assert!(is_diagram(text));
        }
        for (line, side) in [
            ("Black to move, renju.", Side::Black),
            ("side to move: white", Side::White),
            ("O to play", Side::White),
            ("It is Black's turn", Side::Black),
        ] {
            assert_eq!(shown(&format!("{line}\n...\n.X.\n...\n")).2, side, "{line}");
        }
        for text in [
            "",
            "h8h9i8",
            "...\n...",
            "x",
            "..?\n...\n...",
            "8,-3, 6,-4\n1,2, 3,4\n0,0, 1,1",
            "0,0, 1,1\n0,0, 1,2\n0,0, 2,1",
        ] {
            assert!(!is_diagram(text) && read(text, Variant::RENJU).is_err(), "{text}");
        }
    }

    #[test]
    fn our_own_drawings_are_read() {
        let moves = pos::read("h8i8h9i9h10i10h11a1h12", 15, RowOrder::FromBottom).unwrap();
        let mut board = kakugo::Board::new(15, 15, Variant::RENJU).unwrap();
        board.block(Point::new(3, 3).unwrap()).unwrap();
        board.play(moves[0]).unwrap();
        for &p in &moves[1..] {
            for text in [draw(&board, Style::Plain), board.to_string()] {
                let game = read(&text, Variant::RENJU).unwrap();
                let read = game.board().unwrap();
                assert_eq!(read.key(), board.key(), "{text}");
            }
            board.play(p).unwrap();
        }
        let text = draw(&board, Style::Plain);
        assert_eq!(read(&text, Variant::RENJU).unwrap().start.black().len(), 5, "{text}");
    }
}
