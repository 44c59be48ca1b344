//! RenLib's libraries, `.lib`: a tree of openings with comments, on 15x15. Reading only.
//!
//! ```text
//! FF 'RenLib' FF 03 00 FF*10        header, 20 bytes; the two numbers are the version
//! move flags [2 more flag bytes] [comment] [board text]     one node, in preorder
//! ```
//!
//! A move byte holds the column from 1 in its lower and the row from the top from 0 in its upper
//! four bits; 0 is the root. A node with the sibling flag has a sibling further on: that comes when
//! the branch below this node has ended with the leaf flag. Texts end in a NUL and are padded to an
//! even length.
//!
//! CITE: RenLib by Frank Arkbo, <https://www.renju.se/renlib/>.

use super::{FormatError, Game, Move};
use crate::board::{Point, Variant};

const MAGIC: &[u8] = b"\xFFRenLib\xFF";
const HEADER: usize = 20;
const SIZE: u8 = 15;

/// More of the tree lies beside this node.
const SIBLING: u8 = 0x80;
/// Nothing lies below this node.
const LEAF: u8 = 0x40;
/// A comment as old versions wrote it.
const OLD_COMMENT: u8 = 0x20;
const COMMENT: u8 = 0x08;
/// The node only carries a text for its point.
const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
const EXTENDED: u8 = 0x01;
/// In the second of them: a text on the board.
const BOARD_TEXT: u8 = 0x01;

/// Longest path that makes sense, in moves.
const LONGEST: usize = 225;

/// Whether a file begins like a library.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// All lines of a library as games, in its order: one for each leaf of the tree.
///
/// # Errors
/// Says at which byte the file is broken.
pub fn read(bytes: &[u8], variant: Variant) -> Result<Vec<Game>, FormatError> {
    if !is_library(bytes) || bytes.len() < HEADER {
        return Err(FormatError::new("not a RenLib library"));
    }
    let mut reader = Reader { bytes, at: HEADER };
    let mut games = Vec::new();
    let mut path: Vec<Move> = Vec::new();
    // Lengths of the path before nodes that have siblings to come.
    let mut siblings = Vec::new();
    let mut root_seen = false;
    while reader.at < bytes.len() {
        let node = reader.node()?;
        let before = path.len();
        match node.point {
            None if !root_seen => {}
            None => return Err(reader.broken("a pass, which Gomoku does not have")),
            Some(_) if node.flags & NO_MOVE != 0 => {}
            Some(point) => {
                if before >= LONGEST || path.iter().any(|m| m.point == point) {
                    return Err(reader.broken("a line with a point taken twice"));
                }
                path.push(Move { comment: node.comment, ..Move::new(point) });
            }
        }
        root_seen = true;
        if node.flags & SIBLING != 0 && node.point.is_some() {
            siblings.push(before);
        }
        if node.flags & LEAF != 0 {
            if !path.is_empty() && node.flags & NO_MOVE == 0 {
                games.push(Game { moves: path.clone(), ..Game::new(SIZE, SIZE, variant) });
            }
            match siblings.pop() {
                Some(length) => path.truncate(length),
                None => break,
            }
        }
    }
    if games.is_empty() {
        return Err(FormatError::new("the library holds no moves"));
    }
    Ok(games)
}

struct Node {
    point: Option<Point>,
    flags: u8,
    comment: String,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn broken(&self, what: &str) -> FormatError {
        FormatError::new(format!("the library is broken before byte {}: {what}", self.at))
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| self.broken("it ends too early"))
    }

    fn node(&mut self) -> Result<Node, FormatError> {
        let place = self.byte()?;
        let flags = self.byte()?;
        let more = if flags & EXTENDED != 0 { [self.byte()?, self.byte()?] } else { [0, 0] };
        let comment =
            if flags & (COMMENT | OLD_COMMENT) != 0 { self.text()? } else { String::new() };
        // The flag lies in the byte of weight 256, which is written second.
        if more[1] & BOARD_TEXT != 0 {
            self.text()?;
        }
        let point = match place {
            0 => None,
            _ => {
                let (x, y) = ((place & 0x0F).wrapping_sub(1), place >> 4);
                let inside = x < SIZE && y < SIZE;
                let point = Point::new(x, y).filter(|_| inside);
                Some(point.ok_or_else(|| self.broken("a point off the board"))?)
            }
        };
        Ok(Node { point, flags, comment })
    }

    /// Bytes up to a NUL, which may be any characters; line breaks are CR LF or a backspace.
    fn text(&mut self) -> Result<String, FormatError> {
        let mut text = Vec::new();
        loop {
            let pair = [self.byte()?, self.byte()?];
            text.extend(pair.iter().take_while(|&&byte| byte != 0));
            if pair.contains(&0) {
                break;
            }
        }
        let text = String::from_utf8(text)
            .unwrap_or_else(|error| error.into_bytes().iter().map(|&b| char::from(b)).collect());
        Ok(text.replace("\r\n", "\n").replace('\u{8}', "\n").trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(nodes: &[u8]) -> Vec<u8> {
        let mut bytes = b"\xFFRenLib\xFF\x03\x00".to_vec();
        bytes.extend([0xFF; 10]);
        bytes.extend(nodes);
        bytes
    }

    fn lines(bytes: &[u8]) -> Vec<Vec<(u8, u8)>> {
        let games = read(bytes, Variant::RENJU).unwrap();
        let point = |m: &Move| (m.point.x(), m.point.y());
        games.iter().map(|game| game.moves.iter().map(point).collect()).collect()
    }

    #[test]
    fn branches_become_games() {
        // root, h8 (7,7), then i9 (8,6) with a sibling i8 (8,7), each a leaf.
        let bytes = library(&[0x00, 0x00, 0x78, 0x00, 0x69, SIBLING | LEAF, 0x79, LEAF]);
        assert_eq!(lines(&bytes), [vec![(7, 7), (8, 6)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn a_library_may_do_without_a_root() {
        let bytes = library(&[0x78, 0x00, 0x69, LEAF]);
        assert_eq!(lines(&bytes), [vec![(7, 7), (8, 6)]]);
    }

    #[test]
    fn comments_and_board_texts_are_read_over() {
        let nodes =
            [&[0x78, COMMENT | EXTENDED, 0x00, BOARD_TEXT][..], b"Good\0\0", b"A\0", &[0x69, LEAF]];
        let bytes = library(&nodes.concat());
        assert_eq!(lines(&bytes), [vec![(7, 7), (8, 6)]]);
        assert_eq!(read(&bytes, Variant::RENJU).unwrap()[0].moves[0].comment, "Good");
    }

    #[test]
    fn broken_libraries_are_refused() {
        for nodes in
            [&[0x78][..], &[0x78, COMMENT, b'a'], &[0x78, 0, 0x78, LEAF], &[0xF8, LEAF], &[]]
        {
            assert!(read(&library(nodes), Variant::RENJU).is_err(), "{nodes:?}");
        }
        assert!(read(b"(;GM[4])", Variant::RENJU).is_err());
    }
}
