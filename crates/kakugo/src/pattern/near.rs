//! Candidate points: the points near stones.
//!
//! ```text
//!     x . . . x . . . x        * a stone, x the points near it: all within
//!     . x . . x . . x .        distance 2, and up to distance 4 along lines
//!     . . x x x x x . .
//!     . . x x x x x . .
//!     x x x x * x x x x
//! ```

use crate::board::{Board, Point};

use super::set::PointSet;

/// Columns near a stone in column 8, for rows at distance 0 to 4.
const STAMP: [u32; 5] = [
    0b1_1111_1111 << 4,
    0b0_0111_1100 << 4,
    0b0_0111_1100 << 4,
    0b0_1001_0010 << 4,
    0b1_0001_0001 << 4,
];

/// The points near stones, including occupied ones.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    set: PointSet,
    width: u8,
    height: u8,
}

impl Near {
    /// Returns the points near the stones of `board`.
    pub fn new(board: &Board) -> Near {
        let mut near = Near { set: PointSet::EMPTY, width: board.width(), height: board.height() };
        board.stones().for_each(|stone| near.add(stone.point));
        near
    }

    /// Adds the points near a new stone.
    pub fn add(&mut self, p: Point) {
        let x = u32::from(p.x());
        let in_board = u32::MAX >> (32 - u32::from(self.width));
        let y = i32::from(p.y());
        for dy in -4i32..=4 {
            let row = y + dy;
            if (0..i32::from(self.height)).contains(&row) {
                let stamp = u64::from(STAMP[dy.unsigned_abs() as usize]);
                self.set.insert_row(row as usize, (stamp << x >> 8) as u32 & in_board);
            }
        }
    }

    /// Returns the points.
    pub fn points(&self) -> &PointSet {
        &self.set
    }
}
