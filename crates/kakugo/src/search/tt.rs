//! The transposition table (TT).
//!
//! ```text
//! bucket   64 bytes = 4 entries
//! entry    word 0: key ^ word 1
//!          word 1: | static eval 16 | score 16 | move 16 | depth 8 | generation 5, pv 1, bound 2 |
//! ```
//!
//! Threads share the table without locks: a torn entry fails the XOR check and counts as a miss
//! (Hyatt and Mann, "A lock-less transposition table implementation", 2002). The system provides
//! zeroed memory when a page is first touched. So a large table costs nothing to create, but the
//! first searches pay for it, page by page, unless [`TranspositionTable::touch`] is called before.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{POINTS, Point};
use crate::score::Score;

/// Relation of a stored score to the true one. No bound has the number 0, so a word of zeros is not
/// an entry.
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

/// An entry of the transposition table. Scores count from the position itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// Best move, or the move that caused the cutoff.
    pub tt_move: Option<Point>,
    /// Score of the search.
    pub score: Score,
    /// Relation of `score` to the true score.
    pub bound: Bound,
    /// Depth of the search, in whole plies.
    pub depth: i32,
    /// Static evaluation without correction.
    pub eval: Score,
    /// The position was part of a principal variation.
    pub pv: bool,
}

impl TtEntry {
    /// Returns `true` for a win or loss that holds at any depth: the search omits only generated
    /// moves that lose. (Unless a threat must be answered, points far from all stones are not
    /// generated. So a loss is not strictly proven.)
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

/// A bound does not replace an entry of the same search that is deeper by more than this. Entries
/// that are only slightly deeper are replaced, because the new one belongs to the current path.
const REPLACEMENT_MARGIN: i32 = 3;

/// Replacement priority decreases by this many plies with each search since an entry was written.
const AGE_PLIES: i64 = 4;

/// Words in the smallest memory page of any system.
const SMALL_PAGE: usize = 4096 / 8;

/// Words that are touched between two polls: a large page.
const TOUCH_CHUNK: usize = (2 << 20) / 8;

/// A transposition table of fixed size.
pub struct TranspositionTable {
    words: Vec<AtomicU64>,
    /// Words before the first bucket, so that buckets are aligned to cache lines.
    skip: usize,
    buckets: usize,
    generation: u64,
    /// Words that [`TranspositionTable::touch`] has touched, from the first on.
    touched: usize,
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` (at least one kilobyte). It is smaller if the system does
    /// not provide that much memory.
    pub fn new(bytes: usize) -> TranspositionTable {
        let mut buckets = (bytes.max(1024) / 64).saturating_sub(1).max(1);
        let words: Vec<AtomicU64> = loop {
            match bytemuck::allocation::try_zeroed_vec((buckets + 1) * WORDS) {
                Ok(words) => break words,
                Err(()) => buckets = (buckets / 2).max(1),
            }
        };
        prefer_large_pages(&words);
        let skip = words.as_ptr().align_offset(64).min(WORDS);
        TranspositionTable { words, skip, buckets, generation: 0, touched: 0 }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        let bytes = (self.buckets + 1) * 64;
        // Free the memory first. The new table is zeroed page by page as it is used.
        self.words = Vec::new();
        *self = TranspositionTable::new(bytes);
    }

    /// Touches all memory of the table, so that no search waits for it. Ends early if `stop`
    /// returns `true`, which is called about once a millisecond; another call continues.
    pub fn touch(&mut self, stop: impl Fn() -> bool) {
        while self.touched < self.words.len() && !stop() {
            let end = (self.touched + TOUCH_CHUNK).min(self.words.len());
            for word in self.words[self.touched..end].iter().step_by(SMALL_PAGE) {
                // Reading alone does not allocate a page.
                word.store(word.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            self.touched = end;
        }
    }

    /// Starts a new search. Older entries lose replacement priority.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.skip + index * WORDS;
        &self.words[start..start + WORDS]
    }

    /// Prefetches the bucket of this key, which will be probed soon.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(key).as_ptr();
            // SAFETY: a prefetch neither reads nor writes, and the address is that of a bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the entry of the position with this key. Its score counts from the root, which is
    /// `ply` plies before the position.
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let bucket = self.bucket(key);
        bucket.chunks_exact(2).find_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            let check = entry[0].load(Ordering::Relaxed);
            (data != 0 && check ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Stores the result of a search. Replaces the shallowest and oldest entry of the bucket.
    pub fn store(&self, key: u64, ply: usize, entry: TtEntry) {
        let bucket = self.bucket(key);
        let mut victim = (0, i64::MAX);
        for (i, slot) in bucket.chunks_exact(2).enumerate() {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data, ply);
                // Keep an entry of this search that is much deeper, unless the new one is exact
                // (own; −12 ± 26).
                if entry.bound != Bound::Exact
                    && old.depth > entry.depth + REPLACEMENT_MARGIN
                    && generation_of(data) == self.generation
                {
                    return;
                }
                let tt_move = entry.tt_move.or(old.tt_move);
                self.write(slot, key, ply, TtEntry { tt_move, ..entry });
                return;
            }
            let age = (self.generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let priority = if data == 0 {
                i64::MIN
            } else {
                i64::from(depth_of(data)) - AGE_PLIES * age as i64
            };
            if priority < victim.1 {
                victim = (i, priority);
            }
        }
        self.write(&bucket[2 * victim.0..2 * victim.0 + 2], key, ply, entry);
    }

    fn write(&self, slot: &[AtomicU64], key: u64, ply: usize, entry: TtEntry) {
        let data = pack(entry, ply, self.generation);
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }
}

/// Requests large pages for the table. Small pages cost a third of the first 100 ms of a new table,
/// and more TLB misses later. Nothing changes if the system refuses.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
fn prefer_large_pages(words: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};
    let start = words.as_ptr();
    let page = rustix::param::page_size();
    // The advice must cover complete pages.
    let skip = start.align_offset(page);
    if let Some(pages) = words.get(skip..) {
        let bytes = size_of_val(pages) / page * page;
        // SAFETY: the pages lie within the slice, and the advice does not change their contents.
        let _ = unsafe { madvise(pages.as_ptr().cast_mut().cast(), bytes, Advice::LinuxHugepage) };
    }
}

// Miri does not implement `madvise`.
#[cfg(any(not(target_os = "linux"), miri))]
fn prefer_large_pages(_: &[AtomicU64]) {}

fn pack(entry: TtEntry, ply: usize, generation: u64) -> u64 {
    let score = entry.score.seen_from_descendant(ply).value() as i16 as u16;
    let eval = entry.eval.value() as i16 as u16;
    let tt_move = entry.tt_move.map_or(NO_MOVE, |p| p.index() as u64);
    let depth = (entry.depth + 1).clamp(0, 255) as u64;
    u64::from(eval) << 48
        | u64::from(score) << 32
        | tt_move << 16
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

fn unpack(data: u64, ply: usize) -> TtEntry {
    let signed = |shift: u32| Score::from_value(i32::from((data >> shift) as u16 as i16));
    let tt_move = data >> 16 & 0xFFFF;
    TtEntry {
        tt_move: (tt_move < POINTS as u64).then(|| Point::from_index(tt_move as usize)),
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

    fn entry(depth: i32) -> TtEntry {
        TtEntry {
            tt_move: Point::new(7, 8),
            score: Score::win_in(12),
            bound: Bound::Lower,
            depth,
            eval: Score::from_eval(-321),
            pv: true,
        }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1 << 16);
        table.store(0xDEAD_BEEF_0123_4567, 3, entry(9));
        assert_eq!(table.probe(0xDEAD_BEEF_0123_4567, 3), Some(entry(9)));
        let nearer = table.probe(0xDEAD_BEEF_0123_4567, 1).unwrap();
        assert_eq!(nearer.score, Score::win_in(10));
        assert_eq!(table.probe(0xDEAD_BEEF_0123_4568, 3), None);
    }

    #[test]
    fn only_matching_bounds_are_proofs() {
        let proves = |bound, score| TtEntry { bound, score, ..entry(3) }.is_proof();
        let (win, loss, level) = (Score::win_in(9), Score::loss_in(8), Score::from_eval(50));
        assert!(proves(Bound::Lower, win) && proves(Bound::Exact, win));
        assert!(proves(Bound::Upper, loss) && proves(Bound::Exact, loss));
        // "At most a win" and "at least a loss" prove nothing.
        assert!(!proves(Bound::Upper, win) && !proves(Bound::Lower, loss));
        assert!(!proves(Bound::Exact, level));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = TranspositionTable::new(1024);
        table.store(1, 0, entry(30));
        (2..40).for_each(|key| table.store(key, 0, entry(2)));
        assert!(table.probe(1, 0).is_some());
        let shallow = (2..40).filter(|&key| table.probe(key, 0).is_some()).count();
        assert!((1..38).contains(&shallow));
    }

    #[test]
    fn clearing_removes_entries() {
        let mut table = TranspositionTable::new(1 << 12);
        table.store(5, 0, entry(4));
        table.clear();
        assert_eq!(table.probe(5, 0), None);
    }

    #[test]
    fn touching_changes_nothing_and_stops_on_request() {
        use std::cell::Cell;
        // Miri checks every word of a table whenever it is borrowed, so for each key.
        let (bytes, keys) = if cfg!(miri) { (16 * TOUCH_CHUNK + 4096, 2) } else { (9 << 20, 1000) };
        let mut table = TranspositionTable::new(bytes);
        for key in 0..keys {
            table.store(key << 54, 0, entry(4));
        }
        let known = |table: &TranspositionTable| {
            (0..keys).filter(|key| table.probe(key << 54, 0).is_some()).count()
        };
        let before = known(&table);
        let polls = Cell::new(0);
        table.touch(|| {
            polls.set(polls.get() + 1);
            polls.get() > 2
        });
        assert_eq!(table.touched, 2 * TOUCH_CHUNK);
        table.touch(|| false);
        assert_eq!((table.touched, known(&table)), (table.words.len(), before));
        table.clear();
        assert_eq!(table.touched, 0);
    }

    /// Threads write to few buckets at once. The fields of an entry depend on its key and its
    /// writer, so a mix of two entries is detected.
    #[test]
    fn threads_read_only_complete_entries() {
        let rounds = if cfg!(miri) { 60 } else { 30_000 };
        let table = TranspositionTable::new(1024);
        let entry_of = |key: u64, thread: u64| TtEntry {
            tt_move: Point::new((key % 13) as u8, thread as u8),
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
    #[cfg_attr(miri, ignore = "Miri aborts if memory is exhausted")]
    fn a_table_larger_than_memory_shrinks() {
        let table = TranspositionTable::new(1 << 60);
        assert!(table.words.len() * 8 < 1 << 60);
        table.store(7, 0, entry(4));
        assert_eq!(table.probe(7, 0), Some(entry(4)));
    }

    #[test]
    fn the_size_does_not_exceed_the_limit() {
        for bytes in [0, 1024, 5000, 1 << 20] {
            let table = TranspositionTable::new(bytes);
            assert!(table.words.len() * 8 <= bytes.max(1024));
        }
    }
}
