//! The evaluation of one position, move after move: the classical one, or a network's that builds on it.
//!
//! An [`Evaluator`] belongs to one position and follows it when it is asked, not when stones are
//! played: moves that nobody asks about, as those of forcing searches, cost it nothing.

use std::sync::Arc;

use crate::board::{Point, Side};
use crate::position::Position;
use crate::score::Score;

use super::network::{Accumulator, Networks, Tables};
use super::weights::{MoveValues, VALUE_SCALE, Weights};
use super::worth::Worth;

/// The static value of a position for the side to move. For many positions of one game an
/// [`Evaluator`] is quicker.
pub fn evaluate(position: &Position) -> Score {
    Evaluator::new(position).value(position)
}

/// Values and ordering values of one position, move after move.
pub struct Evaluator {
    weights: &'static Weights,
    /// The sums before the position's first move and after each one, as far as they were asked for.
    sums: Vec<Sums>,
    /// The network that serves, if one does.
    network: Option<Accumulator>,
}

/// What all free points are worth.
#[derive(Clone, Copy)]
struct Sums {
    /// The move after which ([`ThreatMap::stamp`](crate::pattern::threat::ThreatMap::stamp)).
    stamp: u64,
    worth: [Worth; 2],
}

impl Evaluator {
    /// An evaluator for this position and all that come of it by [`Position::push`] and
    /// [`Position::pop`]; for no other, not even one with the same stones. An embedded network
    /// values them, where one serves.
    pub fn new(position: &Position) -> Evaluator {
        Evaluator::by(position, Networks::default().serving(position.board()))
    }

    /// [`Evaluator::new`], but without networks: the value that is an input of theirs.
    pub fn classical(position: &Position) -> Evaluator {
        Evaluator::by(position, None)
    }

    /// [`Evaluator::new`], by this network where it serves, and classical otherwise.
    pub fn by(position: &Position, tables: Option<Arc<Tables>>) -> Evaluator {
        let weights = Weights::of(position.board().variant());
        let mut worth = [Worth::default(); 2];
        for p in position.board().empty_points() {
            let [black, white] = weights.worth(position.threats().codes(p));
            worth[0] += black;
            worth[1] += white;
        }
        // Back to where the position began.
        let threats = position.threats();
        let mut sums = Vec::with_capacity(256);
        for n in (0..threats.moves()).rev() {
            sums.push(Sums { stamp: threats.stamp(n), worth });
            for change in threats.changes(n) {
                let (before, after) =
                    (weights.worth(change.before()), weights.worth(change.after()));
                (0..2).for_each(|side| worth[side] += before[side] - after[side]);
            }
        }
        sums.push(Sums { stamp: 0, worth });
        sums.reverse();
        let serving = tables.filter(|tables| tables.serves(position.board()));
        Evaluator { weights, sums, network: serving.map(Accumulator::new) }
    }

    /// The static value for the side to move.
    pub fn value(&mut self, position: &Position) -> Score {
        self.value_given(position, position.threats().mask(position.side_to_move()))
    }

    /// [`Evaluator::value`], where the mask of the threats of the side to move is known.
    pub fn value_given(&mut self, position: &Position, mask: usize) -> Score {
        let classical = self.classical_value(position, mask);
        match &mut self.network {
            Some(network) => network.value(position, mask, classical),
            None => classical,
        }
    }

    /// The classical value, which is also an input of a network's.
    #[inline]
    fn classical_value(&mut self, position: &Position, mask: usize) -> Score {
        self.follow(position);
        let side = position.side_to_move();
        let (mine, his) = (side.index(), side.opponent().index());
        let now = self.sums[self.sums.len() - 1].worth;
        let before = self.sums[self.sums.len().saturating_sub(2)].worth;
        let now = now[mine].to_move() - now[his].waiting();
        let before = before[mine].waiting() - before[his].to_move();
        Score::from_eval(((now + before) / 2 + self.weights.threat(side, mask)) / VALUE_SCALE)
    }

    /// How promising a move to the free point `p` looks, for ordering: what it makes and what it
    /// prevents; in 1/[`ORDER_SCALE`](super::weights::ORDER_SCALE) nats.
    #[inline]
    pub fn move_value(&self, position: &Position, p: Point) -> i32 {
        self.move_values(position.side_to_move()).of(position.threats().codes(p))
    }

    /// [`Evaluator::move_value`] of many moves of `side`, by the codes at their points.
    #[inline]
    pub fn move_values(&self, side: Side) -> MoveValues<'_> {
        self.weights.move_values(side)
    }

    /// Bring the sums up to the last move.
    #[inline]
    fn follow(&mut self, position: &Position) {
        let threats = position.threats();
        let moves = threats.moves();
        let mut known = moves.min(self.sums.len() - 1);
        while known > 0 && self.sums[known].stamp != threats.stamp(known - 1) {
            known -= 1;
        }
        self.sums.truncate(known + 1);
        let mut worth = self.sums[known].worth;
        for n in known..moves {
            for change in threats.changes(n) {
                let before = self.weights.worth(change.before());
                let after = self.weights.worth(change.after());
                (0..2).for_each(|side| worth[side] += after[side] - before[side]);
            }
            self.sums.push(Sums { stamp: threats.stamp(n), worth });
        }
    }
}
