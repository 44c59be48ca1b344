//! What was played in each position, and how the games ended.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::keys::{Key, KeyHasher, Keys};
use super::kind::Kind;
use super::seen::{Record, Seen};
use crate::GameResult;
use kakugo::board::{Point, Side, Variant};

/// A move from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    /// Where; of points that the position's symmetry makes alike the first.
    pub point: Point,
    /// What is known of the position after it.
    pub record: Record,
}

/// Counts of games, by position.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    positions: HashMap<Key, Seen, BuildHasherDefault<KeyHasher>>,
    /// Of positions that came more than once.
    records: Vec<Record>,
    lines: Vec<(Kind, u64)>,
}

impl Explorer {
    /// Number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines.iter().map(|(_, lines)| lines).sum()
    }

    /// Number of lines counted of each kind.
    pub fn kinds(&self) -> &[(Kind, u64)] {
        &self.lines
    }

    /// Number of different positions known.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Count these lines through a position, and a game's result.
    pub(super) fn count(&mut self, key: Key, lines: u32, result: Option<GameResult>) {
        match self.positions.entry(key) {
            Entry::Vacant(entry) if lines == 1 => {
                entry.insert(Seen::once(result));
            }
            Entry::Vacant(entry) => {
                let mut record = Record::default();
                record.add(lines, result);
                entry.insert(Seen::often(&mut self.records, record));
            }
            Entry::Occupied(mut entry) => match entry.get().place() {
                Some(place) => self.records[place].add(lines, result),
                None => {
                    let mut record = entry.get().record(&self.records);
                    record.add(lines, result);
                    entry.insert(Seen::often(&mut self.records, record));
                }
            },
        }
    }

    /// Count lines of games of a kind.
    pub(super) fn count_lines(&mut self, kind: Kind, lines: u32) {
        match self.lines.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += u64::from(lines),
            None => self.lines.push((kind, u64::from(lines))),
        }
    }

    fn record(&self, keys: &Keys) -> Option<Record> {
        self.positions.get(&keys.least()).map(|seen| seen.record(&self.records))
    }

    /// What is known of the position after these moves, and the moves from it, the most played first.
    pub fn look(
        &self,
        (width, height): (u8, u8),
        variant: Variant,
        moves: &[Point],
    ) -> (Record, Vec<Next>) {
        let mut keys = Keys::new(width, height, variant);
        for (stones, &p) in moves.iter().enumerate() {
            keys.place(p, Side::to_move_after(stones));
        }
        let here = self.record(&keys).unwrap_or_default();
        let side = Side::to_move_after(moves.len());
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for p in (0..height).flat_map(|y| (0..width).filter_map(move |x| Point::new(x, y))) {
            if here.lines == 0 || moves.contains(&p) {
                continue;
            }
            let mut after = keys.clone();
            after.place(p, side);
            if let Some(record) = self.record(&after)
                && seen.insert(after.least())
            {
                next.push(Next { point: p, record });
            }
        }
        next.sort_by_key(|next| std::cmp::Reverse(next.record.lines));
        (here, next)
    }
}
