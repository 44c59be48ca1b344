//! Counts of games by position.

use std::collections::{HashMap, HashSet};

use super::keys::{Key, Keys};
use super::ruleset::Ruleset;
use super::stats::PositionStats;
use super::table::{Multiple, Single, Table};
use crate::setup::{Cells, Setup};
use crate::{Game, GameResult};
use kakugo::board::{Board, Point, Variant};

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
    /// The largest first.
    tables: Vec<Table>,
    /// Positions that are not in a table yet, in any order and more than once.
    singles: Vec<Single>,
    multiples: Vec<Multiple>,
    lines: Vec<(Ruleset, u64)>,
}

/// The maximum number of positions outside of tables.
const MAX_RECENT: usize = 1 << 21;

impl Explorer {
    /// Returns the number of lines counted.
    pub fn lines(&self) -> u64 {
        self.lines.iter().map(|(_, lines)| lines).sum()
    }

    /// Returns the number of lines counted for each ruleset.
    pub fn rulesets(&self) -> &[(Ruleset, u64)] {
        &self.lines
    }

    /// Returns the number of distinct positions. [`Explorer::optimize`] makes it fast.
    pub fn positions(&self) -> usize {
        let recent = Table::of(&mut self.singles.clone(), &mut self.multiples.clone());
        let tables = self.tables.iter().chain(Some(&recent).filter(|table| table.len() > 0));
        Table::count_distinct(&tables.collect::<Vec<_>>())
    }

    /// Prepares for fast lookups, after games were counted.
    pub fn optimize(&mut self) {
        self.sort_recent();
        while let Some(last) = self.tables.pop() {
            match self.tables.last_mut() {
                Some(before) => *before = before.merge(&last),
                None => {
                    self.tables.push(last);
                    break;
                }
            }
        }
    }

    /// Counts lines through a position, and the result of a game.
    pub(super) fn add_position(&mut self, key: Key, lines: u32, result: Option<GameResult>) {
        if lines == 1 {
            self.singles.push(Single::new(key, result));
        } else {
            let mut stats = PositionStats::default();
            stats.add(lines, result);
            self.multiples.push((key, stats));
        }
        if self.singles.len() + self.multiples.len() >= MAX_RECENT {
            self.sort_recent();
        }
    }

    /// Moves recent positions to a table.
    fn sort_recent(&mut self) {
        if self.singles.is_empty() && self.multiples.is_empty() {
            return;
        }
        let table = Table::of(&mut self.singles, &mut self.multiples);
        self.add_table(table);
    }

    /// Adds a table. Tables of similar size are merged.
    pub(super) fn add_table(&mut self, mut table: Table) {
        while let Some(smaller) = self.tables.pop_if(|last| last.len() / 2 < table.len()) {
            table = smaller.merge(&table);
        }
        self.tables.push(table);
    }

    /// Returns the tables; after [`Explorer::optimize`], one at most, with all positions.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Counts lines of games with a ruleset.
    pub(super) fn add_lines(&mut self, ruleset: Ruleset, lines: u64) {
        match self.lines.iter_mut().find(|(known, _)| *known == ruleset) {
            Some((_, sum)) => *sum += lines,
            None => self.lines.push((ruleset, lines)),
        }
    }

    /// Adds the counts of other games.
    pub fn join(&mut self, other: Explorer) {
        let Explorer { tables, singles, multiples, lines } = other;
        for (ruleset, lines) in lines {
            self.add_lines(ruleset, lines);
        }
        self.singles.extend(singles);
        self.multiples.extend(multiples);
        self.sort_recent();
        tables.into_iter().for_each(|table| self.add_table(table));
    }

    /// Returns the statistics of positions.
    fn stats(&self, keys: &[Key]) -> HashMap<Key, PositionStats> {
        let mut found: HashMap<Key, PositionStats> = HashMap::new();
        let mut add = |key, stats| found.entry(key).or_default().join(stats);
        for table in &self.tables {
            keys.iter().for_each(|&key| {
                if let Some(stats) = table.get(key) {
                    add(key, stats);
                }
            });
        }
        let wanted: HashSet<Key> = keys.iter().copied().collect();
        for one in self.singles.iter().filter(|one| wanted.contains(&one.key())) {
            add(one.key(), one.stats());
        }
        for &(key, stats) in self.multiples.iter().filter(|(key, _)| wanted.contains(key)) {
            add(key, stats);
        }
        found
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
        let (side, then) = (cells.side, cells.side.opponent());
        let here = keys.minimum(side);
        let free = (0..height).flat_map(|y| (0..width).filter_map(move |x| Point::new(x, y)));
        // Of symmetric points, only the first is listed.
        let mut seen = HashSet::new();
        let after: Vec<(Point, Key)> = free
            .filter(|&p| cells.at(p).is_none())
            .map(|p| {
                let mut after = keys.clone();
                after.place(p, side);
                (p, after.minimum(then))
            })
            .filter(|&(_, key)| seen.insert(key))
            .collect();
        let wanted: Vec<Key> = after.iter().map(|&(_, key)| key).chain([here]).collect();
        let found = self.stats(&wanted);
        let Some(&here) = found.get(&here) else { return Default::default() };
        let stats = |(point, key)| Some(NextMove { point, stats: *found.get(&key)? });
        let mut next: Vec<NextMove> = after.into_iter().filter_map(stats).collect();
        next.sort_by_key(|next| std::cmp::Reverse(next.stats.lines));
        (here, next)
    }
}
