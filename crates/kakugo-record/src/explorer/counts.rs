//! Counts of games by position.

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
    /// The point of the move; the first one if symmetric points lead to the same position.
    pub point: Point,
    /// Statistics of the position after the move.
    pub record: Record,
}

/// Counts of games by position.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    positions: HashMap<Key, Seen, BuildHasherDefault<KeyHasher>>,
    /// Statistics of positions that occurred more than once.
    records: Vec<Record>,
    lines: Vec<(Kind, u64)>,
}

impl Explorer {
    /// Returns the number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines.iter().map(|(_, lines)| lines).sum()
    }

    /// Returns the number of lines counted for each ruleset.
    pub fn kinds(&self) -> &[(Kind, u64)] {
        &self.lines
    }

    /// Returns the number of distinct positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Counts lines through a position, and the result of a game.
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

    /// Counts lines of games with a ruleset.
    pub(super) fn count_lines(&mut self, kind: Kind, lines: u32) {
        match self.lines.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += u64::from(lines),
            None => self.lines.push((kind, u64::from(lines))),
        }
    }

    fn record(&self, keys: &Keys) -> Option<Record> {
        self.positions.get(&keys.least()).map(|seen| seen.record(&self.records))
    }

    /// Returns the statistics of the position after `moves`, and its next moves, most played first.
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
