//! The regions of a board: thirds of either side, numbered row by row.
//!
//! The outer thirds have equal lengths, so a rotated or mirrored board has the same regions.

use crate::board::{Board, POINTS, Point};
use crate::eval::kernel::{REGION_CELLS_MAX, REGIONS};

/// Regions along a side.
const PARTS: usize = 3;

/// Maximum side of a board: the sums over larger regions would overflow.
pub const MAX_SIDE: u8 = 27;

const _: () = assert!(PARTS * PARTS == REGIONS);
const _: () = {
    let mut side = 1;
    while side <= MAX_SIDE {
        let [outer, inner] = lengths(side);
        let max = if outer > inner { outer } else { inner };
        assert!(max as usize * max as usize <= REGION_CELLS_MAX);
        side += 1;
    }
};

/// Returns the lengths of the outer and the inner thirds of a side, in points.
const fn lengths(side: u8) -> [u8; 2] {
    let outer = (side + 1) / 3;
    [outer, side - 2 * outer]
}

/// The region of every point of a board.
#[derive(Clone, Debug)]
pub struct Regions(Box<[u8; POINTS]>);

impl Regions {
    /// Returns the regions of a board of this size.
    pub fn of(board: &Board) -> Regions {
        let mut regions = Box::new([0; POINTS]);
        for (index, region) in regions.iter_mut().enumerate() {
            let p = Point::from_index(index);
            let row = part(p.y(), board.height());
            *region = (row * PARTS + part(p.x(), board.width())) as u8;
        }
        Regions(regions)
    }

    /// Returns the region of a point, below [`REGIONS`].
    #[inline(always)]
    pub fn at(&self, p: Point) -> u8 {
        self.0[p.index()]
    }
}

/// Returns the third of a side that a coordinate is in.
fn part(at: u8, side: u8) -> usize {
    let [outer, inner] = lengths(side);
    usize::from(at >= outer) + usize::from(at >= outer + inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MIN_SIZE, Variant};

    #[test]
    fn thirds_are_even_and_mirrored() {
        for side in MIN_SIZE..=MAX_SIDE {
            let parts: Vec<usize> = (0..side).map(|at| part(at, side)).collect();
            let mirrored: Vec<usize> = parts.iter().rev().map(|part| PARTS - 1 - part).collect();
            assert_eq!(parts, mirrored);
            assert!(parts.is_sorted());
            for third in 0..PARTS {
                let length = parts.iter().filter(|&&part| part == third).count();
                assert!(length.abs_diff(usize::from(side) / 3) <= 1, "{side}: {parts:?}");
            }
        }
    }

    #[test]
    fn regions_are_numbered_row_by_row() {
        let board = Board::new(20, 15, Variant::FREESTYLE).unwrap();
        let regions = Regions::of(&board);
        let at = |x, y| regions.at(Point::new(x, y).unwrap());
        assert_eq!([at(0, 0), at(6, 4), at(7, 4), at(12, 4), at(13, 4)], [0, 0, 1, 1, 2]);
        assert_eq!([at(0, 5), at(19, 9), at(0, 10), at(19, 14)], [3, 5, 6, 8]);
    }
}
