//! Openings: what was played in a position, and how the games ended.
//!
//! Every position of the games is counted under one key for its rule and all its symmetries, so that the
//! next moves from a position are those free points that lead to a position known. Transpositions join
//! by themselves. Most positions of a collection come once: those take a few bytes each.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::game_tree::{GameTree, Play};
use super::tree::NodeId;
use super::{Game, GameResult};
use crate::board::{POINTS, Point, Side, Variant};

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

impl Record {
    fn add(&mut self, lines: u32, result: Option<GameResult>) {
        self.lines = self.lines.saturating_add(lines);
        match result {
            Some(GameResult::Win(Side::Black)) => self.black += 1,
            Some(GameResult::Win(Side::White)) => self.white += 1,
            Some(GameResult::Draw) => self.draws += 1,
            None => {}
        }
    }
}

/// A move from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// Where; of points that the position's symmetry makes alike the first.
    pub point: Point,
    /// What is known of the position after it.
    pub record: Record,
}

/// Games of one size and rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The longer side of the board.
    pub long: u8,
    /// The shorter one.
    pub short: u8,
    /// The rule.
    pub variant: Variant,
}

impl Kind {
    /// The kind of games with these sides, in any order, and this rule.
    pub fn new(width: u8, height: u8, variant: Variant) -> Kind {
        Kind { long: width.max(height), short: width.min(height), variant }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    positions: HashMap<Key, Seen, BuildHasherDefault<KeyHasher>>,
    /// Of positions that came more than once.
    records: Vec<Record>,
    lines: Vec<(Kind, u64)>,
}

impl Explorer {
    /// Number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines.iter().map(|(_, lines)| lines).sum()
    }

    /// Number of lines counted of each kind.
    pub fn kinds(&self) -> &[(Kind, u64)] {
        &self.lines
    }

    /// Number of different positions known.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Count a game without variations.
    pub fn add_game(&mut self, game: &Game) {
        let mut walk = self.walk(game);
        game.points().for_each(|point| walk.step(Play::Stone(point)));
        walk.end();
    }

    /// Count a game with its variations, each as a line; the result is the main line's.
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
        walk.end();
    }

    /// Begin to walk through the lines of a game; its moves do not matter.
    pub fn walk(&mut self, game: &Game) -> Walk<'_> {
        let kind = Kind::new(game.width, game.height, game.variant);
        let keys = Keys::new(game.width, game.height, game.variant);
        let root = Place { keys: Some(keys), stone: None, counts: true, lines: 0, is_main: true };
        let taken = [false; POINTS];
        Walk { explorer: self, kind, result: game.result, path: vec![root], taken }
    }

    fn count(&mut self, key: Key, lines: u32, result: Option<GameResult>) {
        use std::collections::hash_map::Entry;
        match self.positions.entry(key) {
            Entry::Vacant(entry) if lines == 1 => {
                entry.insert(Seen::once(result));
            }
            Entry::Vacant(entry) => {
                let mut record = Record::default();
                record.add(lines, result);
                entry.insert(Seen::often(&mut self.records, record));
            }
            Entry::Occupied(mut entry) => match entry.get().place() {
                Some(place) => self.records[place].add(lines, result),
                None => {
                    let mut record = entry.get().record(&self.records);
                    record.add(lines, result);
                    entry.insert(Seen::often(&mut self.records, record));
                }
            },
        }
    }

    fn record(&self, keys: &Keys) -> Option<Record> {
        self.positions.get(&keys.least()).map(|seen| seen.record(&self.records))
    }

    /// What is known of the position after these moves, and the moves from it, the most played first.
    pub fn look(
        &self,
        (width, height): (u8, u8),
        variant: Variant,
        moves: &[Point],
    ) -> (Record, Vec<Next>) {
        let mut keys = Keys::new(width, height, variant);
        for (side, &p) in sides().zip(moves) {
            keys.place(p, side);
        }
        let here = self.record(&keys).unwrap_or_default();
        let side = side_after(moves.len());
        let mut seen = std::collections::HashSet::new();
        let mut next = Vec::new();
        for p in (0..height).flat_map(|y| (0..width).filter_map(move |x| Point::new(x, y))) {
            if here.lines == 0 || moves.contains(&p) {
                continue;
            }
            let mut after = keys.clone();
            after.place(p, side);
            if let Some(record) = self.record(&after)
                && seen.insert(after.least())
            {
                next.push(Next { point: p, record });
            }
        }
        next.sort_by_key(|next| std::cmp::Reverse(next.record.lines));
        (here, next)
    }
}

/// A way through the lines of a game, as libraries are written: moves, and steps back. A position is
/// counted when it is left, with the lines that led through it.
pub struct Walk<'a> {
    explorer: &'a mut Explorer,
    kind: Kind,
    result: Option<GameResult>,
    path: Vec<Place>,
    taken: [bool; POINTS],
}

/// A node on the way to the latest.
struct Place {
    /// `None` after a pass, or a move that there is none: what follows is no position of a game.
    keys: Option<Keys>,
    /// What lies there since this node.
    stone: Option<Point>,
    /// Whether its position is another than the one before.
    counts: bool,
    /// Lines through it that have ended.
    lines: u32,
    is_main: bool,
}

impl Walk<'_> {
    /// Go on.
    pub fn step(&mut self, play: Play) {
        let Some(above) = self.path.last() else { return };
        // The main line is the first one down.
        let is_main = above.is_main && above.lines == 0;
        let legal = |p: &Point| {
            let fits = |keys: &Keys| p.x() < keys.width && p.y() < keys.height;
            above.keys.as_ref().is_some_and(fits) && !self.taken[p.index()]
        };
        let (keys, stone) = match play {
            Play::Nothing => (above.keys.clone(), None),
            Play::Stone(p) if legal(&p) => {
                let mut keys = above.keys.clone();
                keys.iter_mut().for_each(|keys| keys.place(p, side_after(keys.stones)));
                (keys, Some(p))
            }
            Play::Stone(_) | Play::Pass => (None, None),
        };
        if let Some(p) = stone {
            self.taken[p.index()] = true;
        }
        self.path.push(Place { keys, stone, counts: stone.is_some(), lines: 0, is_main });
    }

    /// Go back to the node before.
    pub fn back(&mut self) {
        let Some(left) = self.path.pop() else { return };
        let lines = left.lines.max(1);
        if let Some(p) = left.stone {
            self.taken[p.index()] = false;
        }
        if let Some(keys) = left.keys.filter(|_| left.counts) {
            self.explorer.count(keys.least(), lines, self.result.filter(|_| left.is_main));
        }
        match self.path.last_mut() {
            Some(above) => above.lines = above.lines.saturating_add(lines),
            None => {
                let known = self.explorer.lines.iter_mut().find(|(kind, _)| *kind == self.kind);
                match known {
                    Some((_, sum)) => *sum += u64::from(lines),
                    None => self.explorer.lines.push((self.kind, u64::from(lines))),
                }
            }
        }
    }

    /// Whether nothing has been counted.
    pub fn is_at_beginning(&self) -> bool {
        matches!(&*self.path, [root] if root.lines == 0)
    }

    /// End without counting what was not left yet.
    pub fn forget(self) {}

    /// Go back to the beginning.
    pub fn end(mut self) {
        while !self.path.is_empty() {
            self.back();
        }
    }
}

/// Who makes the first, the second, .. move.
fn sides() -> impl Iterator<Item = Side> {
    Side::BOTH.into_iter().cycle()
}

/// Who moves after so many stones.
fn side_after(stones: usize) -> Side {
    if stones.is_multiple_of(2) { Side::Black } else { Side::White }
}

/// What is known of a position in four bytes: a position that came once by its result, others by a
/// place in the list of records.
#[derive(Clone, Copy, Debug)]
struct Seen(u32);

impl Seen {
    const ONCE: [Option<GameResult>; 4] = [
        None,
        Some(GameResult::Win(Side::Black)),
        Some(GameResult::Win(Side::White)),
        Some(GameResult::Draw),
    ];

    fn once(result: Option<GameResult>) -> Seen {
        let code = (0..).zip(Seen::ONCE).find(|(_, known)| *known == result);
        Seen(code.map_or(0, |(code, _)| code))
    }

    fn often(records: &mut Vec<Record>, record: Record) -> Seen {
        records.push(record);
        let place = u32::try_from(records.len() - 1 + Seen::ONCE.len());
        Seen(place.expect("fewer positions than memory has bytes"))
    }

    fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Seen::ONCE.len())
    }

    fn record(self, records: &[Record]) -> Record {
        match self.place() {
            Some(place) => records[place],
            None => {
                let mut record = Record::default();
                record.add(1, Seen::ONCE[self.0 as usize]);
                record
            }
        }
    }
}

/// A position's key, in halves, so that it takes no room for alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key([u32; 2]);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.0[0]) << 32 | u64::from(self.0[1]));
    }
}

/// Keys are mixed already; only the least of several has lost the evenness of its upper bits.
#[derive(Clone, Copy, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = mixed(self.0 ^ n);
    }
}

/// The keys of a position, one for each symmetry of its board.
#[derive(Clone, Debug)]
struct Keys {
    width: u8,
    height: u8,
    stones: usize,
    keys: [u64; 8],
}

impl Keys {
    fn new(width: u8, height: u8, variant: Variant) -> Keys {
        let Kind { long, short, .. } = Kind::new(width, height, variant);
        let rule = u64::from(variant.rule().number()) << 8 | u64::from(variant.win_length());
        let kind = rule << 16 | u64::from(short) << 8 | u64::from(long);
        Keys { width, height, stones: 0, keys: [mixed(kind); 8] }
    }

    fn place(&mut self, p: Point, side: Side) {
        self.stones += 1;
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
    fn least(&self) -> Key {
        let symmetries = if self.width == self.height { 8 } else { 4 };
        let least = self.keys[..symmetries].iter().copied().min().unwrap_or(0);
        Key([(least >> 32) as u32, least as u32])
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
        let (here, next) = explorer.look((15, 15), Variant::FREESTYLE, &points("h8", 15));
        assert_eq!(here, Record { lines: 4, black: 2, white: 1, draws: 0 });
        assert_eq!(next.len(), 1, "all four neighbours are alike: {next:?}");
        assert_eq!(next[0].record.lines, 4);
        let (here, next) = explorer.look((15, 15), Variant::FREESTYLE, &points("h8h9", 15));
        assert_eq!((here.lines, next.len()), (4, 1));
        // i9 and g9 are alike after h8 h9; the draw came by another order.
        assert_eq!(next[0].record, Record { lines: 4, black: 2, white: 1, draws: 1 });
        assert_eq!(
            explorer.look((15, 15), Variant::FREESTYLE, &points("a1", 15)),
            (Record::default(), Vec::new())
        );
        assert_eq!(explorer.lines(), 5);
    }

    #[test]
    fn boards_that_are_not_square_have_fewer_symmetries() {
        let mut explorer = Explorer::default();
        let moves = points("a1", 10).into_iter().map(Move::new).collect();
        explorer.add_game(&Game { moves, ..Game::new(12, 10, Variant::FREESTYLE) });
        let lines = |width, height, text| {
            explorer.look((width, height), Variant::FREESTYLE, &points(text, height)).0.lines
        };
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
        let (here, next) = explorer.look((15, 15), Variant::FREESTYLE, &points("h8", 15));
        assert_eq!(here, Record { lines: 3, black: 1, white: 0, draws: 0 });
        let lines: Vec<(u32, u32)> =
            next.iter().map(|next| (next.record.lines, next.record.black)).collect();
        assert_eq!(lines, [(2, 0), (1, 1)]);
        // A game without variations counts the same either way.
        let plain = game("h8h9i9", Some(GameResult::Draw));
        let (mut one, mut other) = (Explorer::default(), Explorer::default());
        one.add_game(&plain);
        other.add(&GameTree::of(&plain));
        assert_eq!(one.positions(), other.positions());
        for moves in ["", "h8", "h8h9", "h8h9i9"] {
            let look = |explorer: &Explorer| {
                explorer.look((15, 15), Variant::FREESTYLE, &points(moves, 15))
            };
            assert_eq!(look(&one), look(&other));
        }
    }

    #[test]
    fn each_rule_has_its_own_openings() {
        let mut explorer = Explorer::default();
        explorer.add_game(&game("h8h9", None));
        explorer.add_game(&Game { variant: Variant::RENJU, ..game("h8i9", None) });
        explorer.add_game(&Game { variant: Variant::RENJU, ..game("h8i9", None) });
        let lines = |variant, text| explorer.look((15, 15), variant, &points(text, 15)).0.lines;
        assert_eq!([lines(Variant::FREESTYLE, "h8"), lines(Variant::RENJU, "h8")], [1, 2]);
        assert_eq!(lines(Variant::FREESTYLE, "h8i9"), 0);
        let kind = |variant| Kind::new(15, 15, variant);
        assert_eq!(explorer.kinds(), [(kind(Variant::FREESTYLE), 1), (kind(Variant::RENJU), 2)]);
    }

    #[test]
    fn what_follows_a_move_that_there_is_none_is_not_counted() {
        let mut explorer = Explorer::default();
        for text in ["h8h8i9", "h8i9"] {
            explorer.add_game(&game(text, None));
        }
        let tree = sgf::read_trees("(;GM[4]SZ[15];B[hh];W[pp];B[gg])").unwrap().remove(0);
        explorer.add(&tree);
        let (here, next) = explorer.look((15, 15), Variant::FREESTYLE, &points("h8", 15));
        assert_eq!((here.lines, next.len(), explorer.positions()), (3, 1, 3), "{next:?}");
    }

    #[test]
    fn a_position_that_comes_once_is_as_well_known_as_others() {
        let results = Seen::ONCE;
        for result in results {
            let mut explorer = Explorer::default();
            explorer.add_game(&game("h8", result));
            let (mut once, mut twice) = (Record::default(), Record::default());
            once.add(1, result);
            let look = |explorer: &Explorer| {
                explorer.look((15, 15), Variant::FREESTYLE, &points("h8", 15)).0
            };
            assert_eq!(look(&explorer), once);
            explorer.add_game(&game("h8i9", result));
            twice.add(1, result);
            twice.add(1, result);
            assert_eq!(look(&explorer), twice);
        }
    }
}
