//! The network's sums over the points of one position, move after move.
//!
//! Each side has its own, since it sees the codes from its own point of view. They follow when a value
//! is asked for, and only those of the side to move do. What they were after each move stays known, so
//! that the moves that a node tries all begin with the sums of the node.

use std::sync::Arc;

use super::tables::{SectionTables, Tables};
use crate::board::Side;
use crate::eval::kernel::{Change, Kernel, MOST_CHANGES, Sum};
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
        let view = &mut self.views[side.index()];
        if view.sums.is_empty() {
            view.begin(section, self.kernel, position);
        }
        let sum = view.follow(section, self.kernel, position.threats(), side);
        section.score(self.kernel, sum, mask, classical)
    }
}

impl View {
    /// Bring the sums up to the last move.
    #[inline]
    fn follow(
        &mut self,
        section: &SectionTables,
        kernel: Kernel,
        threats: &ThreatMap,
        side: Side,
    ) -> &Sum {
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
            let changes = threats.changes(n).iter().map(|change| seen_by(side, change));
            kernel.add(&section.rows, &known[n], changes, &mut next[0]);
            self.stamps[n + 1] = threats.stamp(n);
        }
        &self.sums[moves]
    }

    /// Sum up the points as they are, and go back to where the position began.
    #[cold]
    fn begin(&mut self, section: &SectionTables, kernel: Kernel, position: &Position) {
        let (threats, side) = (position.threats(), position.side_to_move());
        let moves = threats.moves();
        self.grow(moves);
        let before = [OCCUPIED; 2];
        let codes = position.board().empty_points().map(|p| threats.codes(p));
        let points: Vec<Change> =
            codes.map(|after| Change { before, after: seen(side, after) }).collect();
        let mut sum = Sum::ZERO;
        for points in points.chunks(MOST_CHANGES) {
            let from = sum;
            kernel.add(&section.rows, &from, points.iter().copied(), &mut sum);
        }
        for n in (0..moves).rev() {
            self.sums[n + 1] = sum;
            self.stamps[n + 1] = threats.stamp(n);
            let changes = threats.changes(n).iter().map(|change| seen_by(side, change));
            let back =
                changes.map(|Change { before, after }| Change { before: after, after: before });
            kernel.add(&section.rows, &self.sums[n + 1], back, &mut sum);
        }
        self.sums[0] = sum;
    }

    #[cold]
    fn grow(&mut self, moves: usize) {
        self.sums.resize(moves + SPARE_MOVES, Sum::ZERO);
        self.stamps.resize(moves + SPARE_MOVES, 0);
    }
}

/// A change as `side` sees it.
#[inline(always)]
fn seen_by(side: Side, change: &threat::Change) -> Change {
    Change { before: seen(side, change.before()), after: seen(side, change.after()) }
}

/// Codes by colour as those of `side` and of its opponent.
#[inline(always)]
fn seen(side: Side, [black, white]: [u16; 2]) -> [u16; 2] {
    match side {
        Side::Black => [black, white],
        Side::White => [white, black],
    }
}
