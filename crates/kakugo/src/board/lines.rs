//! Every line of the board as a bit string, two bits a cell.
//!
//! ```text
//! 00 wall (edge, blocked point)   01 black   10 white   11 empty
//! ```
//!
//! A stone clears one bit of an empty cell, so playing and undoing are the same XOR. Each line has
//! twelve wall cells before its first and after its last possible cell. The 25 cells around any
//! point ([`Region`]) are therefore one shift away, without checks for edges. (The encoding with
//! one bit cleared per stone is known from Rapfi.)

use super::point::{Direction, Point};
use super::rule::{FiveRule, Side};

/// Cells to each side of the centre that a [`Region`] holds.
pub const REGION_REACH: u32 = 12;

/// The content of a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Off the board, or blocked: neither side can play there.
    Wall,
    /// A stone.
    Stone(Side),
    /// Free.
    Empty,
}

/// Returns the bits of a cell with a stone. Those of the other colour are the complement.
const fn code(side: Side) -> u128 {
    match side {
        Side::Black => 0b01,
        Side::White => 0b10,
    }
}

/// All lines of a board in all four directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    lines: [[u128; 64]; 4],
}

/// Returns the line of this direction through a point, and the bit position of the point's cell.
fn place(p: Point, direction: Direction) -> (usize, u32) {
    let (x, y) = (p.x() as usize, p.y() as usize);
    let (line, position) = match direction {
        Direction::Horizontal => (y, x),
        Direction::Vertical => (x, y),
        Direction::Diagonal => (31 + x - y, x),
        Direction::AntiDiagonal => (x + y, x),
    };
    (line % 64, 2 * (position as u32 + REGION_REACH))
}

impl Lines {
    /// Returns lines of walls only.
    pub fn walls() -> Lines {
        Lines { lines: [[0; 64]; 4] }
    }

    fn xor(&mut self, p: Point, bits: u128) {
        for direction in Direction::ALL {
            let (line, shift) = place(p, direction);
            self.lines[direction.index()][line] ^= bits << shift;
        }
    }

    /// Turns a wall into an empty cell or back.
    pub fn toggle_wall(&mut self, p: Point) {
        self.xor(p, 0b11);
    }

    /// Turns an empty cell into a stone of `side`, or that stone back into an empty cell.
    pub fn toggle_stone(&mut self, p: Point, side: Side) {
        self.xor(p, 0b11 ^ code(side));
    }

    /// Returns the content of `p`.
    pub fn cell(&self, p: Point) -> Cell {
        let (line, shift) = place(p, Direction::Horizontal);
        match (self.lines[Direction::Horizontal.index()][line] >> shift) & 0b11 {
            0b00 => Cell::Wall,
            0b01 => Cell::Stone(Side::Black),
            0b10 => Cell::Stone(Side::White),
            _ => Cell::Empty,
        }
    }

    /// Returns the cells around `p` in `direction`.
    pub fn region(&self, p: Point, direction: Direction) -> Region {
        let (line, shift) = place(p, direction);
        let bits = self.lines[direction.index()][line];
        Region((bits >> (shift - 2 * REGION_REACH)) as u64)
    }
}

/// Up to twelve cells to each side of a centre, along one line.
///
/// Cell `k` (from -12 to 12, 0 the centre) has its two bits at position `2 * (12 + k)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region(u64);

/// The lower bit of every cell.
const LOW: u64 = 0x5555_5555_5555_5555;
const CENTRE: u32 = 2 * REGION_REACH;

impl Region {
    /// The raw bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns true if cell `k` is empty.
    pub const fn is_empty(self, k: i32) -> bool {
        (self.0 >> (CENTRE as i32 + 2 * k)) & 0b11 == 0b11
    }

    /// Returns true if a stone of `side` stands on cell `k`.
    pub const fn is_stone(self, k: i32, side: Side) -> bool {
        (self.0 >> (CENTRE as i32 + 2 * k)) as u128 & 0b11 == code(side)
    }

    /// Returns the same cells with a stone of `side` on the empty cell `k`.
    pub const fn with_stone(self, k: i32, side: Side) -> Region {
        Region(self.0 ^ ((0b11 ^ code(side) as u64) << (CENTRE as i32 + 2 * k)))
    }

    /// Returns the lower bit of each cell that holds a stone of `side`.
    const fn stones(self, side: Side) -> u64 {
        match side {
            Side::Black => self.0 & !(self.0 >> 1) & LOW,
            Side::White => !self.0 & (self.0 >> 1) & LOW,
        }
    }

    /// Returns the numbers of stones of `side` in a row before and after cell `k`, the cell itself
    /// not counted: `(before, after)` (`k` from -11 to 12).
    pub const fn arms(self, k: i32, side: Side) -> (u32, u32) {
        let stones = self.stones(side);
        let at = (CENTRE as i32 + 2 * k) as u32;
        let gaps_after = !(stones >> (at + 2)) & LOW;
        let gaps_before = !(stones << (64 - at)) & LOW;
        let before = (gaps_before.leading_zeros() - 1) / 2;
        (before, gaps_after.trailing_zeros() / 2)
    }

    /// Returns true if `side` has five through cell `k` if it has a stone there (`k` from -6 to 6).
    pub const fn five_through(self, k: i32, side: Side, rule: FiveRule) -> bool {
        let (before, after) = self.arms(k, side);
        let run = before + after + 1;
        if run < rule.length() {
            return false;
        }
        let enclosed = run == rule.length()
            && self.is_stone(k - before as i32 - 1, side.opponent())
            && self.is_stone(k + after as i32 + 1, side.opponent());
        rule.wins(run, enclosed)
    }
}
