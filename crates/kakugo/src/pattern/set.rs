//! A set of points as a bitboard.

use crate::board::{POINTS, Point};

const WORDS: usize = POINTS / 64;

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// The set of all points of the largest board.
    pub const ALL: PointSet = PointSet([u64::MAX; WORDS]);

    /// Inserts a point.
    #[inline]
    pub fn insert(&mut self, p: Point) {
        self.0[p.index() / 64] |= 1 << (p.index() % 64);
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, p: Point) {
        self.0[p.index() / 64] &= !(1 << (p.index() % 64));
    }

    /// Returns `true` if the point is in the set.
    #[inline]
    pub fn contains(&self, p: Point) -> bool {
        self.0[p.index() / 64] >> (p.index() % 64) & 1 != 0
    }

    /// Returns `true` if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the points in both sets.
    pub fn intersection(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the points in either set.
    pub fn union(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Returns the points that are not in the other set.
    pub fn difference(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Inserts columns of row `y`, given as bits (bit 0 is column 0).
    pub(super) fn insert_row(&mut self, y: usize, columns: u32) {
        self.0[y / 2 % WORDS] |= u64::from(columns) << (y % 2 * 32);
    }

    /// Returns the points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            Bits(word).map(move |bit| Point::from_index(i * 64 + bit as usize))
        })
    }
}

/// Indices of the set bits of a word, lowest first.
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|p| set.insert(p));
        set
    }
}
