//! Moves and properties of games in RIF files.

use crate::game_tree::{GameTree, Node, Play, Property};
use crate::pos::{self, RowOrder};
use crate::sgf;
use crate::text::{Text, text};
use crate::tree::NodeId;
use kakugo::board::Point;

/// Number of columns and rows.
pub(super) const SIZE: u8 = 15;

/// SGF property of the opening's name.
pub const OPENING: &str = "ON";

/// Adds moves such as `h8 h9 -- i9` to a tree. Swaps do not change the stones.
pub(super) fn add_moves(tree: &mut GameTree, moves: &str) -> Result<(), Text> {
    let mut at = NodeId::ROOT;
    for word in moves.split_whitespace() {
        if word.eq_ignore_ascii_case("swap") {
            continue;
        }
        if word.eq_ignore_ascii_case("pass") || word.bytes().all(|byte| byte == b'-') {
            at = tree.nodes.add(at, Node::new(Play::Pass));
            continue;
        }
        if let Some(point) = point(word) {
            at = tree.nodes.add(at, Node::new(Play::Stone(point)));
            continue;
        }
        for point in points(word)? {
            at = tree.nodes.add(at, Node::new(Play::Stone(point)));
        }
    }
    Ok(())
}

/// Returns the point of a word such as `h8`.
pub(super) fn point(word: &str) -> Option<Point> {
    let (&letter, digits) = word.as_bytes().split_first()?;
    let row = match *digits {
        [unit @ b'1'..=b'9'] => unit - b'0',
        [b'1', unit @ b'0'..=b'5'] => 10 + unit - b'0',
        _ => return None,
    };
    let x = letter.to_ascii_lowercase().checked_sub(b'a').filter(|x| *x < SIZE)?;
    Point::new(x, SIZE - row)
}

/// Returns the points of a word that may have several, or a number before it.
pub(super) fn points(word: &str) -> Result<Vec<Point>, Text> {
    let points = pos::read(word, SIZE, RowOrder::FromBottom)?;
    match points.iter().all(|point| point.x() < SIZE) {
        true => Ok(points),
        false => Err(text!("invalid point '{0}': expected a point of the board such as h8", word)),
    }
}

/// Returns an SGF property with one value.
pub(super) fn property(name: &str, value: &str) -> Property {
    Property { name: name.to_owned(), values: vec![sgf::escape(value, false)] }
}
