//! Position keys that are equal for symmetric positions.

use std::hash::{Hash, Hasher};

use super::ruleset::Ruleset;
use kakugo::board::{Point, Side, Variant};

/// A position key, stored in halves to avoid padding for alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key([u32; 2]);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.0[0]) << 32 | u64::from(self.0[1]));
    }
}

/// Rehashes keys: the minimum of several random keys is not uniform in its upper bits.
#[derive(Clone, Copy, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = mix(self.0 ^ n);
    }
}

/// Keys of a position, one for each symmetry of its board.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub(super) width: u8,
    pub(super) height: u8,
    /// Number of stones placed.
    pub(super) stones: usize,
    keys: [u64; 8],
}

impl Keys {
    /// Returns the keys of the empty board.
    pub(super) fn new(width: u8, height: u8, variant: Variant) -> Keys {
        let Ruleset { long, short, .. } = Ruleset::new(width, height, variant);
        let rule = u64::from(variant.rule().number()) << 8 | u64::from(variant.win_length());
        let ruleset = rule << 16 | u64::from(short) << 8 | u64::from(long);
        Keys { width, height, stones: 0, keys: [mix(ruleset); 8] }
    }

    /// Places a stone.
    pub(super) fn place(&mut self, p: Point, side: Side) {
        self.stones += 1;
        let (right, bottom) = (self.width - 1, self.height - 1);
        let (x, y) = (p.x().min(right), p.y().min(bottom));
        let straight = [(x, y), (right - x, y), (x, bottom - y), (right - x, bottom - y)];
        for (i, (x, y)) in straight.into_iter().enumerate() {
            // Rectangular boards are turned so that the longer side is the width.
            let turned = if self.width >= self.height { (x, y) } else { (y, x) };
            self.keys[i] ^= stone(turned, side);
            self.keys[i + 4] ^= stone((turned.1, turned.0), side);
        }
    }

    /// Returns the smallest of the keys, which is equal for all symmetric positions.
    pub(super) fn minimum(&self) -> Key {
        let symmetries = if self.width == self.height { 8 } else { 4 };
        let least = self.keys[..symmetries].iter().copied().min().unwrap_or(0);
        Key([(least >> 32) as u32, least as u32])
    }
}

fn stone((x, y): (u8, u8), side: Side) -> u64 {
    mix(1 << 32 | u64::from(x) << 16 | u64::from(y) << 8 | side.index() as u64)
}

/// Mixes the bits of a number (splitmix64).
const fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
