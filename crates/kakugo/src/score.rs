//! How good a position is for the side to move, and how far a forced win is.
//!
//! 200 units are a nat: the expected result is `1 / (1 + exp(-score / 200))`, so that 100 units
//! multiply the odds of winning by 1.65 and mean 62 %, 200 units 73 %. Forced wins live far above
//! every evaluation and carry their distance, so that the search prefers the shorter win and the
//! longer defence.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// No advantage; also the score of a draw.
    pub const ZERO: Score = Score(0);
    /// Above every score that occurs.
    #[doc(hidden)]
    pub const INFINITE: Score = Score(31_000);
    /// A win that is already on the board.
    const WIN: i32 = 30_000;
    /// Units by which the odds of winning grow e-fold.
    pub const UNITS_PER_NAT: i32 = 200;
    /// Evaluations are clamped to `±MAX_EVAL`.
    pub const MAX_EVAL: i32 = 20_000;
    /// Longest forced win that a score can express, in plies.
    const MAX_WIN_PLY: i32 = 2_000;

    /// An evaluation, clamped so that it can never be taken for a forced win.
    pub fn from_eval(value: i32) -> Score {
        Score(value.clamp(-Self::MAX_EVAL, Self::MAX_EVAL))
    }

    /// The score as a plain number, for storage, formulas and output.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The inverse of [`Score::value`].
    #[doc(hidden)]
    pub const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// The side to move makes five `plies` from now (1: with the next stone).
    pub const fn win_in(plies: usize) -> Score {
        Score(Self::WIN - plies as i32)
    }

    /// The opponent makes five `plies` from now (2: with his next stone).
    pub const fn loss_in(plies: usize) -> Score {
        Score(plies as i32 - Self::WIN)
    }

    /// Whether this is a forced win.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN - Self::MAX_WIN_PLY
    }

    /// Whether this is a forced loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= Self::MAX_WIN_PLY - Self::WIN
    }

    /// Whether this is a forced win or loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies until the five of a forced win or loss; `None` for an evaluation.
    pub const fn plies_to_five(self) -> Option<usize> {
        if self.is_decided() { Some((Self::WIN - self.0.abs()) as usize) } else { None }
    }

    /// The same score counted from a position `plies` nearer to the end: what is `win_in(5)` here
    /// was `win_in(5 + plies)` at the ancestor. Used where table entries leave the table.
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

    /// The inverse of [`Score::seen_from_ancestor`]. Used where scores enter the table.
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

    /// Expected result in per mille (0 loss, 500 draw, 1000 win), by the logistic curve above.
    pub fn win_rate_permille(self) -> u32 {
        if self.is_decided() {
            return if self.is_win() { 1000 } else { 0 };
        }
        let nats = f64::from(self.0) / f64::from(Self::UNITS_PER_NAT);
        (1000.0 / (1.0 + (-nats).exp())).round() as u32
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

/// `12`, `-340`, `+M5` (win in five plies), `-M8` (loss in eight).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_five() {
            Some(plies) if self.0 > 0 => write!(f, "+M{plies}"),
            Some(plies) => write!(f, "-M{plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_wins_are_better_and_later_losses_too() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::loss_in(4) > Score::loss_in(2));
        assert!(Score::win_in(900) > Score::from_eval(i32::MAX));
    }

    #[test]
    fn moving_between_nodes_keeps_the_distance() {
        let here = Score::win_in(5);
        assert_eq!(here.seen_from_ancestor(3), Score::win_in(8));
        assert_eq!(here.seen_from_ancestor(3).seen_from_descendant(3), here);
        let lost = Score::loss_in(4);
        assert_eq!(lost.seen_from_ancestor(2), Score::loss_in(6));
        assert_eq!(Score::from_eval(7).seen_from_ancestor(9), Score::from_eval(7));
    }

    #[test]
    fn prints_like_people_write_it() {
        assert_eq!(Score::win_in(5).to_string(), "+M5");
        assert_eq!(Score::loss_in(8).to_string(), "-M8");
        assert_eq!(Score::from_eval(-42).to_string(), "-42");
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
