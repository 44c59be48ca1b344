//! Loss and accuracy of moves, and of each side in a game.
//!
//! The loss of a move is the decrease of the mover's expected result, from the evaluations before
//! and after it. Accuracy is lichess' function of the loss in percent: 100 for 0, 63 for 10, 9 for
//! 50 (<https://lichess.org/page/accuracy>). The accuracy of a side is the mean over its moves.

use super::review::{EvaluatedPosition, Review};
use kakugo::board::Side;

/// Minimum losses for each grade, per mille of the expected result.
const INACCURACY: u32 = 50;
const MISTAKE: u32 = 150;
const BLUNDER: u32 = 300;

/// Accuracy of one side in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    /// Number of moves.
    pub moves: usize,
    /// Mean accuracy of the moves, 0 to 100.
    pub percent: f64,
    /// Mean loss of the moves, per mille of the expected result.
    pub mean_loss: f64,
    /// Number of moves that lost 5 to 15 percent.
    pub inaccuracies: usize,
    /// Number of moves that lost 15 to 30 percent.
    pub mistakes: usize,
    /// Number of moves that lost 30 percent or more.
    pub blunders: usize,
}

/// Severity of a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// A loss of 5 percent or more.
    Inaccuracy,
    /// A loss of 15 percent or more.
    Mistake,
    /// A loss of 30 percent or more.
    Blunder,
}

impl Grade {
    /// Returns the grade for a loss, per mille of the expected result. `None` for a good move.
    pub fn of(loss: u32) -> Option<Grade> {
        let grades =
            [(BLUNDER, Grade::Blunder), (MISTAKE, Grade::Mistake), (INACCURACY, Grade::Inaccuracy)];
        grades.into_iter().find(|&(least, _)| loss >= least).map(|(_, grade)| grade)
    }
}

/// Returns the loss of each reviewed move, per mille of the mover's expected result.
pub fn losses(review: &Review) -> Vec<u32> {
    let pairs = review.positions.windows(2).enumerate();
    pairs.map(|(i, pair)| loss(review.mover(i), &pair[0], &pair[1])).collect()
}

fn loss(side: Side, before: &EvaluatedPosition, after: &EvaluatedPosition) -> u32 {
    match side {
        Side::Black => before.black_permille.saturating_sub(after.black_permille),
        Side::White => after.black_permille.saturating_sub(before.black_permille),
    }
}

/// Returns the accuracy of Black and White, ignoring the first `given` moves of an agreed opening.
pub fn accuracy(losses: &[u32], given: usize) -> [Accuracy; 2] {
    let moves = losses.iter().enumerate().skip(given);
    of_moves(moves.map(|(before, &loss)| (Side::to_move_after(before), loss)))
}

/// Returns the accuracy of Black and White from the sides and losses of their moves.
pub fn of_moves(moves: impl Iterator<Item = (Side, u32)> + Clone) -> [Accuracy; 2] {
    Side::BOTH.map(|side| {
        let own = moves.clone().filter(|&(mover, _)| mover == side);
        let own: Vec<u32> = own.map(|(_, loss)| loss).collect();
        let count = own.len().max(1) as f64;
        let graded = |grade| own.iter().filter(|&&l| Grade::of(l) == Some(grade)).count();
        Accuracy {
            moves: own.len(),
            percent: own.iter().map(|&loss| accuracy_of(loss)).sum::<f64>() / count,
            mean_loss: own.iter().map(|&loss| f64::from(loss)).sum::<f64>() / count,
            inaccuracies: graded(Grade::Inaccuracy),
            mistakes: graded(Grade::Mistake),
            blunders: graded(Grade::Blunder),
        }
    })
}

/// Returns the accuracy of a move for its loss in per mille.
fn accuracy_of(loss: u32) -> f64 {
    let percent = f64::from(loss) / 10.0;
    (103.1668 * (-0.04354 * percent).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::score::Score;

    fn review(values: &[u32]) -> Review {
        let evaluated = |&black_permille: &u32| EvaluatedPosition {
            black: Score::ZERO,
            black_permille,
            best_line: Vec::new(),
            depth: 1,
            by_fours: false,
        };
        Review { positions: values.iter().map(evaluated).collect(), ..Review::default() }
    }

    #[test]
    fn losses_are_attributed_to_the_side_that_moved() {
        // Black loses 20 %, White 5 %, Black gains from an inexact evaluation, White loses 40 %.
        let losses = losses(&review(&[500, 300, 350, 400, 800]));
        assert_eq!(losses, [200, 50, 0, 400]);
        let [black, white] = accuracy(&losses, 0);
        assert_eq!((black.moves, black.inaccuracies, black.mistakes, black.blunders), (2, 0, 1, 0));
        assert_eq!((white.moves, white.inaccuracies, white.mistakes, white.blunders), (2, 1, 0, 1));
        assert_eq!((black.mean_loss, white.mean_loss), (100.0, 225.0));
        assert!(black.percent > white.percent);
    }

    /// Values of lichess' function.
    #[test]
    fn accuracy_falls_from_100_to_0() {
        for (loss, percent) in [(0, 100.0), (100, 63.58), (500, 8.53), (1000, 0.0)] {
            assert!((accuracy_of(loss) - percent).abs() < 0.01, "{loss}: {}", accuracy_of(loss));
        }
    }

    #[test]
    fn opening_stones_are_not_counted() {
        let losses = [500, 0, 0, 0];
        let [black, white] = accuracy(&losses, 1);
        assert_eq!((black.moves, black.blunders, white.moves), (1, 0, 2));
        assert_eq!(accuracy(&[], 0)[0], Accuracy::default());
    }
}
