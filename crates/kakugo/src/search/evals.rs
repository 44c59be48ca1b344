//! What positions were found to be worth of late.
//!
//! Half of all nodes are left as soon as they are valued, because their value is far beyond the window.
//! They are too many for the transposition table, and a third of them come again soon: in the next
//! iteration, or after the same moves in another order. Here each takes eight bytes.
//!
//! ```text
//! | check 36 | valued 1 | mask 11 | evaluation 16 |, from the highest bit on
//! ```
//!
//! Positions where a four must be answered are not valued, and none of them is here.
//!
//! Each thread has its own. A position takes the place of the one that was there.

use crate::board::Point;
use crate::pattern::threat::MASKS;
use crate::score::Score;

/// Positions that there is room for. In more room more are found again, but then the memory is asked,
/// which takes longer than is won: so much stays in a core's own cache.
const ENTRIES: usize = 1 << 14;

const MASK_SHIFT: u32 = 16;
const VALUED: u64 = (MASKS as u64) << MASK_SHIFT;
const CHECK: u64 = !(2 * VALUED - 1);

/// What the evaluation says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The evaluation for the side to move, uncorrected.
    pub raw: Score,
    /// The threats of both sides ([`ThreatMap::mask`](crate::pattern::threat::ThreatMap::mask)).
    pub mask: usize,
}

/// What positions were found to be worth of late.
pub struct Evaluations {
    entries: Vec<u64>,
}

impl Default for Evaluations {
    fn default() -> Evaluations {
        Evaluations { entries: vec![0; ENTRIES] }
    }
}

impl Evaluations {
    /// Nothing is remembered.
    #[cfg(test)]
    pub fn forgetful() -> Evaluations {
        Evaluations { entries: Vec::new() }
    }

    /// A value depends on the last stone, too.
    fn key(position: u64, last: Point) -> u64 {
        position ^ (last.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// What is known of the position with this key, after this last stone.
    #[inline]
    pub fn get(&self, position: u64, last: Point) -> Option<Valued> {
        let key = Evaluations::key(position, last);
        let &entry = self.entries.get(key as usize % ENTRIES)?;
        let is_it = (entry ^ key) & CHECK == 0 && entry & VALUED != 0;
        is_it.then(|| Valued {
            raw: Score::from_value(i32::from(entry as u16 as i16)),
            mask: (entry >> MASK_SHIFT) as usize % MASKS,
        })
    }

    /// Remember a position.
    #[inline]
    pub fn insert(&mut self, position: u64, last: Point, Valued { raw, mask }: Valued) {
        let key = Evaluations::key(position, last);
        if let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) {
            let raw = u64::from(raw.value() as i16 as u16);
            *entry = key & CHECK | VALUED | (mask as u64) << MASK_SHIFT | raw;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_known_until_another_takes_its_place() {
        let mut evaluations = Evaluations::default();
        let key = |i: usize| (i as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let last = |i: usize| Point::from_index(i % 200);
        let valued = |i: usize| Valued {
            raw: Score::from_value((i * 7919 % 60_001) as i32 - 30_000),
            mask: i * 31 % MASKS,
        };
        let mut known = 0;
        for i in 0..4 * ENTRIES {
            assert_eq!(evaluations.get(key(i), last(i)), None);
            evaluations.insert(key(i), last(i), valued(i));
            assert_eq!(evaluations.get(key(i), last(i)), Some(valued(i)));
            assert_eq!(evaluations.get(key(i), last(i + 1)), None);
            if let Some(found) = evaluations.get(key(i / 2), last(i / 2)) {
                assert_eq!(found, valued(i / 2));
                known += 1;
            }
        }
        assert!((ENTRIES / 2..3 * ENTRIES).contains(&known), "{known}");
        assert_eq!(Evaluations::default().get(0, last(0)), None);
    }
}
