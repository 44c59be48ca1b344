//! Tables from the cells around a point to the shapes that a stone there makes.
//!
//! A shape depends on the cells within [`FiveRule::reach`] of the point. Each half of this window
//! is converted to a compact code. Cells beyond a wall do not count, so halves are grouped by the
//! distance of their wall and written in base three. The pair of codes indexes one byte: Black's
//! shape in the lower four bits, White's in the upper four. The [line code](super::line_code) comes
//! from the same halves.
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
//! A shape is defined by the shapes that it can become (`Builder::shape`): a three becomes a four
//! with one more stone. So a single recursion over additional stones covers every rule and win
//! length.

use std::sync::OnceLock;

use crate::board::lines::REGION_REACH;
use crate::board::{FiveRule, Side, Variant};

use super::Shape;
use super::line_code::{self, ARMS, Pairs};

/// Maximum reach of any rule, in cells.
const MAX_REACH: u32 = 6;
/// Number of raw halves, with two bits per cell.
const RAW_HALVES: usize = 1 << (2 * MAX_REACH);

/// Shapes of both colours for every window of one variant, and line codes.
pub struct LineTable {
    reach: u32,
    mask: u64,
    /// Raw cells before the point → row of `shapes` (multiplied by the row length).
    before: Box<[Half; RAW_HALVES]>,
    /// Raw cells after the point → index in the row.
    after: Box<[Half; RAW_HALVES]>,
    shapes: Vec<u8>,
    lines: &'static Pairs,
}

/// Contribution of a half of a window to the indices of `shapes` and of [`line_code::pairs`].
#[derive(Clone, Copy, Default)]
struct Half {
    shape: u32,
    line: u32,
}

impl LineTable {
    /// Returns the table of `variant`, built at first use.
    pub fn of(variant: Variant) -> &'static LineTable {
        static TABLES: [OnceLock<LineTable>; Variant::COUNT] =
            [const { OnceLock::new() }; Variant::COUNT];
        TABLES[variant.index()].get_or_init(|| LineTable::build(variant))
    }

    /// Returns the maximum distance at which a stone changes the shapes of a point, in cells.
    pub fn reach(&self) -> i32 {
        self.reach as i32
    }

    /// Returns the shapes at cell `k` of a [`Region`](crate::board::lines::Region), given its bits:
    /// Black's shape in the lower four bits, White's in the upper four.
    #[inline]
    pub fn shapes(&self, region: u64, k: i32) -> u8 {
        self.line(region).shapes(k)
    }

    /// Returns a view for many cells of one region.
    #[inline]
    pub fn line(&self, region: u64) -> LineView<'_> {
        let LineTable { reach, mask, before, after, shapes, lines } = self;
        LineView { region, reach: *reach, mask: *mask, before, after, shapes, lines }
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

/// A view of the table for the cells of one region.
pub struct LineView<'t> {
    region: u64,
    reach: u32,
    mask: u64,
    before: &'t [Half; RAW_HALVES],
    after: &'t [Half; RAW_HALVES],
    shapes: &'t [u8],
    lines: &'static Pairs,
}

impl LineView<'_> {
    /// Returns [`LineTable::shapes`] at cell `k` of the region.
    #[inline]
    pub fn shapes(&self, k: i32) -> u8 {
        self.lookup(k).0
    }

    /// Returns the shapes at cell `k` of the region, and the [line code](super::line_code) around
    /// it.
    #[inline]
    pub fn lookup(&self, k: i32) -> (u8, u16) {
        let centre = (REGION_REACH as i32 + k) as u32;
        let before = (self.region >> (2 * (centre - self.reach))) & self.mask;
        let after = (self.region >> (2 * (centre + 1))) & self.mask;
        let row = self.before[before as usize % RAW_HALVES];
        let column = self.after[after as usize % RAW_HALVES];
        let shapes = self.shapes[(row.shape + column.shape) as usize];
        (shapes, self.lines[(row.line + column.line) as usize % self.lines.len()])
    }
}

/// The codes of half windows, and their properties.
struct Halves {
    reach: u32,
    /// First code of the halves with a wall at distance `reach - i`, for `i` from 0.
    offsets: Vec<usize>,
    /// By code and colour: stones in a row from the point on.
    arms: Vec<[u8; 2]>,
    /// By code: cells up to the wall, nearest first; 0 empty, 1 black, 2 white.
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

    /// Returns the code of these cells with a wall behind them.
    fn code_of(&self, cells: &[u8]) -> usize {
        self.code(|i| match cells.get(i as usize) {
            None => 0b00,
            Some(&EMPTY) => 0b11,
            Some(&stone) => usize::from(stone),
        })
    }

    /// Returns the code of the half whose `i`-th cell from the point has the bits `cell(i)`.
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
    /// By half: the half without cells behind an opponent's stone.
    visible: Vec<usize>,
    /// Memoized shapes by both visible halves; [`UNKNOWN`] if not computed yet.
    shapes: Vec<u8>,
}

const UNKNOWN: u8 = u8::MAX;

/// A window around a stone: the codes of its halves.
#[derive(Clone, Copy)]
struct Window {
    before: usize,
    after: usize,
}

/// A cell of a window: its half and its distance from the centre (from 0).
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    in_after: bool,
    index: u32,
}

impl Spot {
    /// Returns the position along the line, relative to the centre.
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
            // An opponent's stone is a wall, unless the rule counts stones that enclose a five.
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

    /// Returns the shape of an own stone in the centre of the window.
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
        // A double four is as strong as an open four, but forbidden for Black in renju.
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

    /// Returns the kind of a four. `children` are the shapes of an own stone on each of the
    /// `spots`.
    fn classify_four(&self, w: Window, spots: &[Spot], children: &[Shape]) -> Shape {
        let fives: Vec<Spot> = spots
            .iter()
            .zip(children)
            .filter(|&(_, &shape)| shape == Shape::Five)
            .map(|(&spot, _)| spot)
            .collect();
        // Test if a five remains after each reply on this line. In caro, a reply may also stop a
        // five by closing its second end.
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
        // Two fives at a distance of the win length complete the same four stones.
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

    /// Returns all empty cells of the window.
    fn empty_spots(&self, w: Window) -> Vec<Spot> {
        self.spots(w, |cells| cells.len())
    }

    /// Returns the empty cells that no opponent's stone separates from the centre.
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

    /// Returns the window with a stone (1 black, 2 white) on an empty cell.
    fn with(&self, w: Window, spot: Spot, stone: u8) -> Window {
        let step = usize::from(stone) * 3usize.pow(spot.index);
        if spot.in_after {
            Window { after: w.after + step, ..w }
        } else {
            Window { before: w.before + step, ..w }
        }
    }
}
