//! Stones listed by colour, as in messages and problem books.
//!
//! ```text
//! Black: h8 g9 i7
//! White: h9 i8
//! White to move       optional
//! ```
//!
//! A colour is a word or a sign with a colon, or stands at the beginning of a line: `Black:`, `B:`,
//! `x:`, `●`. Lists of one stone each, in turns from Black on, are moves. Otherwise the stones are
//! set up, and the side to move is found as in [`diagram`]. This format is only
//! read.

use super::diagram;
use super::pos::{self, RowOrder};
use super::setup::{Placement, Setup};
use super::{Game, Move};
use kakugo::board::{Point, Side};

/// Returns true if a text consists of lists of stones.
pub fn is_stone_list(text: &str) -> bool {
    lists(text).is_some()
}

/// Reads lists of stones. `None` if the text contains anything else, or points off the board.
pub fn read(text: &str, defaults: &Game, rows: RowOrder) -> Option<Game> {
    let Game { width, height, variant, .. } = *defaults;
    let read = |(side, names): (Side, String)| Some((side, pos::read(&names, height, rows).ok()?));
    let lists: Vec<(Side, Vec<Point>)> =
        lists(text)?.into_iter().map(read).collect::<Option<_>>()?;
    if lists.iter().flat_map(|(_, points)| points).any(|p| p.x() >= width) {
        return None;
    }
    let mut game = Game::new(width, height, variant);
    let to_move = text.lines().find_map(diagram::to_move);
    let turns = [Side::Black, Side::White].into_iter().cycle();
    let are_moves =
        lists.iter().zip(turns).all(|((side, points), turn)| *side == turn && points.len() == 1);
    if are_moves {
        game.moves =
            lists.iter().flat_map(|(_, points)| points.iter().map(|&p| Move::new(p))).collect();
        if to_move.is_some_and(|side| game.moves.len() % 2 != side.index()) {
            game.moves.push(Move::pass());
        }
    } else {
        let mut start = Setup::default();
        start.to_move = to_move;
        for (side, points) in &lists {
            points.iter().for_each(|&p| start.put(p, Placement::Stone(*side)));
        }
        game.start = start;
    }
    Some(Game { result: game.result_on_board(), ..game })
}

/// Returns the lists of points with their colours, as text.
fn lists(text: &str) -> Option<Vec<(Side, String)>> {
    let mut lists: Vec<(Side, String)> = Vec::new();
    for line in text.lines().filter(|line| diagram::to_move(line).is_none()) {
        let spaced = line.replace([':', '=', '\u{ff1a}'], ": ").replace(" :", ":");
        let spaced = spaced.replace('\u{25cf}', "\u{25cf} ").replace('\u{25cb}', "\u{25cb} ");
        for (i, word) in spaced.split([' ', '\t', ',', ';', '\u{3000}']).enumerate() {
            let name = word.strip_suffix(':');
            let is_label = name.is_some() || i == 0;
            match colour(name.unwrap_or(word)).filter(|_| is_label) {
                Some(side) => lists.push((side, String::new())),
                None if word.is_empty() => {}
                None if pos::begins_with_point(word) => {
                    let (_, names) = lists.last_mut()?;
                    names.push(' ');
                    names.push_str(word);
                }
                None => return None,
            }
        }
    }
    let has_points = !lists.is_empty() && lists.iter().all(|(_, names)| !names.is_empty());
    has_points.then_some(lists)
}

/// Returns the side that a word names.
fn colour(word: &str) -> Option<Side> {
    match word.to_lowercase().as_str() {
        "black" | "b" | "x" | "\u{25cf}" | "\u{9ed1}" | "\u{9ed2}" => Some(Side::Black),
        "white" | "w" | "o" | "\u{25cb}" | "\u{767d}" => Some(Side::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    fn game(text: &str) -> Option<Game> {
        read(text, &Game::new(15, 15, Variant::FREESTYLE), RowOrder::FromBottom)
    }

    fn stones(text: &str) -> (String, String, Side) {
        let game = game(text).unwrap_or_else(|| panic!("{text}"));
        let text = |points: &[Point]| pos::write(points.iter().copied(), 15, RowOrder::FromBottom);
        (text(game.start.black()), text(game.start.white()), game.start.side_to_move())
    }

    #[test]
    fn stones_of_each_colour_are_set_up() {
        let expected = |side| ("h8g9".to_owned(), "i8".to_owned(), side);
        let sorted = |text| {
            let (black, white, side) = stones(text);
            let black = if black == "g9h8" { "h8g9".to_owned() } else { black };
            (black, white, side)
        };
        for text in [
            "Black: h8 g9\nWhite: i8",
            "black: h8, g9; white: i8",
            "B: h8 g9 W: i8",
            "x = h8 g9\no = i8",
            "W: i8\nB: h8\nB: g9",
            "\u{25cf} h8 g9\n\u{25cb} i8",
            "\u{9ed1}\u{ff1a}h8 g9\n\u{767d}\u{ff1a}i8",
        ] {
            assert_eq!(sorted(text), expected(Side::White), "{text}");
        }
        assert_eq!(sorted("Black: h8 g9\nWhite: i8\nBlack to move"), expected(Side::Black));
    }

    #[test]
    fn turns_are_moves() {
        for text in ["Black: h8 White: i9 Black: j7", "b h8\nw i9\nb j7", "B: h8\nW: i9\nB: j7\n"] {
            let game = game(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((game.moves.len(), game.start.is_empty()), (3, true), "{text}");
        }
        let game = game("Black: h8 White: i9\nWhite to move").unwrap();
        assert_eq!(game.board().unwrap().side_to_move(), Side::White);
    }

    #[test]
    fn other_texts_are_no_lists() {
        for text in [
            "h8i9",
            "Black: Anna\nWhite: Bert",
            "Black:",
            "",
            "Black: h8 and i9",
            "b8",
            "White to move",
            "Black: h99",
            "x: z1",
        ] {
            assert!(game(text).is_none(), "{text}");
        }
    }
}
