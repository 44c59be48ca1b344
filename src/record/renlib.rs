//! RenLib's libraries, `.lib`: a tree of openings with comments, on 15x15. Reading only.
//!
//! ```text
//! FF 'RenLib' FF 03 04 FF*10        header, 20 bytes; the two numbers are the version
//! move flags [2 more flag bytes] [comment] [board text]     one node, in preorder
//! ```
//!
//! A move byte holds the column from 1 in its lower and the row from the top from 0 in its upper
//! four bits; 0 is the root, or later a pass. A node with the sibling flag has a sibling further on:
//! that comes when the branch below this node has ended with the leaf flag. Texts end in a NUL and
//! are padded to an even length.
//!
//! Older files differ: the first ones had no header and began with h8; up to version 3.0 there is no
//! root; and old comments have seven bits a character, in Swedish ASCII, the last one marked by the
//! eighth. A library saved from the middle of a line keeps sibling flags of siblings that it left
//! out, and has no leaf flag if it is one line only.
//!
//! Source: RenLib by Frank Arkbo, <https://www.renju.se/renlib/>.

use super::{FormatError, Game, Move};
use crate::board::{Point, Variant};

const MAGIC: &[u8] = b"\xFFRenLib\xFF";
const HEADER: usize = 20;
const SIZE: u8 = 15;

/// The newest version of the format, major and minor.
const NEWEST: [u8; 2] = [3, 4];
/// The move byte of h8, with which a file without header begins.
const CENTRE: u8 = 0x78;

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

/// Memory that the lines of a library may take, in bytes: every line repeats what it shares with the
/// one before.
const MOST_BYTES: usize = 512 << 20;

/// Whether a file begins like a library.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// All lines of a library as games, in its order: one for each leaf of the tree. Gomoku has no pass:
/// a line ends before its first.
///
/// # Errors
/// Says at which byte the file is broken.
pub fn read(bytes: &[u8], variant: Variant) -> Result<Vec<Game>, FormatError> {
    let mut reader = Reader { bytes, at: beginning(bytes)? };
    let mut lines = Lines::new(variant);
    // Lengths of the path before nodes that have siblings to come.
    let mut siblings = Vec::new();
    let mut first = true;
    while reader.at < bytes.len() {
        let node = reader.node()?;
        let is_root = std::mem::take(&mut first) && node.point.is_none();
        let before = lines.path.len();
        if !is_root && node.flags & NO_MOVE == 0 {
            lines.play(node.point, node.comment).map_err(|what| reader.broken(what))?;
        }
        if !is_root && node.flags & SIBLING != 0 {
            siblings.push(before);
        }
        if node.flags & LEAF != 0 {
            match siblings.pop() {
                Some(length) => lines.go_back(length)?,
                None => break,
            }
        }
    }
    lines.go_back(0)?;
    if lines.games.is_empty() {
        return Err(FormatError::new("the library holds no moves"));
    }
    Ok(lines.games)
}

/// Where the first node lies.
fn beginning(bytes: &[u8]) -> Result<usize, FormatError> {
    if !is_library(bytes) && bytes.first() == Some(&CENTRE) {
        return Ok(0);
    }
    if !is_library(bytes) || bytes.len() < HEADER {
        return Err(FormatError::new("not a RenLib library"));
    }
    let version = [bytes[MAGIC.len()], bytes[MAGIC.len() + 1]];
    if version > NEWEST {
        let [major, minor] = version;
        let what = format!("RenLib's format {major}.{minor:02} is not known, only up to 3.04");
        return Err(FormatError::new(what));
    }
    Ok(HEADER)
}

/// The lines found so far, and the one under way.
struct Lines {
    variant: Variant,
    /// From the root to the latest node; `None` is a pass.
    path: Vec<Option<Move>>,
    /// Whether the path has grown since it was last shortened: then it is a line of its own.
    grown: bool,
    games: Vec<Game>,
    /// Memory of the games' moves.
    bytes: usize,
}

impl Lines {
    fn new(variant: Variant) -> Lines {
        Lines { variant, path: Vec::new(), grown: false, games: Vec::new(), bytes: 0 }
    }

    fn play(&mut self, point: Option<Point>, comment: String) -> Result<(), &'static str> {
        let taken = |point| self.path.iter().flatten().any(|played| played.point == point);
        if self.path.len() >= LONGEST || point.is_some_and(taken) {
            return Err("a line with a point taken twice");
        }
        self.path.push(point.map(|point| Move { comment, ..Move::new(point) }));
        self.grown = true;
        Ok(())
    }

    /// Shorten the path; where a line ends so, it is a game.
    fn go_back(&mut self, length: usize) -> Result<(), FormatError> {
        if length < self.path.len() && std::mem::take(&mut self.grown) {
            let moves: Vec<Move> = self.path.iter().map_while(Clone::clone).collect();
            let size = |m: &Move| size_of::<Move>() + m.comment.len();
            self.bytes += size_of::<Game>() + moves.iter().map(size).sum::<usize>();
            if self.bytes > MOST_BYTES {
                let what = "the library has too many lines to list; save a part of it";
                return Err(FormatError::new(what));
            }
            if !moves.is_empty() {
                self.games.push(Game { moves, ..Game::new(SIZE, SIZE, self.variant) });
            }
        }
        self.path.truncate(length);
        Ok(())
    }
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
        let comment = if flags & OLD_COMMENT != 0 {
            self.old_text()?
        } else if flags & COMMENT != 0 {
            self.text()?
        } else {
            String::new()
        };
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
        Ok(in_lines(&text))
    }

    /// Characters of seven bits up to one with the eighth set, padded to an even length.
    fn old_text(&mut self) -> Result<String, FormatError> {
        let mut text = String::new();
        loop {
            for byte in [self.byte()?, self.byte()?] {
                text.push(swedish(byte & 0x7F));
                if byte & 0x80 != 0 {
                    return Ok(in_lines(&text));
                }
            }
        }
    }
}

/// What a byte of Swedish ASCII means.
fn swedish(byte: u8) -> char {
    match byte {
        b'}' => 'å',
        b'{' => 'ä',
        b'|' => 'ö',
        b']' => 'Å',
        b'[' => 'Ä',
        b'\\' => 'Ö',
        _ => char::from(byte),
    }
}

/// A comment with line breaks as others write them.
fn in_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\u{8}', "\n").trim_end().to_owned()
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
    fn a_library_may_do_without_root_and_header() {
        let nodes = [0x78, 0x00, 0x69, LEAF];
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7), (8, 6)]]);
        assert_eq!(lines(&nodes), [vec![(7, 7), (8, 6)]]);
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
    fn old_comments_end_in_a_marked_character() {
        for (text, padding) in [(&b"Bra\xfd"[..], &b""[..]), (b"Br\xfd", b"x")] {
            let nodes = [&[0x78, OLD_COMMENT][..], text, padding, &[0x69, LEAF]].concat();
            let games = read(&library(&nodes), Variant::RENJU).unwrap();
            assert_eq!(games[0].moves.len(), 2, "{text:?}");
            assert!(games[0].moves[0].comment.ends_with('å'), "{:?}", games[0].moves[0].comment);
        }
    }

    #[test]
    fn a_line_with_texts_below_its_end_is_a_line() {
        // Below i9 only texts for i8 and i10; then i8 as a move beside i9.
        let texts = [0x79, NO_MOVE | SIBLING | LEAF, 0x59, NO_MOVE | LEAF];
        let nodes = [&[0x78, 0x00, 0x69, SIBLING][..], &texts, &[0x79, LEAF]].concat();
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7), (8, 6)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn a_part_saved_from_within_a_line_is_read() {
        // One line alone has no leaf flag.
        assert_eq!(lines(&library(&[0x00, 0x00, 0x78, 0x00, 0x69, 0x00])), [[(7, 7), (8, 6)]]);
        // The sibling of i9 was left out.
        let nodes = [0x00, 0x00, 0x78, 0x00, 0x69, SIBLING, 0x79, LEAF];
        assert_eq!(lines(&library(&nodes)), [[(7, 7), (8, 6), (8, 7)]]);
    }

    #[test]
    fn a_line_ends_before_a_pass() {
        let nodes = [0x78, 0x00, 0x00, SIBLING, 0x69, LEAF, 0x79, LEAF];
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn lines_without_end_are_not_listed() {
        // A long line, and at its end as many siblings as fit a large file.
        let point = |n: u8| (n / 15) << 4 | (n % 15 + 1);
        let mut nodes: Vec<u8> = (0..224).flat_map(|n| [point(n), 0x00]).collect();
        nodes.extend([point(224), SIBLING | LEAF].repeat(60_000));
        let error = read(&library(&nodes), Variant::RENJU).unwrap_err().to_string();
        assert!(error.contains("too many lines"), "{error}");
    }

    #[test]
    fn broken_libraries_are_refused() {
        for nodes in [
            &[0x78][..],
            &[0x78, COMMENT, b'a'],
            &[0x78, OLD_COMMENT, b'a', b'b'],
            &[0x78, 0, 0x78, LEAF],
            &[0xF8, LEAF],
            &[0x00, 0x00, 0x00, LEAF],
            &[],
        ] {
            assert!(read(&library(nodes), Variant::RENJU).is_err(), "{nodes:?}");
        }
        assert!(read(b"(;GM[4])", Variant::RENJU).is_err());
        let mut newer = library(&[0x78, LEAF]);
        newer[9] = 5;
        let error = read(&newer, Variant::RENJU).unwrap_err().to_string();
        assert!(error.contains("3.05"), "{error}");
    }
}
