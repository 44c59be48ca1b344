//! Loss and accuracy of moves, and of each side in a game.
//!
//! The loss of a move is the decrease of the mover's expected result, from the evaluations before
//! and after it. The accuracy of a side is lichess' function of its mean loss in percent: 100 for
//! 0, 63 for 10, 9 for 50 (<https://lichess.org/page/accuracy>). The mean is over the moves that
//! were made before the game was decided: moves in a lost position cost nothing, and neither do
//! moves that keep a won position won. They say nothing about a player.

use std::fmt;

use super::review::{EvaluatedPosition, Review, TURNING_PERMILLE};
use kakugo::board::Side;

/// Minimum losses for each grade, per mille of the expected result.
const INACCURACY: u32 = 50;
const MISTAKE: u32 = TURNING_PERMILLE;
const BLUNDER: u32 = 300;

/// Largest expected result of a lost position, per mille.
const LOST: u32 = 50;

/// Accuracy of one side in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    /// Number of moves.
    pub moves: usize,
    /// Number of moves before the game was decided. Only these count.
    pub counted: usize,
    /// Accuracy, 0 to 100. Meaningless if no move counted.
    pub percent: f64,
    /// Mean loss of the moves, per mille of the expected result.
    pub mean_loss: f64,
    /// Number of moves that lost 5 to 20 percent.
    pub inaccuracies: usize,
    /// Number of moves that lost 20 to 30 percent.
    pub mistakes: usize,
    /// Number of moves that lost 30 percent or more.
    pub blunders: usize,
}

/// Formats as a sentence without the name of the player.
impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Accuracy { moves, counted, percent, mean_loss, inaccuracies, mistakes, blunders } =
            self;
        if counted == 0 {
            return write!(f, "no accuracy: no move before the game was decided");
        }
        let mean_loss = mean_loss / 10.0;
        write!(f, "accuracy {percent:.1} %, mean loss {mean_loss:.1} % in ")?;
        if counted == moves {
            write!(f, "{moves} move{}", if moves == 1 { "" } else { "s" })?;
        } else {
            write!(f, "{counted} of {moves} moves (until the game was decided)")?;
        }
        write!(
            f,
            "; inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders} (losses of 5, \
             20, 30 %)"
        )
    }
}

/// Severity of a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// A loss of 5 percent or more.
    Inaccuracy,
    /// A loss of 20 percent or more.
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

/// Returns the loss of each reviewed move, per mille of the mover's expected result. A mistake that
/// has not been verified yet counts as an inaccuracy. Moves of an opening lose nothing.
pub fn losses(review: &Review) -> Vec<u32> {
    let pairs = review.positions.windows(2).enumerate();
    let is_opening = |i: usize| i < review.opening_moves;
    pairs
        .map(|(i, pair)| if is_opening(i) { 0 } else { loss(review.mover(i), &pair[0], &pair[1]) })
        .collect()
}

fn loss(side: Side, before: &EvaluatedPosition, after: &EvaluatedPosition) -> u32 {
    let loss = match side {
        Side::Black => before.black_permille.saturating_sub(after.black_permille),
        Side::White => after.black_permille.saturating_sub(before.black_permille),
    };
    let is_verified = before.is_verified() && after.is_verified();
    if is_verified { loss } else { loss.min(MISTAKE - 1) }
}

/// Returns the accuracy of Black and White in a review, from the moves (from 0) for which `counts`
/// is true and that were not made after the game was decided. Moves of an opening do not count.
pub fn of_review(review: &Review, counts: impl Fn(usize) -> bool) -> [Accuracy; 2] {
    Side::BOTH.map(|side| {
        let (moves, losses) = counted_losses(review, side, &counts);
        let own: Vec<u32> = losses.into_iter().map(|(_, loss)| loss).collect();
        if own.is_empty() {
            return Accuracy { moves, ..Accuracy::default() };
        }
        let mean_loss = own.iter().map(|&loss| f64::from(loss)).sum::<f64>() / own.len() as f64;
        let graded = |grade| own.iter().filter(|&&l| Grade::of(l) == Some(grade)).count();
        Accuracy {
            moves,
            counted: own.len(),
            percent: accuracy_of(mean_loss),
            mean_loss,
            inaccuracies: graded(Grade::Inaccuracy),
            mistakes: graded(Grade::Mistake),
            blunders: graded(Grade::Blunder),
        }
    })
}

/// Returns the number of moves of `side` after the opening for which `counts` is true, and those of
/// them that were made before the game was decided, with their losses.
pub(super) fn counted_losses(
    review: &Review,
    side: Side,
    counts: impl Fn(usize) -> bool,
) -> (usize, Vec<(usize, u32)>) {
    let losses = losses(review);
    let played = review.opening_moves..losses.len();
    let own = played.filter(|&i| review.mover(i) == side && counts(i));
    let own: Vec<usize> = own.collect();
    let is_open = |i: &usize| {
        let [before, after] = [*i, *i + 1].map(|i| own_permille(side, &review.positions[i]));
        !is_decided(before, after)
    };
    let open = own.iter().copied().filter(is_open).map(|i| (i, losses[i]));
    (own.len(), open.collect())
}

/// Returns true for a move in a lost position, and for one that keeps a won position won.
fn is_decided(before: u32, after: u32) -> bool {
    before <= LOST || before.min(after) >= 1000 - LOST
}

fn own_permille(side: Side, position: &EvaluatedPosition) -> u32 {
    match side {
        Side::Black => position.black_permille,
        Side::White => 1000 - position.black_permille,
    }
}

/// Returns the accuracy for a mean loss in per mille.
pub(super) fn accuracy_of(mean_loss: f64) -> f64 {
    let percent = mean_loss / 10.0;
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
            checks: EvaluatedPosition::VERIFIED,
        };
        Review { positions: values.iter().map(evaluated).collect(), ..Review::default() }
    }

    #[test]
    fn moves_of_an_opening_are_nobodys() {
        let given = Review { opening_moves: 2, ..review(&[500, 100, 900, 500, 500]) };
        assert_eq!(losses(&given), [0, 0, 400, 0]);
        let [black, white] = of_review(&given, |_| true);
        assert_eq!((black.moves, black.blunders, white.moves), (1, 1, 1));
        // There may be fewer moves.
        let given = Review { opening_moves: 9, ..given };
        assert_eq!(of_review(&given, |_| true), [Accuracy::default(); 2]);
    }

    #[test]
    fn losses_are_attributed_to_the_side_that_moved() {
        // Black loses 20 %, White 5 %, Black gains from an inexact evaluation, White loses 40 %.
        let losses = losses(&review(&[500, 300, 350, 400, 800]));
        assert_eq!(losses, [200, 50, 0, 400]);
        let [black, white] = of_review(&review(&[500, 300, 350, 400, 800]), |_| true);
        assert_eq!((black.moves, black.inaccuracies, black.mistakes, black.blunders), (2, 0, 1, 0));
        assert_eq!((white.moves, white.inaccuracies, white.mistakes, white.blunders), (2, 1, 0, 1));
        assert_eq!((black.mean_loss, white.mean_loss), (100.0, 225.0));
        assert!((black.percent - 63.58).abs() < 0.01 && black.percent > white.percent);
    }

    #[test]
    fn moves_in_decided_positions_do_not_count() {
        // Black loses with two moves. What follows costs neither side anything.
        let lost = [600, 600, 300, 300, 0, 0, 0, 0, 0, 0];
        let [black, white] = of_review(&review(&lost), |_| true);
        assert_eq!((black.moves, black.counted, black.mean_loss), (5, 2, 0.0));
        let shifted: Vec<u32> = lost[1..].to_vec();
        let [loser, winner] = of_review(&review(&shifted), |_| true);
        assert_eq!((loser.moves, loser.counted, loser.mean_loss), (4, 2, 300.0));
        assert!(loser.percent < 30.0, "{loser}");
        assert_eq!((winner.moves, winner.counted, winner.mean_loss), (4, 1, 0.0));
        assert_eq!((white.moves, white.counted), (4, 2));
        // A win that is given away counts.
        let [black, _] = of_review(&review(&[1000, 400]), |_| true);
        assert_eq!((black.moves, black.blunders), (1, 1));
        assert!(black.to_string().starts_with("accuracy 4."), "{black}");
        let [none, _] = of_review(&review(&[0, 0]), |_| true);
        assert_eq!(none.to_string(), "no accuracy: no move before the game was decided");
    }

    #[test]
    fn unverified_mistakes_are_inaccuracies() {
        let mut review = review(&[500, 100, 900]);
        review.positions[0].checks = 0;
        assert_eq!(losses(&review), [199, 800]);
    }

    /// Values of lichess' function.
    #[test]
    fn accuracy_falls_from_100_to_0() {
        for (loss, percent) in [(0.0, 100.0), (100.0, 63.58), (500.0, 8.53), (1000.0, 0.0)] {
            assert!((accuracy_of(loss) - percent).abs() < 0.01, "{loss}: {}", accuracy_of(loss));
        }
    }

    #[test]
    fn opening_stones_are_not_counted() {
        let [black, white] = of_review(&review(&[700, 200, 200, 200, 200]), |i| i >= 1);
        assert_eq!((black.moves, black.blunders, white.moves), (1, 0, 2));
        assert_eq!(of_review(&review(&[500]), |_| true)[0], Accuracy::default());
    }
}
