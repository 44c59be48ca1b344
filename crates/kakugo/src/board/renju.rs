//! Moves forbidden to Black in renju: overline, double-four and double-three.
//!
//! The definitions are those of the Renju International Federation (rules of play, section 9):
//!
//! - *Five*: exactly five in a row. It wins, even if the stone also makes a forbidden shape.
//! - *Overline*: six or more in a row.
//! - *Four*: one more stone makes a five. There may be two of them on one line.
//! - *Straight four*: four in a row that either of two stones makes a five.
//! - *Three*: one more stone makes a straight four, does not make a five, and is not forbidden
//!   itself. That stone is judged with the first one on the board, so the definition is recursive.
//!   The recursion ends because each step adds a stone.

use std::fmt;

use super::lines::{Lines, Region};
use super::point::{Direction, Point};
use super::rule::Side;

/// The reason why a move is forbidden to Black in renju. Playing it loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double-four",
            Foul::DoubleThree => "double-three",
        })
    }
}

/// Returns the reason why the empty point `p` is forbidden to Black; `None` if it is allowed.
pub fn foul(lines: &Lines, p: Point) -> Option<Foul> {
    let regions = Direction::ALL.map(|d| lines.region(p, d).with_stone(0, Side::Black));
    let runs = regions.map(run);
    if runs.contains(&5) {
        return None;
    }
    if runs.iter().any(|&run| run > 5) {
        return Some(Foul::Overline);
    }
    let fours = regions.map(fours);
    if fours.iter().sum::<u32>() >= 2 {
        return Some(Foul::DoubleFour);
    }
    let threes = |i: usize| fours[i] == 0 && straight_four_cells(regions[i]).next().is_some();
    if (0..4).filter(|&i| threes(i)).count() < 2 {
        return None;
    }
    let mut after = lines.clone();
    after.toggle_stone(p, Side::Black);
    let real = (0..4).filter(|&i| fours[i] == 0 && is_real_three(&after, p, Direction::ALL[i]));
    (real.count() >= 2).then_some(Foul::DoubleThree)
}

/// Returns true if Black makes five by playing on the empty point `p`.
fn makes_five(lines: &Lines, p: Point) -> bool {
    Direction::ALL.iter().any(|&d| run(lines.region(p, d).with_stone(0, Side::Black)) == 5)
}

/// Returns the length of Black's run through the centre.
fn run(region: Region) -> u32 {
    let (before, after) = region.arms(0, Side::Black);
    before + after + 1
}

/// Returns the number of fours on this line that contain the centre.
fn fours(region: Region) -> u32 {
    let mut completions = (-4..=4)
        .filter(|&k| k != 0 && region.is_empty(k) && run(region.with_stone(k, Side::Black)) == 5);
    match (completions.next(), completions.next()) {
        (None, _) => 0,
        (Some(_), None) => 1,
        // Five cells apart the two completions belong to one straight four.
        (Some(first), Some(second)) => {
            if second - first == 5 {
                1
            } else {
                2
            }
        }
    }
}

/// Returns the cells on this line that make a straight four containing the centre.
fn straight_four_cells(region: Region) -> impl Iterator<Item = i32> {
    (-3..=3).filter(move |&k| k != 0 && region.is_empty(k)).filter(move |&k| {
        let four = region.with_stone(k, Side::Black);
        let (before, after) = four.arms(0, Side::Black);
        let (low, high) = (-(before as i32) - 1, after as i32 + 1);
        before + after == 3
            && (low < k && k < high)
            && four.is_empty(low)
            && four.is_empty(high)
            && !four.is_stone(low - 1, Side::Black)
            && !four.is_stone(high + 1, Side::Black)
    })
}

/// Returns true if the black stone on `p` forms a three in `direction` that may legally become a
/// straight four.
fn is_real_three(lines: &Lines, p: Point, direction: Direction) -> bool {
    straight_four_cells(lines.region(p, direction)).any(|k| {
        let q = p.step_unchecked(direction, k);
        !makes_five(lines, q) && foul(lines, q).is_none()
    })
}
