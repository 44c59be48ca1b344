//! Reading libraries, including old and partial ones.

use encoding_rs::Encoding;

use super::layout::{
    BOARD_TEXT, CENTRE, COMMENT, EXTENDED, FLAGS, HEADER, LEAF, MAGIC, MARK, MAX_MOVES, NEWEST,
    NO_MOVE, OLD_COMMENT, OTHER, SIBLING, SIZE, normalize_lines,
};
use crate::game_tree::{GameTree, Mark, Node, Play, Property, Sign};
use crate::text::{Text, text};
use crate::tree::NodeId;
use crate::{FormatError, Game, charset};
use kakugo::board::{Point, Variant};

/// Returns true if a file has the signature of a library.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a library as one game with variations.
///
/// # Errors
/// Returns an error with the position of the first invalid byte.
pub fn read(bytes: &[u8], variant: Variant) -> Result<GameTree, FormatError> {
    let mut reader = Reader::new(bytes)?;
    let tree = tree_of(&mut reader, variant)?;
    if reader.foreign.is_empty() {
        return Ok(tree);
    }
    // The code page can only be guessed from all texts together.
    let foreign: Vec<&[u8]> = reader.foreign.iter().map(Vec::as_slice).collect();
    let encoding = Some(charset::guess(&foreign));
    tree_of(&mut Reader { encoding, ..Reader::new(bytes)? }, variant)
}

fn tree_of(reader: &mut Reader<'_>, variant: Variant) -> Result<GameTree, FormatError> {
    let mut branch = Branch::new(variant);
    each_event(reader, |event| match event {
        Event::Root(entry) => branch.annotate(NodeId::ROOT, entry),
        Event::Move(entry) => branch.play(entry),
        Event::PointText(entry) => branch.annotate_point(entry),
        Event::Back(length) => branch.path.truncate(length),
    })?;
    Ok(branch.tree)
}

/// Traverses a library without storing it.
///
/// # Errors
/// Returns an error with the position of the first invalid byte.
pub fn walk(bytes: &[u8], mut each: impl FnMut(TreeStep)) -> Result<(), FormatError> {
    let mut length = 0;
    each_event(&mut Reader::new(bytes)?, |event| match event {
        Event::Move(entry) => {
            length += 1;
            each(TreeStep::Down(play(entry)));
        }
        Event::Back(to) => {
            each(TreeStep::Up(length - to));
            length = to;
        }
        Event::Root(_) | Event::PointText(_) => {}
    })
}

/// A step in the traversal of a library.
pub enum TreeStep {
    /// Down to a child.
    Down(Play),
    /// Up by this number of moves.
    Up(usize),
}

fn play(entry: &Entry) -> Play {
    entry.point.map_or(Play::Pass, Play::Stone)
}

/// The meaning of an entry in the file.
enum Event<'a> {
    /// The root.
    Root(&'a Entry),
    /// A move.
    Move(&'a Entry),
    /// A text for a point of the current position.
    PointText(&'a Entry),
    /// The end of a branch: back to the node after this number of moves.
    Back(usize),
}

/// Passes the events of a library to `each`.
fn each_event(reader: &mut Reader<'_>, mut each: impl FnMut(Event<'_>)) -> Result<(), FormatError> {
    let mut line = Line::new();
    let mut has_stone = false;
    // Line lengths at the nodes whose siblings follow.
    let mut siblings = Vec::new();
    let mut first = true;
    while reader.at < reader.bytes.len() {
        let entry = reader.entry()?;
        let is_root = std::mem::take(&mut first) && entry.point.is_none();
        let before = line.moves.len();
        if is_root {
            each(Event::Root(&entry));
        } else if entry.flags & NO_MOVE == 0 {
            line.push(entry.point).map_err(|message| reader.invalid(message))?;
            has_stone |= entry.point.is_some();
            each(Event::Move(&entry));
        } else {
            each(Event::PointText(&entry));
        }
        if !is_root && entry.flags & SIBLING != 0 {
            siblings.push(before);
        }
        if entry.flags & LEAF != 0 {
            match siblings.pop() {
                Some(length) => {
                    line.truncate(length);
                    each(Event::Back(line.moves.len()));
                }
                None => break,
            }
        }
    }
    if has_stone { Ok(()) } else { Err(FormatError::new(text!("the library contains no moves"))) }
}

/// The moves on the current path; `None` is a pass.
struct Line {
    moves: Vec<Option<Point>>,
    taken: [bool; MAX_MOVES],
}

impl Line {
    fn new() -> Line {
        Line { moves: Vec::new(), taken: [false; MAX_MOVES] }
    }

    fn push(&mut self, point: Option<Point>) -> Result<(), Text> {
        if self.moves.len() >= MAX_MOVES {
            return Err(text!("a line has more than {0} moves and passes", MAX_MOVES));
        }
        if point.is_some_and(|point| self.taken[index_of(point)]) {
            return Err(text!("a line plays the same point twice"));
        }
        if let Some(point) = point {
            self.taken[index_of(point)] = true;
        }
        self.moves.push(point);
        Ok(())
    }

    /// Shortens the line to a number of moves.
    fn truncate(&mut self, length: usize) {
        for point in self.moves.drain(length.min(self.moves.len())..).flatten() {
            self.taken[index_of(point)] = false;
        }
    }
}

/// Returns the offset of the first node.
fn beginning(bytes: &[u8]) -> Result<usize, FormatError> {
    if !is_library(bytes) && bytes.first() == Some(&CENTRE) {
        return Ok(0);
    }
    if !is_library(bytes) || bytes.len() < HEADER {
        return Err(FormatError::new(text!("not a RenLib library")));
    }
    let version = [bytes[MAGIC.len()], bytes[MAGIC.len() + 1]];
    if version > NEWEST {
        let [major, minor] = version;
        let version = format!("{major}.{minor:02}");
        let message =
            text!("unsupported RenLib version {0}: the newest supported one is 3.04", version);
        return Err(FormatError::new(message));
    }
    Ok(HEADER)
}

/// The tree read so far and the path to its latest node.
struct Branch {
    tree: GameTree,
    /// The path, excluding the root.
    path: Vec<NodeId>,
}

fn index_of(point: Point) -> usize {
    usize::from(point.y()) * usize::from(SIZE) + usize::from(point.x())
}

impl Branch {
    fn new(variant: Variant) -> Branch {
        let tree = GameTree::new(Game::new(SIZE, SIZE, variant));
        Branch { tree, path: Vec::new() }
    }

    fn here(&self) -> NodeId {
        self.path.last().copied().unwrap_or(NodeId::ROOT)
    }

    fn play(&mut self, entry: &Entry) {
        self.label(entry);
        let node = self.tree.nodes.add(self.here(), Node::new(play(entry)));
        self.annotate(node, entry);
        self.path.push(node);
    }

    /// Stores the comment and the flags of an entry in a node.
    fn annotate(&mut self, node: NodeId, entry: &Entry) {
        // Text without a title comes after an empty first line.
        let comment = entry.comment.trim_start_matches('\n');
        let has_title = comment.len() == entry.comment.len();
        let rest = entry.flags & OTHER | if has_title { 0 } else { COMMENT };
        let mark = entry.flags & MARK != 0;
        if entry.comment.is_empty()
            && rest == 0
            && entry.more & !u16::from(BOARD_TEXT) == 0
            && !mark
        {
            return;
        }
        let more = entry.more & !u16::from(BOARD_TEXT);
        self.tree.nodes.value_mut(node).edit_note(|note| {
            note.comment = comment.to_owned();
            match entry.point.filter(|_| mark) {
                Some(point) => note.marks.push(Mark { point, sign: Sign::Triangle }),
                None if mark => note.other.push(flags(MARK | rest, more)),
                None => {}
            }
            if (rest != 0 || more != 0) && !(mark && entry.point.is_none()) {
                note.other.push(flags(rest, more));
            }
        });
    }

    /// Stores an entry that is not a move: a text for a point of the position.
    fn annotate_point(&mut self, entry: &Entry) {
        self.label(entry);
        let here = self.here();
        self.tree.nodes.value_mut(here).append_comment(entry.comment.trim_start_matches('\n'));
    }

    /// Stores the text of an entry as a label in the position before it.
    fn label(&mut self, entry: &Entry) {
        if let Some(point) = entry.point.filter(|_| !entry.text.is_empty()) {
            let here = self.here();
            let sign = Sign::Label(entry.text.clone());
            let label = Mark { point, sign };
            self.tree.nodes.value_mut(here).edit_note(|note| note.marks.push(label));
        }
    }
}

/// Returns the property that preserves RenLib's own flags.
fn flags(flags: u8, more: u16) -> Property {
    Property { name: FLAGS.to_owned(), values: vec![format!("{flags:02x}{more:04x}")] }
}

struct Entry {
    point: Option<Point>,
    flags: u8,
    /// Flags of the two extension bytes.
    more: u16,
    comment: String,
    /// Text on the board.
    text: String,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Code page of the texts, once it is known.
    encoding: Option<&'static Encoding>,
    /// Texts that are not UTF-8, for guessing the code page.
    foreign: Vec<Vec<u8>>,
    /// Number of bytes still needed for the guess.
    missing: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the first node.
    fn new(bytes: &'a [u8]) -> Result<Reader<'a>, FormatError> {
        let at = beginning(bytes)?;
        Ok(Reader {
            bytes,
            at,
            encoding: None,
            foreign: Vec::new(),
            missing: charset::SAMPLE_BYTES,
        })
    }

    fn invalid(&self, message: Text) -> FormatError {
        FormatError::new(text!("damaged RenLib library before byte {0}: {1}", self.at, message))
    }

    fn byte(&mut self) -> Result<u8, FormatError> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| self.invalid(text!("unexpected end of file")))
    }

    fn entry(&mut self) -> Result<Entry, FormatError> {
        let place = self.byte()?;
        let flags = self.byte()?;
        // The byte with `BOARD_TEXT` is the second one.
        let more = if flags & EXTENDED != 0 { [self.byte()?, self.byte()?] } else { [0, 0] };
        let comment = if flags & OLD_COMMENT != 0 {
            self.old_text()?
        } else if flags & COMMENT != 0 {
            self.text()?
        } else {
            String::new()
        };
        let text = if more[1] & BOARD_TEXT != 0 { self.text()? } else { String::new() };
        let point = match place {
            0 => None,
            _ => {
                let (x, y) = ((place & 0x0F).wrapping_sub(1), place >> 4);
                let inside = x < SIZE && y < SIZE;
                let point = Point::new(x, y).filter(|_| inside);
                Some(point.ok_or_else(|| self.invalid(text!("a point is off the board")))?)
            }
        };
        Ok(Entry { point, flags, more: u16::from_be_bytes(more), comment, text })
    }

    /// Reads a text up to a NUL. Lines are separated by CR LF or a backspace.
    fn text(&mut self) -> Result<String, FormatError> {
        let mut text = Vec::new();
        loop {
            let pair = [self.byte()?, self.byte()?];
            text.extend(pair.iter().take_while(|&&byte| byte != 0));
            if pair.contains(&0) {
                break;
            }
        }
        if let Some(encoding) = self.encoding {
            return Ok(normalize_lines(&charset::decode_as(&text, encoding)));
        }
        match charset::as_utf_8(&text, charset::VALID_PER_INVALID) {
            Some(text) => Ok(normalize_lines(&text)),
            None => {
                if self.missing > 0 {
                    self.missing = self.missing.saturating_sub(text.len());
                    self.foreign.push(text);
                }
                Ok(String::new())
            }
        }
    }

    /// Reads 7-bit characters up to one with the high bit set, padded to an even length.
    fn old_text(&mut self) -> Result<String, FormatError> {
        let mut text = String::new();
        loop {
            for byte in [self.byte()?, self.byte()?] {
                text.push(swedish(byte & 0x7F));
                if byte & 0x80 != 0 {
                    return Ok(normalize_lines(&text));
                }
            }
        }
    }
}

/// Decodes a character of Swedish ASCII.
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
        let tree = read(bytes, Variant::RENJU).unwrap();
        tree.lines().map(|game| game.points().map(|p| (p.x(), p.y())).collect()).collect()
    }

    #[test]
    fn branches_become_lines() {
        // root, h8 (7,7), then i9 (8,6) with a sibling i8 (8,7), each a leaf.
        let bytes = library(&[0x00, 0x00, 0x78, 0x00, 0x69, SIBLING | LEAF, 0x79, LEAF]);
        assert_eq!(lines(&bytes), [vec![(7, 7), (8, 6)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn root_and_header_of_libraries_are_optional() {
        let nodes = [0x78, 0x00, 0x69, LEAF];
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7), (8, 6)]]);
        assert_eq!(lines(&nodes), [vec![(7, 7), (8, 6)]]);
    }

    #[test]
    fn comments_and_board_texts_are_skipped() {
        let nodes =
            [&[0x78, COMMENT | EXTENDED, 0x00, BOARD_TEXT][..], b"Good\0\0", b"A\0", &[0x69, LEAF]];
        let bytes = library(&nodes.concat());
        assert_eq!(lines(&bytes), [vec![(7, 7), (8, 6)]]);
        assert_eq!(read(&bytes, Variant::RENJU).unwrap().main_line().moves[0].comment, "Good");
    }

    #[test]
    fn all_line_breaks_are_normalized() {
        let nodes = [&[0x78, COMMENT][..], b"a\x08b\r\nc\r\r\nd\re\nf \0", &[0x69, LEAF]];
        let tree = read(&library(&nodes.concat()), Variant::RENJU).unwrap();
        assert_eq!(tree.main_line().moves[0].comment, "a\nb\nc\n\nd\ne\nf");
        let written = super::super::write(&tree).unwrap();
        let again = read(&written, Variant::RENJU).unwrap();
        assert_eq!(again.main_line().moves[0].comment, tree.main_line().moves[0].comment);
        assert_eq!(super::super::write(&again).unwrap(), written);
    }

    #[test]
    fn old_comments_end_with_the_high_bit() {
        for (text, padding) in [(&b"Bra\xfd"[..], &b""[..]), (b"Br\xfd", b"x")] {
            let nodes = [&[0x78, OLD_COMMENT][..], text, padding, &[0x69, LEAF]].concat();
            let game = read(&library(&nodes), Variant::RENJU).unwrap().main_line();
            assert_eq!(game.moves.len(), 2, "{text:?}");
            assert!(game.moves[0].comment.ends_with('å'), "{:?}", game.moves[0].comment);
        }
    }

    #[test]
    fn texts_after_the_last_move_are_not_lines() {
        // Below i9 only texts for i8 and i10; then i8 as a move, a sibling of i9.
        let texts = [0x79, NO_MOVE | SIBLING | LEAF, 0x59, NO_MOVE | LEAF];
        let nodes = [&[0x78, 0x00, 0x69, SIBLING][..], &texts, &[0x79, LEAF]].concat();
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7), (8, 6)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn partial_libraries_are_read() {
        // A library of one line has no leaf flag.
        assert_eq!(lines(&library(&[0x00, 0x00, 0x78, 0x00, 0x69, 0x00])), [[(7, 7), (8, 6)]]);
        // The sibling of i9 is missing.
        let nodes = [0x00, 0x00, 0x78, 0x00, 0x69, SIBLING, 0x79, LEAF];
        assert_eq!(lines(&library(&nodes)), [[(7, 7), (8, 6), (8, 7)]]);
    }

    #[test]
    fn lines_end_before_a_pass() {
        let nodes = [0x78, 0x00, 0x00, SIBLING, 0x69, LEAF, 0x79, LEAF];
        assert_eq!(lines(&library(&nodes)), [vec![(7, 7)], vec![(7, 7), (8, 7)]]);
    }

    #[test]
    fn long_lines_with_many_siblings_are_read_quickly() {
        // A line of 225 moves, whose last one has 60,000 siblings.
        let point = |n: u8| (n / 15) << 4 | (n % 15 + 1);
        let mut nodes: Vec<u8> = (0..224).flat_map(|n| [point(n), 0x00]).collect();
        nodes.extend([point(224), SIBLING | LEAF].repeat(60_000));
        let tree = read(&library(&nodes), Variant::RENJU).unwrap();
        assert_eq!(tree.nodes.count(), 1 + 224 + 60_000);
    }

    #[test]
    fn comments_may_have_no_title() {
        let nodes = [&[0x78, COMMENT][..], b"\x08a\r\nb\0", &[0x69, COMMENT | LEAF], b"c\x08d\0"];
        let tree = read(&library(&nodes.concat()), Variant::RENJU).unwrap();
        let moves = tree.main_line().moves;
        assert_eq!((&*moves[0].comment, &*moves[1].comment), ("a\nb", "c\nd"));
        let written = crate::renlib::write(&tree).unwrap();
        for text in [&b"\x08a\r\nb\0"[..], b"c\x08d\0"] {
            assert!(written.windows(text.len()).any(|part| part == text), "{written:?}");
        }
        assert_eq!(read(&written, Variant::RENJU).unwrap(), tree);
    }

    #[test]
    fn many_texts_of_a_position_are_read_quickly() {
        let texts = [0x79, NO_MOVE | COMMENT | SIBLING | LEAF, b'a', 0].repeat(100_000);
        let nodes = [&[0x78, 0x00][..], &texts, &[0x69, LEAF]].concat();
        let tree = read(&library(&nodes), Variant::RENJU).unwrap();
        assert_eq!(tree.main_line().moves[0].comment.len(), 2 * 100_000 - 1);
    }

    #[test]
    fn long_lines_are_rejected() {
        let passes = |count: usize| [&[0x78, 0x00][..], &[0x00, 0x00].repeat(count)].concat();
        assert_eq!(read(&library(&passes(224)), Variant::RENJU).unwrap().nodes.count(), 226);
        let error = read(&library(&passes(225)), Variant::RENJU).unwrap_err().to_string();
        assert!(error.contains("a line has more than 225 moves and passes"), "{error}");
    }

    #[test]
    fn damaged_libraries_are_rejected() {
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
