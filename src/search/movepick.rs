//! The moves of a node, most promising first.
//!
//! ```text
//! table move | the rest by value: what the move makes and prevents, history, counter move
//! ```
//!
//! Which moves there are depends on what the opponent threatens:
//!
//! - a five: only the points that stop it;
//! - an open four next move: the points that keep every such threat below an open four, and our own
//!   fours, which gain time; nothing else can help, so this loses no defence;
//! - a four with an open three, or two open threes, next move, while we have no fours: the points
//!   that break each such double, and whatever makes a three, which may become a four with tempo;
//!   any other move loses in five plies more, as the position itself shows;
//! - otherwise: all points near stones.
//!
//! Ties are broken by point, so that the order is the same on every machine.

use crate::board::{POINTS, Point, Side};
use crate::eval::Evaluator;
use crate::pattern::Level;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::history::{History, RELATIONS};
use super::params::{counter_move_value, history_order_divisor, table_move_value};

/// What the opponent's threats leave us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// He threatens five: stop it.
    StopFive,
    /// He threatens an open four: stop it or make fours.
    StopOpenFour,
    /// He threatens a four with an open three, or two open threes: break it or make threes.
    StopDouble,
    /// Nothing forced.
    Free,
}

/// The duty of the side to move, and the points that meet it (legality not checked).
pub fn duty(position: &Position) -> (Duty, PointSet) {
    let attacker = position.side_to_move().opponent();
    let threats = position.threats();
    let answers_to_all = |level| {
        threats
            .points_at(attacker, level)
            .map(|p| position.answers(p, attacker, level))
            .reduce(|all, answers| all.intersection(&answers))
            .unwrap_or(PointSet::EMPTY)
    };
    if threats.count(attacker, Level::Five) > 0 {
        (Duty::StopFive, answers_to_all(Level::Five))
    } else if threats.count(attacker, Level::OpenFour) > 0 {
        let fours = threats.fours(attacker.opponent());
        (Duty::StopOpenFour, answers_to_all(Level::OpenFour).union(fours))
    } else if doubles_win(position, attacker) {
        let of_level = |level| {
            let listed = if level >= Level::Four {
                threats.fours(attacker)
            } else {
                threats.threes(attacker)
            };
            listed.iter().filter(move |&p| threats.level(p, attacker) == level)
        };
        let breaking = [Level::FourThree, Level::DoubleThree]
            .into_iter()
            .flat_map(|level| of_level(level).map(move |p| position.answers(p, attacker, level)))
            .reduce(|all, answers| all.intersection(&answers))
            .unwrap_or(PointSet::EMPTY);
        let own = attacker.opponent();
        let makes_three = |p: &Point| {
            let level = threats.level(*p, own);
            level >= Level::Three && level != Level::DoubleTwo
        };
        let threes: PointSet = position.near().iter().filter(makes_three).collect();
        (Duty::StopDouble, breaking.union(&threes))
    } else {
        (Duty::Free, position.near())
    }
}

/// Whether `attacker` has a double threat that wins in five plies if he is to move: a four with an
/// open three, or two open threes, against an opponent who cannot make a four, so that his answers
/// gain no time. (Black in renju might find the next step forbidden.)
pub fn doubles_win(position: &Position, attacker: Side) -> bool {
    let threats = position.threats();
    let doubles =
        threats.count(attacker, Level::FourThree) + threats.count(attacker, Level::DoubleThree);
    doubles > 0
        && !threats.has_fours(attacker.opponent())
        && !position.board().variant().has_forbidden(attacker)
}

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

    /// The best move that has not been handed out yet, and its value for ordering. `position` is
    /// that of the node.
    pub fn next(
        &mut self,
        moves: &mut Moves,
        position: &Position,
        evaluator: &Evaluator,
        history: &History,
    ) -> Option<(Point, i32)> {
        if moves.stage == Stage::TableMove {
            moves.stage = Stage::Listing;
            if let Some(p) = moves.hints.table_move {
                if moves.points.contains(p) && position.is_legal(p) {
                    return Some((p, table_move_value()));
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
        Some((ranked.point(), ranked.value()))
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
        let history = history.of_moves(side, after);
        moves.points.iter().for_each(|p| {
            if Some(p) == table_move || !position.is_legal(p) {
                return;
            }
            let level = position.threats().level(p, side);
            let value = evaluator.move_value(position, p)
                + history.sum(p, level) / (16 * history_order_divisor())
                + if Some(p) == counter_move { counter_move_value() } else { 0 };
            self.moves.push(Ranked::new(p, value));
        });
    }

    /// Forget the moves of a node.
    pub fn close(&mut self, moves: Moves) {
        self.moves.truncate(moves.start);
    }
}
