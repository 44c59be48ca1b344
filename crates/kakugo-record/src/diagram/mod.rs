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
//! | black stone | `X` `x` `B` `b` `@` `●` `⚫`, also Cyrillic `Х` |
//! | white stone | `O` `o` `W` `w` `○` `◯` `⚪` `〇`, also Cyrillic `О` |
//! | free point | `.` `,` `+` `-` `_` `*` `·` `!` `十`, lines of a grid and empty cells of a table |
//! | blocked point | `#` |
//!
//! Rows may also be separated by `/`, or stand in brackets and quotes as in programs. Square
//! drawings of digits have `0` for free points, `1` for black and `2` for white stones, or `-1` for
//! them. Lines between points and rows (`+--X--+`), and between cells, are skipped. If the text
//! does not say whose turn it is, Black is to move, or White if there are more black stones than
//! white ones. The order of the moves is lost. A text may hold several drawings, in blocks of lines
//! or in lines with `/`. This format is only read.

mod grid;
mod rows;

use std::collections::HashMap;
use std::ops::Range;

use self::rows::{
    BLACK, Row, WHITE, row_of_digits, row_of_numbers, row_of_signed_numbers, row_of_signs,
};
use super::pos;
use super::setup::Placement;
use super::{FormatError, Game};
use crate::text::text;
use kakugo::board::{MAX_SIZE, MIN_SIZE, Point, Side, Variant};

/// Returns true if a text contains a drawing of a board, even one with rows of unequal length.
pub fn is_diagram(text: &str) -> bool {
    !drawings(&pos::half_width(text)).is_empty()
}

/// Reads the first board of a text as a game without moves.
///
/// # Errors
/// Returns an error if there is no drawing, or if its rows have different lengths.
pub fn read(text: &str, variant: Variant) -> Result<Game, FormatError> {
    read_all(text, variant).next().unwrap_or_else(|| Err(no_drawing()))
}

/// Reads all boards of a text as [`read`] does. If there are none, the only item is an error.
pub fn read_all(text: &str, variant: Variant) -> impl Iterator<Item = Result<Game, FormatError>> {
    let text = pos::half_width(text);
    let drawings = drawings(&text);
    let sides = sides_to_move(&text, &drawings);
    let none = drawings.is_empty().then(|| Err(no_drawing()));
    let games = drawings.into_iter().zip(sides).map(move |(drawing, to_move)| {
        let rows = drawing.rows?;
        let side = |length: usize| u8::try_from(length).unwrap_or(u8::MAX);
        let mut game = Game::new(side(rows[0].len()), side(rows.len()), variant);
        for (y, row) in (0..).zip(&rows) {
            for (x, content) in (0..).zip(row) {
                if let (Some(p), Some(what)) = (Point::new(x, y), content) {
                    game.start.put(p, *what);
                }
            }
        }
        game.start.to_move = to_move;
        Ok(game)
    });
    games.chain(none)
}

fn no_drawing() -> FormatError {
    FormatError::new(text!("no drawing of a board: expected rows of equal length with X, O and ."))
}

/// A drawing in a text.
struct Drawing {
    /// Index of its first line.
    line: usize,
    /// Its rows, or the error if their lengths differ.
    rows: Result<Vec<Row>, FormatError>,
}

/// Returns the side to move of each drawing. If a text has several drawings, the side stands above
/// each of them, or below.
fn sides_to_move(text: &str, drawings: &[Drawing]) -> Vec<Option<Side>> {
    let sides: Vec<(usize, Side)> =
        text.lines().enumerate().filter_map(|(i, line)| Some((i, to_move(line)?))).collect();
    let stands_above = sides.first().zip(drawings.first()).is_some_and(|(s, d)| s.0 < d.line);
    let start = |i: usize| drawings.get(i).map_or(usize::MAX, |drawing| drawing.line);
    let side_of = |i: usize| {
        let lines = match stands_above {
            _ if drawings.len() == 1 => 0..usize::MAX,
            true if i == 0 => 0..start(0),
            true => start(i - 1)..start(i),
            false => start(i)..start(i + 1),
        };
        let next = sides.partition_point(|(line, _)| *line < lines.start);
        sides.get(next).filter(|(line, _)| lines.contains(line)).map(|(_, side)| *side)
    };
    (0..drawings.len()).map(side_of).collect()
}

/// Returns the drawings of a text. Rows are lines, or parts of a line between `/`.
fn drawings(text: &str) -> Vec<Drawing> {
    let parts: Vec<Option<Vec<&str>>> = text.lines().map(rows_of_line).collect();
    // A line with `/` is a drawing, unless it is too short.
    let are_drawings = parts.iter().flatten().all(|parts| parts.len() >= usize::from(MIN_SIZE));
    let around = if are_drawings { &[""][..] } else { &[] };
    let lines = text.lines().zip(parts).enumerate().flat_map(|(number, (line, parts))| {
        let rows = match parts {
            Some(parts) => [around, &parts, around].concat(),
            None => vec![line],
        };
        rows.into_iter().map(move |row| (number, row))
    });
    drawings_in(&lines.collect::<Vec<_>>())
}

/// Returns the rows of a line if it consists of them: separated by `/`, or in brackets and quotes,
/// as programs write them.
fn rows_of_line(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    let parts: Vec<&str> = if line.contains('/') {
        line.trim_end_matches('/').split('/').collect()
    } else {
        rows::parts_in_brackets(line)?
    };
    let is_row = |part: &&str| {
        let numbers = [row_of_digits(part), row_of_numbers(part), row_of_signed_numbers(part)];
        let rows = numbers.into_iter().chain([row_of_signs(part, false)]);
        rows.flatten().any(|row| !row.is_empty())
    };
    (!parts.is_empty() && parts.iter().all(is_row)).then_some(parts)
}

fn drawings_in(lines: &[(usize, &str)]) -> Vec<Drawing> {
    let rows = |row: fn(&str) -> Option<Row>| {
        let rows = lines.iter().map(|(_, line)| row(line).filter(|row| !row.is_empty()));
        find(lines, &rows.collect::<Vec<_>>())
    };
    let grids = grid::find(lines);
    if !grids.is_empty() {
        return grids
            .into_iter()
            .map(|grid| Drawing { line: grid.line, rows: grid.rows() })
            .collect();
    }
    let count = |drawings: &[Drawing]| -> usize {
        drawings.iter().flat_map(|drawing| &drawing.rows).map(Vec::len).sum()
    };
    // Lines of offsets such as `0,0, 1,1` are digits as well, but not a square.
    let is_square = |rows: &Vec<Row>| rows.len() == rows[0].len();
    for row in [row_of_digits, row_of_numbers, row_of_signed_numbers] {
        let mut digits = rows(row);
        digits.retain(|drawing| drawing.rows.as_ref().is_ok_and(is_square));
        if !digits.is_empty() {
            return digits;
        }
    }
    // `*` is a free point, or precedes the stones of a winning row.
    let signs = rows(|line| row_of_signs(line, false));
    let marked_signs = rows(|line| row_of_signs(line, true));
    if count(&marked_signs) > count(&signs) { marked_signs } else { signs }
}

/// Finds the drawings in blocks of consecutive rows. Lines of a frame separate blocks.
fn find(lines: &[(usize, &str)], rows: &[Option<Row>]) -> Vec<Drawing> {
    let length = |i: usize| rows[i].as_ref().map_or(0, Vec::len);
    let mut drawings = Vec::new();
    let mut block: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < rows.len() {
        let end = (start..rows.len()).find(|&i| length(i) != length(start)).unwrap_or(rows.len());
        let part = start..end;
        let is_frame = lines[part.clone()].iter().all(|(_, line)| is_frame_line(line));
        if length(start) == 0 || (is_frame && !is_board(&rows[part.clone()])) {
            add_block(&mut drawings, &block, lines, rows);
            block.clear();
        } else {
            block.push(part);
        }
        start = end;
    }
    add_block(&mut drawings, &block, lines, rows);
    drawings
}

/// Adds the drawings of a block, whose parts have rows of different lengths.
fn add_block(
    drawings: &mut Vec<Drawing>,
    block: &[Range<usize>],
    lines: &[(usize, &str)],
    rows: &[Option<Row>],
) {
    let length = |part: &Range<usize>| rows[part.start].as_ref().map_or(0, Vec::len);
    let longest = block.iter().map(length).max().unwrap_or(0);
    // Short lines above and below belong to the text.
    let is_text = |part: &&Range<usize>| part.len() < 3 && 2 * length(part) < longest;
    let above = block.iter().take_while(is_text).count();
    let below = block[above..].iter().rev().take_while(is_text).count();
    let block = &block[above..block.len() - below];
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return };
    let line = lines[first.start].0;
    if block.iter().all(|part| is_board(&rows[part.clone()])) {
        drawings.extend(block.iter().map(|part| {
            let rows = rows[part.clone()].iter().flatten().cloned().collect();
            Drawing { line: lines[part.start].0, rows: Ok(rows) }
        }));
        return;
    }
    let all = first.start..last.end;
    let has_drawing = all.len() >= usize::from(MIN_SIZE) && longest >= usize::from(MIN_SIZE);
    if block.len() > 1 && has_drawing && shows_stones_and_points(&rows[all]) {
        drawings.push(Drawing { line, rows: Err(uneven(block, &length)) });
    }
}

/// Returns the error of a drawing whose rows have different lengths.
fn uneven(block: &[Range<usize>], length: &impl Fn(&Range<usize>) -> usize) -> FormatError {
    // The number of rows of each length.
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for part in block {
        *counts.entry(length(part)).or_default() += part.len();
    }
    let most = counts.into_iter().max_by_key(|&(length, count)| (count, length));
    let expected = most.map_or(0, |(length, _)| length);
    let odd = block.iter().find(|part| length(part) != expected).unwrap_or(&block[0]);
    FormatError::new(text!(
        "row {0} of the drawing has length {1}, expected {2}",
        odd.start - block[0].start + 1,
        length(odd),
        expected
    ))
}

/// Returns true if rows of equal length are a board.
fn is_board(rows: &[Option<Row>]) -> bool {
    let sizes = usize::from(MIN_SIZE)..=usize::from(MAX_SIZE);
    let length = rows.first().and_then(Option::as_ref).map_or(0, Vec::len);
    let has_size = sizes.contains(&length) && sizes.contains(&rows.len());
    // Decorations have no stones or no free points, but are not square.
    has_size && (rows.len() == length || shows_stones_and_points(rows))
}

fn shows_stones_and_points(rows: &[Option<Row>]) -> bool {
    let has = |is: fn(&Option<Placement>) -> bool| rows.iter().flatten().flatten().any(is);
    has(Option::is_none) && has(|content| [BLACK, WHITE].contains(content))
}

/// Returns true for a line such as `+-----+`.
fn is_frame_line(line: &str) -> bool {
    let is_frame = |c: char| {
        c.is_whitespace() || "+-=_|:".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c)
    };
    line.chars().all(is_frame)
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
    fn many_drawings_and_rows_are_read_quickly() {
        const COUNT: usize = 5_000;
        let text = "...\n.XO\n...\nWhite to move\n\n".repeat(COUNT);
        let games: Vec<Game> =
            read_all(&text, Variant::FREESTYLE).collect::<Result<_, _>>().unwrap();
        assert_eq!(games.len(), COUNT);
        assert!(games.iter().all(|game| game.start.to_move == Some(Side::White)));
        // Rows of two lengths in turns.
        let error = read(&".X.O\n.X.O.\n".repeat(20_000), Variant::FREESTYLE).unwrap_err();
        let expected = "row 1 of the drawing has length 4, expected 5";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn drawings_in_several_alphabets_are_read() {
        let expected = ("b3d2".to_owned(), "c3".to_owned(), Side::White);
        for text in [
            ".....\n.XO..\n...X.\n.....\n",
            "- - - - -\n- x o - -\n- - - x -\n- - - - -",
            "+++++\n+BW++\n+++B+\n+++++",
            "...../.XO../...X./.....",
            "00000/00000/01200/00010/00000",
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
            "..?\n...\n.?.",
            "-----\n-----\n-----\n",
            "8,-3, 6,-4\n1,2, 3,4\n0,0, 1,1",
            "0,0, 1,1\n0,0, 1,2\n0,0, 2,1",
        ] {
            assert!(!is_diagram(text) && read(text, Variant::RENJU).is_err(), "{text}");
        }
    }

    #[test]
    fn all_drawings_of_a_text_are_read() {
        let all = |text: &str| {
            let games = read_all(text, Variant::RENJU).map(|game| {
                let game = game.unwrap_or_else(|error| panic!("{error}: {text}"));
                let stones = game.start.black().len() + game.start.white().len();
                (game.width, game.height, stones, game.start.to_move)
            });
            games.collect::<Vec<_>>()
        };
        let (black, white) = (Some(Side::Black), Some(Side::White));
        let lines = "...../.XO../..X../...../.....\n...../.XO../..X../...O./.....\n";
        assert_eq!(all(lines), [(5, 5, 3, None), (5, 5, 4, None)]);
        let below = "...\n.X.\n...\nWhite to move\n\n....\n.XO.\n....\nBlack to move\n";
        assert_eq!(all(below), [(3, 3, 1, white), (4, 3, 2, black)]);
        let above = "White to move\n...\n.X.\n...\n\nBlack to move\n....\n.XO.\n....\n";
        assert_eq!(all(above), [(3, 3, 1, white), (4, 3, 2, black)]);
        let wrapped = "...../.XO../\n..X../...../.....\n";
        assert_eq!(all(wrapped), [(5, 5, 3, None)]);
        // Empty and full boards.
        assert_eq!(all(".../.../..."), [(3, 3, 0, None)]);
        assert_eq!(all("XOX\nXOO\nOXX\n"), [(3, 3, 9, None)]);
        let framed = "+-----+\n|.X.O.|\n|.....|\n|.....|\n+-----+\n  ...\n";
        assert_eq!(all(framed), [(5, 3, 2, None)]);
    }

    #[test]
    fn lines_between_points_are_skipped() {
        let expected = ("b3d2".to_owned(), "c3".to_owned(), Side::White);
        let crossings = "+-+-+-+-+\n+-X-O-+-+\n+-+-+-X-+\n+-+-+-+-+\n";
        let wide = crossings.replace('-', "--");
        let bars = wide.replace('\n', "\n|  |  |  |  |\n");
        let box_lines = crossings.replace('-', "\u{2500}").replace('+', "\u{253c}");
        let labelled = " 4 +-+-+-+-+ 4\n 3 +-X-O-+-+ 3\n 2 +-+-+-X-+\n 1 +-+-+-+-+\n   a b c d e";
        let line = "+---+---+---+---+---+\n";
        let closed = format!(
            "{line}|   |   |   |   |   |\n{line}|   | X | O |   |   |\n{line}|   |   |   | X |   |\n\
             {line}|   |   |   |   |   |\n{line}"
        );
        let open = "   |   |   |   |   \n---+---+---+---+---\n   | X | O |   |   \n\
            ---+---+---+---+---\n   |   |   | X |   \n---+---+---+---+---\n   |   |   |   |   \n";
        for text in [crossings, &wide, &bars, &box_lines, labelled, &closed, open] {
            assert_eq!(shown(text), expected, "{text}");
            let width = read(text, Variant::RENJU).unwrap().width;
            assert_eq!(width, 5, "{text}");
        }
        let uneven = crossings.replace("+-+-+-X-+", "+-+-+-X");
        let error = read(&uneven, Variant::RENJU).unwrap_err().to_string();
        assert_eq!(error, "row 3 of the drawing has length 4, expected 5");
        // Signs of free points.
        assert_eq!(read("-----\n-x-o-\n-----\n", Variant::RENJU).unwrap().width, 5);
        let free = "-------\n--x-o--\n---o-x-\n--x-o--\n-------\n-------\n-------\n";
        for text in [free.to_owned(), free.replace("\n-", "\n7 -")] {
            let game = read(&text, Variant::RENJU).unwrap();
            assert_eq!((game.width, game.height), (7, 7), "{text}");
            assert_eq!((game.start.black().len(), game.start.white().len()), (3, 3), "{text}");
        }
    }

    #[test]
    fn boards_of_programs_are_read() {
        let expected = ("b3d2".to_owned(), "c3".to_owned(), Side::White);
        for text in [
            "[[0 0 0 0 0]\n [0 0 0 0 0]\n [0 1 2 0 0]\n [0 0 0 1 0]\n [0 0 0 0 0]]\n",
            "[[0. 0. 0. 0. 0.]\n [0. 0. 0. 0. 0.]\n [0. 1. 2. 0. 0.]\n [0. 0. 0. 1. 0.]\n [0. 0. 0. 0. 0.]]",
            "[[ 0  0  0  0  0]\n [ 0  0  0  0  0]\n [ 0  1 -1  0  0]\n [ 0  0  0  1  0]\n [ 0  0  0  0  0]]",
            "int b[5][5] = {\n{0,0,0,0,0},\n{0,0,0,0,0},\n{0,1,2,0,0},\n{0,0,0,1,0},\n{0,0,0,0,0},\n};",
            "[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 2, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0]]",
            "a = [\n    [0, 0, 0, 0, 0],\n    [0, 0, 0, 0, 0],\n    [0, 1, 2, 0, 0],\n    [0, 0, 0, 1, 0],\n    [0, 0, 0, 0, 0],\n]",
            "\".....\",\n\".XO..\",\n\"...X.\",\n\".....\",\n",
            "[\".....\", \".XO..\", \"...X.\", \".....\"]",
            "\".....\\n\"\n\".XO..\\n\"\n\"...X.\\n\"\n\".....\\n\";\n",
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        for text in ["[0,0],[1,1]\n[0,0],[1,2]\n", "0, 0, 1, 1\n0, 0, 1, 2\n", "[\"h8\",\"i9\"]"] {
            assert!(!is_diagram(text), "{text}");
        }
    }

    #[test]
    fn rows_of_unequal_length_are_named() {
        let error = |text: &str| read(text, Variant::RENJU).unwrap_err().to_string();
        for text in ["...../.XO./..X../...../.....", ".....\n.XO.\n..X..\n.....\n.....\n"] {
            let expected = "row 2 of the drawing has length 4, expected 5";
            assert!(error(text) == expected && is_diagram(text), "{}", error(text));
        }
        let last = error(".....\n.XO..\n..X..\n.....\n....\n");
        assert_eq!(last, "row 5 of the drawing has length 4, expected 5");
        // A good drawing beside it is read.
        let both = "....\n.XO.\n...\n\n...\n.X.\n...\n";
        let games: Vec<_> = read_all(both, Variant::RENJU).collect();
        assert!(games[0].is_err() && games[1].is_ok());
    }

    #[test]
    fn drawings_of_other_keyboards_and_tables_are_read() {
        let expected = ("b3d2".to_owned(), "c3".to_owned(), Side::White);
        for text in [
            "\u{ff0e}\u{ff0e}\u{ff0e}\u{ff0e}\u{ff0e}\n\u{ff0e}\u{25cf}\u{25cb}\u{ff0e}\u{ff0e}\n\u{ff0e}\u{ff0e}\u{ff0e}\u{25cf}\u{ff0e}\n\u{ff0e}\u{ff0e}\u{ff0e}\u{ff0e}\u{ff0e}\n",
            "\u{5341}\u{5341}\u{5341}\u{5341}\n\u{5341}\u{25cf}\u{3007}\u{5341}\n\u{5341}\u{5341}\u{5341}\u{25cf}\n\u{5341}\u{5341}\u{5341}\u{5341}\n",
            ".....\n.\u{425}\u{41e}..\n...\u{445}.\n.....\n",
            "| | a | b | c | d |\n|---|---|---|---|---|\n| 4 | | | | |\n| 3 | | X | O | |\n| 2 | | | | X |\n| 1 | | | | |\n",
            "| | | | |\n|---|---|---|---|\n| | X | O | |\n| | | | X |\n| | | | |\n",
        ] {
            assert_eq!(shown(text), expected, "{text}");
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
        let wide = kakugo::Board::new(32, 32, Variant::FREESTYLE).unwrap();
        let game = read(&draw(&wide, Style::Plain), Variant::FREESTYLE).unwrap();
        assert_eq!((game.width, game.height), (32, 32));
    }
}
