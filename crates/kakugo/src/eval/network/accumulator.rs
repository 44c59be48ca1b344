//! Incrementally updated sums of a network over the regions of one position.
//!
//! Each side has sums of its own, because it sees the codes from its own point of view. Updates are
//! lazy: only the sums of the side to move follow, and only when an evaluation is requested. The
//! sums after each move are kept, so all moves of a node start from the sums of the node.

use std::sync::Arc;

use super::regions::Regions;
use super::tables::NetworkTables;
use crate::board::Side;
use crate::eval::kernel::{CellChange, CellRows, Kernel, RegionSums};
use crate::pattern::code::OCCUPIED;
use crate::pattern::line_code::{LINE_TABLE, as_seen};
use crate::pattern::threat::{PointChange, ThreatMap};
use crate::position::Position;
use crate::score::Score;

/// Moves by which the buffers grow beyond the current one.
const SPARE_MOVES: usize = 32;

/// Evaluates one position by a network, move after move.
pub struct Accumulator {
    tables: Arc<NetworkTables>,
    kernel: Kernel,
    /// Regions of the position's board; `None` before the first evaluation.
    regions: Option<Regions>,
    /// By side to move.
    views: [View; 2],
    /// Buffer for the changes of a move.
    changes: Vec<CellChange>,
}

/// The sums from the point of view of one side.
#[derive(Default)]
struct View {
    /// The sums before the position's first move and after each one, as far as they are computed.
    sums: Vec<RegionSums>,
    /// The move that each sum is after ([`ThreatMap::stamp`]); 0 before the first move, and if the
    /// sum is not computed.
    stamps: Vec<u64>,
}

impl Accumulator {
    /// Creates an accumulator with the fastest kernel.
    pub fn new(tables: Arc<NetworkTables>) -> Accumulator {
        Accumulator::with_kernel(tables, Kernel::best())
    }

    /// Creates an accumulator with this kernel. All kernels return the same evaluations.
    pub fn with_kernel(tables: Arc<NetworkTables>, kernel: Kernel) -> Accumulator {
        let views = [View::default(), View::default()];
        Accumulator { tables, kernel, regions: None, views, changes: Vec::new() }
    }

    /// Returns the evaluation of `position` for the side to move. It must be the same position at
    /// every call. `mask` is the threat mask of the side to move, `classical` its classical
    /// evaluation.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, mask: usize, classical: Score) -> Score {
        let side = position.side_to_move();
        let Accumulator { tables, kernel, regions, views, changes } = self;
        let (section, view) = (tables.section(side), &mut views[side.index()]);
        let regions = regions.get_or_insert_with(|| Regions::of(position.board()));
        let rows = section.rows(side);
        let mut updater = Updater { rows, kernel: *kernel, regions, side, changes };
        if view.sums.is_empty() {
            view.refresh(position, &mut updater);
        }
        section.score(*kernel, view.update(position.threats(), &mut updater), mask, classical)
    }
}

impl View {
    /// Updates the sums to the last move and returns them.
    #[inline]
    fn update(&mut self, threats: &ThreatMap, updater: &mut Updater) -> &mut RegionSums {
        let moves = threats.moves();
        if moves >= self.sums.len() {
            self.grow(moves);
        }
        let mut known = moves;
        while known > 0 && self.stamps[known] != threats.stamp(known - 1) {
            known -= 1;
        }
        for n in known..moves {
            let (known, next) = self.sums.split_at_mut(n + 1);
            updater.collect(threats.changes(n));
            updater.kernel.update(updater.rows, &known[n], updater.changes, &mut next[0]);
            self.stamps[n + 1] = threats.stamp(n);
        }
        &mut self.sums[moves]
    }

    /// Computes the sums from scratch, and from there back to the first move of the position.
    #[cold]
    fn refresh(&mut self, position: &Position, updater: &mut Updater) {
        let threats = position.threats();
        let moves = threats.moves();
        self.grow(moves);
        let codes = as_seen(updater.side);
        updater.changes.clear();
        updater.changes.extend(position.board().empty_points().map(|p| {
            let [a, b, c, d] = threats.lines(p).map(|line| codes[usize::from(line) % LINE_TABLE]);
            let (before, after) = ([OCCUPIED; 2], threats.codes(p));
            let region = updater.regions.at(p);
            CellChange { region, before, after, others: [a, b, c], line: [d, d] }
        }));
        let mut sums = RegionSums::ZERO;
        updater.kernel.update(updater.rows, &RegionSums::ZERO, updater.changes, &mut sums);
        for n in (0..moves).rev() {
            self.sums[n + 1].clone_from(&sums);
            self.stamps[n + 1] = threats.stamp(n);
            updater.collect(threats.changes(n));
            updater.changes.iter_mut().for_each(|change| *change = change.reversed());
            updater.kernel.update(updater.rows, &self.sums[n + 1], updater.changes, &mut sums);
        }
        self.sums[0] = sums;
    }

    #[cold]
    fn grow(&mut self, moves: usize) {
        self.sums.resize(moves + SPARE_MOVES, RegionSums::ZERO);
        self.stamps.resize(moves + SPARE_MOVES, 0);
    }
}

/// The inputs of an update from the point of view of one side.
struct Updater<'s> {
    rows: CellRows<'s>,
    kernel: Kernel,
    regions: &'s Regions,
    side: Side,
    /// The changes of one move.
    changes: &'s mut Vec<CellChange>,
}

impl Updater<'_> {
    /// Collects the changes of a move. The kernel gets a list, not an iterator: loads that follow
    /// stores of another width to the same address stall.
    #[inline]
    fn collect(&mut self, changes: &[PointChange]) {
        let codes = as_seen(self.side);
        let code = |line: u16| codes[usize::from(line) % LINE_TABLE];
        let regions = self.regions;
        self.changes.clear();
        self.changes.extend(changes.iter().map(|change| {
            let (lines, (d, new)) = (change.lines(), change.line());
            let ahead = |i: usize| code(lines[(d + i) % 4]);
            CellChange {
                region: regions.at(change.point()),
                before: change.before(),
                after: change.after(),
                others: [ahead(1), ahead(2), ahead(3)],
                line: [ahead(0), code(new)],
            }
        }));
    }
}
