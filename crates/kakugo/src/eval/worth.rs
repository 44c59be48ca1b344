//! What a point, or a sum of points, is worth to a colour: two numbers in one, so that a sum over
//! points takes one addition each.
//!
//! ```text
//! bits  0 .. 31   worth to the colour if its opponent is to move, signed
//! bits 32 .. 63   worth to the colour if it is to move, signed, less one where the lower half is
//!                 negative
//! ```

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The worth of a point or of a sum, in fractions of a score unit
/// ([`VALUE_SCALE`](super::weights::VALUE_SCALE)).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Worth(i64);

impl Worth {
    pub(super) fn new(to_move: i16, waiting: i16) -> Worth {
        Worth((i64::from(to_move) << 32) + i64::from(waiting))
    }

    /// If the colour is to move.
    pub(super) fn to_move(self) -> i32 {
        ((self.0 - i64::from(self.waiting())) >> 32) as i32
    }

    /// If its opponent is.
    pub(super) fn waiting(self) -> i32 {
        self.0 as i32
    }
}

impl Add for Worth {
    type Output = Worth;
    fn add(self, other: Worth) -> Worth {
        Worth(self.0 + other.0)
    }
}

impl Sub for Worth {
    type Output = Worth;
    fn sub(self, other: Worth) -> Worth {
        Worth(self.0 - other.0)
    }
}

impl AddAssign for Worth {
    fn add_assign(&mut self, other: Worth) {
        *self = *self + other;
    }
}

impl SubAssign for Worth {
    fn sub_assign(&mut self, other: Worth) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_their_parts_apart() {
        let numbers = [-32_768, -1_000, -1, 0, 1, 999, 32_767];
        let mut sum = Worth::default();
        let (mut to_move, mut waiting) = (0, 0);
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            sum += Worth::new(a, b);
            to_move += i32::from(a);
            waiting += i32::from(b);
            assert_eq!((sum.to_move(), sum.waiting()), (to_move, waiting));
        }
        sum -= Worth::new(999, -1);
        assert_eq!((sum.to_move(), sum.waiting()), (to_move - 999, waiting + 1));
    }
}
