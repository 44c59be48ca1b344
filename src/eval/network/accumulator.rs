//! The network's sums over the points of one position, region by region, move after move.
//!
//! Each side has its own, since it sees the codes from its own point of view. They follow when a value
//! is asked for, and only those of the side to move do. What they were after each move stays known, so
//! that the moves that a node tries all begin with the sums of the node.

use std::sync::Arc;

use super::regions::Regions;
use super::tables::Tables;
use crate::eval::kernel::{Change, Kernel, Rows, Sums};
use crate::pattern::code::OCCUPIED;
use crate::pattern::threat::{self, ThreatMap};
use crate::position::Position;
use crate::score::Score;

/// Moves more than asked for that there is room for.
const SPARE_MOVES: usize = 32;

/// Values of one position by a network, move after move.
pub struct Accumulator {
    tables: Arc<Tables>,
    kernel: Kernel,
    /// Those of the position's board; none before its first value.
    regions: Option<Regions>,
    /// By side to move.
    views: [View; 2],
}

/// What one side sees.
#[derive(Default)]
struct View {
    /// The sums before the position's first move and after each one, where they were asked for.
    sums: Vec<Sums>,
    /// The move that each sum is after ([`ThreatMap::stamp`]); 0 before the first, and where there is
    /// no sum.
    stamps: Vec<u64>,
}

impl Accumulator {
    /// Values by this network and the quickest kernel.
    pub fn new(tables: Arc<Tables>) -> Accumulator {
        Accumulator::with_kernel(tables, Kernel::best())
    }

    /// Values by this network and this kernel: the same ones.
    pub fn with_kernel(tables: Arc<Tables>, kernel: Kernel) -> Accumulator {
        Accumulator { tables, kernel, regions: None, views: [View::default(), View::default()] }
    }

    /// The value of `position`, which must be the same one at every call, for the side to move;
    /// `mask` is that of the threats of this side, `classical` its classical value.
    #[inline]
    pub fn value(&mut self, position: &Position, mask: usize, classical: Score) -> Score {
        let side = position.side_to_move();
        let section = self.tables.section(side);
        let (view, rows) = (&mut self.views[side.index()], section.rows(side));
        let regions = self.regions.get_or_insert_with(|| Regions::of(position.board()));
        if view.sums.is_empty() {
            view.begin(rows, self.kernel, position, regions);
        }
        let sums = view.follow(rows, self.kernel, position.threats(), regions);
        section.score(self.kernel, sums, mask, classical)
    }
}

impl View {
    /// Bring the sums up to the last move.
    #[inline]
    fn follow(
        &mut self,
        rows: [&Rows; 2],
        kernel: Kernel,
        threats: &ThreatMap,
        regions: &Regions,
    ) -> &mut Sums {
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
            let changes = threats.changes(n).iter().map(|change| done(change, regions));
            kernel.add(rows, &known[n], changes, &mut next[0]);
            self.stamps[n + 1] = threats.stamp(n);
        }
        &mut self.sums[moves]
    }

    /// Sum up the points as they are, and go back to where the position began.
    #[cold]
    fn begin(&mut self, rows: [&Rows; 2], kernel: Kernel, position: &Position, regions: &Regions) {
        let threats = position.threats();
        let moves = threats.moves();
        self.grow(moves);
        let (before, free) = ([OCCUPIED; 2], position.board().empty_points());
        let points =
            free.map(|p| Change { region: regions.at(p), before, after: threats.codes(p) });
        let mut sums = Sums::ZERO;
        kernel.add(rows, &Sums::ZERO, points, &mut sums);
        for n in (0..moves).rev() {
            self.sums[n + 1].clone_from(&sums);
            self.stamps[n + 1] = threats.stamp(n);
            let undone = threats.changes(n).iter().map(|change| {
                let Change { region, before, after } = done(change, regions);
                Change { region, before: after, after: before }
            });
            kernel.add(rows, &self.sums[n + 1], undone, &mut sums);
        }
        self.sums[0] = sums;
    }

    #[cold]
    fn grow(&mut self, moves: usize) {
        self.sums.resize(moves + SPARE_MOVES, Sums::ZERO);
        self.stamps.resize(moves + SPARE_MOVES, 0);
    }
}

/// A change as the kernels want it.
#[inline(always)]
fn done(change: &threat::Change, regions: &Regions) -> Change {
    Change { region: regions.at(change.point()), before: change.before(), after: change.after() }
}
