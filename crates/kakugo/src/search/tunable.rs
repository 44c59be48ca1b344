//! Description of a tunable for tuners: its value, step and range.

use std::ops::RangeInclusive;

/// A tunable number of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Name of its function.
    pub name: &'static str,
    /// Default value.
    pub value: i32,
    /// A change whose effect on results is just measurable.
    pub step: i32,
    /// Minimum.
    pub min: i32,
    /// Maximum.
    pub max: i32,
}

impl Tunable {
    /// Returns a tunable with default step and range: a tenth of the value, and from a quarter to
    /// four times the value. Positive values stay positive, because they may be divisors.
    pub(super) const fn by_rule(name: &'static str, value: i32) -> Tunable {
        let size = value.saturating_abs();
        let step = if size < 10 { 1 } else { size / 10 };
        let min = match value / 4 {
            _ if value <= 0 => value.saturating_sub(size.saturating_mul(3)),
            0 => 1,
            quarter => quarter,
        };
        let max = value.saturating_add(size.saturating_mul(3));
        Tunable { name, value, step, min, max }
    }

    /// Returns the tunable with another step.
    pub(super) const fn step(self, step: i32) -> Tunable {
        Tunable { step, ..self }
    }

    /// Returns the tunable with another range.
    pub(super) const fn within(self, range: RangeInclusive<i32>) -> Tunable {
        Tunable { min: *range.start(), max: *range.end(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TUNABLES;

    #[test]
    fn steps_and_ranges_have_defaults() {
        let all = |value| {
            let Tunable { step, min, max, .. } = Tunable::by_rule("", value);
            (step, min, max)
        };
        assert_eq!(all(833), (83, 208, 3332));
        assert_eq!(all(2), (1, 1, 8));
        assert_eq!(all(0), (1, 0, 0));
        assert_eq!(all(-25), (2, -100, 50));
        assert_eq!(all(i32::MAX).2, i32::MAX);
        let custom = Tunable::by_rule("", 7).step(2).within(-3..=9);
        assert_eq!((custom.value, custom.step, custom.min, custom.max), (7, 2, -3, 9));
    }

    #[test]
    fn every_value_is_in_range_with_room_for_a_step() {
        assert!(TUNABLES.len() > 50);
        for t in TUNABLES {
            assert!(t.min <= t.value && t.value <= t.max, "{t:?}");
            assert!(t.max - t.min >= 2 * t.step, "{t:?}");
            assert!(t.step > 0, "{t:?}");
            assert!(!t.name.ends_with("_divisor") || t.min > 0, "{t:?}");
        }
    }
}
