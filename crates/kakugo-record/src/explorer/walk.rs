//! Counting the lines of a game.

use super::counts::Explorer;
use super::keys::Keys;
use super::ruleset::Ruleset;
use crate::game_tree::{GameTree, Play};
use crate::tree::NodeId;
use crate::{Game, GameResult};
use kakugo::board::{POINTS, Point, Side};

impl Explorer {
    /// Counts a game without variations.
    pub fn add_game(&mut self, game: &Game) {
        let mut walk = self.walk(game);
        game.points().for_each(|point| walk.step(Play::Stone(point)));
        walk.finish();
    }

    /// Counts every variation of a game as a line. Only the main line has the result.
    pub fn add(&mut self, tree: &GameTree) {
        let mut walk = self.walk(&tree.game);
        let mut path: Vec<NodeId> = Vec::new();
        for node in tree.nodes.preorder().skip(1) {
            let parent = tree.nodes.parent(node).filter(|&parent| parent != NodeId::ROOT);
            while path.last().copied() != parent && path.pop().is_some() {
                walk.back();
            }
            walk.step(tree.nodes.value(node).play);
            path.push(node);
        }
        walk.finish();
    }

    /// Starts counting the lines of a game. Its moves are ignored.
    pub fn walk(&mut self, game: &Game) -> Walk<'_> {
        let ruleset = Ruleset::new(game.width, game.height, game.variant);
        let keys = Keys::new(game.width, game.height, game.variant);
        let root =
            PathNode { keys: Some(keys), stone: None, counts: true, lines: 0, is_main: true };
        let taken = [false; POINTS];
        Walk { explorer: self, ruleset, result: game.result, path: vec![root], taken }
    }
}

/// A traversal of a game tree by moves and steps back, the order in which libraries are stored. A
/// position is counted when it is left, with the number of lines through it.
pub struct Walk<'a> {
    explorer: &'a mut Explorer,
    ruleset: Ruleset,
    result: Option<GameResult>,
    path: Vec<PathNode>,
    taken: [bool; POINTS],
}

/// A node on the current path.
struct PathNode {
    /// `None` after a pass or an illegal move: later positions are not counted.
    keys: Option<Keys>,
    /// The stone placed by this node.
    stone: Option<Point>,
    /// True if the position differs from the one before.
    counts: bool,
    /// Number of finished lines through this node.
    lines: u32,
    is_main: bool,
}

impl Walk<'_> {
    /// Moves down to a child.
    pub fn step(&mut self, play: Play) {
        let Some(above) = self.path.last() else { return };
        // The first path down is the main line.
        let is_main = above.is_main && above.lines == 0;
        let legal = |p: &Point| {
            let fits = |keys: &Keys| p.x() < keys.width && p.y() < keys.height;
            above.keys.as_ref().is_some_and(fits) && !self.taken[p.index()]
        };
        let (keys, stone) = match play {
            Play::Nothing => (above.keys.clone(), None),
            Play::Stone(p) if legal(&p) => {
                let mut keys = above.keys.clone();
                keys.iter_mut().for_each(|keys| keys.place(p, Side::to_move_after(keys.stones)));
                (keys, Some(p))
            }
            Play::Stone(_) | Play::Pass => (None, None),
        };
        if let Some(p) = stone {
            self.taken[p.index()] = true;
        }
        self.path.push(PathNode { keys, stone, counts: stone.is_some(), lines: 0, is_main });
    }

    /// Moves back to the parent.
    pub fn back(&mut self) {
        let Some(left) = self.path.pop() else { return };
        let lines = left.lines.max(1);
        if let Some(p) = left.stone {
            self.taken[p.index()] = false;
        }
        if let Some(keys) = left.keys.filter(|_| left.counts) {
            self.explorer.count(keys.minimum(), lines, self.result.filter(|_| left.is_main));
        }
        match self.path.last_mut() {
            Some(above) => above.lines = above.lines.saturating_add(lines),
            None => self.explorer.count_lines(self.ruleset, lines),
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
