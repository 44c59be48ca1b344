//! From the cells around a point to the shapes that a stone there makes.
//!
//! A shape depends on the cells within [`FiveRule::reach`] of the point. Each half of such a window
//! is first turned into a compact number (nothing beyond a wall counts, so halves are grouped by the
//! distance of their wall and written in base three), then the pair of numbers indexes one byte: the
//! shape for Black in its lower four bits, the shape for White in its upper four. The
//! [code of the line](super::line_code) comes from the same halves.
//!
//! ```text
//!   reach   cells   codes per half   table
//!     2       5            13        169 B     freestyle, three in a row
//!     3       7            40        1.6 KiB   freestyle, four; standard, three
//!     4       9           121         14 KiB   freestyle; standard, four
//!     5      11           364        129 KiB   standard, renju, caro; freestyle, six
//!     6      13          1093        1.1 MiB   standard, six
//! ```
//!
//! Shapes are defined by what they can become (`Builder::shape`): a three is what one more stone
//! makes a four. So one recursion over "add one more stone" serves every rule and win length.

use std::sync::OnceLock;

use crate::board::lines::REGION_REACH;
use crate::board::{FiveRule, Side, Variant};

use super::Shape;
use super::line_code::{self, ARMS, Pairs};

/// Largest reach of any rule, in cells.
const MAX_REACH: u32 = 6;
/// Raw halves: two bits a cell.
const RAW_HALVES: usize = 1 << (2 * MAX_REACH);

/// Shapes of both colours for every window of one variant, and codes of lines.
pub struct LineTable {
    reach: u32,
    mask: u64,
    /// Raw cells before the point → row of `shapes` (already multiplied by the row length).
    before: Box<[Half; RAW_HALVES]>,
    /// Raw cells after the point → position in the row.
    after: Box<[Half; RAW_HALVES]>,
    shapes: Vec<u8>,
    lines: &'static Pairs,
}

/// What a half of a window adds to the indices of `shapes` and of [`line_code::pairs`].
#[derive(Clone, Copy, Default)]
struct Half {
    shape: u32,
    line: u32,
}

impl LineTable {
    /// The table of `variant`, built at first use and kept.
    pub fn of(variant: Variant) -> &'static LineTable {
        static TABLES: [OnceLock<LineTable>; Variant::COUNT] =
            [const { OnceLock::new() }; Variant::COUNT];
        TABLES[variant.index()].get_or_init(|| LineTable::build(variant))
    }

    /// How far a stone changes the shapes of other points, in cells.
    pub fn reach(&self) -> i32 {
        self.reach as i32
    }

    /// The shapes at cell `k` of a [`Region`](crate::board::lines::Region) (its bits): Black's in the
    /// lower four bits, White's in the upper four.
    #[inline]
    pub fn shapes(&self, region: u64, k: i32) -> u8 {
        self.of_line(region).shapes(k)
    }

    /// For many cells of one region.
    #[inline]
    pub fn of_line(&self, region: u64) -> OfLine<'_> {
        let LineTable { reach, mask, before, after, shapes, lines } = self;
        OfLine { region, reach: *reach, mask: *mask, before, after, shapes, lines }
    }

    fn build(variant: Variant) -> LineTable {
        let rules = Side::BOTH.map(|side| variant.five_rule(side));
        let reach = rules[0].reach().max(rules[1].reach());
        let halves = Halves::new(reach);
        let count = halves.arms.len();
        let restricted = Side::BOTH.map(|side| variant.has_forbidden(side));
        let black = Builder::new(&halves, rules[0], Side::Black, restricted[0]).build();
        let white = Builder::new(&halves, rules[1], Side::White, restricted[1]).build();
        let arms: Vec<usize> = halves.cells.iter().map(|cells| line_code::arm(cells)).collect();
        let half = |code: usize, row: usize, arm: usize| Half {
            shape: (code * row) as u32,
            line: (arms[code] * arm) as u32,
        };
        let mut before = Box::new([Half::default(); RAW_HALVES]);
        let mut after = Box::new([Half::default(); RAW_HALVES]);
        for raw in 0..1usize << (2 * reach) {
            let nearest_first = |i: u32| (raw >> (2 * i)) & 0b11;
            after[raw] = half(halves.code(nearest_first), 1, 1);
            before[raw] = half(halves.code(|i| nearest_first(reach - 1 - i)), count, ARMS);
        }
        let shapes = black.iter().zip(&white).map(|(b, w)| b | w << 4).collect();
        let (mask, lines) = ((1 << (2 * reach)) - 1, line_code::pairs());
        LineTable { reach, mask, before, after, shapes, lines }
    }
}

/// The table, looked at for the cells of one region.
pub struct OfLine<'t> {
    region: u64,
    reach: u32,
    mask: u64,
    before: &'t [Half; RAW_HALVES],
    after: &'t [Half; RAW_HALVES],
    shapes: &'t [u8],
    lines: &'static Pairs,
}

impl OfLine<'_> {
    /// [`LineTable::shapes`] at cell `k` of the region.
    #[inline]
    pub fn shapes(&self, k: i32) -> u8 {
        self.look(k).0
    }

    /// The shapes at cell `k` of the region, and the [code of the line](super::line_code) around it.
    #[inline]
    pub fn look(&self, k: i32) -> (u8, u16) {
        let centre = (REGION_REACH as i32 + k) as u32;
        let before = (self.region >> (2 * (centre - self.reach))) & self.mask;
        let after = (self.region >> (2 * (centre + 1))) & self.mask;
        let row = self.before[before as usize % RAW_HALVES];
        let column = self.after[after as usize % RAW_HALVES];
        let shapes = self.shapes[(row.shape + column.shape) as usize];
        (shapes, self.lines[(row.line + column.line) as usize % self.lines.len()])
    }
}

/// The numbering of half windows, and what is needed of each.
struct Halves {
    reach: u32,
    /// First code of the halves whose wall is `reach - i` cells away, for `i` from 0.
    offsets: Vec<usize>,
    /// Per code and colour: stones in a row from the point on.
    arms: Vec<[u8; 2]>,
    /// Per code: the cells up to the wall, nearest first; 0 empty, 1 black, 2 white.
    cells: Vec<Vec<u8>>,
}

const EMPTY: u8 = 0;

impl Halves {
    fn new(reach: u32) -> Halves {
        let mut halves = Halves { reach, offsets: Vec::new(), arms: Vec::new(), cells: Vec::new() };
        for length in (0..=reach).rev() {
            halves.offsets.push(halves.cells.len());
            for digits in 0..3usize.pow(length) {
                let cells: Vec<u8> =
                    (0..length).map(|i| (digits / 3usize.pow(i) % 3) as u8).collect();
                let arm = |stone| cells.iter().take_while(|&&cell| cell == stone).count() as u8;
                halves.arms.push([arm(1), arm(2)]);
                halves.cells.push(cells);
            }
        }
        halves
    }

    /// The code of these cells with a wall behind them.
    fn code_of(&self, cells: &[u8]) -> usize {
        self.code(|i| match cells.get(i as usize) {
            None => 0b00,
            Some(&EMPTY) => 0b11,
            Some(&stone) => usize::from(stone),
        })
    }

    /// The code of the half whose `i`-th cell from the point on has the bits `cell(i)`.
    fn code(&self, cell: impl Fn(u32) -> usize) -> usize {
        let length = (0..self.reach).take_while(|&i| cell(i) != 0).count() as u32;
        let digits = (0..length).map(|i| (cell(i) % 3) * 3usize.pow(i)).sum::<usize>();
        self.offsets[(self.reach - length) as usize] + digits
    }
}

/// Computes the shapes of one colour.
struct Builder<'a> {
    halves: &'a Halves,
    rule: FiveRule,
    own: u8,
    restricted: bool,
    /// Per half: the half without what an opponent stone hides from us.
    visible: Vec<usize>,
    /// Memo, indexed by both visible halves; [`UNKNOWN`] where not computed yet.
    shapes: Vec<u8>,
}

const UNKNOWN: u8 = u8::MAX;

/// A window around a stone: the codes of its halves.
#[derive(Clone, Copy)]
struct Window {
    before: usize,
    after: usize,
}

/// A cell of a window: which half, and how far from the centre (from 0).
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    in_after: bool,
    index: u32,
}

impl Spot {
    /// Position along the line, the centre being 0.
    fn position(self) -> i32 {
        let distance = self.index as i32 + 1;
        if self.in_after { distance } else { -distance }
    }
}

impl<'a> Builder<'a> {
    fn new(halves: &'a Halves, rule: FiveRule, side: Side, restricted: bool) -> Builder<'a> {
        let own = side.index() as u8 + 1;
        let visible = |cells: &Vec<u8>| {
            let open = cells.iter().take_while(|&&cell| cell != 3 - own).count();
            // The opponent's stone itself acts as a wall, unless it may enclose a five.
            let length = if rule.needs_free_end() { (open + 1).min(cells.len()) } else { open };
            halves.code_of(&cells[..length])
        };
        let visible = halves.cells.iter().map(visible).collect();
        let shapes = vec![UNKNOWN; halves.cells.len() * halves.cells.len()];
        Builder { halves, rule, own, restricted, visible, shapes }
    }

    fn build(mut self) -> Vec<u8> {
        let count = self.halves.cells.len();
        let mut all = Vec::with_capacity(count * count);
        for before in 0..count {
            for after in 0..count {
                all.push(self.shape(Window { before, after }) as u8);
            }
        }
        all
    }

    fn slot(&self, w: Window) -> usize {
        w.before * self.halves.cells.len() + w.after
    }

    /// The shape of a stone of our colour in the centre of the window.
    fn shape(&mut self, w: Window) -> Shape {
        let w = Window { before: self.visible[w.before], after: self.visible[w.after] };
        let slot = self.slot(w);
        if self.shapes[slot] == UNKNOWN {
            self.shapes[slot] = self.classify(w) as u8;
        }
        Shape::from_index(usize::from(self.shapes[slot]))
    }

    fn classify(&mut self, w: Window) -> Shape {
        if self.is_five(w) {
            return Shape::Five;
        }
        if self.rule.longer_fails() && self.run(w) > self.rule.length() {
            return Shape::Overline;
        }
        let spots = self.open_spots(w);
        let children: Vec<Shape> =
            spots.iter().map(|&s| self.shape(self.with(w, s, self.own))).collect();
        let count =
            |wanted: &dyn Fn(Shape) -> bool| children.iter().filter(|&&s| wanted(s)).count();
        if count(&|s| s == Shape::Five) > 0 {
            return self.classify_four(w, &spots, &children);
        }
        // A double four is as good as an open four, except for Black in renju: it is forbidden.
        let restricted = self.restricted;
        match count(&|s| s == Shape::OpenFour || (s == Shape::DoubleFour && !restricted)) {
            0 => {}
            1 => return Shape::OpenThree,
            _ => return Shape::OpenThreeBest,
        }
        if count(&|s| s == Shape::Four) > 0 {
            return Shape::Three;
        }
        match count(&|s| matches!(s, Shape::OpenThree | Shape::OpenThreeBest)) {
            0 => {}
            1 | 2 => return Shape::OpenTwo,
            3 => return Shape::OpenTwoGood,
            _ => return Shape::OpenTwoBest,
        }
        match children.iter().max() {
            Some(Shape::Three) => Shape::Two,
            Some(Shape::OpenTwo | Shape::OpenTwoGood | Shape::OpenTwoBest) => Shape::OpenOne,
            Some(Shape::Two | Shape::OpenOne | Shape::One) => Shape::One,
            _ => Shape::Dead,
        }
    }

    /// The kind of a four: `children` tells what our stone on each of the `spots` makes.
    fn classify_four(&self, w: Window, spots: &[Spot], children: &[Shape]) -> Shape {
        let fives: Vec<Spot> = spots
            .iter()
            .zip(children)
            .filter(|&(_, &shape)| shape == Shape::Five)
            .map(|(&spot, _)| spot)
            .collect();
        // Whether five can still be made whatever single stone the opponent puts on this line. In
        // caro he may also stop a five by closing its second end.
        let opponent = 3 - self.own;
        let survives = |reply: Spot| {
            let replied = self.with(w, reply, opponent);
            fives.iter().any(|&f| f != reply && self.is_five(self.with(replied, f, self.own)))
        };
        if !self.empty_spots(w).into_iter().all(survives) {
            return Shape::Four;
        }
        let positions = fives.iter().map(|f| f.position());
        let span = positions.clone().max().unwrap_or(0) - positions.min().unwrap_or(0);
        // Two completions one win length apart belong to the same four stones.
        if fives.len() == 2 && span == self.rule.length() as i32 {
            Shape::OpenFour
        } else {
            Shape::DoubleFour
        }
    }

    fn run(&self, w: Window) -> u32 {
        let arm = |half: usize| u32::from(self.halves.arms[half][usize::from(self.own) - 1]);
        arm(w.before) + arm(w.after) + 1
    }

    fn is_five(&self, w: Window) -> bool {
        let opponent = 3 - self.own;
        let closed = |half: usize| {
            let arm = self.halves.arms[half][usize::from(self.own) - 1];
            self.halves.cells[half].get(usize::from(arm)) == Some(&opponent)
        };
        self.rule.wins(self.run(w), closed(w.before) && closed(w.after))
    }

    /// All empty cells of the window.
    fn empty_spots(&self, w: Window) -> Vec<Spot> {
        self.spots(w, |cells| cells.len())
    }

    /// The empty cells that no opponent stone separates from the centre.
    fn open_spots(&self, w: Window) -> Vec<Spot> {
        let opponent = 3 - self.own;
        self.spots(w, |cells| cells.iter().take_while(|&&cell| cell != opponent).count())
    }

    fn spots(&self, w: Window, limit: impl Fn(&[u8]) -> usize) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(12);
        for (half, in_after) in [(w.before, false), (w.after, true)] {
            let cells = &self.halves.cells[half];
            for (index, &cell) in cells[..limit(cells)].iter().enumerate() {
                if cell == EMPTY {
                    spots.push(Spot { in_after, index: index as u32 });
                }
            }
        }
        spots
    }

    /// The window with a stone (1 black, 2 white) on an empty spot.
    fn with(&self, w: Window, spot: Spot, stone: u8) -> Window {
        let step = usize::from(stone) * 3usize.pow(spot.index);
        if spot.in_after {
            Window { after: w.after + step, ..w }
        } else {
            Window { before: w.before + step, ..w }
        }
    }
}
