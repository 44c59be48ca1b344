//! Elo differences, their confidence intervals, and the likelihood of superiority (LOS).
//!
//! Games are played in pairs with colours reversed. Their results are correlated because they share
//! an opening. The unit of all statistics is therefore the pair with its five possible scores
//! (pentanomial), not the game with three. See Michel Van den Bergh, "A Practical Introduction to
//! the GSPRT" and "Comments on Normalized Elo" (2020, <https://cantate.be/Fishtest>). Fishtest and
//! fastchess use the same formulas.
//!
//! With `mu` the mean score of a pair in `0..=1`, `sigma` its standard deviation and `n` pairs:
//!
//! - Elo difference: `-400 log10(1/mu - 1)`; its 95 % interval is that of
//!   `mu ± 1.96 sigma / sqrt(n)`;
//! - normalised Elo: `(mu - 1/2) / (sqrt(2) sigma) * 800 / ln 10`, the difference in standard
//!   deviations of a single game. It determines how many games a test needs;
//! - LOS: `Phi((mu - 1/2) sqrt(n) / sigma)`.
//!
//! If all scores are equal, `sigma` is 0. A few equal scores are not informative. With many, at
//! most a share of `1 - 0.05^(1/n)` of further pairs differs (95 %), which bounds the mean.

use serde::{Deserialize, Serialize};

/// Standard normal quantile of a two-sided 95 % interval.
pub(super) const Z95: f64 = 1.959_963_984_540_054;
/// Minimum number of scores for an estimate if all scores are equal.
const MIN_EQUAL_SCORES: f64 = 10.0;
/// Normalised Elo of one standard deviation of a game: `800 / ln 10`.
pub const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Wins, losses and draws of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Wdl {
    /// Adds a game that scored 1, 0.5 or 0 points.
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the number of points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the share of drawn games.
    pub fn draw_rate(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.draws as f64 / self.games() as f64 }
    }

    /// Returns the games as a sample, for matches without complete pairs.
    pub fn sample(&self) -> Sample {
        let counts = [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)];
        Sample::new(&counts.map(|(score, count)| (score, count as f64)), 1.0)
    }
}

/// Counts of game pairs by the points of one engine: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair that scored this many points out of 2.
    pub fn add(&mut self, points: f64) {
        let index = (points * 2.0).round().clamp(0.0, 4.0) as usize;
        self.0[index] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the counts with the mean score per game.
    pub fn scored(&self) -> [(f64, f64); 5] {
        std::array::from_fn(|i| (i as f64 / 4.0, self.0[i] as f64))
    }

    /// Returns the pairs as a sample.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.scored(), 2.0)
    }
}

/// Mean and variance of scores, each the average of `games_each` games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Number of scores.
    pub count: f64,
    /// Mean score, 0 to 1.
    pub mean: f64,
    /// Variance of one score.
    pub variance: f64,
    games_each: f64,
}

impl Sample {
    fn new(scored: &[(f64, f64)], games_each: f64) -> Sample {
        let count: f64 = scored.iter().map(|&(_, n)| n).sum();
        let average = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 = scored.iter().map(|&(score, n)| n * f(score)).sum();
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let mean = if count > 0.0 { average(&|score| score) } else { 0.5 };
        let variance = average(&|score| (score - mean).powi(2));
        Sample { count, mean, variance, games_each }
    }

    /// Returns the standard deviation of one game, assuming that the games of a pair are
    /// independent.
    fn sigma_per_game(&self) -> f64 {
        (self.variance * self.games_each).sqrt()
    }

    /// Returns half the width of the 95 % interval of the mean.
    fn margin(&self) -> f64 {
        Z95 * (self.variance / self.count).sqrt()
    }

    /// Returns true if an estimate is possible: the scores differ, or there are many of them.
    pub fn is_informative(&self) -> bool {
        self.count > 0.0 && (self.variance > 0.0 || self.count >= MIN_EQUAL_SCORES)
    }

    /// Returns the 95 % interval of the mean.
    fn interval(&self) -> (f64, f64) {
        if self.variance > 0.0 {
            (self.mean - self.margin(), self.mean + self.margin())
        } else {
            let alike = 0.05f64.powf(1.0 / self.count);
            (self.mean * alike, self.mean * alike + (1.0 - alike))
        }
    }

    /// Returns the Elo difference with its 95 % interval, or `None` if it cannot be estimated.
    pub fn elo(&self) -> Option<Estimate> {
        let (low, high) = self.interval();
        self.is_informative().then(|| Estimate {
            value: elo_of_score(self.mean),
            low: elo_of_score(low),
            high: elo_of_score(high),
        })
    }

    /// Returns normalised Elo with its 95 % interval, or `None` if all scores are equal.
    pub fn nelo(&self) -> Option<Estimate> {
        let sigma = self.sigma_per_game();
        let nelo = |score: f64| (score - 0.5) / sigma * NELO_PER_SIGMA;
        (self.count > 0.0 && sigma > 0.0).then(|| Estimate {
            value: nelo(self.mean),
            low: nelo(self.mean - self.margin()),
            high: nelo(self.mean + self.margin()),
        })
    }

    /// Returns the likelihood of superiority, or `None` if it cannot be estimated.
    pub fn los(&self) -> Option<f64> {
        self.is_informative().then(|| {
            if self.mean == 0.5 {
                return 0.5;
            }
            normal_cdf((self.mean - 0.5) * (self.count / self.variance).sqrt())
        })
    }
}

/// An estimate with its 95 % interval. Bounds may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Point estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.low.is_finite() && self.high.is_finite() {
            // Adding zero turns a rounded "-0.0" into "0.0".
            let value = (self.value * 10.0).round() / 10.0 + 0.0;
            write!(f, "{value:.1} ± {:.1}", (self.high - self.low) / 2.0)
        } else {
            let side = |x: f64| {
                if x.is_finite() {
                    format!("{x:.1}")
                } else {
                    (if x > 0.0 { "∞" } else { "-∞" }).to_owned()
                }
            };
            write!(f, "{} [{}, {}]", side(self.value), side(self.low), side(self.high))
        }
    }
}

/// Returns the Elo difference for an expected score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Returns the expected score for an Elo difference: the inverse of [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the distribution function of the standard normal distribution: a continued fraction for
/// the tail beyond 3, a series for the centre (Abramowitz and Stegun 26.2.10 and 26.2.14).
fn normal_cdf(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let x = z.abs();
    let upper = if x > 3.0 {
        let fraction = (1..=60).rev().fold(x, |tail, k| x + f64::from(k) / tail);
        density / fraction
    } else {
        let mut term = x;
        let mut sum = x;
        for k in 1..100 {
            term *= x * x / f64::from(2 * k + 1);
            sum += term;
        }
        0.5 - density * sum
    };
    if z > 0.0 { 1.0 - upper } else { upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn half_width(e: Estimate) -> f64 {
        (e.high - e.low) / 2.0
    }

    /// fastchess, `app/tests/elo_test.cpp`: three pentanomial results with Elo, error, nElo, error
    /// and LOS (counts LL, LD, DD+WL, WD, WW).
    #[test]
    fn pentanomial_values_agree_with_fastchess() {
        let rows = [
            ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28], 1.0),
            ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96], 0.0505),
            ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65], 0.0),
        ];
        for (counts, [elo, elo_error, nelo, nelo_error], los) in rows {
            let sample = Pentanomial(counts).sample();
            let (e, n) = (sample.elo().unwrap(), sample.nelo().unwrap());
            close(e.value, elo, 0.01);
            close(half_width(e), elo_error, 0.01);
            close(n.value, nelo, 0.01);
            close(half_width(n), nelo_error, 0.01);
            close(sample.los().unwrap(), los, 1e-4);
        }
    }

    /// Same source, with results counted by game.
    #[test]
    fn trinomial_values_agree_with_fastchess() {
        let sample = Wdl { wins: 136, losses: 96, draws: 111 }.sample();
        close(sample.elo().unwrap().value, 40.70, 0.01);
        close(half_width(sample.elo().unwrap()), 30.43, 0.01);
        close(sample.nelo().unwrap().value, 49.77, 0.01);
        close(half_width(sample.nelo().unwrap()), 36.77, 0.01);
        close(sample.los().unwrap(), 0.9960, 1e-4);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(score_of_elo(0.0), 0.5, 1e-12);
        close(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
        for elo in [-300.0, -1.0, 0.0, 12.5, 700.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
    }

    #[test]
    fn a_perfect_score_has_no_finite_elo() {
        let sample = Pentanomial([0, 0, 0, 0, 10]).sample();
        assert_eq!(sample.elo().unwrap().value, f64::INFINITY);
        assert_eq!(sample.nelo(), None);
        close(sample.los().unwrap(), 1.0, 1e-12);
        assert_eq!(Pentanomial::default().sample().elo(), None);
        close(Pentanomial([3, 0, 0, 0, 3]).sample().los().unwrap(), 0.5, 1e-12);
    }

    #[test]
    fn a_few_equal_scores_are_not_informative() {
        for pairs in [[0, 0, 2, 0, 0], [0, 0, 0, 0, 1], [9, 0, 0, 0, 0], [0; 5]] {
            let sample = Pentanomial(pairs).sample();
            assert_eq!((sample.elo(), sample.nelo(), sample.los()), (None, None, None));
        }
        let one_game = Wdl { wins: 1, losses: 0, draws: 0 }.sample();
        assert_eq!((one_game.elo(), one_game.los()), (None, None));
    }

    /// Computed by hand: 0.05^(1/10) = 0.741134, 0.05^(1/100) = 0.970487. Half of the remainder
    /// lies on each side of 1/2.
    #[test]
    fn many_equal_scores_bound_the_difference() {
        let clean = Pentanomial([0, 0, 0, 0, 10]).sample().elo().unwrap();
        close(clean.low, -400.0 * (1.0f64 / 0.741_134_449 - 1.0).log10(), 1e-4);
        assert_eq!(clean.high, f64::INFINITY);
        let split = Pentanomial([0, 0, 100, 0, 0]).sample().elo().unwrap();
        close(split.value, 0.0, 1e-12);
        close(half_width(split), -400.0 * (1.0f64 / (0.5 + 0.029_513_0 / 2.0) - 1.0).log10(), 1e-3);
        close(split.low, -split.high, 1e-9);
    }

    /// Values from a table of the normal distribution.
    #[test]
    fn the_normal_distribution_agrees_with_tables() {
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.959_963_984_540_054, 0.975),
            (3.0, 0.998_650_101_968_37),
            (-3.5, 2.326_290_790_355_25e-4),
            (-6.0, 9.865_876_450_377e-10),
        ] {
            close(normal_cdf(z), p, p * 1e-9);
        }
    }
}
