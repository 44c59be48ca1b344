//! The classical value of a point, or of a sum of points, for one side. Two numbers are packed into
//! one, so that a sum over points takes one addition each.
//!
//! ```text
//! bits  0 .. 31   value if the opponent is to move, signed
//! bits 32 .. 63   value if the side itself is to move, signed; minus one if the lower half is
//!                 negative
//! ```

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The value of a point or of a sum, in fractions of a score unit
/// ([`VALUE_SCALE`](super::weights::VALUE_SCALE)).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct PackedValue(i64);

impl PackedValue {
    pub(super) fn new(to_move: i16, waiting: i16) -> PackedValue {
        PackedValue((i64::from(to_move) << 32) + i64::from(waiting))
    }

    /// Returns the value if the side is to move.
    pub(super) fn to_move(self) -> i32 {
        ((self.0 - i64::from(self.waiting())) >> 32) as i32
    }

    /// Returns the value if the opponent is to move.
    pub(super) fn waiting(self) -> i32 {
        self.0 as i32
    }
}

impl Add for PackedValue {
    type Output = PackedValue;
    fn add(self, other: PackedValue) -> PackedValue {
        PackedValue(self.0 + other.0)
    }
}

impl Sub for PackedValue {
    type Output = PackedValue;
    fn sub(self, other: PackedValue) -> PackedValue {
        PackedValue(self.0 - other.0)
    }
}

impl AddAssign for PackedValue {
    fn add_assign(&mut self, other: PackedValue) {
        *self = *self + other;
    }
}

impl SubAssign for PackedValue {
    fn sub_assign(&mut self, other: PackedValue) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_mix_the_halves() {
        let numbers = [-32_768, -1_000, -1, 0, 1, 999, 32_767];
        let mut sum = PackedValue::default();
        let (mut to_move, mut waiting) = (0, 0);
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            sum += PackedValue::new(a, b);
            to_move += i32::from(a);
            waiting += i32::from(b);
            assert_eq!((sum.to_move(), sum.waiting()), (to_move, waiting));
        }
        sum -= PackedValue::new(999, -1);
        assert_eq!((sum.to_move(), sum.waiting()), (to_move - 999, waiting + 1));
    }
}
