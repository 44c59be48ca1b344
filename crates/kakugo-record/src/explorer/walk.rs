//! Counting the lines of a game.

use super::counts::Explorer;
use super::keys::{Key, Keys};
use super::ruleset::Ruleset;
use crate::game_tree::{GameTree, Play};
use crate::setup::{Cells, Setup, Undo};
use crate::tree::NodeId;
use crate::{Game, GameResult};
use kakugo::board::Point;

/// A receiver of the positions of a walk.
pub trait Counter {
    /// Counts lines through a position, and the result of a game.
    fn count(&mut self, key: Key, lines: u32, result: Option<GameResult>);

    /// Counts lines of games with a ruleset.
    fn count_lines(&mut self, ruleset: Ruleset, lines: u64);
}

impl Counter for Explorer {
    fn count(&mut self, key: Key, lines: u32, result: Option<GameResult>) {
        self.add_position(key, lines, result);
    }

    fn count_lines(&mut self, ruleset: Ruleset, lines: u64) {
        self.add_lines(ruleset, lines);
    }
}

impl Explorer {
    /// Counts a game without variations.
    pub fn add_game(&mut self, game: &Game) {
        let mut walk = self.walk(game);
        for played in &game.moves {
            let play = played.point.map_or(Play::Pass, Play::Stone);
            walk.step_from(play, played.side.map(Setup::turn).as_ref());
        }
        walk.finish();
    }

    /// Counts every variation of a game as a line. Only the main line has the result.
    pub fn add(&mut self, tree: &GameTree) {
        walk_tree(self, tree);
    }

    /// Starts counting the lines of a game from its first position. Its moves are ignored.
    pub fn walk(&mut self, game: &Game) -> Walk<'_> {
        Walk::new(self, game)
    }
}

/// Walks through all variations of a game.
pub(super) fn walk_tree(counter: &mut impl Counter, tree: &GameTree) {
    let mut walk = Walk::new(counter, &tree.game);
    let mut path: Vec<NodeId> = Vec::new();
    for node in tree.nodes.preorder().skip(1) {
        let parent = tree.nodes.parent(node).filter(|&parent| parent != NodeId::ROOT);
        while path.last().copied() != parent && path.pop().is_some() {
            walk.back();
        }
        let value = tree.nodes.value(node);
        walk.step_from(value.play, value.setup());
        path.push(node);
    }
    walk.finish();
}

/// A traversal of a game tree by moves and steps back, the order in which libraries are stored. A
/// position is counted when it is left, with the number of lines through it.
pub struct Walk<'a, C = Explorer> {
    counter: &'a mut C,
    ruleset: Ruleset,
    result: Option<GameResult>,
    path: Vec<PathNode>,
    cells: Cells,
}

/// A node on the current path.
struct PathNode {
    /// `None` after an illegal move: later positions are not counted.
    keys: Option<Keys>,
    /// Takes back the changes of this node: its set-up and its move.
    undo: [Option<Undo>; 2],
    /// True if the position differs from the one before.
    counts: bool,
    /// Number of finished lines through this node.
    lines: u32,
    is_main: bool,
}

impl<'a, C: Counter> Walk<'a, C> {
    fn new(counter: &'a mut C, game: &Game) -> Walk<'a, C> {
        let ruleset = Ruleset::new(game.width, game.height, game.variant);
        let cells = Cells::new(&game.start);
        let keys = if game.start.changes_board() {
            Keys::of(game.width, game.height, game.variant, &cells)
        } else {
            Keys::new(game.width, game.height, game.variant)
        };
        let root = PathNode {
            keys: Some(keys),
            undo: [None, None],
            counts: true,
            lines: 0,
            is_main: true,
        };
        Walk { counter, ruleset, result: game.result, path: vec![root], cells }
    }

    /// Moves down to a child.
    pub fn step(&mut self, play: Play) {
        self.step_from(play, None);
    }

    /// Moves down to a child that changes the board before its move.
    fn step_from(&mut self, play: Play, setup: Option<&Setup>) {
        let Some(above) = self.path.last() else { return };
        // The first path down is the main line.
        let is_main = above.is_main && above.lines == 0;
        let mut keys = above.keys.clone();
        let fits = |keys: &Keys, p: Point| p.x() < keys.width && p.y() < keys.height;
        let mut undo = [None, None];
        if let Some(setup) = setup.filter(|_| keys.is_some()) {
            let is_inside = |keys: &Keys| setup.placements().all(|(p, _)| fits(keys, p));
            keys = keys.filter(is_inside);
            undo[0] = Some(self.cells.apply(setup));
            if setup.changes_board() {
                keys = keys.map(|old| Keys::of(old.width, old.height, old.variant, &self.cells));
            }
        }
        let is_legal = match (play, &keys) {
            (Play::Stone(p), Some(keys)) => fits(keys, p) && self.cells.at(p).is_none(),
            _ => true,
        };
        match play {
            _ if !is_legal => keys = None,
            Play::Stone(p) => {
                let side = self.cells.side;
                keys.iter_mut().for_each(|keys| keys.place(p, side));
                undo[1] = keys.is_some().then(|| self.cells.play(Some(p)));
            }
            Play::Pass => undo[1] = Some(self.cells.play(None)),
            Play::Nothing => {}
        }
        let is_changed = setup.is_some_and(Setup::changes_board);
        let counts = keys.is_some() && (play != Play::Nothing || is_changed);
        self.path.push(PathNode { keys, undo, counts, lines: 0, is_main });
    }

    /// Moves back to the parent.
    pub fn back(&mut self) {
        let Some(left) = self.path.pop() else { return };
        let lines = left.lines.max(1);
        if let Some(keys) = left.keys.filter(|_| left.counts) {
            let key = keys.minimum(self.cells.side);
            self.counter.count(key, lines, self.result.filter(|_| left.is_main));
        }
        for undo in left.undo.into_iter().rev().flatten() {
            self.cells.undo(undo);
        }
        match self.path.last_mut() {
            Some(above) => above.lines = above.lines.saturating_add(lines),
            None => self.counter.count_lines(self.ruleset, lines.into()),
        }
    }

    /// Returns true if nothing has been counted.
    pub fn is_empty(&self) -> bool {
        matches!(&*self.path, [root] if root.lines == 0)
    }

    /// Ends without counting the current path.
    pub fn discard(self) {}

    /// Counts the current path and ends.
    pub fn finish(mut self) {
        while !self.path.is_empty() {
            self.back();
        }
    }
}
