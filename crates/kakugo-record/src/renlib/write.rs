//! Writing libraries.

use super::layout::{
    BOARD_TEXT, COMMENT, EXTENDED, FLAGS, LEAF, MAGIC, MARK, MAX_MOVES, NEWEST, NO_MOVE, OTHER,
    SIBLING, SIZE, normalize_lines,
};
use std::borrow::Cow;
use std::collections::HashMap;

use crate::FormatError;
use crate::game_tree::{GameTree, Mark, Node, Play, Sign};
use crate::text::text;
use crate::tree::NodeId;
use kakugo::board::Point;

/// Writes a game with variations as a library. Set-up stones become moves, with passes for the side
/// that has fewer.
///
/// # Errors
/// Returns an error if the board is not 15x15, there are no stones or a line is too long, because
/// such a library cannot be read, if stones are set up between moves, and if points are blocked.
pub fn write(tree: &GameTree) -> Result<Vec<u8>, FormatError> {
    let (width, height) = (tree.game.width, tree.game.height);
    if (width, height) != (SIZE, SIZE) {
        let message = text!(
            "cannot write a {1}x{2} board to a RenLib library: expected {0}x{0}",
            SIZE,
            width,
            height
        );
        return Err(FormatError::new(message));
    }
    let mut tree = Cow::Borrowed(tree);
    if !tree.game.starts_empty() || tree.nodes.preorder().any(|id| has_setup(&tree, id)) {
        let plain = tree.with_passes().ok_or_else(|| {
            FormatError::new(text!(
                "cannot write a RenLib library: it stores no blocked points and no stones set up between moves"
            ))
        })?;
        tree = Cow::Owned(plain);
    }
    let tree = &*tree;
    if longest_line(tree) > MAX_MOVES {
        return Err(FormatError::new(text!(
            "cannot write a RenLib library: a line has more than {0} moves and passes",
            MAX_MOVES
        )));
    }
    let is_stone = |id| matches!(tree.nodes.value(id).play, Play::Stone(_));
    if !tree.nodes.preorder().any(is_stone) {
        return Err(FormatError::new(text!("cannot write a RenLib library without moves")));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(NEWEST);
    bytes.extend([0xFF; 10]);
    let mut next =
        vec![PendingEntry { kind: EntryKind::Node(NodeId::ROOT), text: None, has_sibling: false }];
    while let Some(PendingEntry { kind, text, has_sibling }) = next.pop() {
        let below = match kind {
            EntryKind::Text(_) => Vec::new(),
            EntryKind::Node(id) => below(tree, id),
        };
        put(&mut bytes, tree, &kind, text.as_deref(), has_sibling, below.is_empty());
        next.extend(below.into_iter().rev());
    }
    Ok(bytes)
}

/// Returns the number of moves and passes of the longest line.
fn longest_line(tree: &GameTree) -> usize {
    let mut lengths = vec![0];
    for id in tree.nodes.preorder().skip(1) {
        let parent = tree.nodes.parent(id).unwrap_or(NodeId::ROOT);
        let is_move = tree.nodes.value(id).play != Play::Nothing;
        let length = lengths[parent.number() as usize] + usize::from(is_move);
        let number = id.number() as usize;
        // Deleted nodes leave gaps.
        lengths.resize(lengths.len().max(number + 1), 0);
        lengths[number] = length;
    }
    lengths.into_iter().max().unwrap_or(0)
}

fn has_setup(tree: &GameTree, id: NodeId) -> bool {
    tree.nodes.value(id).setup().is_some()
}

/// An entry of the file.
enum EntryKind {
    /// A move or the root.
    Node(NodeId),
    /// A text for a point without a move.
    Text(Point),
}

/// An entry to be written.
struct PendingEntry {
    kind: EntryKind,
    text: Option<String>,
    has_sibling: bool,
}

/// Returns the entries below a node: its children, and texts for other points.
fn below(tree: &GameTree, id: NodeId) -> Vec<PendingEntry> {
    let mut labels: Vec<(Point, Option<String>)> = Vec::new();
    for above in std::iter::once(id).chain(comments_below(tree, id)) {
        labels.extend(tree.nodes.value(above).marks().iter().filter_map(|mark| match &mark.sign {
            Sign::Label(text) => Some((mark.point, Some(one_line(text)))),
            _ => None,
        }));
    }
    // Indexes of the labels of each point, last first.
    let mut of_point: HashMap<Point, Vec<usize>> = HashMap::new();
    for (index, (point, _)) in labels.iter().enumerate().rev() {
        of_point.entry(*point).or_default().push(index);
    }
    let mut entries = Vec::new();
    for child in moves_below(tree, id) {
        let played = match tree.nodes.value(child).play {
            Play::Stone(point) => Some(point),
            Play::Nothing | Play::Pass => None,
        };
        let label = played.and_then(|point| of_point.get_mut(&point)?.pop());
        let text = label.and_then(|index| labels[index].1.take());
        entries.push(PendingEntry { kind: EntryKind::Node(child), text, has_sibling: true });
    }
    let texts = labels.into_iter().filter_map(|(point, text)| text.map(|text| (point, text)));
    entries.extend(texts.map(|(point, text)| PendingEntry {
        kind: EntryKind::Text(point),
        text: Some(text),
        has_sibling: true,
    }));
    if let Some(last) = entries.last_mut() {
        last.has_sibling = false;
    }
    entries
}

/// Returns the nodes without a move between a node and its next moves.
fn comments_below(tree: &GameTree, id: NodeId) -> Vec<NodeId> {
    let is_comment = |node: &NodeId| tree.nodes.value(*node).play == Play::Nothing;
    let mut found: Vec<NodeId> = tree.nodes.children(id).filter(is_comment).collect();
    let mut at = 0;
    while let Some(&node) = found.get(at) {
        found.extend(tree.nodes.children(node).filter(is_comment));
        at += 1;
    }
    found
}

/// Returns the next moves after a node, skipping nodes without a move.
fn moves_below(tree: &GameTree, id: NodeId) -> Vec<NodeId> {
    let mut moves = Vec::new();
    let mut open: Vec<NodeId> = tree.nodes.children(id).collect();
    open.reverse();
    while let Some(node) = open.pop() {
        if tree.nodes.value(node).play == Play::Nothing {
            let children: Vec<NodeId> = tree.nodes.children(node).collect();
            open.extend(children.into_iter().rev());
        } else {
            moves.push(node);
        }
    }
    moves
}

fn put(
    bytes: &mut Vec<u8>,
    tree: &GameTree,
    kind: &EntryKind,
    text: Option<&str>,
    has_sibling: bool,
    is_leaf: bool,
) {
    let mut has_title = true;
    let (place, mut flags, mut more, comment) = match kind {
        EntryKind::Text(point) => (byte(*point), NO_MOVE, 0, String::new()),
        EntryKind::Node(id) => {
            let node = tree.nodes.value(*id);
            let place = match node.play {
                Play::Stone(point) => byte(point),
                Play::Nothing | Play::Pass => 0,
            };
            let (flags, more) = flags(node);
            has_title = stored_flags(node) >> 16 & u32::from(COMMENT) == 0;
            let mut merged = node.clone();
            for comment in comments_below(tree, *id) {
                merged.append_comment(tree.nodes.value(comment).comment());
            }
            (place, flags, more, normalize_lines(&merged.comment().replace('\0', "")))
        }
    };
    let set = |on: bool, flag: u8| if on { flag } else { 0 };
    flags |= set(has_sibling, SIBLING) | set(is_leaf, LEAF) | set(!comment.is_empty(), COMMENT);
    more |= u16::from(set(text.is_some(), BOARD_TEXT));
    flags |= set(more != 0, EXTENDED);
    bytes.extend([place, flags]);
    if more != 0 {
        bytes.extend(more.to_be_bytes());
    }
    if !comment.is_empty() {
        // RenLib shows the first line as a title; a backspace separates it from the rest.
        let lines = match has_title {
            true => comment.replacen('\n', "\u{8}", 1),
            false => format!("\u{8}{comment}"),
        };
        put_text(bytes, &lines.replace('\n', "\r\n"));
    }
    if let Some(text) = text {
        put_text(bytes, text);
    }
}

/// Returns the number that preserves the RenLib flags of a node.
fn stored_flags(node: &Node) -> u32 {
    let mut other = node.note().into_iter().flat_map(|note| &note.other);
    let stored = other.find(|property| property.name == FLAGS);
    let digits = stored.map(|property| &*property.values[0]).filter(|digits| digits.len() == 6);
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

/// Returns the preserved RenLib flags of a node, and its mark.
fn flags(node: &Node) -> (u8, u16) {
    let Some(note) = node.note() else { return (0, 0) };
    let [_, flags, more @ ..] = stored_flags(node).to_be_bytes();
    let is_marked =
        |mark: &Mark| mark.sign == Sign::Triangle && node.play == Play::Stone(mark.point);
    let mark = if note.marks.iter().any(is_marked) { MARK } else { 0 };
    (flags & (MARK | OTHER) | mark, u16::from_be_bytes(more) & !u16::from(BOARD_TEXT))
}

fn byte(point: Point) -> u8 {
    point.y() << 4 | (point.x() + 1)
}

fn one_line(text: &str) -> String {
    text.replace(['\0', '\r', '\n', '\u{8}'], " ").trim_end().to_owned()
}

/// Writes a text with a NUL, padded to an even length.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(text.bytes());
    bytes.push(0);
    if !(text.len() + 1).is_multiple_of(2) {
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::sgf;
    use kakugo::board::Variant;

    fn tree(moves: &str) -> GameTree {
        sgf::read_trees(&format!("(;GM[4]SZ[15];B[hh]{moves})")).unwrap().remove(0)
    }

    #[test]
    fn lines_that_cannot_be_read_are_rejected() {
        let passes = |count: usize| tree(&";W[];B[]".repeat(count / 2));
        let bytes = write(&passes(224)).unwrap();
        assert_eq!(read(&bytes, Variant::RENJU).unwrap().nodes.count(), 226);
        let error = write(&passes(226)).unwrap_err().to_string();
        let expected = "cannot write a RenLib library: a line has more than 225 moves and passes";
        assert_eq!(error, expected);
    }

    #[test]
    fn deleted_nodes_do_not_count() {
        let mut tree = tree("(;W[ii];B[jj])(;W[ij])");
        let first = tree.main_moves()[1];
        tree.nodes.delete(first);
        let again = read(&write(&tree).unwrap(), Variant::RENJU).unwrap();
        assert_eq!(again.main_line().moves.len(), 2);
    }

    #[test]
    fn many_labels_and_moves_of_a_position_are_written_quickly() {
        let (labels, moves) = ("[ii:1]".repeat(20_000), "(;W[jj])".repeat(20_000));
        let tree = tree(&format!("LB{labels}[jj:a][jj:b]{moves}"));
        let bytes = write(&tree).unwrap();
        let again = read(&bytes, Variant::RENJU).unwrap();
        assert_eq!(again.nodes.count(), 20_002);
        let marks = again.nodes.value(again.main_moves()[0]).marks();
        assert_eq!((marks.len(), &marks[0].sign), (20_002, &Sign::Label("a".to_owned())));
    }
}
