//! Search depth in fractions of a ply. It is an integer, so a search is the same on every machine.

use std::ops::{Add, AddAssign, Div, Sub, SubAssign};

/// Remaining depth, in 1/1024 plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Depth(i32);

impl Depth {
    /// No depth.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const PLY: Depth = Depth(1024);

    /// Returns a depth of whole plies.
    pub const fn from_plies(plies: i32) -> Depth {
        Depth(plies * Self::PLY.0)
    }

    /// Returns a depth in 1/1024 plies.
    pub const fn from_units(units: i32) -> Depth {
        Depth(units)
    }

    /// Returns the depth in whole plies, rounded towards zero.
    pub const fn plies(self) -> i32 {
        self.0 / Self::PLY.0
    }
}

impl Add for Depth {
    type Output = Depth;
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl AddAssign for Depth {
    fn add_assign(&mut self, other: Depth) {
        self.0 += other.0;
    }
}

impl SubAssign for Depth {
    fn sub_assign(&mut self, other: Depth) {
        self.0 -= other.0;
    }
}

impl Div<i32> for Depth {
    type Output = Depth;
    fn div(self, divisor: i32) -> Depth {
        Depth(self.0 / divisor)
    }
}
