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
//! set up, and the side to move is found as in [`diagram`]. Blocks of lines with both colours, and
//! lines with both colours, are positions of their own. This format is only read.

use super::diagram;
use super::pos::{self, RowOrder};
use super::setup::{Placement, Setup};
use super::{Game, Move};
use kakugo::board::{Point, Side};

/// Returns true if a text consists of lists of stones.
pub fn is_stone_list(text: &str) -> bool {
    lists(text).is_some()
}

/// Reads the positions of a text. `None` if the text contains anything but lists of stones, or
/// points off the board.
pub fn read_all(text: &str, defaults: &Game, rows: RowOrder) -> Option<Vec<Game>> {
    let whole = read(text, defaults, rows)?;
    let blocks = blocks(text);
    if !blocks.iter().all(|block| has_both_colours(block)) {
        return Some(vec![whole]);
    }
    let mut games = Vec::new();
    for block in &blocks {
        let game = read(block, defaults, rows)?;
        // Stones in turns over several lines are the moves of one game.
        if game.moves.is_empty() && are_positions(block) {
            let lines = one_a_line(block);
            games.extend(lines.iter().filter_map(|line| read(line, defaults, rows)));
        } else {
            games.push(game);
        }
    }
    Some(games)
}

fn has_both_colours(text: &str) -> bool {
    let lists = lists(text).unwrap_or_default();
    Side::BOTH.iter().all(|side| lists.iter().any(|(of, _)| of == side))
}

/// Returns true if each line of a block has both colours or gives the side to move.
fn are_positions(block: &str) -> bool {
    let mut lines = block.lines().filter(|line| diagram::to_move(line).is_none());
    lines.all(has_both_colours)
}

/// Returns the blocks of lines that blank lines separate.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        match blocks.last_mut() {
            Some(block) if !line.trim().is_empty() => block.extend([line, "\n"]),
            Some(block) if block.is_empty() => {}
            _ => blocks.push(String::new()),
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Returns the lines with stones. The side to move stands above each of them, or below.
fn one_a_line(block: &str) -> Vec<String> {
    let is_side = |line: &str| diagram::to_move(line).is_some();
    let stands_above = block.lines().next().is_some_and(is_side);
    let mut positions: Vec<String> = Vec::new();
    let mut ends = true;
    for line in block.lines() {
        if ends || (!stands_above && !is_side(line)) {
            positions.push(String::new());
        }
        ends = stands_above && !is_side(line);
        positions.iter_mut().last().into_iter().for_each(|position| position.extend([line, "\n"]));
    }
    positions
}

/// Reads one position. `None` as in [`read_all`].
fn read(text: &str, defaults: &Game, rows: RowOrder) -> Option<Game> {
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
        let spaced = pos::half_width(line).replace([':', '='], ": ").replace(" :", ":");
        let spaced = spaced.replace('\u{25cf}', "\u{25cf} ").replace('\u{25cb}', "\u{25cb} ");
        for (i, word) in spaced.split([' ', '\t', ',', ';', '\u{3000}', '\u{3001}']).enumerate() {
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
            "\u{9ed1}\u{ff1a}h8\u{ff0c}g9\u{ff1b}\u{767d}\u{ff1a}i8",
            "Black: h8 g9\n\nWhite: i8",
        ] {
            assert_eq!(sorted(text), expected(Side::White), "{text}");
        }
        assert_eq!(sorted("Black: h8 g9\nWhite: i8\nBlack to move"), expected(Side::Black));
    }

    #[test]
    fn positions_of_a_text_are_kept_apart() {
        let sides = |text: &str| {
            let defaults = Game::new(15, 15, Variant::FREESTYLE);
            let games = read_all(text, &defaults, RowOrder::FromBottom).unwrap();
            let start = |game: Game| (game.start.black().len(), game.start.to_move);
            games.into_iter().map(start).collect::<Vec<_>>()
        };
        let (black, white) = (Some(Side::Black), Some(Side::White));
        let lines = "Black: h8 g9; White: i9\nBlack: a1 b2 c3; White: d4\n";
        assert_eq!(sides(lines), [(2, None), (3, None)]);
        let blocks = "Black: h8 g9\nWhite: i9\n\n\nB: a1 b2 c3\nW: d4\nBlack to move\n";
        assert_eq!(sides(blocks), [(2, None), (3, black)]);
        let above = "White to move\nB: h8 g9 W: i9\nBlack to move\nB: a1 b2 c3 W: d4";
        assert_eq!(sides(above), [(2, white), (3, black)]);
        let below = "B: h8 g9 W: i9\nWhite to move\nB: a1 b2 c3 W: d4\nBlack to move";
        assert_eq!(sides(below), [(2, white), (3, black)]);
    }

    #[test]
    fn turns_are_moves() {
        for text in ["Black: h8 White: i9 Black: j7", "b h8\nw i9\nb j7", "B: h8\nW: i9\nB: j7\n"] {
            let game = game(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((game.moves.len(), game.start.is_empty()), (3, true), "{text}");
        }
        let game_of_two_lines = game("B: h8 W: i9\nB: j7 W: k9").unwrap();
        assert_eq!(game_of_two_lines.moves.len(), 4);
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
