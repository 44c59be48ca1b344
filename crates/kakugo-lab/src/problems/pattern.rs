//! The pattern of stones that a problem is about, to recognise near duplicates.

use std::collections::BTreeSet;

use kakugo::board::{Cell, Direction, Point};
use kakugo_record::problems::Problem;

/// A stone or a move: column, row, and what it is.
pub(super) type Mark = (i16, i16, u8);

/// Returns what a problem is about, equal for reflections, rotations and translations: the winner's
/// stones on the lines through its moves, and these moves.
pub(super) fn pattern(problem: &Problem) -> Vec<Mark> {
    let (board, winner) = (problem.board(), problem.winner());
    let moves: BTreeSet<Point> = problem.line.iter().step_by(2).copied().collect();
    let around = |&p: &Point| {
        let steps = |d| (-4..=4).filter_map(move |k| p.step(d, k));
        Direction::ALL.into_iter().flat_map(steps).collect::<Vec<_>>()
    };
    let stones: BTreeSet<Point> =
        moves.iter().flat_map(around).filter(|&p| board.cell(p) == Cell::Stone(winner)).collect();
    let mark = |p: &Point, what| (i16::from(p.x()), i16::from(p.y()), what);
    let marks: Vec<Mark> =
        moves.iter().map(|p| mark(p, 1)).chain(stones.iter().map(|p| mark(p, 0))).collect();
    (0..8).map(|symmetry| normal(&marks, symmetry)).min().unwrap_or_default()
}

/// Returns the marks after a symmetry of the square (0 to 7), moved to the upper left and sorted.
fn normal(marks: &[Mark], symmetry: u8) -> Vec<Mark> {
    let turn = |&(x, y, what): &Mark| {
        let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
        let x = if symmetry & 2 == 0 { x } else { -x };
        let y = if symmetry & 4 == 0 { y } else { -y };
        (x, y, what)
    };
    let mut marks: Vec<Mark> = marks.iter().map(turn).collect();
    let left = marks.iter().map(|mark| mark.0).min().unwrap_or(0);
    let top = marks.iter().map(|mark| mark.1).min().unwrap_or(0);
    marks.iter_mut().for_each(|mark| *mark = (mark.0 - left, mark.1 - top, mark.2));
    marks.sort_unstable();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_and_shifted_problems_are_equal() {
        let of = |text: &str| pattern(&text.parse().unwrap());
        let four = of("freestyle 1 h8a1i8a2j8a3k8a4 g8 1 g8");
        // In a column, at its other end, and with other stones of the loser.
        assert_eq!(of("freestyle 1 c3o1c4o2c5o3c6o4 c7 1 c7"), four);
        // With a stone of the winner that is far away.
        assert_eq!(of("freestyle 1 h8a1i8a2j8a3k8a4o15a6 g8 1 g8"), four);
        // In a split row.
        assert_ne!(of("freestyle 1 h8a1i8a2j8a3l8a4 k8 1 k8"), four);
        // With a stone of the winner that is on a line with the move.
        assert_ne!(of("freestyle 1 h8a1i8a2j8a3k8a4g6a6 g8 1 g8"), four);
    }
}
