//! A board whose shapes and near points follow every move.
//!
//! What the points are worth is for evaluations to say ([`crate::eval`]): a [`Position`] has no value.

use crate::board::{Board, Point, Side, Stone};
use crate::pattern::Threat;
use crate::pattern::near::Near;
use crate::pattern::set::PointSet;
use crate::pattern::threat::ThreatMap;

/// A board with everything that the search wants to know about it.
pub struct Position {
    board: Board,
    threats: ThreatMap,
    near: Near,
    nears: Vec<Near>,
    free: PointSet,
}

impl Position {
    /// Look at a board.
    pub fn new(board: &Board) -> Position {
        // Values depend on what the last stone has changed, so that one is played.
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

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The shapes.
    pub fn threats(&self) -> &ThreatMap {
        &self.threats
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    /// Play the free point `p` for the side to move.
    pub fn push(&mut self, p: Point) {
        let stone = Stone { point: p, side: self.board.side_to_move() };
        self.board.push(stone);
        self.threats.push(self.board.lines(), stone);
        self.nears.push(self.near);
        self.near.add(p);
        self.free.remove(p);
    }

    /// Take back the last [`Position::push`].
    pub fn pop(&mut self) {
        if let Some(stone) = self.board.undo() {
            self.free.insert(stone.point);
        }
        self.threats.pop();
        if let Some(near) = self.nears.pop() {
            self.near = near;
        }
    }

    /// Let the side to move pass. Another pass takes it back.
    pub fn pass(&mut self) {
        self.board.set_side_to_move(self.board.side_to_move().opponent());
    }

    /// The free points near stones.
    pub fn near(&self) -> PointSet {
        self.near.points().intersection(&self.free)
    }

    /// Whether the side to move may play the free point `p`.
    pub fn is_legal(&self, p: Point) -> bool {
        let side = self.side_to_move();
        self.threats.at(p, side) != Threat::Forbidden || self.board.foul(p, side).is_none()
    }

    /// The free points where a stone of the defender brings what `attacker` makes at `p` below
    /// `threat`.
    pub fn answers(&self, p: Point, attacker: Side, threat: Threat) -> PointSet {
        self.threats.answers(self.board.lines(), p, attacker, threat)
    }
}
