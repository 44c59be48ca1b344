//! The network's sums over the points of one position, move after move.
//!
//! Each side has its own, since it sees the codes from its own point of view. They follow when a value
//! is asked for, and only those of the side to move do. What they were after each move stays known, so
//! that the moves that a node tries all begin with the sums of the node.

use std::sync::Arc;

use super::tables::Tables;
use crate::eval::kernel::{Change, Kernel, MOST_CHANGES, Rows, Sum};
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
    /// By side to move.
    views: [View; 2],
}

/// What one side sees.
#[derive(Default)]
struct View {
    /// The sums before the position's first move and after each one, where they were asked for.
    sums: Vec<Sum>,
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
        Accumulator { tables, kernel, views: [View::default(), View::default()] }
    }

    /// The value of `position`, which must be the same one at every call, for the side to move;
    /// `mask` is that of the threats of this side, `classical` its classical value.
    #[inline]
    pub fn value(&mut self, position: &Position, mask: usize, classical: Score) -> Score {
        let side = position.side_to_move();
        let section = self.tables.section(side);
        let (view, rows) = (&mut self.views[side.index()], section.rows(side));
        if view.sums.is_empty() {
            view.begin(rows, self.kernel, position);
        }
        let sum = view.follow(rows, self.kernel, position.threats());
        section.score(self.kernel, sum, mask, classical)
    }
}

impl View {
    /// Bring the sums up to the last move.
    #[inline]
    fn follow(&mut self, rows: [&Rows; 2], kernel: Kernel, threats: &ThreatMap) -> &Sum {
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
            kernel.add(rows, &known[n], threats.changes(n).iter().map(change), &mut next[0]);
            self.stamps[n + 1] = threats.stamp(n);
        }
        &self.sums[moves]
    }

    /// Sum up the points as they are, and go back to where the position began.
    #[cold]
    fn begin(&mut self, rows: [&Rows; 2], kernel: Kernel, position: &Position) {
        let threats = position.threats();
        let moves = threats.moves();
        self.grow(moves);
        let (before, free) = ([OCCUPIED; 2], position.board().empty_points());
        let points: Vec<Change> =
            free.map(|p| Change { before, after: threats.codes(p) }).collect();
        let mut sum = Sum::ZERO;
        for points in points.chunks(MOST_CHANGES) {
            let from = sum;
            kernel.add(rows, &from, points.iter().copied(), &mut sum);
        }
        for n in (0..moves).rev() {
            self.sums[n + 1] = sum;
            self.stamps[n + 1] = threats.stamp(n);
            let undone =
                |change: &threat::Change| Change { before: change.after(), after: change.before() };
            kernel.add(rows, &self.sums[n + 1], threats.changes(n).iter().map(undone), &mut sum);
        }
        self.sums[0] = sum;
    }

    #[cold]
    fn grow(&mut self, moves: usize) {
        self.sums.resize(moves + SPARE_MOVES, Sum::ZERO);
        self.stamps.resize(moves + SPARE_MOVES, 0);
    }
}

/// A change as the kernels want it.
#[inline(always)]
fn change(change: &threat::Change) -> Change {
    Change { before: change.before(), after: change.after() }
}
