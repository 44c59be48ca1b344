//! Position keys that are equal for symmetric positions.

use super::ruleset::Ruleset;
use crate::setup::{Cells, Placement, Setup};
use kakugo::board::{Board, POINTS, Point, Side, Variant};

/// A position key of 62 bits. The two lowest bits are zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(u64);

impl Key {
    /// Creates a key from the highest bits of a number.
    pub(super) fn new(bits: u64) -> Key {
        Key(bits & !3)
    }

    /// Returns the key of the position on a board: the same for symmetric ones, and in every
    /// version of the program.
    pub fn of_board(board: &Board) -> Key {
        let cells = Cells::new(&Setup::of_board(board));
        Keys::of(board.width(), board.height(), board.variant(), &cells).minimum(cells.side)
    }

    /// Returns the key as a number.
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Keys of a position, one for each symmetry of its board.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) variant: Variant,
    /// Number of stones.
    stones: usize,
    keys: [u64; 8],
}

/// Key of a position in which the number of stones does not show whose turn it is.
const OTHER_SIDE: u64 = mix(2 << 32);

impl Keys {
    /// Returns the keys of the empty board.
    pub(super) fn new(width: u8, height: u8, variant: Variant) -> Keys {
        let Ruleset { long, short, .. } = Ruleset::new(width, height, variant);
        let rule = u64::from(variant.rule().number()) << 8 | u64::from(variant.win_length());
        let ruleset = rule << 16 | u64::from(short) << 8 | u64::from(long);
        Keys { width, height, variant, stones: 0, keys: [mix(ruleset); 8] }
    }

    /// Returns the keys of a position.
    pub(super) fn of(width: u8, height: u8, variant: Variant, cells: &Cells) -> Keys {
        let mut keys = Keys::new(width, height, variant);
        for p in (0..POINTS).map(Point::from_index) {
            if let Some(what) = cells.at(p) {
                keys.put(p, what);
            }
        }
        keys
    }

    /// Places a stone or a blocked point.
    fn put(&mut self, p: Point, what: Placement) {
        match what {
            Placement::Stone(side) => self.place(p, side),
            Placement::Blocked => self.toggle(p, BLOCKED),
            Placement::Removed => {}
        }
    }

    /// Places a stone.
    pub(super) fn place(&mut self, p: Point, side: Side) {
        self.stones += 1;
        self.toggle(p, side.index() as u64);
    }

    fn toggle(&mut self, p: Point, content: u64) {
        let (right, bottom) = (self.width - 1, self.height - 1);
        let (x, y) = (p.x().min(right), p.y().min(bottom));
        let straight = [(x, y), (right - x, y), (x, bottom - y), (right - x, bottom - y)];
        for (i, (x, y)) in straight.into_iter().enumerate() {
            // Rectangular boards are turned so that the longer side is the width.
            let turned = if self.width >= self.height { (x, y) } else { (y, x) };
            self.keys[i] ^= content_key(turned, content);
            self.keys[i + 4] ^= content_key((turned.1, turned.0), content);
        }
    }

    /// Returns the smallest of the keys, which is equal for all symmetric positions with this side
    /// to move.
    pub(super) fn minimum(&self, side: Side) -> Key {
        let symmetries = if self.width == self.height { 8 } else { 4 };
        let least = self.keys[..symmetries].iter().copied().min().unwrap_or(0);
        let is_usual = side == Side::to_move_after(self.stones);
        let least = if is_usual { least } else { least ^ OTHER_SIDE };
        Key::new(least)
    }
}

/// Content of a blocked point; the others are the sides' indices.
const BLOCKED: u64 = 2;

fn content_key((x, y): (u8, u8), content: u64) -> u64 {
    mix(1 << 32 | u64::from(x) << 16 | u64::from(y) << 8 | content)
}

/// Mixes the bits of a number (splitmix64).
const fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
