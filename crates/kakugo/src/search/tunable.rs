//! What a tuner has to know of a tunable number of the search: where it begins, what counts as a
//! small change, and how far it may go.

use std::ops::RangeInclusive;

/// A tunable number of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The name of its function.
    pub name: &'static str,
    /// Its value unless it is changed.
    pub value: i32,
    /// A change that should show in results, but only just.
    pub step: i32,
    /// The least value that makes sense.
    pub least: i32,
    /// The largest.
    pub most: i32,
}

impl Tunable {
    /// Step and range as they are right for most numbers: a tenth of the value, and from a quarter
    /// to four times of it. What is positive stays so, for it may be divided by.
    pub(super) const fn by_rule(name: &'static str, value: i32) -> Tunable {
        let size = value.saturating_abs();
        let step = if size < 10 { 1 } else { size / 10 };
        let least = match value / 4 {
            _ if value <= 0 => value.saturating_sub(size.saturating_mul(3)),
            0 => 1,
            quarter => quarter,
        };
        let most = value.saturating_add(size.saturating_mul(3));
        Tunable { name, value, step, least, most }
    }

    /// With another step.
    pub(super) const fn step(self, step: i32) -> Tunable {
        Tunable { step, ..self }
    }

    /// With another range.
    pub(super) const fn within(self, range: RangeInclusive<i32>) -> Tunable {
        Tunable { least: *range.start(), most: *range.end(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TUNABLES;

    #[test]
    fn steps_and_ranges_follow_the_rule_unless_something_else_is_said() {
        let all = |value| {
            let Tunable { step, least, most, .. } = Tunable::by_rule("", value);
            (step, least, most)
        };
        assert_eq!(all(833), (83, 208, 3332));
        assert_eq!(all(2), (1, 1, 8));
        assert_eq!(all(0), (1, 0, 0));
        assert_eq!(all(-25), (2, -100, 50));
        assert_eq!(all(i32::MAX).2, i32::MAX);
        let said = Tunable::by_rule("", 7).step(2).within(-3..=9);
        assert_eq!((said.value, said.step, said.least, said.most), (7, 2, -3, 9));
    }

    #[test]
    fn every_tunable_lies_within_its_range_and_has_room_for_a_step() {
        assert!(TUNABLES.len() > 50);
        for t in TUNABLES {
            assert!(t.least <= t.value && t.value <= t.most, "{t:?}");
            assert!(t.most - t.least >= 2 * t.step, "{t:?}");
            assert!(t.step > 0, "{t:?}");
            assert!(!t.name.ends_with("_divisor") || t.least > 0, "{t:?}");
        }
    }
}
