//! Sorted tables of positions with their statistics.
//!
//! Most positions of a collection occur in one line. They take eight bytes each: a key whose two
//! lowest bits are the result of the line. Sorting is several times faster than a hash table, whose
//! every access misses the processor's caches.

use std::iter::Peekable;

use super::keys::Key;
use super::stats::PositionStats;
use crate::GameResult;
use kakugo::board::Side;

/// A position in one line: its key and the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Single(pub(super) u64);

impl Single {
    /// Results by their code.
    const RESULTS: [Option<GameResult>; 4] = [
        None,
        Some(GameResult::Win(Side::Black)),
        Some(GameResult::Win(Side::White)),
        Some(GameResult::Draw),
    ];

    pub(super) fn new(key: Key, result: Option<GameResult>) -> Single {
        let code = match result {
            None => 0,
            Some(GameResult::Win(Side::Black)) => 1,
            Some(GameResult::Win(Side::White)) => 2,
            Some(GameResult::Draw) => 3,
        };
        Single(key.bits() | code)
    }

    pub(super) fn key(self) -> Key {
        Key::new(self.0)
    }

    pub(super) fn stats(self) -> PositionStats {
        let mut stats = PositionStats::default();
        stats.add(1, Single::RESULTS[self.0 as usize & 3]);
        stats
    }
}

/// A position in several lines.
pub(super) type Multiple = (Key, PositionStats);

/// A sorted table. No key occurs twice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Table {
    pub(super) singles: Vec<Single>,
    pub(super) multiples: Vec<Multiple>,
}

impl Table {
    /// Sorts positions, which are removed from the lists.
    pub(super) fn of(singles: &mut Vec<Single>, multiples: &mut Vec<Multiple>) -> Table {
        singles.sort_unstable();
        multiples.sort_unstable_by_key(|&(key, _)| key);
        let sorted = Merged {
            left: singles.drain(..).map(|one| (one.key(), one.stats())).peekable(),
            right: multiples.drain(..).peekable(),
        };
        Table::of_sorted(sorted)
    }

    /// Merges two tables.
    pub(super) fn merge(&self, other: &Table) -> Table {
        Table::of_sorted(Merged { left: self.iter().peekable(), right: other.iter().peekable() })
    }

    /// Joins the statistics of equal keys.
    fn of_sorted(sorted: impl Iterator<Item = Multiple>) -> Table {
        let mut table = Table::default();
        let mut sorted = sorted.peekable();
        while let Some((key, mut stats)) = sorted.next() {
            while let Some((_, more)) = sorted.next_if(|(next, _)| *next == key) {
                stats.join(more);
            }
            match stats.single_result() {
                Some(result) => table.singles.push(Single::new(key, result)),
                None => table.multiples.push((key, stats)),
            }
        }
        table
    }

    /// Returns all positions in order.
    fn iter(&self) -> impl Iterator<Item = Multiple> + '_ {
        Merged {
            left: self.singles.iter().map(|one| (one.key(), one.stats())).peekable(),
            right: self.multiples.iter().copied().peekable(),
        }
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.singles.len() + self.multiples.len()
    }

    /// Returns the statistics of a position.
    pub(super) fn get(&self, key: Key) -> Option<PositionStats> {
        let at = self.singles.partition_point(|one| one.key() < key);
        if let Some(one) = self.singles.get(at).filter(|one| one.key() == key) {
            return Some(one.stats());
        }
        let at = self.multiples.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(self.multiples[at].1)
    }

    /// Returns the number of distinct positions in tables.
    pub(super) fn count_distinct(tables: &[&Table]) -> usize {
        match tables {
            [] => 0,
            [only] => only.len(),
            [first, rest @ ..] => {
                let merged = rest.iter().fold((*first).clone(), |sum, next| sum.merge(next));
                merged.len()
            }
        }
    }
}

/// Two sorted lists as one.
struct Merged<A: Iterator<Item = Multiple>, B: Iterator<Item = Multiple>> {
    left: Peekable<A>,
    right: Peekable<B>,
}

impl<A: Iterator<Item = Multiple>, B: Iterator<Item = Multiple>> Iterator for Merged<A, B> {
    type Item = Multiple;

    fn next(&mut self) -> Option<Multiple> {
        match (self.left.peek(), self.right.peek()) {
            (Some((left, _)), Some((right, _))) if right < left => self.right.next(),
            (Some(_), _) => self.left.next(),
            (None, _) => self.right.next(),
        }
    }
}
