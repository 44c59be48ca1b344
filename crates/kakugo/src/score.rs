//! Scores of positions, and distances to forced wins.
//!
//! 200 units are a nat: the expected result is `1 / (1 + exp(-score / 200))`. So 100 units multiply
//! the odds of winning by 1.65 and stand for 62 %, and 200 units for 73 %. Forced wins are far
//! above every evaluation and contain their distance, so the search prefers shorter wins and longer
//! defences.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// No advantage; also the score of a draw.
    pub const ZERO: Score = Score(0);
    /// Greater than every score of a position.
    #[doc(hidden)]
    pub const INFINITE: Score = Score(31_000);
    /// A win that is already on the board.
    const WIN: i32 = 30_000;
    /// Units that multiply the odds of winning by e.
    pub const UNITS_PER_NAT: i32 = 200;
    /// Evaluations are clamped to `±MAX_EVAL`.
    pub const MAX_EVAL: i32 = 20_000;
    /// Maximum distance of a forced win, in plies.
    const MAX_WIN_PLY: i32 = 2_000;

    /// Returns an evaluation, clamped below forced wins.
    pub fn from_eval(value: i32) -> Score {
        Score(value.clamp(-Self::MAX_EVAL, Self::MAX_EVAL))
    }

    /// Returns the score as a number, for storage, formulas and output.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Creates a score from a number; the inverse of [`Score::value`].
    #[doc(hidden)]
    pub const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// Returns the score of a win: the side to move makes five in `plies` (1: with the next stone).
    /// No board has more than 1,024 points; more than 2,000 plies count as 2,000.
    pub const fn win_in(plies: usize) -> Score {
        Score(Self::WIN - Self::win_ply(plies))
    }

    /// Returns the score of a loss: the opponent makes five in `plies` (2: with the next stone).
    /// No board has more than 1,024 points; more than 2,000 plies count as 2,000.
    pub const fn loss_in(plies: usize) -> Score {
        Score(Self::win_ply(plies) - Self::WIN)
    }

    const fn win_ply(plies: usize) -> i32 {
        if plies > Self::MAX_WIN_PLY as usize { Self::MAX_WIN_PLY } else { plies as i32 }
    }

    /// Returns `true` for a forced win.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN - Self::MAX_WIN_PLY
    }

    /// Returns `true` for a forced loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= Self::MAX_WIN_PLY - Self::WIN
    }

    /// Returns `true` for a forced win or loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns the plies to the five of a forced win or loss; `None` for an evaluation.
    pub const fn plies_to_five(self) -> Option<usize> {
        if self.is_decided() { Some((Self::WIN - self.0.abs()) as usize) } else { None }
    }

    /// Returns the plies to the five with a sign: positive for a forced win, negative for a loss;
    /// `None` for an evaluation. A game that is over has 0, whoever has won.
    pub const fn mate(self) -> Option<i32> {
        match self.plies_to_five() {
            Some(plies) if self.0 < 0 => Some(-(plies as i32)),
            Some(plies) => Some(plies as i32),
            None => None,
        }
    }

    /// Returns the score counted from an ancestor `plies` earlier: `win_in(5)` becomes
    /// `win_in(5 + plies)`. Applied to scores read from the transposition table.
    #[doc(hidden)]
    pub const fn seen_from_ancestor(self, plies: usize) -> Score {
        if self.is_win() {
            Score(self.0 - plies as i32)
        } else if self.is_loss() {
            Score(self.0 + plies as i32)
        } else {
            self
        }
    }

    /// Returns the score counted from a descendant; the inverse of [`Score::seen_from_ancestor`].
    /// Applied to scores written to the transposition table.
    #[doc(hidden)]
    pub const fn seen_from_descendant(self, plies: usize) -> Score {
        if self.is_win() {
            Score(self.0 + plies as i32)
        } else if self.is_loss() {
            Score(self.0 - plies as i32)
        } else {
            self
        }
    }

    /// Returns the expected result in per mille (0 loss, 500 draw, 1000 win), by the logistic curve
    /// above.
    pub fn win_rate_permille(self) -> u32 {
        if self.is_decided() {
            return if self.is_win() { 1000 } else { 0 };
        }
        let nats = f64::from(self.0) / f64::from(Self::UNITS_PER_NAT);
        (1000.0 / (1.0 + (-nats).exp())).round() as u32
    }

    /// Returns the expected result from 0 to 1, in steps of 0.001. It is 0 only for a forced loss,
    /// and 1 only for a forced win.
    pub fn win_rate(self) -> f64 {
        let rate = self.win_rate_permille();
        f64::from(if self.is_decided() { rate } else { rate.clamp(1, 999) }) / 1000.0
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// Formats as `12`, `-340`, `+M5` (win in five plies) or `-M8` (loss in eight).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.plies_to_five() {
            Some(plies) if self.0 > 0 => format!("+M{plies}"),
            Some(plies) => format!("-M{plies}"),
            None => self.0.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_wins_and_longer_losses_are_better() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::loss_in(4) > Score::loss_in(2));
        assert!(Score::win_in(900) > Score::from_eval(i32::MAX));
    }

    #[test]
    fn conversion_between_nodes_is_reversible() {
        let here = Score::win_in(5);
        assert_eq!(here.seen_from_ancestor(3), Score::win_in(8));
        assert_eq!(here.seen_from_ancestor(3).seen_from_descendant(3), here);
        let lost = Score::loss_in(4);
        assert_eq!(lost.seen_from_ancestor(2), Score::loss_in(6));
        assert_eq!(Score::from_eval(7).seen_from_ancestor(9), Score::from_eval(7));
    }

    #[test]
    fn formats_evaluations_and_forced_wins() {
        assert_eq!(Score::win_in(5).to_string(), "+M5");
        assert_eq!(Score::loss_in(8).to_string(), "-M8");
        assert_eq!(Score::from_eval(-42).to_string(), "-42");
        assert_eq!(
            format!("{:>6}|{:<4}|", Score::from_eval(-42), Score::win_in(5)),
            "   -42|+M5 |"
        );
    }

    #[test]
    fn only_forced_wins_and_losses_are_certain() {
        let rates = [Score::win_in(3), Score::from_eval(9000), Score::from_eval(-9000)];
        assert_eq!(rates.map(Score::win_rate), [1.0, 0.999, 0.001]);
        assert_eq!((Score::ZERO.win_rate(), Score::loss_in(2).win_rate()), (0.5, 0.0));
        let mates =
            [Score::win_in(3), Score::loss_in(4), Score::loss_in(0), Score::from_eval(9000)];
        assert_eq!(mates.map(Score::mate), [Some(3), Some(-4), Some(0), None]);
    }

    #[test]
    fn win_rate_is_symmetric() {
        for v in [0, 1, 57, 200, 3000] {
            let s = Score::from_eval(v);
            assert_eq!(s.win_rate_permille() + (-s).win_rate_permille(), 1000);
        }
        let rates = [0, 100, 200].map(|units| Score::from_eval(units).win_rate_permille());
        assert_eq!(rates, [500, 622, 731]);
    }
}
