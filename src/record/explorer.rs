//! Openings: what was played in a position, and how the games ended.
//!
//! Every position of the games is counted under one key for all its symmetries, so that the next moves
//! from a position are those free points that lead to a position known. Transpositions join by
//! themselves. The rule is left out of the key: games of one rule should be explored together.

use std::collections::HashMap;

use super::game_tree::{GameTree, Play};
use super::tree::NodeId;
use super::{Game, GameResult};
use crate::board::{Point, Side};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Lines that lead through it: games, and the variations of libraries.
    pub lines: u32,
    /// Of the games with a result those that Black won,
    pub black: u32,
    /// those that White won,
    pub white: u32,
    /// and draws.
    pub draws: u32,
}

/// A move from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// Where; of points that the position's symmetry makes alike the first.
    pub point: Point,
    /// What is known of the position after it.
    pub record: Record,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    positions: HashMap<u64, Record>,
    lines: u64,
}

impl Explorer {
    /// Number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Number of different positions known.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Count a game without variations.
    pub fn add_game(&mut self, game: &Game) {
        let mut keys = Keys::new(game.width, game.height);
        self.lines += 1;
        self.count(&keys, 1, game.result);
        for (side, p) in sides().zip(game.points()) {
            keys.place(p, side);
            self.count(&keys, 1, game.result);
        }
    }

    /// Count a game with its variations, each as a line; the result is the main line's.
    pub fn add(&mut self, tree: &GameTree) {
        let nodes: Vec<NodeId> = tree.nodes.preorder().collect();
        let lines = lines_through(tree, &nodes);
        let through = |node: NodeId| lines[node.number() as usize];
        self.lines += u64::from(through(NodeId::ROOT));
        let mut path: Vec<Place> = Vec::new();
        for node in nodes {
            let parent = tree.nodes.parent(node);
            while path.last().is_some_and(|above| Some(above.node) != parent) {
                path.pop();
            }
            let begins = || Some((Keys::new(tree.game.width, tree.game.height), 0));
            let before = path.last().map_or_else(begins, |above| above.position.clone());
            let is_main = path.last().is_none_or(|above| {
                above.is_main && tree.nodes.first_child(above.node) == Some(node)
            });
            let play = tree.nodes.value(node).play;
            let position = before.and_then(|(mut keys, stones)| match play {
                Play::Nothing => Some((keys, stones)),
                // What follows a pass is no position of a game.
                Play::Pass => None,
                Play::Stone(p) => {
                    keys.place(p, if stones % 2 == 0 { Side::Black } else { Side::White });
                    Some((keys, stones + 1))
                }
            });
            if let Some((keys, _)) = &position
                && (path.is_empty() || play != Play::Nothing)
            {
                self.count(keys, through(node), tree.game.result.filter(|_| is_main));
            }
            path.push(Place { node, position, is_main });
        }
    }

    fn count(&mut self, keys: &Keys, lines: u32, result: Option<GameResult>) {
        let record = self.positions.entry(keys.least()).or_default();
        record.lines = record.lines.saturating_add(lines);
        match result {
            Some(GameResult::Win(Side::Black)) => record.black += 1,
            Some(GameResult::Win(Side::White)) => record.white += 1,
            Some(GameResult::Draw) => record.draws += 1,
            None => {}
        }
    }

    /// What is known of the position after these moves, and the moves from it, the most played first.
    pub fn look(&self, width: u8, height: u8, moves: &[Point]) -> (Record, Vec<Next>) {
        let mut keys = Keys::new(width, height);
        for (side, &p) in sides().zip(moves) {
            keys.place(p, side);
        }
        let here = self.positions.get(&keys.least()).copied().unwrap_or_default();
        let side = if moves.len().is_multiple_of(2) { Side::Black } else { Side::White };
        let mut seen = std::collections::HashSet::new();
        let mut next = Vec::new();
        for p in (0..height).flat_map(|y| (0..width).filter_map(move |x| Point::new(x, y))) {
            if here.lines == 0 || moves.contains(&p) {
                continue;
            }
            let mut after = keys.clone();
            after.place(p, side);
            let key = after.least();
            if let Some(&record) = self.positions.get(&key)
                && seen.insert(key)
            {
                next.push(Next { point: p, record });
            }
        }
        next.sort_by_key(|next| std::cmp::Reverse(next.record.lines));
        (here, next)
    }
}

/// A node on the way to the latest.
struct Place {
    node: NodeId,
    /// Its keys, and the stones so far; `None` after a pass.
    position: Option<(Keys, usize)>,
    is_main: bool,
}

/// How many lines lead through each node, by its number; `nodes` are all of them in preorder.
fn lines_through(tree: &GameTree, nodes: &[NodeId]) -> Vec<u32> {
    let most = nodes.iter().map(|node| node.number()).max().unwrap_or(0);
    let mut lines = vec![0_u32; most as usize + 1];
    for &node in nodes.iter().rev() {
        let own = lines[node.number() as usize].max(1);
        lines[node.number() as usize] = own;
        if let Some(parent) = tree.nodes.parent(node) {
            let above = &mut lines[parent.number() as usize];
            *above = above.saturating_add(own);
        }
    }
    lines
}

/// Who makes the first, the second, .. move.
fn sides() -> impl Iterator<Item = Side> {
    Side::BOTH.into_iter().cycle()
}

/// The keys of a position, one for each symmetry of its board.
#[derive(Clone, Debug)]
struct Keys {
    width: u8,
    height: u8,
    keys: [u64; 8],
}

impl Keys {
    fn new(width: u8, height: u8) -> Keys {
        let (short, long) = (width.min(height), width.max(height));
        Keys { width, height, keys: [mixed(u64::from(short) << 8 | u64::from(long)); 8] }
    }

    fn place(&mut self, p: Point, side: Side) {
        let (right, bottom) = (self.width - 1, self.height - 1);
        let (x, y) = (p.x().min(right), p.y().min(bottom));
        let straight = [(x, y), (right - x, y), (x, bottom - y), (right - x, bottom - y)];
        for (i, (x, y)) in straight.into_iter().enumerate() {
            // A board that is wider than high is the same turned: the long side counts as the width.
            let turned = if self.width >= self.height { (x, y) } else { (y, x) };
            self.keys[i] ^= stone(turned, side);
            self.keys[i + 4] ^= stone((turned.1, turned.0), side);
        }
    }

    /// The one key for all symmetries.
    fn least(&self) -> u64 {
        let symmetries = if self.width == self.height { 8 } else { 4 };
        self.keys[..symmetries].iter().copied().min().unwrap_or(0)
    }
}

fn stone((x, y): (u8, u8), side: Side) -> u64 {
    mixed(1 << 32 | u64::from(x) << 16 | u64::from(y) << 8 | side.index() as u64)
}

/// Well mixed bits (splitmix64).
const fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::record::pos::{self, RowOrder};
    use crate::record::{Move, sgf};

    fn points(text: &str, height: u8) -> Vec<Point> {
        pos::read(text, height, RowOrder::FromBottom).unwrap()
    }

    fn game(text: &str, result: Option<GameResult>) -> Game {
        let moves = points(text, 15).into_iter().map(Move::new).collect();
        Game { moves, result, ..Game::new(15, 15, Variant::FREESTYLE) }
    }

    #[test]
    fn symmetries_and_transpositions_are_joined_and_results_counted() {
        let mut explorer = Explorer::default();
        // The same opening in four directions, and one by another order of moves.
        for (text, winner) in
            [("h8h9i9", Side::Black), ("h8i8i7", Side::White), ("h8h7g7", Side::Black)]
        {
            explorer.add_game(&game(text, Some(GameResult::Win(winner))));
        }
        explorer.add_game(&game("h8g8", None));
        explorer.add_game(&game("i9h9h8", Some(GameResult::Draw)));
        let (here, next) = explorer.look(15, 15, &points("h8", 15));
        assert_eq!(here, Record { lines: 4, black: 2, white: 1, draws: 0 });
        assert_eq!(next.len(), 1, "all four neighbours are alike: {next:?}");
        assert_eq!(next[0].record.lines, 4);
        let (here, next) = explorer.look(15, 15, &points("h8h9", 15));
        assert_eq!((here.lines, next.len()), (4, 1));
        // i9 and g9 are alike after h8 h9; the draw came by another order.
        assert_eq!(next[0].record, Record { lines: 4, black: 2, white: 1, draws: 1 });
        assert_eq!(explorer.look(15, 15, &points("a1", 15)), (Record::default(), Vec::new()));
        assert_eq!(explorer.lines(), 5);
    }

    #[test]
    fn boards_that_are_not_square_have_fewer_symmetries() {
        let mut explorer = Explorer::default();
        let moves = points("a1", 10).into_iter().map(Move::new).collect();
        explorer.add_game(&Game { moves, ..Game::new(12, 10, Variant::FREESTYLE) });
        let lines =
            |width, height, text| explorer.look(width, height, &points(text, height)).0.lines;
        assert_eq!([lines(12, 10, "l10"), lines(12, 10, "b1"), lines(12, 10, "l1")], [1, 0, 1]);
        assert_eq!((lines(10, 12, "j12"), lines(10, 10, "a1")), (1, 0));
    }

    #[test]
    fn variations_are_lines_and_only_the_main_one_has_the_result() {
        let text = "(;GM[4]RE[B+];B[hh](;W[hi];B[aa])(;W[ii](;B[ab])(;B[ac])))";
        let tree = sgf::read_trees(text).unwrap().remove(0);
        let mut explorer = Explorer::default();
        explorer.add(&tree);
        assert_eq!(explorer.lines(), 3);
        let (here, next) = explorer.look(15, 15, &points("h8", 15));
        assert_eq!(here, Record { lines: 3, black: 1, white: 0, draws: 0 });
        let lines: Vec<(u32, u32)> =
            next.iter().map(|next| (next.record.lines, next.record.black)).collect();
        assert_eq!(lines, [(2, 0), (1, 1)]);
        // A game without variations counts the same either way.
        let plain = game("h8h9i9", Some(GameResult::Draw));
        let (mut one, mut other) = (Explorer::default(), Explorer::default());
        one.add_game(&plain);
        other.add(&GameTree::of(&plain));
        assert_eq!(one.positions, other.positions);
    }
}
