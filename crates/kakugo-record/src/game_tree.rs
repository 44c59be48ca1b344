//! A game with variations, comments and marks, as stored by SGF and RenLib.
//!
//! [`GameTree::game`] holds the properties of the game. Each node of the tree is one move, and
//! first children form the main line. Formats without variations store [`GameTree::main_line`].

use std::time::Duration;

use super::pos::RowOrder;
use super::tree::{NodeId, Tree};
use super::{Game, Move, pos};
use kakugo::board::Point;

/// The move of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// No move: the root, or a node with only a comment.
    Nothing,
    /// A stone of the side to move.
    Stone(Point),
    /// A pass of the side to move, as found in RenLib libraries.
    Pass,
}

/// The shape of a mark.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sign {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A selected point.
    Selected,
    /// A short text.
    Label(String),
}

/// A mark on a point of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The marked point.
    pub point: Point,
    /// The shape of the mark.
    pub sign: Sign,
}

/// An SGF property without a meaning for Kakugo, preserved as read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// SGF name in upper case.
    pub name: String,
    /// Raw SGF values with their escapes; at least one.
    pub values: Vec<String>,
}

/// Annotations of a node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Note {
    /// Time spent on the move. File formats store whole milliseconds.
    pub time: Option<Duration>,
    /// Comment; may be empty.
    pub comment: String,
    /// Marks on points.
    pub marks: Vec<Mark>,
    /// Properties of other programs.
    pub other: Vec<Property>,
}

/// A node of a game tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The move.
    pub play: Play,
    /// Boxed because libraries have millions of nodes, most of them without annotations.
    note: Option<Box<Note>>,
}

impl Node {
    /// Creates a node without annotations.
    pub const fn new(play: Play) -> Node {
        Node { play, note: None }
    }

    /// Creates a node with annotations.
    pub fn with_note(play: Play, note: Note) -> Node {
        Node { play, note: (note != Note::default()).then(|| Box::new(note)) }
    }

    /// Returns the annotations, if there are any.
    pub fn note(&self) -> Option<&Note> {
        self.note.as_deref()
    }

    /// Returns the comment, or an empty string.
    pub fn comment(&self) -> &str {
        self.note().map_or("", |note| &note.comment)
    }

    /// Returns the marks.
    pub fn marks(&self) -> &[Mark] {
        self.note().map_or(&[], |note| &note.marks)
    }

    /// Modifies the annotations in place.
    pub fn edit_note(&mut self, change: impl FnOnce(&mut Note)) {
        let mut note = self.note.take().map_or_else(Note::default, |note| *note);
        change(&mut note);
        *self = Node::with_note(self.play, note);
    }

    /// Appends a paragraph to the comment.
    pub fn append_comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.edit_note(|note| {
                note.comment = match &*note.comment {
                    "" => text.to_owned(),
                    before => format!("{before}\n{text}"),
                }
            });
        }
    }
}

/// A game with variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree {
    /// Properties of the game, without moves. The result is that of the main line.
    pub game: Game,
    /// The moves. The root is the position before the first move.
    pub nodes: Tree<Node>,
}

impl GameTree {
    /// Creates a tree without moves.
    pub fn new(mut game: Game) -> GameTree {
        game.moves.clear();
        GameTree { game, nodes: Tree::new(Node::new(Play::Nothing)) }
    }

    /// Creates a tree with one line.
    pub fn from_game(game: &Game) -> GameTree {
        let moves = Vec::new();
        let mut tree = GameTree::new(Game { moves, ..game.clone() });
        let mut at = NodeId::ROOT;
        for played in &game.moves {
            let note =
                Note { time: played.time, comment: played.comment.clone(), ..Note::default() };
            at = tree.nodes.add(at, Node::with_note(Play::Stone(played.point), note));
        }
        tree
    }

    /// Returns the main line as a game, up to its first pass. Variations without further moves,
    /// such as mere comments, are skipped if a sibling continues the game.
    pub fn main_line(&self) -> Game {
        Game { moves: self.moves(self.end()), ..self.game.clone() }
    }

    /// Returns the last node of the main line.
    fn end(&self) -> NodeId {
        let next = |&node: &NodeId| {
            self.nodes.below(node).find(|&below| self.nodes.value(below).play != Play::Nothing)
        };
        let last = std::iter::successors(Some(NodeId::ROOT), next).last().unwrap_or(NodeId::ROOT);
        self.nodes.main_line(last).last().unwrap_or(last)
    }

    /// Returns the number (from 1) of the first pass on the main line if moves follow it.
    /// [`GameTree::main_line`] ends there.
    pub fn first_pass(&self) -> Option<usize> {
        let plays = self.nodes.path(self.end()).into_iter().map(|node| self.nodes.value(node).play);
        let mut plays = plays.filter(|play| *play != Play::Nothing);
        let number = plays.by_ref().position(|play| play == Play::Pass)? + 1;
        plays.any(|play| play != Play::Pass).then_some(number)
    }

    /// Returns the last node of each line, main line first. Lines without a stone are omitted.
    pub fn line_ends(&self) -> impl Iterator<Item = NodeId> + '_ {
        let main = self.end();
        let leaves = self.nodes.preorder().filter(|&node| self.nodes.first_child(node).is_none());
        let ends = std::iter::once(main).chain(leaves.filter(move |&leaf| leaf != main));
        ends.filter(|&end| self.stones(end).next().is_some())
    }

    /// Returns the path from the root to `end` as a game, up to its first pass. Only the main line
    /// has a result.
    pub fn line(&self, end: NodeId) -> Game {
        let mut game = Game { moves: self.moves(end), ..self.game.clone() };
        if end != self.end() {
            game.clear_result();
        }
        game
    }

    /// Returns every line as a game, main line first.
    pub fn lines(&self) -> impl Iterator<Item = Game> + '_ {
        self.line_ends().map(|end| self.line(end))
    }

    fn moves(&self, end: NodeId) -> Vec<Move> {
        let played = self.stones(end).map(|(point, node)| Move {
            point,
            time: node.note().and_then(|note| note.time),
            comment: node.comment().to_owned(),
        });
        played.collect()
    }

    /// Returns the stones on the path to `end`, up to the first pass.
    fn stones(&self, end: NodeId) -> impl Iterator<Item = (Point, &Node)> + '_ {
        let nodes = self.nodes.path(end).into_iter().map(|node| self.nodes.value(node));
        let nodes = nodes.take_while(|node| node.play != Play::Pass);
        nodes.filter_map(|node| match node.play {
            Play::Stone(point) => Some((point, node)),
            Play::Nothing | Play::Pass => None,
        })
    }

    /// Returns the number (from 1) and the error of the first move off the board or on a stone.
    pub fn illegal_move(&self) -> Option<(usize, String)> {
        let (width, height) = (self.game.width, self.game.height);
        let mut taken = std::collections::HashSet::new();
        let mut path: Vec<(NodeId, Option<Point>)> = Vec::new();
        for node in self.nodes.preorder().skip(1) {
            let parent = self.nodes.parent(node).unwrap_or(NodeId::ROOT);
            while path.last().is_some_and(|&(above, _)| above != parent) {
                if let Some((_, Some(point))) = path.pop() {
                    taken.remove(&point);
                }
            }
            let stone = match self.nodes.value(node).play {
                Play::Stone(point) => Some(point),
                Play::Nothing | Play::Pass => None,
            };
            path.push((node, stone));
            let Some(point) = stone else { continue };
            let number = || path.iter().filter(|(_, stone)| stone.is_some()).count();
            let name = || pos::write([point], height, RowOrder::FromBottom);
            if point.x() >= width || point.y() >= height {
                return Some((number(), format!("{} is off the board", name())));
            }
            if !taken.insert(point) {
                return Some((number(), format!("{} is occupied", name())));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use kakugo::board::{Side, Variant};

    fn stone(x: u8, y: u8) -> Node {
        Node::new(Play::Stone(Point::new(x, y).unwrap()))
    }

    fn columns(game: &Game) -> Vec<u8> {
        game.points().map(|p| p.x()).collect()
    }

    #[test]
    fn only_the_main_line_has_a_result() {
        let result = Some(GameResult::Win(Side::Black));
        let mut tree = GameTree::new(Game { result, ..Game::new(15, 15, Variant::FREESTYLE) });
        let a = tree.nodes.add(NodeId::ROOT, stone(1, 1));
        let b = tree.nodes.add(a, stone(2, 1));
        tree.nodes.add(a, stone(3, 1));
        let pass = tree.nodes.add(b, Node::new(Play::Pass));
        tree.nodes.add(pass, stone(4, 1));
        assert_eq!(columns(&tree.main_line()), [1, 2]);
        let lines: Vec<Game> = tree.lines().collect();
        assert_eq!(lines.iter().map(columns).collect::<Vec<_>>(), [vec![1, 2], vec![1, 3]]);
        assert_eq!((lines[0].result, lines[1].result), (result, None));
        // The second move is followed by a pass, and the pass by a move.
        assert_eq!((tree.first_pass(), tree.line_ends().count()), (Some(3), 2));
        tree.nodes.delete(tree.nodes.first_child(pass).unwrap());
        assert_eq!(tree.first_pass(), None);
    }

    #[test]
    fn comment_nodes_do_not_end_the_main_line() {
        let result = Some(GameResult::Win(Side::Black));
        let mut tree = GameTree::new(Game { result, ..Game::new(15, 15, Variant::FREESTYLE) });
        let remark = || Node::new(Play::Nothing);
        let a = tree.nodes.add(NodeId::ROOT, stone(1, 1));
        let comment = tree.nodes.add(a, remark());
        tree.nodes.add(comment, remark());
        let b = tree.nodes.add(comment, stone(2, 1));
        tree.nodes.add(b, remark());
        tree.nodes.add(a, stone(3, 1));
        assert_eq!(columns(&tree.main_line()), [1, 2]);
        let lines: Vec<Game> = tree.lines().collect();
        assert_eq!(
            lines.iter().map(columns).collect::<Vec<_>>(),
            [vec![1, 2], vec![1], vec![1, 3]]
        );
        assert_eq!(lines.iter().map(|line| line.result).collect::<Vec<_>>(), [result, None, None]);
    }

    #[test]
    fn illegal_moves_are_found_in_variations() {
        let mut tree = GameTree::new(Game::new(15, 15, Variant::FREESTYLE));
        let a = tree.nodes.add(NodeId::ROOT, stone(1, 1));
        tree.nodes.add(a, stone(2, 1));
        let c = tree.nodes.add(a, stone(3, 1));
        tree.nodes.add(c, stone(2, 1));
        assert_eq!(tree.illegal_move(), None);
        let twice = tree.nodes.add(c, stone(1, 1));
        assert_eq!(tree.illegal_move(), Some((3, "b14 is occupied".to_owned())));
        tree.nodes.delete(twice);
        tree.nodes.add(c, stone(15, 1));
        assert_eq!(tree.illegal_move().map(|(number, _)| number), Some(3));
    }

    #[test]
    fn empty_annotations_are_not_stored() {
        let mut node = stone(1, 1);
        node.append_comment("a");
        node.append_comment("b");
        assert_eq!(node.comment(), "a\nb");
        node.edit_note(|note| note.comment.clear());
        assert_eq!(node, stone(1, 1));
        assert!(node.note().is_none());
    }
}
