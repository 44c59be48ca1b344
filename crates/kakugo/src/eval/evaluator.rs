//! The static evaluation of one position, move after move.
//!
//! An [`Evaluator`] belongs to one position. It follows the position when an evaluation is
//! requested, not when stones are played. So moves without an evaluation, such as those of VCF
//! searches, cost nothing.

use std::sync::Arc;

use crate::board::{Point, Side};
use crate::position::Position;
use crate::score::Score;

use super::network::{Accumulator, NetworkTables, Networks};
use super::packed_value::PackedValue;
use super::weights::{MoveValues, VALUE_SCALE, Weights};

/// Returns the static evaluation of a position for the side to move. An [`Evaluator`] is faster for
/// many positions of one game.
pub fn evaluate(position: &Position) -> Score {
    Evaluator::new(position).evaluate(position)
}

/// Static evaluations and move ordering values of one position, move after move.
pub struct Evaluator {
    weights: &'static Weights,
    /// The sums before the position's first move and after each one, as far as they are computed.
    sums: Vec<ClassicalSums>,
    /// The network, if there is one for the board.
    network: Option<Accumulator>,
}

/// Values of all empty points.
#[derive(Clone, Copy)]
struct ClassicalSums {
    /// The move after which the sums are valid
    /// ([`ThreatMap::stamp`](crate::pattern::threat::ThreatMap::stamp)).
    stamp: u64,
    values: [PackedValue; 2],
}

impl Evaluator {
    /// Creates an evaluator for this position and all that follow by [`Position::push`] and
    /// [`Position::pop`]. It must not be used for another position, not even one with the same
    /// stones. Evaluates with the embedded network if there is one for the board.
    pub fn new(position: &Position) -> Evaluator {
        Evaluator::with_network(position, Networks::default().for_board(position.board()))
    }

    /// Like [`Evaluator::new`], but without a network: the evaluation that is an input of networks.
    pub fn classical(position: &Position) -> Evaluator {
        Evaluator::with_network(position, None)
    }

    /// Like [`Evaluator::new`], but with this network if it supports the board, and classical
    /// otherwise.
    pub fn with_network(position: &Position, tables: Option<Arc<NetworkTables>>) -> Evaluator {
        let weights = Weights::of(position.board().variant());
        let mut values = [PackedValue::default(); 2];
        for p in position.board().empty_points() {
            let [black, white] = weights.point_values(position.threats().codes(p));
            values[0] += black;
            values[1] += white;
        }
        // Go back to the first move of the position.
        let threats = position.threats();
        let mut sums = Vec::with_capacity(256);
        for n in (0..threats.moves()).rev() {
            sums.push(ClassicalSums { stamp: threats.stamp(n), values });
            for change in threats.changes(n) {
                let before = weights.point_values(change.before());
                let after = weights.point_values(change.after());
                (0..2).for_each(|side| values[side] += before[side] - after[side]);
            }
        }
        sums.push(ClassicalSums { stamp: 0, values });
        sums.reverse();
        let supported = tables.filter(|tables| tables.supports(position.board()));
        Evaluator { weights, sums, network: supported.map(Accumulator::new) }
    }

    /// Returns the static evaluation for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        self.evaluate_with_mask(position, position.threats().mask(position.side_to_move()))
    }

    /// Like [`Evaluator::evaluate`], with the threat mask of the side to move.
    pub fn evaluate_with_mask(&mut self, position: &Position, mask: usize) -> Score {
        let classical = self.evaluate_classical(position, mask);
        match &mut self.network {
            Some(network) => network.evaluate(position, mask, classical),
            None => classical,
        }
    }

    /// Returns the classical evaluation.
    #[inline]
    fn evaluate_classical(&mut self, position: &Position, mask: usize) -> Score {
        self.update(position);
        let side = position.side_to_move();
        let (own, other) = (side.index(), side.opponent().index());
        let now = self.sums[self.sums.len() - 1].values;
        let before = self.sums[self.sums.len().saturating_sub(2)].values;
        let now = now[own].to_move() - now[other].waiting();
        let before = before[own].waiting() - before[other].to_move();
        Score::from_eval(((now + before) / 2 + self.weights.threat(side, mask)) / VALUE_SCALE)
    }

    /// Returns the ordering value of a move to the empty point `p`: how promising it is by what it
    /// makes and prevents, in 1/[`ORDER_SCALE`](super::weights::ORDER_SCALE) nats.
    #[inline]
    pub fn move_value(&self, position: &Position, p: Point) -> i32 {
        self.move_values(position.side_to_move()).of(position.threats().codes(p))
    }

    /// Returns [`Evaluator::move_value`] of the moves of `side`, by the codes of their points.
    #[inline]
    pub fn move_values(&self, side: Side) -> MoveValues<'_> {
        self.weights.move_values(side)
    }

    /// Updates the sums to the last move.
    #[inline]
    fn update(&mut self, position: &Position) {
        let threats = position.threats();
        let moves = threats.moves();
        let mut known = moves.min(self.sums.len() - 1);
        while known > 0 && self.sums[known].stamp != threats.stamp(known - 1) {
            known -= 1;
        }
        self.sums.truncate(known + 1);
        let mut values = self.sums[known].values;
        for n in known..moves {
            for change in threats.changes(n) {
                let before = self.weights.point_values(change.before());
                let after = self.weights.point_values(change.after());
                (0..2).for_each(|side| values[side] += after[side] - before[side]);
            }
            self.sums.push(ClassicalSums { stamp: threats.stamp(n), values });
        }
    }
}
