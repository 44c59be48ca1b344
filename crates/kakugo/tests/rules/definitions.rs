//! Renju in the twin: the definitions of the Renju International Federation, word by word.
//!
//! Fours and threes are *sets of stones*. Two fours are two different sets, on one line or on two,
//! so double-fours in one line need no special case.

use std::collections::BTreeSet;

use kakugo::board::{Foul, Rule, Side};

use super::twin::{At, Field, Grid, STEPS};

type Stones = BTreeSet<At>;

/// Maximum recursion depth of the legality of a straight four.
const UNLIMITED: u32 = u32::MAX;

impl Grid {
    /// Returns the reason why `side` may not play on the free point `at`, if there is one.
    pub fn foul(&self, at: At, side: Side) -> Option<Foul> {
        self.foul_looking_ahead(at, side, UNLIMITED)
    }

    /// Like `foul`, but after `depth` further stones every three counts as real. 0 counts without
    /// recursion.
    pub fn foul_looking_ahead(&self, at: At, side: Side, depth: u32) -> Option<Foul> {
        if self.rule != Rule::Renju || side != Side::Black {
            return None;
        }
        let after = self.with(at, Side::Black);
        let lengths = STEPS.map(|step| after.row(at, step, Side::Black).len());
        if lengths.contains(&5) {
            return None;
        }
        if lengths.iter().any(|&length| length >= 6) {
            return Some(Foul::Overline);
        }
        if after.fours(at).len() >= 2 {
            return Some(Foul::DoubleFour);
        }
        if after.threes(at, depth).len() >= 2 {
            return Some(Foul::DoubleThree);
        }
        None
    }

    /// Returns the free points that may share a row of five with `at`, in one direction.
    fn free_points_near(&self, at: At, (dx, dy): At) -> Vec<At> {
        let near = (-4..=4).map(|n| (at.0 + n * dx, at.1 + n * dy));
        near.filter(|&point| self.field(point) == Field::Empty).collect()
    }

    /// Returns the fours with the stone `at`: rows with four stones to which one more can be added
    /// to attain five in a row.
    fn fours(&self, at: At) -> BTreeSet<Stones> {
        let mut fours = BTreeSet::new();
        for step in STEPS {
            for free in self.free_points_near(at, step) {
                let row = self.with(free, Side::Black).row(free, step, Side::Black);
                if row.len() == 5 && row.contains(&at) {
                    fours.insert(row.into_iter().filter(|&stone| stone != free).collect());
                }
            }
        }
        fours
    }

    /// Returns the straight four with the stone `at` in this direction, if there is one: an
    /// unbroken row of four to which one stone can be added in two different ways to attain five in
    /// a row.
    fn straight_four(&self, at: At, step: At) -> Option<Stones> {
        let row = self.row(at, step, Side::Black);
        let attains_five =
            |&free: &At| self.with(free, Side::Black).row(free, step, Side::Black).len() == 5;
        let mut ways = Vec::new();
        for free in self.free_points_near(at, step) {
            let neighbours =
                [(free.0 - step.0, free.1 - step.1), (free.0 + step.0, free.1 + step.1)];
            if neighbours.iter().any(|neighbour| row.contains(neighbour)) && attains_five(&free) {
                ways.push(free);
            }
        }
        (row.len() == 4 && ways.len() == 2).then(|| row.into_iter().collect())
    }

    /// Returns the threes with the stone `at`: rows with three stones to which, without at the same
    /// time making five in a row, one more can be added to attain a straight four. A three does not
    /// count if that stone would be forbidden (9.3 of the rules).
    fn threes(&self, at: At, depth: u32) -> BTreeSet<Stones> {
        let mut threes = BTreeSet::new();
        for step in STEPS {
            for free in self.free_points_near(at, step) {
                let after = self.with(free, Side::Black);
                let Some(mut stones) = after.straight_four(free, step) else { continue };
                if !stones.contains(&at) || self.makes_five(free, Side::Black) {
                    continue;
                }
                let legal =
                    depth == 0 || self.foul_looking_ahead(free, Side::Black, depth - 1).is_none();
                if legal {
                    stones.remove(&free);
                    threes.insert(stones);
                }
            }
        }
        threes
    }
}
