//! Points of the board, and the four directions of lines.
//!
//! Points of all board sizes share one numbering, `y * 32 + x`: tables indexed by point have one
//! fixed size, and neighbours are a constant step apart.

use std::fmt;

/// Smallest width and height of a board.
pub const MIN_SIZE: u8 = 3;
/// Largest width and height of a board.
pub const MAX_SIZE: u8 = 32;

/// Number of indices a point can have; the length of every table indexed by point.
pub const POINTS: usize = 1024;

/// A point: `x` counts columns from the left, `y` rows from the top, both from 0.
///
/// Players count rows from the bottom: [`Board::name`](crate::board::Board::name) and
/// [`Board::parse_point`](crate::board::Board::parse_point) convert points to names such as `h8`
/// and back. `Display` prints the form of the Gomocup protocol, `x,y`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// Returns the point at column `x` and row `y`; `None` if no board has it (32 or more).
    pub const fn new(x: u8, y: u8) -> Option<Point> {
        if x < MAX_SIZE && y < MAX_SIZE { Some(Point(y as u16 * 32 + x as u16)) } else { None }
    }

    /// Column, from the left, from 0.
    pub const fn x(self) -> u8 {
        (self.0 % 32) as u8
    }

    /// Row, from the top, from 0.
    pub const fn y(self) -> u8 {
        (self.0 / 32) as u8
    }

    /// Returns the distance to `other` in steps to any of the eight neighbours (king moves).
    pub fn distance(self, other: Point) -> u8 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }
}

internal! {
    impl Point {
        /// Returns the point with this index (taken modulo [`POINTS`]).
        pub const fn from_index(index: usize) -> Point {
            Point((index % POINTS) as u16)
        }

        /// Returns `y * 32 + x`, below [`POINTS`].
        pub const fn index(self) -> usize {
            self.0 as usize % POINTS
        }

        /// Returns the point `steps` further in `direction`; `None` if no board has it.
        pub fn step(self, direction: Direction, steps: i32) -> Option<Point> {
            let (dx, dy) = direction.delta();
            let x = u8::try_from(i32::from(self.x()) + dx * steps).ok()?;
            let y = u8::try_from(i32::from(self.y()) + dy * steps).ok()?;
            Point::new(x, y)
        }

        /// [`Point::step`] to a point that is known to exist (checked in debug builds).
        pub fn step_unchecked(self, direction: Direction, steps: i32) -> Point {
            debug_assert!(self.step(direction, steps).is_some());
            Point::from_index((self.0 as i32 + direction.stride() * steps) as usize)
        }
    }
}

/// The form of the Gomocup protocol: `x,y`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{},{}", self.x(), self.y()))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

/// A direction of lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, to the right.
    Horizontal,
    /// Along a column, downwards.
    Vertical,
    /// Right and down.
    Diagonal,
    /// Right and up.
    AntiDiagonal,
}

impl Direction {
    /// All four, in index order.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Diagonal, Direction::AntiDiagonal];

    /// Position in [`Direction::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// One step as `(dx, dy)`.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Diagonal => (1, 1),
            Direction::AntiDiagonal => (1, -1),
        }
    }

    /// One step as a difference of point indices.
    pub const fn stride(self) -> i32 {
        let (dx, dy) = self.delta();
        dy * 32 + dx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_there_and_back() {
        for index in 0..POINTS {
            let p = Point::from_index(index);
            for d in Direction::ALL {
                if let Some(q) = p.step(d, 3) {
                    assert_eq!(q.step(d, -3), Some(p));
                    assert_eq!(p.step_unchecked(d, 3), q);
                    assert_eq!(p.distance(q), 3);
                }
            }
        }
    }

    #[test]
    fn steps_stay_on_the_largest_board() {
        let corner = Point::new(0, 0).unwrap();
        assert_eq!(corner.step(Direction::Horizontal, -1), None);
        assert_eq!(corner.step(Direction::AntiDiagonal, 1), None);
        assert_eq!(Point::new(31, 31).unwrap().step(Direction::Vertical, 1), None);
        assert_eq!(Point::new(32, 0), None);
    }
}
