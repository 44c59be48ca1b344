//! A game with variations, comments and marks, as stored by SGF and RenLib.
//!
//! [`GameTree::game`] holds the properties of the game, including the position it begins from. Each
//! node of the tree is one move, and first children form the main line. Formats without variations
//! store [`GameTree::main_line`].

use std::time::Duration;

use super::pos::RowOrder;
use super::setup::{Cells, Setup, Undo};
use super::tree::{NodeId, Tree};
use super::{Game, Move, pos};
use kakugo::board::{Point, Side};

/// The move of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// No move: the root, or a node with only a comment.
    Nothing,
    /// A stone of the side to move.
    Stone(Point),
    /// A pass of the side to move.
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

/// The SGF property of a choice in an opening, such as `KCH[black]`.
pub const CHOICE_PROPERTY: &str = "KCH";

/// The choices after which a player has another colour, or keeps the own one.
const COLOUR_CHOICES: [&str; 2] = ["black", "white"];

/// Annotations of a node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Note {
    /// Time spent on the move. File formats store whole milliseconds.
    pub time: Option<Duration>,
    /// Comment; may be empty.
    pub comment: String,
    /// Marks on points.
    pub marks: Vec<Mark>,
    /// A change of the board or of the side to move, before the move of the node.
    pub setup: Option<Setup>,
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

    /// Returns the change of the board before the move.
    pub fn setup(&self) -> Option<&Setup> {
        self.note()?.setup.as_ref()
    }

    /// Returns the marks.
    pub fn marks(&self) -> &[Mark] {
        self.note().map_or(&[], |note| &note.marks)
    }

    /// Returns true if a player chooses a colour here, in an opening.
    fn has_choice_of_colour(&self) -> bool {
        let choices = self.note().into_iter().flat_map(|note| &note.other);
        choices
            .filter(|property| property.name == CHOICE_PROPERTY)
            .flat_map(|property| &property.values)
            .any(|choice| COLOUR_CHOICES.contains(&&**choice))
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
                if !note.comment.is_empty() {
                    note.comment.push('\n');
                }
                note.comment.push_str(text);
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
        game.opening_moves = 0;
        GameTree { game, nodes: Tree::new(Node::new(Play::Nothing)) }
    }

    /// Creates a tree with one line.
    pub fn from_game(game: &Game) -> GameTree {
        let moves = Vec::new();
        let mut tree = GameTree::new(Game { moves, ..game.clone() });
        let mut at = NodeId::ROOT;
        for played in &game.moves {
            let (time, comment) = (played.time, played.comment.clone());
            let setup = played.side.map(Setup::turn);
            let note = Note { time, comment, setup, ..Note::default() };
            let play = played.point.map_or(Play::Pass, Play::Stone);
            at = tree.nodes.add(at, Node::with_note(play, note));
        }
        tree
    }

    /// Returns the name of the game (`GN` of SGF); empty without one.
    pub fn name(&self) -> String {
        self.nodes.value(NodeId::ROOT).note().map(Note::game_name).unwrap_or_default()
    }

    /// Returns a title of the game: its name, the event, or the players; empty without all of them.
    pub fn title(&self) -> String {
        let Game { event, black, white, .. } = &self.game;
        let players = || match (&**black, &**white) {
            ("", "") => String::new(),
            (black, white) => format!("{black} - {white}"),
        };
        let names = [self.name(), event.clone()].into_iter();
        names
            .map(|name| name.trim().to_owned())
            .find(|name| !name.is_empty())
            .unwrap_or_else(players)
    }

    /// Returns the tree from the empty board with alternating colours: set-up stones become moves,
    /// and passes make up for what is missing. `None` if points are blocked or stones are set up
    /// between moves.
    pub fn with_passes(&self) -> Option<GameTree> {
        let start = &self.game.start;
        let is_changed = |node: &Node| node.setup().is_some_and(Setup::changes_board);
        if !start.blocked().is_empty() || self.nodes.preorder().any(|id| is_changed(self.node(id)))
        {
            return None;
        }
        let game = Game { start: Setup::default(), ..self.game.clone() };
        let mut tree = GameTree { game, nodes: Tree::new(self.node(NodeId::ROOT).clone()) };
        let pairs = start.black().len().max(start.white().len());
        let stone =
            |points: &[Point], i: usize| points.get(i).map_or(Play::Pass, |&p| Play::Stone(p));
        let mut plays: Vec<Play> =
            (0..pairs).flat_map(|i| [stone(start.black(), i), stone(start.white(), i)]).collect();
        if start.side_to_move() == Side::White && plays.pop_if(|play| *play == Play::Pass).is_none()
        {
            plays.push(Play::Pass);
        }
        let mut at = NodeId::ROOT;
        for play in plays {
            at = tree.nodes.add(at, Node::new(play));
        }
        // Twins of the nodes, and the sides to move after them.
        let mut twins = vec![(at, start.side_to_move())];
        for id in self.nodes.preorder().skip(1) {
            let parent = self.nodes.parent(id).unwrap_or(NodeId::ROOT);
            let (mut above, turn) = twins[parent.number() as usize];
            let mut node = self.node(id).clone();
            let side = node.setup().and_then(|setup| setup.to_move).unwrap_or(turn);
            if side != turn {
                above = tree.nodes.add(above, Node::new(Play::Pass));
            }
            node.edit_note(|note| note.setup = None);
            let after = if node.play == Play::Nothing { side } else { side.opponent() };
            let number = id.number() as usize;
            twins.resize(twins.len().max(number + 1), (at, turn));
            twins[number] = (tree.nodes.add(above, node), after);
        }
        Some(tree)
    }

    fn node(&self, id: NodeId) -> &Node {
        self.nodes.value(id)
    }

    /// Returns the number (from 1) and the side of the first move out of turn. Either side may make
    /// the first move.
    pub fn out_of_turn(&self) -> Option<(usize, Side)> {
        // For each node: the number of moves, whose turn it is, and who is to move.
        let start = (0, self.game.start.side_to_move(), self.game.start.side_to_move());
        let mut after = vec![start];
        for id in self.nodes.preorder().skip(1) {
            let parent = self.nodes.parent(id).unwrap_or(NodeId::ROOT);
            let (mut moves, mut turn, mut side) = after[parent.number() as usize];
            let node = self.node(id);
            if let Some(setup) = node.setup() {
                side = setup.to_move.unwrap_or(side);
                if setup.changes_board() || moves == 0 {
                    turn = side;
                }
            }
            if node.play != Play::Nothing {
                moves += 1;
                if side != turn {
                    return Some((moves, side));
                }
                turn = side.opponent();
                side = turn;
            }
            let number = id.number() as usize;
            after.resize(after.len().max(number + 1), start);
            after[number] = (moves, turn, side);
        }
        None
    }

    /// Returns the main line as a game. Variations without further moves, such as mere comments,
    /// are skipped if a sibling continues the game. If stones are set up between moves, the game
    /// begins from the last position that is set up.
    pub fn main_line(&self) -> Game {
        self.line_to(self.end())
    }

    /// Returns the nodes of the moves of [`GameTree::main_line`].
    pub fn main_moves(&self) -> Vec<NodeId> {
        let path = self.nodes.path(self.end());
        let changes = |&id: &NodeId| self.node(id).setup().is_some_and(Setup::changes_board);
        let start = path.iter().rposition(changes).unwrap_or(0);
        let is_move = |id: &NodeId| self.node(*id).play != Play::Nothing;
        path[start..].iter().copied().filter(is_move).collect()
    }

    /// Returns the last node of the main line.
    fn end(&self) -> NodeId {
        let next = |&node: &NodeId| {
            self.nodes.below(node).find(|&below| self.nodes.value(below).play != Play::Nothing)
        };
        let last = std::iter::successors(Some(NodeId::ROOT), next).last().unwrap_or(NodeId::ROOT);
        self.nodes.main_line(last).last().unwrap_or(last)
    }

    /// Returns the number (from 1) of the first pass on the main line if moves follow it. Formats
    /// without passes end there.
    pub fn first_pass(&self) -> Option<usize> {
        let plays = self.nodes.path(self.end()).into_iter().map(|id| self.node(id).play);
        let mut plays = plays.filter(|play| *play != Play::Nothing);
        let number = plays.by_ref().position(|play| play == Play::Pass)? + 1;
        plays.any(|play| play != Play::Pass).then_some(number)
    }

    /// Returns true if stones are set up after the first move of the main line.
    pub fn has_late_setup(&self) -> bool {
        let mut has_moves = false;
        self.nodes.path(self.end()).into_iter().any(|id| {
            let node = self.node(id);
            let is_late = has_moves && node.setup().is_some_and(Setup::changes_board);
            has_moves |= node.play != Play::Nothing;
            is_late
        })
    }

    /// Returns the last node of each line, main line first. Lines without a stone are omitted,
    /// unless the game begins from a position.
    pub fn line_ends(&self) -> impl Iterator<Item = NodeId> + '_ {
        let main = self.end();
        let leaves = self.nodes.preorder().filter(|&node| self.nodes.first_child(node).is_none());
        let ends = std::iter::once(main).chain(leaves.filter(move |&leaf| leaf != main));
        let has_content = |node: &Node| {
            matches!(node.play, Play::Stone(_)) || node.setup().is_some_and(Setup::changes_board)
        };
        let has_start = self.game.start.changes_board();
        ends.filter(move |&end| {
            has_start || self.nodes.path(end).into_iter().any(|id| has_content(self.node(id)))
        })
    }

    /// Returns the path from the root to `end` as a game. Only the main line has a result.
    pub fn line(&self, end: NodeId) -> Game {
        let mut game = self.line_to(end);
        if end != self.end() {
            game.clear_result();
        }
        game
    }

    /// Returns the path from the root to `end` as a tree, with all annotations. Only the main line
    /// has a result.
    pub fn line_tree(&self, end: NodeId) -> GameTree {
        let nodes = Tree::new(self.node(NodeId::ROOT).clone());
        let mut tree = GameTree { game: self.game.clone(), nodes };
        if end != self.end() {
            tree.game.clear_result();
        }
        let path = self.nodes.path(end).into_iter();
        path.fold(NodeId::ROOT, |at, id| tree.nodes.add(at, self.node(id).clone()));
        tree
    }

    /// Returns every line as a game, main line first.
    pub fn lines(&self) -> impl Iterator<Item = Game> + '_ {
        self.line_ends().map(|end| self.line(end))
    }

    /// Returns the path from the root to `end` as a game with the result of the tree.
    fn line_to(&self, end: NodeId) -> Game {
        let mut game = self.game.clone();
        let path = self.nodes.path(end);
        let changes = |&id: &NodeId| self.node(id).setup().is_some_and(Setup::changes_board);
        let mut rest = &path[..];
        if let Some(last) = path.iter().rposition(changes) {
            let mut cells = Cells::new(&game.start);
            for node in path[..last].iter().map(|&id| self.node(id)) {
                if let Some(setup) = node.setup() {
                    cells.apply(setup);
                }
                match node.play {
                    Play::Nothing => {}
                    Play::Stone(point) => drop(cells.play(Some(point))),
                    Play::Pass => drop(cells.play(None)),
                }
            }
            let mut is_assumed = path[..last].iter().all(|&id| self.node(id).play == Play::Nothing);
            if let Some(setup) = self.node(path[last]).setup() {
                cells.apply(setup);
                is_assumed &= setup.to_move.is_none();
            }
            game.start = cells.to_setup();
            if is_assumed {
                game.start.to_move = None;
            }
            rest = &path[last..];
        }
        let mut turn = game.start.side_to_move();
        let mut specified = None;
        for (index, &id) in rest.iter().enumerate() {
            let node = self.node(id);
            // The change of the board is part of the first position.
            let is_start = index == 0 && changes(&id);
            specified = node.setup().filter(|_| !is_start).and_then(|s| s.to_move).or(specified);
            if node.has_choice_of_colour() {
                game.opening_moves = game.moves.len() + usize::from(node.play != Play::Nothing);
            }
            let point = match node.play {
                Play::Nothing => continue,
                Play::Stone(point) => Some(point),
                Play::Pass => None,
            };
            let mut side = specified.take().filter(|&side| side != turn);
            if game.moves.is_empty()
                && let Some(first) = side.take()
            {
                game.start.to_move = Some(first);
                turn = first;
            }
            turn = side.unwrap_or(turn).opponent();
            let time = node.note().and_then(|note| note.time);
            game.moves.push(Move { point, side, time, comment: node.comment().to_owned() });
        }
        match specified.filter(|&side| side != turn) {
            Some(side) if game.moves.is_empty() => game.start.to_move = Some(side),
            Some(_) => game.moves.push(Move::pass()),
            None => {}
        }
        game
    }

    /// Returns the number (from 1) and the error of the first move off the board or on a stone, or
    /// of the first set-up point off the board.
    pub fn illegal_move(&self) -> Option<(usize, String)> {
        let (width, height) = (self.game.width, self.game.height);
        let name = |point| pos::write([point], height, RowOrder::FromBottom);
        let is_outside = |p: Point| p.x() >= width || p.y() >= height;
        let outside = |setup: &Setup| setup.placements().map(|(p, _)| p).find(|&p| is_outside(p));
        let off_board = |point| format!("{} is off the board", name(point));
        if let Some(point) = outside(&self.game.start) {
            return Some((0, off_board(point)));
        }
        let mut cells = Cells::new(&self.game.start);
        let mut path: Vec<(NodeId, [Option<Undo>; 2])> = Vec::new();
        for id in self.nodes.preorder().skip(1) {
            let parent = self.nodes.parent(id).unwrap_or(NodeId::ROOT);
            while path.last().is_some_and(|&(above, _)| above != parent) {
                let changes = path.pop().map(|(_, changes)| changes);
                for undo in changes.into_iter().flatten().rev().flatten() {
                    cells.undo(undo);
                }
            }
            let node = self.node(id);
            let number = || {
                let is_stone =
                    |(id, _): &&(NodeId, _)| matches!(self.node(*id).play, Play::Stone(_));
                path.iter().filter(is_stone).count() + 1
            };
            if let Some(point) = node.setup().and_then(outside) {
                return Some((number(), off_board(point)));
            }
            let setup = node.setup().map(|setup| cells.apply(setup));
            let play = match node.play {
                Play::Nothing => None,
                Play::Stone(point) if is_outside(point) => {
                    return Some((number(), off_board(point)));
                }
                Play::Stone(point) if cells.at(point).is_some() => {
                    return Some((number(), format!("{} is occupied", name(point))));
                }
                Play::Stone(point) => Some(cells.play(Some(point))),
                Play::Pass => Some(cells.play(None)),
            };
            path.push((id, [setup, play]));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::setup::Placement;
    use kakugo::board::Variant;

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
        let moves: Vec<_> = tree.main_line().moves.iter().map(|m| m.point.map(|p| p.x())).collect();
        assert_eq!(moves, [Some(1), Some(2), None, Some(4)]);
        let lines: Vec<Game> = tree.lines().collect();
        assert_eq!(lines.iter().map(columns).collect::<Vec<_>>(), [vec![1, 2], vec![1, 3]]);
        assert_eq!((lines[0].result, lines[1].result), (result, None));
        // The second move is followed by a pass, and the pass by a move.
        assert_eq!((tree.first_pass(), tree.line_ends().count()), (Some(3), 2));
        tree.nodes.delete(tree.nodes.first_child(pass).unwrap());
        assert_eq!(tree.first_pass(), None);
    }

    #[test]
    fn lines_as_trees_have_all_annotations() {
        let text = "(;GM[4]SZ[15]RE[B+R]TM[600]C[root];B[hh]LB[aa:A]BL[5](;W[hg];C[end])\
            (;W[gg]TE[1];AB[aa]PL[W]))";
        let tree = crate::sgf::read_trees(text).unwrap().remove(0);
        let lines = tree.line_ends().map(|end| crate::sgf::write_tree(&tree.line_tree(end)));
        let lines: Vec<String> = lines.collect();
        let shared = ["TM[600]", "C[root]", "LB[aa:A]", "BL[5]"];
        assert!(
            lines.iter().all(|line| shared.iter().all(|what| line.contains(what))),
            "{lines:?}"
        );
        assert!(lines[0].contains("RE[B+R]") && lines[0].contains(";C[end]"), "{}", lines[0]);
        assert!(!lines[1].contains("RE["), "{}", lines[1]);
        assert!(lines[1].contains("W[gg]TE[1];AB[aa]PL[W]"), "{}", lines[1]);
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
    fn games_begin_from_the_last_set_up_position() {
        let at = |x, y| Point::new(x, y).unwrap();
        let mut tree = GameTree::new(Game::new(15, 15, Variant::FREESTYLE));
        let a = tree.nodes.add(NodeId::ROOT, stone(1, 1));
        let b = tree.nodes.add(a, stone(2, 1));
        let mut change = Setup::turn(Side::White);
        change.put(at(1, 1), Placement::Removed);
        change.put(at(5, 5), Placement::Stone(Side::Black));
        let note = Note { setup: Some(change), ..Note::default() };
        let c = tree.nodes.add(b, Node::with_note(Play::Nothing, note));
        let d = tree.nodes.add(c, stone(1, 1));
        let turn = Note { setup: Some(Setup::turn(Side::White)), ..Note::default() };
        tree.nodes.add(d, Node::with_note(Play::Stone(at(3, 3)), turn));
        assert_eq!((tree.illegal_move(), tree.has_late_setup()), (None, true));
        let line = tree.main_line();
        assert_eq!((line.start.black(), line.start.white()), (&[at(5, 5)][..], &[at(2, 1)][..]));
        assert_eq!(line.sides().collect::<Vec<_>>(), [Side::White; 2]);
        assert_eq!((line.moves[0].side, line.moves[1].side), (None, Some(Side::White)));
        assert_eq!(line.board().unwrap().side_to_move(), Side::Black);
        assert_eq!(tree.out_of_turn(), Some((4, Side::White)));
        // The same line as a game, and back.
        let tree = GameTree::from_game(&line);
        assert_eq!(tree.main_line(), line);
        assert!(line.from_empty_board().is_none());
        let board = tree.with_passes().unwrap().main_line().board().unwrap();
        assert_eq!(board.key(), line.board().unwrap().key());
    }

    #[test]
    fn set_up_stones_become_moves_if_colours_alternate() {
        let at = |x, y| Point::new(x, y).unwrap();
        let mut game = Game::new(15, 15, Variant::RENJU);
        game.start.put(at(7, 7), Placement::Stone(Side::Black));
        game.start.put(at(7, 6), Placement::Stone(Side::White));
        game.start.put(at(5, 5), Placement::Stone(Side::Black));
        game.moves.push(Move::new(at(0, 0)));
        let plain = game.from_empty_board().unwrap();
        assert!(plain.starts_empty() && plain.moves.len() == 4);
        assert_eq!(plain.board().unwrap().key(), game.board().unwrap().key());
        game.start.to_move = Some(Side::Black);
        assert!(game.from_empty_board().is_none());
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
