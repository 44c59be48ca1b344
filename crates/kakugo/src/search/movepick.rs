//! The moves of a node, most promising first.
//!
//! ```text
//! table move | the rest by value: what the move makes and prevents, history, counter move
//! ```
//!
//! Which moves there are is for [`super::tactics`] to say.
//!
//! Ties are broken by point, so that the order is the same on every machine.

use crate::board::{POINTS, Point};
use crate::eval::Evaluator;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::history::{History, RELATIONS};
use super::params::{counter_move_value, history_order_divisor};

/// A move, packed below its ordering value so that the larger number is the better move and ties
/// fall to the smaller point: the order never depends on how the moves were stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ranked(i32);

impl Ranked {
    /// Values are sums of two `i16` and a thousand or two for history, so nothing is lost.
    fn new(point: Point, value: i32) -> Ranked {
        Ranked(value * POINTS as i32 + (POINTS - 1 - point.index()) as i32)
    }

    fn value(self) -> i32 {
        self.0.div_euclid(POINTS as i32)
    }

    fn point(self) -> Point {
        Point::from_index(POINTS - 1 - self.0.rem_euclid(POINTS as i32) as usize)
    }
}

/// What ordering knows besides the position.
#[derive(Clone, Copy)]
pub struct Hints {
    /// The best move of an earlier search of this position.
    pub table_move: Option<Point>,
    /// The reply that refuted the opponent's last move elsewhere.
    pub counter_move: Option<Point>,
    /// The last stones, latest first.
    pub after: [Option<Point>; RELATIONS],
}

/// The moves of all nodes on the current path, one run of them per node, in one buffer: nothing is
/// allocated while searching.
#[derive(Default)]
pub struct MoveStack {
    moves: Vec<Ranked>,
}

/// The moves of one node that have not been handed out yet.
pub struct Moves {
    points: PointSet,
    hints: Hints,
    stage: Stage,
    start: usize,
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The table's move comes before anything is listed: often no other is needed.
    TableMove,
    /// The others are still to be listed.
    Listing,
    /// Handing out the list.
    List,
}

impl MoveStack {
    /// Begin to hand out the legal moves among the free `points`. Must be followed by [`MoveStack::close`],
    /// and nothing that was opened later may still be open then.
    pub fn open(&mut self, points: PointSet, hints: Hints) -> Moves {
        let start = self.moves.len();
        Moves { points, hints, stage: Stage::TableMove, start, next: start }
    }

    /// Begin anew with other points.
    pub fn reopen(&mut self, moves: &mut Moves, points: PointSet, hints: Hints) {
        self.moves.truncate(moves.start);
        *moves = self.open(points, hints);
    }

    /// The best move that has not been handed out yet, and its value for ordering; the table's move
    /// has none. `position` is that of the node.
    pub fn next(
        &mut self,
        moves: &mut Moves,
        position: &Position,
        evaluator: &Evaluator,
        history: &History,
    ) -> Option<(Point, Option<i32>)> {
        if moves.stage == Stage::TableMove {
            moves.stage = Stage::Listing;
            if let Some(p) = moves.hints.table_move {
                if moves.points.contains(p) && position.is_legal(p) {
                    return Some((p, None));
                }
                moves.hints.table_move = None;
            }
        }
        if moves.stage == Stage::Listing {
            moves.stage = Stage::List;
            self.list(moves, position, evaluator, history);
        }
        let rest = &mut self.moves[moves.next..];
        // In two passes, of which the first takes several moves at once.
        let ranked = rest.iter().copied().max()?;
        let best = rest.iter().position(|&other| other == ranked)?;
        rest.swap(0, best);
        moves.next += 1;
        Some((ranked.point(), Some(ranked.value())))
    }

    /// Rate all moves but the table's.
    fn list(
        &mut self,
        moves: &Moves,
        position: &Position,
        evaluator: &Evaluator,
        history: &History,
    ) {
        let Hints { table_move, counter_move, after } = moves.hints;
        let side = position.side_to_move();
        let history = history.at_node(side, after);
        let values = evaluator.move_values(side);
        let divisor = 16 * history_order_divisor();
        moves.points.iter().for_each(|p| {
            if Some(p) == table_move || !position.is_legal(p) {
                return;
            }
            let threat = position.threats().at(p, side);
            let value = values.of(position.threats().codes(p))
                + history.sum(p, threat) / divisor
                + if Some(p) == counter_move { counter_move_value() } else { 0 };
            self.moves.push(Ranked::new(p, value));
        });
    }

    /// Forget the moves of a node.
    pub fn close(&mut self, moves: Moves) {
        self.moves.truncate(moves.start);
    }
}
