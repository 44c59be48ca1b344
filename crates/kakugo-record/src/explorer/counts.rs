//! Counts of games by position.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::keys::{Key, KeyHasher, Keys};
use super::ruleset::Ruleset;
use super::stats::{CompactStats, PositionStats};
use crate::setup::{Cells, Setup};
use crate::{Game, GameResult};
use kakugo::board::{Board, Point, Side, Variant};

/// A move from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextMove {
    /// The point of the move; the first one if symmetric points lead to the same position.
    pub point: Point,
    /// Statistics of the position after the move.
    pub stats: PositionStats,
}

/// Counts of games by position.
#[derive(Clone, Debug, Default)]
pub struct Explorer {
    positions: HashMap<Key, CompactStats, BuildHasherDefault<KeyHasher>>,
    /// Statistics of positions that occurred more than once.
    repeated: Vec<PositionStats>,
    lines: Vec<(Ruleset, u64)>,
}

impl Explorer {
    /// Returns the number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines.iter().map(|(_, lines)| lines).sum()
    }

    /// Returns the number of lines counted for each ruleset.
    pub fn rulesets(&self) -> &[(Ruleset, u64)] {
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
                entry.insert(CompactStats::single(result));
            }
            Entry::Vacant(entry) => {
                let mut stats = PositionStats::default();
                stats.add(lines, result);
                entry.insert(CompactStats::listed(&mut self.repeated, stats));
            }
            Entry::Occupied(mut entry) => match entry.get().index() {
                Some(index) => self.repeated[index].add(lines, result),
                None => {
                    let mut stats = entry.get().stats(&self.repeated);
                    stats.add(lines, result);
                    entry.insert(CompactStats::listed(&mut self.repeated, stats));
                }
            },
        }
    }

    /// Counts lines of games with a ruleset.
    pub(super) fn count_lines(&mut self, ruleset: Ruleset, lines: u32) {
        match self.lines.iter_mut().find(|(known, _)| *known == ruleset) {
            Some((_, sum)) => *sum += u64::from(lines),
            None => self.lines.push((ruleset, u64::from(lines))),
        }
    }

    fn stats(&self, keys: &Keys, side: Side) -> Option<PositionStats> {
        self.positions.get(&keys.minimum(side)).map(|compact| compact.stats(&self.repeated))
    }

    /// Returns the statistics of the position after `moves` from the empty board, and its next
    /// moves, most played first.
    pub fn lookup(
        &self,
        (width, height): (u8, u8),
        variant: Variant,
        moves: &[Point],
    ) -> (PositionStats, Vec<NextMove>) {
        let mut cells = Cells::new(&Setup::default());
        moves.iter().for_each(|&p| drop(cells.play(Some(p))));
        self.lookup_cells((width, height), variant, &cells)
    }

    /// Returns the same for the final position of a game.
    pub fn lookup_game(&self, game: &Game) -> (PositionStats, Vec<NextMove>) {
        let mut cells = Cells::new(&game.start);
        for (played, side) in game.moves.iter().zip(game.sides()) {
            cells.side = side;
            cells.play(played.point);
        }
        self.lookup_cells((game.width, game.height), game.variant, &cells)
    }

    /// Returns the same for a position.
    pub fn lookup_board(&self, board: &Board) -> (PositionStats, Vec<NextMove>) {
        let cells = Cells::new(&Setup::of_board(board));
        self.lookup_cells((board.width(), board.height()), board.variant(), &cells)
    }

    fn lookup_cells(
        &self,
        (width, height): (u8, u8),
        variant: Variant,
        cells: &Cells,
    ) -> (PositionStats, Vec<NextMove>) {
        let keys = Keys::of(width, height, variant, cells);
        let side = cells.side;
        let here = self.stats(&keys, side).unwrap_or_default();
        let mut found = HashSet::new();
        let mut next = Vec::new();
        for p in (0..height).flat_map(|y| (0..width).filter_map(move |x| Point::new(x, y))) {
            if here.lines == 0 || cells.at(p).is_some() {
                continue;
            }
            let mut after = keys.clone();
            after.place(p, side);
            let then = side.opponent();
            if let Some(stats) = self.stats(&after, then)
                && found.insert(after.minimum(then))
            {
                next.push(NextMove { point: p, stats });
            }
        }
        next.sort_by_key(|next| std::cmp::Reverse(next.stats.lines));
        (here, next)
    }
}
