//! The network's sums over the points of one position, region by region, move after move.
//!
//! Each side has its own, since it sees the codes from its own point of view. They follow when a value
//! is asked for, and only those of the side to move do. What they were after each move stays known, so
//! that the moves that a node tries all begin with the sums of the node.

use std::sync::Arc;

use super::regions::Regions;
use super::tables::Tables;
use crate::board::Side;
use crate::eval::kernel::{CellRows, Change, Kernel, Sums};
use crate::pattern::code::OCCUPIED;
use crate::pattern::line_code::{LINE_TABLE, as_seen};
use crate::pattern::threat::{PointChange, ThreatMap};
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
    /// Room for what a move changes.
    changes: Vec<Change>,
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
        let views = [View::default(), View::default()];
        Accumulator { tables, kernel, regions: None, views, changes: Vec::new() }
    }

    /// The value of `position`, which must be the same one at every call, for the side to move;
    /// `mask` is that of the threats of this side, `classical` its classical value.
    #[inline]
    pub fn value(&mut self, position: &Position, mask: usize, classical: Score) -> Score {
        let side = position.side_to_move();
        let Accumulator { tables, kernel, regions, views, changes } = self;
        let (section, view) = (tables.section(side), &mut views[side.index()]);
        let regions = regions.get_or_insert_with(|| Regions::of(position.board()));
        let mut sight = Sight { rows: section.rows(side), kernel: *kernel, regions, side, changes };
        if view.sums.is_empty() {
            view.begin(position, &mut sight);
        }
        section.score(*kernel, view.follow(position.threats(), &mut sight), mask, classical)
    }
}

impl View {
    /// Bring the sums up to the last move.
    #[inline]
    fn follow(&mut self, threats: &ThreatMap, sight: &mut Sight) -> &mut Sums {
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
            sight.look(threats.changes(n));
            sight.kernel.add(sight.rows, &known[n], sight.changes, &mut next[0]);
            self.stamps[n + 1] = threats.stamp(n);
        }
        &mut self.sums[moves]
    }

    /// Sum up the points as they are, and go back to where the position began.
    #[cold]
    fn begin(&mut self, position: &Position, sight: &mut Sight) {
        let threats = position.threats();
        let moves = threats.moves();
        self.grow(moves);
        let codes = as_seen(sight.side);
        sight.changes.clear();
        sight.changes.extend(position.board().empty_points().map(|p| {
            let [a, b, c, d] = threats.lines(p).map(|line| codes[usize::from(line) % LINE_TABLE]);
            let (before, after) = ([OCCUPIED; 2], threats.codes(p));
            Change { region: sight.regions.at(p), before, after, others: [a, b, c], line: [d, d] }
        }));
        let mut sums = Sums::ZERO;
        sight.kernel.add(sight.rows, &Sums::ZERO, sight.changes, &mut sums);
        for n in (0..moves).rev() {
            self.sums[n + 1].clone_from(&sums);
            self.stamps[n + 1] = threats.stamp(n);
            sight.look(threats.changes(n));
            sight.changes.iter_mut().for_each(|change| *change = change.undone());
            sight.kernel.add(sight.rows, &self.sums[n + 1], sight.changes, &mut sums);
        }
        self.sums[0] = sums;
    }

    #[cold]
    fn grow(&mut self, moves: usize) {
        self.sums.resize(moves + SPARE_MOVES, Sums::ZERO);
        self.stamps.resize(moves + SPARE_MOVES, 0);
    }
}

/// How the side to move sees points.
struct Sight<'s> {
    rows: CellRows<'s>,
    kernel: Kernel,
    regions: &'s Regions,
    side: Side,
    /// What a move has changed.
    changes: &'s mut Vec<Change>,
}

impl Sight<'_> {
    /// List what a move has changed. A list, and no iterator that the kernel asks: what is read as soon as
    /// it is written, in other portions, has to wait.
    #[inline]
    fn look(&mut self, changes: &[PointChange]) {
        let codes = as_seen(self.side);
        let code = |line: u16| codes[usize::from(line) % LINE_TABLE];
        let regions = self.regions;
        self.changes.clear();
        self.changes.extend(changes.iter().map(|change| {
            let (lines, (d, new)) = (change.lines(), change.line());
            let ahead = |i: usize| code(lines[(d + i) % 4]);
            Change {
                region: regions.at(change.point()),
                before: change.before(),
                after: change.after(),
                others: [ahead(1), ahead(2), ahead(3)],
                line: [ahead(0), code(new)],
            }
        }));
    }
}
