//! The move picker: hands out the moves of a node, best first.
//!
//! ```text
//! TT move | other moves by value: policy by what they make and prevent, history, countermove
//! ```
//!
//! [`super::tactics`] decides which moves there are. Ties are broken by point, so the order is the
//! same on every machine.

use crate::board::{POINTS, Point};
use crate::eval::Evaluator;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::history::{CONTINUATION_PLIES, History};
use super::params::{countermove_value, history_order_divisor};

/// A move, packed below its ordering value. The larger number is the better move; equal values fall
/// to the smaller point. So the order does not depend on how the moves are stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RankedMove(i32);

impl RankedMove {
    /// Packs a move. Values are sums of two `i16` and about a thousand for history, so they fit.
    fn new(point: Point, value: i32) -> RankedMove {
        RankedMove(value * POINTS as i32 + (POINTS - 1 - point.index()) as i32)
    }

    fn value(self) -> i32 {
        self.0.div_euclid(POINTS as i32)
    }

    fn point(self) -> Point {
        Point::from_index(POINTS - 1 - self.0.rem_euclid(POINTS as i32) as usize)
    }
}

/// Inputs of move ordering besides the position.
#[derive(Clone, Copy)]
pub struct Hints {
    /// Move of the transposition table.
    pub tt_move: Option<Point>,
    /// Countermove to the opponent's last move.
    pub countermove: Option<Point>,
    /// The last stones, latest first.
    pub previous: [Option<Point>; CONTINUATION_PLIES],
}

/// A move with its rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PickedMove {
    /// Its point.
    pub point: Point,
    /// Its rating.
    pub rating: Rating,
}

/// The rating of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rating {
    /// The move of the transposition table: first, without a value.
    TtMove,
    /// The ordering value, in 1/256 nats.
    Value(i32),
}

/// The moves of all nodes on the current path in one buffer, so that the search does not allocate.
#[derive(Default)]
pub struct MoveStack {
    moves: Vec<RankedMove>,
}

/// Hands out the moves of one node.
pub struct MovePicker {
    points: PointSet,
    hints: Hints,
    stage: Stage,
    start: usize,
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The TT move comes before other moves are rated: often no other is needed.
    TtMove,
    /// The other moves must be rated.
    Rate,
    /// The other moves are handed out.
    Pick,
}

impl MoveStack {
    /// Opens a picker of the legal moves among the empty `points`. It must be closed by
    /// [`MoveStack::close`], after all pickers that were opened later.
    pub fn open(&mut self, points: PointSet, hints: Hints) -> MovePicker {
        let start = self.moves.len();
        MovePicker { points, hints, stage: Stage::TtMove, start, next: start }
    }

    /// Restarts a picker with other points.
    pub fn reopen(&mut self, picker: &mut MovePicker, points: PointSet, hints: Hints) {
        self.moves.truncate(picker.start);
        *picker = self.open(points, hints);
    }

    /// Returns the best remaining move. `position` is the node's.
    pub fn next(
        &mut self,
        picker: &mut MovePicker,
        position: &Position,
        evaluator: &Evaluator,
        history: &History,
    ) -> Option<PickedMove> {
        // TT move first (+34 ± 30).
        if picker.stage == Stage::TtMove {
            picker.stage = Stage::Rate;
            if let Some(p) = picker.hints.tt_move {
                if picker.points.contains(p) && position.is_legal(p) {
                    return Some(PickedMove { point: p, rating: Rating::TtMove });
                }
                picker.hints.tt_move = None;
            }
        }
        if picker.stage == Stage::Rate {
            picker.stage = Stage::Pick;
            self.rate(picker, position, evaluator, history);
        }
        let rest = &mut self.moves[picker.next..];
        // Two passes: the first one is vectorized.
        let best = rest.iter().copied().max()?;
        let index = rest.iter().position(|&other| other == best)?;
        rest.swap(0, index);
        picker.next += 1;
        Some(PickedMove { point: best.point(), rating: Rating::Value(best.value()) })
    }

    /// Rates all moves except the TT move.
    fn rate(
        &mut self,
        picker: &MovePicker,
        position: &Position,
        evaluator: &Evaluator,
        history: &History,
    ) {
        let Hints { tt_move, countermove, previous } = picker.hints;
        let side = position.side_to_move();
        let history = history.at_node(side, previous);
        let values = evaluator.move_values(side);
        let divisor = 16 * history_order_divisor();
        picker.points.iter().for_each(|p| {
            if Some(p) == tt_move || !position.is_legal(p) {
                return;
            }
            let threat = position.threats().at(p, side);
            // Policy by shape codes, history in ordering (+34 ± 32), and the countermove heuristic
            // (Uiterwijk, 1992; +3 ± 30).
            let value = values.of(position.threats().codes(p))
                + history.sum(p, threat) / divisor
                + if Some(p) == countermove { countermove_value() } else { 0 };
            self.moves.push(RankedMove::new(p, value));
        });
    }

    /// Closes a picker.
    pub fn close(&mut self, picker: MovePicker) {
        self.moves.truncate(picker.start);
    }
}
