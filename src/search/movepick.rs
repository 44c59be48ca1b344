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
//! - otherwise: all points near stones.
//!
//! Ties are broken by point, so that the order is the same on every machine.

use crate::board::{POINTS, Point};
use crate::eval::Position;
use crate::pattern::Level;
use crate::pattern::set::PointSet;

use super::history::{History, Played, RELATIONS};
use super::params::{counter_move_value, history_order_divisor, table_move_value};

/// What the opponent's threats leave us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// He threatens five: stop it.
    StopFive,
    /// He threatens an open four: stop it or make fours.
    StopOpenFour,
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
    } else {
        (Duty::Free, *position.near())
    }
}

/// A move, packed below its ordering value so that the larger number is the better move and ties
/// fall to the smaller point: the order never depends on how the moves were stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ranked(i64);

impl Ranked {
    fn new(point: Point, value: i32) -> Ranked {
        Ranked(i64::from(value) * POINTS as i64 + (POINTS - 1 - point.index()) as i64)
    }

    fn value(self) -> i32 {
        self.0.div_euclid(POINTS as i64) as i32
    }

    fn point(self) -> Point {
        Point::from_index(POINTS - 1 - self.0.rem_euclid(POINTS as i64) as usize)
    }
}

/// What ordering knows besides the position.
pub struct Hints<'a> {
    /// What did well elsewhere.
    pub history: &'a History,
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
    start: usize,
    next: usize,
    end: usize,
}

impl Moves {
    /// Number of moves, handed out or not.
    pub fn total(&self) -> usize {
        self.end - self.start
    }
}

impl MoveStack {
    /// List the legal moves among `points`. Must be followed by [`MoveStack::close`], and nothing
    /// that was opened later may still be open then.
    pub fn open(&mut self, position: &Position, points: &PointSet, hints: &Hints<'_>) -> Moves {
        let start = self.moves.len();
        let board = position.board();
        let side = position.side_to_move();
        for p in points.iter().filter(|&p| board.is_empty(p) && position.is_legal(p)) {
            let value = if Some(p) == hints.table_move {
                table_move_value()
            } else {
                let level = position.threats().level(p, side);
                let played = Played { side, point: p, level, after: hints.after };
                position.move_value(p)
                    + hints.history.get(&played) / history_order_divisor()
                    + if Some(p) == hints.counter_move { counter_move_value() } else { 0 }
            };
            self.moves.push(Ranked::new(p, value));
        }
        Moves { start, next: start, end: self.moves.len() }
    }

    /// The best move that has not been handed out yet, and its value for ordering.
    pub fn next(&mut self, moves: &mut Moves) -> Option<(Point, i32)> {
        let rest = &mut self.moves[moves.next..moves.end];
        let (best, &ranked) = rest.iter().enumerate().max_by_key(|&(_, ranked)| ranked)?;
        rest.swap(0, best);
        moves.next += 1;
        Some((ranked.point(), ranked.value()))
    }

    /// Forget the moves of a node.
    pub fn close(&mut self, moves: Moves) {
        self.moves.truncate(moves.start);
    }
}
