//! The evaluation cache: a small table of static evaluations, one per thread.
//!
//! Half of all nodes end as soon as they are evaluated, because the evaluation is far outside the
//! window. They are too many for the transposition table, but a third of them recur soon: in the
//! next iteration, or after a transposition. An entry takes eight bytes.
//!
//! ```text
//! | check 36 | used 1 | mask 11 | evaluation 16 |, from the highest bit on
//! ```
//!
//! Positions in which a four must be answered have no evaluation and are never stored. A new entry
//! replaces the old one in its slot.

use crate::board::Point;
use crate::pattern::threat::MASKS;
use crate::score::Score;

/// Number of entries. A larger cache has more hits, but leaves the L2 cache of a core, which costs
/// more than it gains.
const ENTRIES: usize = 1 << 14;

const MASK_SHIFT: u32 = 16;
const USED: u64 = (MASKS as u64) << MASK_SHIFT;
const CHECK: u64 = !(2 * USED - 1);

/// A cached static evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CachedEval {
    /// Evaluation for the side to move, without correction.
    pub raw: Score,
    /// Threat mask ([`ThreatMap::mask`](crate::pattern::threat::ThreatMap::mask)).
    pub mask: usize,
}

/// A small per-thread cache of static evaluations.
pub struct EvalCache {
    entries: Vec<u64>,
}

impl Default for EvalCache {
    fn default() -> EvalCache {
        EvalCache { entries: vec![0; ENTRIES] }
    }
}

impl EvalCache {
    /// Creates a cache that stores nothing.
    #[cfg(test)]
    pub fn disabled() -> EvalCache {
        EvalCache { entries: Vec::new() }
    }

    /// Returns the key of an entry. An evaluation depends on the last stone, too.
    fn key(position: u64, last: Point) -> u64 {
        position ^ (last.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Returns the entry of the position with this key after this last stone.
    #[inline]
    pub fn get(&self, position: u64, last: Point) -> Option<CachedEval> {
        let key = EvalCache::key(position, last);
        let &entry = self.entries.get(key as usize % ENTRIES)?;
        let is_hit = (entry ^ key) & CHECK == 0 && entry & USED != 0;
        is_hit.then(|| CachedEval {
            raw: Score::from_value(i32::from(entry as u16 as i16)),
            mask: (entry >> MASK_SHIFT) as usize % MASKS,
        })
    }

    /// Stores an evaluation.
    #[inline]
    pub fn insert(&mut self, position: u64, last: Point, CachedEval { raw, mask }: CachedEval) {
        let key = EvalCache::key(position, last);
        if let Some(entry) = self.entries.get_mut(key as usize % ENTRIES) {
            let raw = u64::from(raw.value() as i16 as u16);
            *entry = key & CHECK | USED | (mask as u64) << MASK_SHIFT | raw;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_until_another_replaces_it() {
        let mut cache = EvalCache::default();
        let key = |i: usize| (i as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let last = |i: usize| Point::from_index(i % 200);
        let cached = |i: usize| CachedEval {
            raw: Score::from_value((i * 7919 % 60_001) as i32 - 30_000),
            mask: i * 31 % MASKS,
        };
        let mut hits = 0;
        for i in 0..4 * ENTRIES {
            assert_eq!(cache.get(key(i), last(i)), None);
            cache.insert(key(i), last(i), cached(i));
            assert_eq!(cache.get(key(i), last(i)), Some(cached(i)));
            assert_eq!(cache.get(key(i), last(i + 1)), None);
            if let Some(found) = cache.get(key(i / 2), last(i / 2)) {
                assert_eq!(found, cached(i / 2));
                hits += 1;
            }
        }
        assert!((ENTRIES / 2..3 * ENTRIES).contains(&hits), "{hits}");
        assert_eq!(EvalCache::default().get(0, last(0)), None);
    }
}
