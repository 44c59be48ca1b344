//! The transposition table: what earlier searches found out, by position.
//!
//! ```text
//! bucket   64 bytes = 4 entries
//! entry    word 0: key ^ word 1
//!          word 1: | static eval 16 | score 16 | move 16 | depth 8 | generation 5, pv 1, bound 2 |
//! ```
//!
//! Threads share the table without locks: a torn entry fails the XOR check and is taken for a miss
//! (Hyatt and Mann, "A lock-less transposition table implementation", 2002). Memory is handed out
//! zeroed by the system when it is first touched: a large table costs nothing at the start, but the
//! searches after that pay for it, page by page, unless [`Table::touch`] has done so before.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{POINTS, Point};
use crate::score::Score;

/// What a stored score says about the true one. No bound has the number 0, so that a word of zeros is
/// no entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at least this.
    Lower = 1,
    /// The true score is at most this.
    Upper,
    /// This is the true score.
    Exact,
}

/// What the table knows of a position. Scores count from the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, or the one that refuted the last attempt.
    pub best: Option<Point>,
    /// Score of the search.
    pub score: Score,
    /// What `score` says.
    pub bound: Bound,
    /// Depth of the search, in whole plies.
    pub depth: i32,
    /// Static evaluation.
    pub eval: Score,
    /// Whether the position was part of a principal variation.
    pub pv: bool,
}

impl Entry {
    /// Whether it tells of a win or a loss that holds whatever the depth: of the moves that were
    /// listed on the way to it only those were left out that lose anyway. (Points far from all stones
    /// are not listed where nothing must be answered, which does not prove that none is the way out.)
    pub fn is_proof(&self) -> bool {
        match self.bound {
            Bound::Exact => self.score.is_decided(),
            Bound::Lower => self.score.is_win(),
            Bound::Upper => self.score.is_loss(),
        }
    }
}

const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
const NO_MOVE: u64 = 0xFFFF;
const GENERATIONS: u64 = 32;

/// A result that is deeper by more than this is not given up for a bound of the same search: what is
/// hardly deeper is, because the new one belongs to what is searched now.
const CLEARLY_DEEPER: i32 = 3;

/// An entry is worth this many plies less for each search that has begun since it was written.
const PLIES_PER_SEARCH: i64 = 4;

/// Words in the smallest page of memory that systems have.
const SMALL_PAGE: usize = 4096 / 8;

/// Words that are touched between two looks at whether to stop: a large page.
const TOUCHED_AT_ONCE: usize = (2 << 20) / 8;

/// A table of fixed size.
pub struct Table {
    words: Vec<AtomicU64>,
    /// Words before the first bucket, so that buckets start at cache lines.
    skip: usize,
    buckets: usize,
    generation: u64,
    /// Words from the first on whose memory was touched by [`Table::touch`].
    touched: usize,
}

impl Table {
    /// A table that takes at most `bytes` (at least one kilobyte); less where the system does not
    /// give as much.
    pub fn new(bytes: usize) -> Table {
        let mut buckets = (bytes.max(1024) / 64).saturating_sub(1).max(1);
        let words: Vec<AtomicU64> = loop {
            match bytemuck::allocation::try_zeroed_vec((buckets + 1) * WORDS) {
                Ok(words) => break words,
                Err(()) => buckets = (buckets / 2).max(1),
            }
        };
        prefer_large_pages(&words);
        let skip = words.as_ptr().align_offset(64).min(WORDS);
        Table { words, skip, buckets, generation: 0, touched: 0 }
    }

    /// Forget everything.
    pub fn clear(&mut self) {
        let bytes = (self.buckets + 1) * 64;
        // Give the memory back first: the new table is zeroed page by page as it is used.
        self.words = Vec::new();
        *self = Table::new(bytes);
    }

    /// Let the system give all of the table's memory now, so that no search waits for it. Goes on
    /// until it is done or `stop` says so, which is asked about once a millisecond, and from there
    /// when called again.
    pub fn touch(&mut self, stop: impl Fn() -> bool) {
        while self.touched < self.words.len() && !stop() {
            let end = (self.touched + TOUCHED_AT_ONCE).min(self.words.len());
            for word in self.words[self.touched..end].iter().step_by(SMALL_PAGE) {
                // A store, because memory that is only read is not given yet.
                word.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            self.touched = end;
        }
    }

    /// A new search begins: older entries may be replaced sooner.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.skip + index * WORDS;
        &self.words[start..start + WORDS]
    }

    /// Ask the memory for what it has under this key, which will be probed soon.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a prefetch neither reads nor writes, and this address is a bucket's.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key. `ply` is its distance from the root: scores come
    /// back counted from there.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.chunks_exact(2).find_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            let check = entry[0].load(Ordering::Relaxed);
            (data != 0 && check ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Remember what a search found. The shallowest and oldest entry of the bucket makes room.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let bucket = self.bucket(key);
        let mut victim = (0, i64::MAX);
        for (i, slot) in bucket.chunks_exact(2).enumerate() {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data, ply);
                // Keep a clearly deeper result of this search unless the new one is exact.
                if entry.bound != Bound::Exact
                    && old.depth > entry.depth + CLEARLY_DEEPER
                    && generation_of(data) == self.generation
                {
                    return;
                }
                let best = entry.best.or(old.best);
                self.write(slot, key, ply, Entry { best, ..entry });
                return;
            }
            let age = (self.generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 {
                i64::MIN
            } else {
                i64::from(depth_of(data)) - PLIES_PER_SEARCH * age as i64
            };
            if worth < victim.1 {
                victim = (i, worth);
            }
        }
        self.write(&bucket[2 * victim.0..2 * victim.0 + 2], key, ply, entry);
    }

    fn write(&self, slot: &[AtomicU64], key: u64, ply: usize, entry: Entry) {
        let data = pack(entry, ply, self.generation);
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

/// Ask the system to back the table with large pages. A new table is paid for at its first use, page
/// by page, which with small ones takes a third of the first tenth of a second; and later fewer
/// addresses have to be looked up. Where the system refuses, all is as before.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
fn prefer_large_pages(words: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};
    let start = words.as_ptr();
    let page = rustix::param::page_size();
    // The advice is for whole pages.
    let before = start.align_offset(page);
    if let Some(whole) = words.get(before..) {
        let bytes = size_of_val(whole) / page * page;
        // SAFETY: the pages lie within the slice, and this advice leaves their contents alone.
        let _ = unsafe { madvise(whole.as_ptr().cast_mut().cast(), bytes, Advice::LinuxHugepage) };
    }
}

// Miri knows no pages.
#[cfg(any(not(target_os = "linux"), miri))]
fn prefer_large_pages(_: &[AtomicU64]) {}

fn pack(entry: Entry, ply: usize, generation: u64) -> u64 {
    let score = entry.score.seen_from_descendant(ply).value() as i16 as u16;
    let eval = entry.eval.value() as i16 as u16;
    let best = entry.best.map_or(NO_MOVE, |p| p.index() as u64);
    let depth = (entry.depth + 1).clamp(0, 255) as u64;
    u64::from(eval) << 48
        | u64::from(score) << 32
        | best << 16
        | depth << 8
        | generation << 3
        | u64::from(entry.pv) << 2
        | entry.bound as u64
}

fn depth_of(data: u64) -> i32 {
    (data >> 8 & 0xFF) as i32 - 1
}

fn generation_of(data: u64) -> u64 {
    data >> 3 & (GENERATIONS - 1)
}

fn unpack(data: u64, ply: usize) -> Entry {
    let signed = |shift: u32| Score::from_value(i32::from((data >> shift) as u16 as i16));
    let best = data >> 16 & 0xFFFF;
    Entry {
        best: (best < POINTS as u64).then(|| Point::from_index(best as usize)),
        score: signed(32).seen_from_ancestor(ply),
        bound: match data & 0b11 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
        depth: depth_of(data),
        eval: signed(48),
        pv: data & 0b100 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            best: Point::new(7, 8),
            score: Score::win_in(12),
            bound: Bound::Lower,
            depth,
            eval: Score::from_eval(-321),
            pv: true,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1 << 16);
        table.store(0xDEAD_BEEF_0123_4567, 3, entry(9));
        assert_eq!(table.probe(0xDEAD_BEEF_0123_4567, 3), Some(entry(9)));
        let nearer = table.probe(0xDEAD_BEEF_0123_4567, 1).unwrap();
        assert_eq!(nearer.score, Score::win_in(10));
        assert_eq!(table.probe(0xDEAD_BEEF_0123_4568, 3), None);
    }

    #[test]
    fn only_what_was_shown_is_a_proof() {
        let proves = |bound, score| Entry { bound, score, ..entry(3) }.is_proof();
        let (win, loss, level) = (Score::win_in(9), Score::loss_in(8), Score::from_eval(50));
        assert!(proves(Bound::Lower, win) && proves(Bound::Exact, win));
        assert!(proves(Bound::Upper, loss) && proves(Bound::Exact, loss));
        // "At most a win" and "at least a loss" say nothing.
        assert!(!proves(Bound::Upper, win) && !proves(Bound::Lower, loss));
        assert!(!proves(Bound::Exact, level));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = Table::new(1024);
        table.store(1, 0, entry(30));
        (2..40).for_each(|key| table.store(key, 0, entry(2)));
        assert!(table.probe(1, 0).is_some());
        let shallow = (2..40).filter(|&key| table.probe(key, 0).is_some()).count();
        assert!((1..38).contains(&shallow));
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::new(1 << 12);
        table.store(5, 0, entry(4));
        table.clear();
        assert_eq!(table.probe(5, 0), None);
    }

    #[test]
    fn touching_changes_nothing_and_stops_when_told() {
        use std::cell::Cell;
        // Miri looks at every word of a table whenever it is borrowed, so for each key.
        let (bytes, keys) =
            if cfg!(miri) { (16 * TOUCHED_AT_ONCE + 4096, 2) } else { (9 << 20, 1000) };
        let mut table = Table::new(bytes);
        for key in 0..keys {
            table.store(key << 54, 0, entry(4));
        }
        let known =
            |table: &Table| (0..keys).filter(|key| table.probe(key << 54, 0).is_some()).count();
        let before = known(&table);
        let looks = Cell::new(0);
        table.touch(|| {
            looks.set(looks.get() + 1);
            looks.get() > 2
        });
        assert_eq!(table.touched, 2 * TOUCHED_AT_ONCE);
        table.touch(|| false);
        assert_eq!((table.touched, known(&table)), (table.words.len(), before));
        table.clear();
        assert_eq!(table.touched, 0);
    }

    /// Threads write to few buckets at once. What is read under a key was written under that key: its
    /// fields tell the key, and each writer's differ.
    #[test]
    fn threads_share_it_and_read_only_what_was_written() {
        let rounds = if cfg!(miri) { 60 } else { 30_000 };
        let table = Table::new(1024);
        let entry_of = |key: u64, thread: u64| Entry {
            best: Point::new((key % 13) as u8, thread as u8),
            score: Score::from_value((key * 31 + thread) as i32),
            eval: Score::from_value((key * 17 + thread) as i32),
            depth: (key % 50) as i32,
            bound: Bound::Exact,
            pv: thread > 1,
        };
        let table = &table;
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                scope.spawn(move || {
                    for round in 0..rounds {
                        let key = (round * 7 + thread * 3) % 40;
                        table.store(key << 58 | key, 0, entry_of(key, thread));
                        let asked = (round * 5 + thread) % 40;
                        table.prefetch(asked << 58 | asked);
                        if let Some(found) = table.probe(asked << 58 | asked, 0) {
                            let writers = (0..4).map(|writer| entry_of(asked, writer));
                            let known = |entry| entry == found;
                            assert!(writers.into_iter().any(known), "{asked}: {found:?}");
                        }
                    }
                });
            }
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory does")]
    fn a_table_larger_than_any_memory_shrinks() {
        let table = Table::new(1 << 60);
        assert!(table.words.len() * 8 < 1 << 60);
        table.store(7, 0, entry(4));
        assert_eq!(table.probe(7, 0), Some(entry(4)));
    }

    #[test]
    fn size_is_kept_within_the_bytes_given() {
        for bytes in [0, 1024, 5000, 1 << 20] {
            let table = Table::new(bytes);
            assert!(table.words.len() * 8 <= bytes.max(1024));
        }
    }
}
