//! A board with shapes and candidate points that are updated incrementally.
//!
//! A [`Position`] has no evaluation; see [`crate::eval`].

use crate::board::{Board, Point, Side, Stone};
use crate::pattern::Threat;
use crate::pattern::near::Near;
use crate::pattern::set::PointSet;
use crate::pattern::threat::ThreatMap;

/// A board with everything that the search needs to know about it.
pub struct Position {
    board: Board,
    threats: ThreatMap,
    near: Near,
    nears: Vec<Near>,
    free: PointSet,
}

impl Position {
    /// Creates a position from a board.
    pub fn new(board: &Board) -> Position {
        // Evaluations depend on the changes of the last stone, so it is played here.
        let mut before = board.clone();
        let last = before.undo();
        let mut position = Position {
            threats: ThreatMap::new(&before),
            near: Near::new(&before),
            nears: Vec::with_capacity(256),
            free: before.empty_points().collect(),
            board: before,
        };
        if let Some(stone) = last {
            position.board.set_side_to_move(stone.side);
            position.push(stone.point);
            position.board.set_side_to_move(board.side_to_move());
        }
        position
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the shapes and threats.
    pub fn threats(&self) -> &ThreatMap {
        &self.threats
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    /// Plays the empty point `p` for the side to move.
    pub fn push(&mut self, p: Point) {
        let stone = Stone { point: p, side: self.board.side_to_move() };
        self.board.push(stone);
        self.threats.push(self.board.lines(), stone);
        self.nears.push(self.near);
        self.near.add(p);
        self.free.remove(p);
    }

    /// Undoes the last [`Position::push`].
    pub fn pop(&mut self) {
        if let Some(stone) = self.board.undo() {
            self.free.insert(stone.point);
        }
        self.threats.pop();
        if let Some(near) = self.nears.pop() {
            self.near = near;
        }
    }

    /// Passes the turn to the opponent. A second pass undoes it.
    pub fn pass(&mut self) {
        self.board.set_side_to_move(self.board.side_to_move().opponent());
    }

    /// Returns the empty points near stones.
    pub fn near(&self) -> PointSet {
        self.near.points().intersection(&self.free)
    }

    /// Returns `true` if the side to move may play the empty point `p`.
    pub fn is_legal(&self, p: Point) -> bool {
        let side = self.side_to_move();
        self.threats.at(p, side) != Threat::Forbidden || self.board.foul(p, side).is_none()
    }

    /// Returns the empty points where a defender's stone reduces what `attacker` makes at `p` below
    /// `threat`.
    pub fn answers(&self, p: Point, attacker: Side, threat: Threat) -> PointSet {
        self.threats.answers(self.board.lines(), p, attacker, threat)
    }
}
