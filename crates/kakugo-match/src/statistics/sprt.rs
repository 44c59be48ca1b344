//! The sequential probability ratio test that stops a match when enough is known.
//!
//! A generalised SPRT on pairs of games: the log-likelihood ratio (LLR) of "the difference is
//! `elo1`" against "it is `elo0`", each hypothesis fitted to the observed pair scores as well as it
//! can be. Wald's bounds end the test. With normalised Elo the hypotheses fix
//! `t = (mu - 1/2) / sigma`, with logistic Elo they fix `mu`.
//!
//! Sources: A. Wald, "Sequential Tests of Statistical Hypotheses", 1945; M. Van den Bergh, "A
//! Practical Introduction to the GSPRT" (the fit by a Lagrange multiplier) and "Comments on
//! Normalized Elo" (the fit for a given `t`), <https://cantate.be/Fishtest>.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::stats::{NELO_PER_SIGMA, Pentanomial, score_of_elo};

/// Pairs assumed where none was seen of a kind, so that no hypothesis is impossible.
const UNSEEN: f64 = 1e-3;

/// Pairs after which a test may find that it cannot decide.
const MIN_PAIRS_TO_GIVE_UP: u64 = 200;

/// It finds so if this many times as many pairs of the same kind would not decide it.
const PATIENCE: u64 = 10;

/// Which Elo the bounds are given in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalised Elo: independent of the draw rate.
    #[default]
    Normalized,
    /// Elo of the expected score.
    Logistic,
}

/// A test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative; larger.
    pub elo1: f64,
    /// Probability of accepting the alternative wrongly.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// The kind of Elo.
    pub model: EloModel,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Accept the null hypothesis: the difference is `elo0` or less.
    H0,
    /// Accept the alternative: the difference is `elo1` or more.
    H1,
    /// Neither will ever be: the engines share the points of every pair.
    Undecidable,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
            Verdict::Undecidable => "cannot decide, all pairs were split",
        })
    }
}

impl Sprt {
    /// The LLR at which each hypothesis is accepted: `(lower, upper)`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the two hypotheses after these pairs; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.scored().map(|(score, n)| (score, n.max(UNSEEN)));
        let total: f64 = counts.iter().map(|&(_, n)| n).sum();
        let seen = counts.map(|(score, n)| (score, n / total));
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => fit_mean(&seen, score_of_elo(elo)),
            // A pair averages two games: its standard deviation is a game's over sqrt(2).
            EloModel::Normalized => fit_t(&seen, elo / NELO_PER_SIGMA * std::f64::consts::SQRT_2),
        };
        // A hypothesis that nothing fits (hundreds of Elo, and hardly a pair but split ones) says nothing.
        let Some((null, alternative)) = fit(self.elo0).zip(fit(self.elo1)) else { return 0.0 };
        (0..5).map(|i| total * seen[i].1 * (alternative[i] / null[i]).ln()).sum()
    }

    /// How the test ended, if it is over after these of the `scheduled` pairs.
    pub fn verdict(&self, pairs: &Pentanomial, scheduled: u64) -> Option<Verdict> {
        let undecidable = || self.cannot_decide(pairs, scheduled).then_some(Verdict::Undecidable);
        self.accepted(self.llr(pairs)).or_else(undecidable)
    }

    /// The hypothesis that stands at this ratio.
    fn accepted(&self, llr: f64) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match llr {
            llr if llr >= upper => Some(Verdict::H1),
            llr if llr <= lower => Some(Verdict::H0),
            _ => None,
        }
    }

    /// Whether all pairs were split, and going on like that for long would decide nothing: without any
    /// spread normalised Elo has no unit, and between hypotheses on either side of 0 the ratio stands
    /// still.
    fn cannot_decide(&self, pairs: &Pentanomial, scheduled: u64) -> bool {
        let [_, _, split, _, _] = pairs.0;
        let all_split = split == pairs.pairs() && split >= MIN_PAIRS_TO_GIVE_UP;
        let much_later = split.saturating_mul(PATIENCE).min(scheduled).max(split);
        all_split && self.accepted(self.llr(&Pentanomial([0, 0, much_later, 0, 0]))).is_none()
    }
}

/// The hypotheses in words.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.model {
            EloModel::Normalized => "nElo",
            EloModel::Logistic => "Elo",
        };
        let Sprt { elo0, elo1, alpha, beta, .. } = self;
        write!(f, "[{elo0}, {elo1}] {unit}, alpha {alpha}, beta {beta}")
    }
}

/// `elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalized|logistic]`, separated by blanks or
/// commas.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let (mut elo0, mut elo1) = (None, None);
        let mut sprt =
            Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let (key, value) =
                word.split_once('=').ok_or(format!("\"{word}\" is not key=value"))?;
            let number = || {
                value
                    .parse::<f64>()
                    .ok()
                    .filter(|x| x.is_finite())
                    .ok_or(format!("\"{value}\" is not a number"))
            };
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => sprt.model = clap::ValueEnum::from_str(value, true)?,
                _ => return Err(format!("unknown SPRT setting \"{key}\"")),
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("an SPRT needs elo0=... and elo1=...".to_owned());
        };
        let rates = [sprt.alpha, sprt.beta].iter().all(|rate| (0.0..0.5).contains(rate));
        if elo0 >= elo1 || !rates || sprt.alpha == 0.0 || sprt.beta == 0.0 {
            return Err("an SPRT needs elo0 < elo1 and error rates between 0 and 0.5".to_owned());
        }
        Ok(Sprt { elo0, elo1, ..sprt })
    }
}

/// A distribution: values with their probabilities.
type Distribution = [(f64, f64); 5];

/// The likeliest probabilities, given those observed, under which the values have mean `mean`.
fn fit_mean(seen: &Distribution, mean: f64) -> Option<[f64; 5]> {
    tilt(seen, &std::array::from_fn(|i| seen[i].0 - mean))
}

/// The likeliest probabilities under which `(mean - 1/2) / sigma` is `t`; `None` where there are none, or
/// none were found.
///
/// From a fit for one `t` that for another is found if they are not too far apart: so it is led from 0,
/// where every start leads to the fit, to `t`, in one step or in as many as it takes.
fn fit_t(seen: &Distribution, t: f64) -> Option<[f64; 5]> {
    let mut fitted = fit_t_from([0.2; 5], seen, 0.0)?;
    let (mut reached, mut step) = (0.0, t);
    while reached != t {
        let next = if (t - reached).abs() <= step.abs() { t } else { reached + step };
        match fit_t_from(fitted, seen, next) {
            Some(fit) => (fitted, reached) = (fit, next),
            None if step.abs() > SMALLEST_STEP => step /= 2.0,
            None => return None,
        }
    }
    Some(fitted)
}

/// Steps of [`fit_t`] are not made smaller.
const SMALLEST_STEP: f64 = 1e-4;

/// The same, from a start near enough. The constraint is not linear in the probabilities; it is made so around
/// the last fit, and the fit repeated until it stands still.
fn fit_t_from(start: [f64; 5], seen: &Distribution, t: f64) -> Option<[f64; 5]> {
    let mut fitted = start;
    for _ in 0..50 {
        let (mean, sigma) = moments(seen, &fitted);
        let linear = std::array::from_fn(|i| {
            let value = seen[i].0;
            value - 0.5 - t * sigma * (1.0 + ((value - mean) / sigma).powi(2)) / 2.0
        });
        let next = tilt(seen, &linear)?;
        let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    let (mean, sigma) = moments(seen, &fitted);
    let fits = ((mean - 0.5) / sigma - t).abs() < 1e-6 * t.abs().max(1.0);
    fits.then_some(fitted)
}

/// Mean and standard deviation of the values under other probabilities.
fn moments(values: &Distribution, probabilities: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| probabilities[i] * values[i].0).sum();
    let variance: f64 = (0..5).map(|i| probabilities[i] * (values[i].0 - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The likeliest probabilities under which `moments` average to 0: `p_i / (1 + x m_i)`, where the
/// multiplier `x` solves `sum p_i m_i / (1 + x m_i) = 0`. That sum falls in `x` between its poles. `None`
/// where no probabilities satisfy that.
fn tilt(seen: &Distribution, moments: &[f64; 5]) -> Option<[f64; 5]> {
    let smallest = moments.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = moments.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let probabilities = seen.map(|(_, p)| p);
    if smallest >= 0.0 || largest <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..64 {
        let x = (low + high) / 2.0;
        let sum: f64 = (0..5).map(|i| probabilities[i] * moments[i] / (1.0 + x * moments[i])).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = (low + high) / 2.0;
    Some(std::array::from_fn(|i| probabilities[i] / (1.0 + x * moments[i])))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// fastchess, `app/tests/sprt_test.cpp` (from Fishtest runs): counts LL, LD, DD+WL, WD, WW.
    #[test]
    fn ratios_agree_with_fastchess() {
        use EloModel::{Logistic, Normalized};
        for (counts, elo0, elo1, model, llr) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let found = sprt(elo0, elo1, model).llr(&Pentanomial(counts));
            assert!(
                (found - llr).abs() < 0.01 * (1.0 + llr.abs()),
                "{counts:?}: {found}, not {llr}"
            );
        }
    }

    /// Where all pairs are won, the likeliest fit of "t = 0" is 0 and 1 with equal probability, that
    /// of `t` has mean `m` with `(m - 1/2)^2 = t^2 m (1 - m)`.
    #[test]
    fn a_clean_score_can_be_computed_by_hand() {
        let t = 5.0 / NELO_PER_SIGMA * std::f64::consts::SQRT_2;
        let mean = 0.5 + t / 2.0 / (1.0 + t * t).sqrt();
        let by_hand = 104.0 * (mean / 0.5).ln();
        let found = sprt(0.0, 5.0, EloModel::Normalized).llr(&Pentanomial([0, 0, 0, 0, 104]));
        assert!((found - by_hand).abs() < 0.01, "{found}, not {by_hand}");
    }

    /// Far from 0 the fit from a plain start failed, and the ratio had the wrong sign. By hand as above: all
    /// pairs lost, and two tables of which the likelihood was made largest over the mean, for each mean
    /// over what is left.
    #[test]
    fn far_hypotheses_are_fitted_too() {
        for elo1 in [100.0, 230.0, 240.0, 400.0, 900.0] {
            let t = elo1 / NELO_PER_SIGMA * std::f64::consts::SQRT_2;
            let mean = 0.5 + t / 2.0 / (1.0 + t * t).sqrt();
            let by_hand = 30.0 * ((1.0 - mean) / 0.5).ln();
            let test = sprt(0.0, elo1, EloModel::Normalized);
            let lost = Pentanomial([30, 0, 0, 0, 0]);
            let found = test.llr(&lost);
            assert!((found - by_hand).abs() < 0.02 * by_hand.abs(), "{found}, not {by_hand}");
            assert_eq!(test.verdict(&lost, 1000), Some(Verdict::H0));
        }
        for (counts, elo0, elo1, llr) in [
            ([80, 0, 15, 0, 5], 0.0, 300.0, -130.2),
            ([0, 0, 5, 0, 95], -300.0, 0.0, 146.1),
            ([45, 0, 44, 0, 11], 200.0, 300.0, -36.8),
        ] {
            let found = sprt(elo0, elo1, EloModel::Normalized).llr(&Pentanomial(counts));
            assert!((found - llr).abs() < 0.1, "{counts:?}: {found}, not {llr}");
        }
    }

    /// Whatever was seen, higher hypotheses fit no better once they lie above it.
    #[test]
    fn the_ratio_falls_as_hypotheses_leave_what_was_seen() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..300 {
            let mut counts = [0; 5].map(|_: i32| [0, 1, 5, 30, 300][rng.random_range(0..5)]);
            counts[0] += 1;
            counts[4] += 1;
            let pairs = Pentanomial(counts);
            let elo = |elo: f64| elo / NELO_PER_SIGMA * std::f64::consts::SQRT_2;
            let seen = pairs.scored().map(|(score, n)| (score, n / pairs.pairs() as f64));
            let (mean, sigma) = moments(&seen, &seen.map(|(_, p)| p));
            let own = (mean - 0.5) / sigma / elo(1.0);
            let llr = |step: f64| sprt(own, own + step, EloModel::Normalized).llr(&pairs);
            let ratios = [1.0, 20.0, 60.0, 120.0, 200.0].map(llr);
            assert!(ratios[0] < 1e-6, "{counts:?}: {ratios:?}");
            assert!(ratios.windows(2).all(|pair| pair[1] < pair[0]), "{counts:?}: {ratios:?}");
        }
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = sprt(0.0, 5.0, EloModel::Normalized).bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
        assert_eq!(sprt(0.0, 5.0, EloModel::Normalized).llr(&Pentanomial::default()), 0.0);
    }

    #[test]
    fn one_sided_results_reach_a_verdict() {
        // c-gomoku-cli's test says nothing while only one kind of result has occurred.
        let won = Pentanomial([0, 0, 0, 0, 200]);
        assert_eq!(sprt(0.0, 30.0, EloModel::Logistic).verdict(&won, 400), Some(Verdict::H1));
        let lost = Pentanomial([200, 0, 0, 0, 0]);
        assert_eq!(sprt(0.0, 30.0, EloModel::Normalized).verdict(&lost, 400), Some(Verdict::H0));
    }

    #[test]
    fn split_pairs_end_a_test_that_they_cannot_decide() {
        use EloModel::{Logistic, Normalized};
        let split = |pairs| Pentanomial([0, 0, pairs, 0, 0]);
        let verdict = |sprt: Sprt, pairs| sprt.verdict(&split(pairs), 50_000);
        assert_eq!(verdict(sprt(0.0, 5.0, Normalized), 199), None);
        assert_eq!(verdict(sprt(0.0, 5.0, Normalized), 200), Some(Verdict::Undecidable));
        assert_eq!(verdict(sprt(-5.0, 5.0, Logistic), 200), Some(Verdict::Undecidable));
        // Equal points speak against a higher expected score, if there are enough of them.
        assert_eq!(verdict(sprt(0.0, 5.0, Logistic), 200), None);
        assert_eq!(verdict(sprt(0.0, 5.0, Logistic), 50_000), Some(Verdict::H0));
        let other = Pentanomial([0, 0, 5000, 1, 0]);
        assert_eq!(sprt(0.0, 5.0, Normalized).verdict(&other, 50_000), None);
    }

    #[test]
    fn settings_are_read_and_refused() {
        let sprt: Sprt = "elo0=0 elo1=5 alpha=0.1 model=logistic".parse().unwrap();
        assert_eq!((sprt.elo1, sprt.alpha, sprt.model), (5.0, 0.1, EloModel::Logistic));
        for bad in ["", "elo0=0", "elo0=5 elo1=0", "elo0=0 elo1=5 alpha=0", "elo0=x elo1=1", "a"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }

    /// How often the test accepts H1 when pairs fall with these probabilities.
    fn share_of_h1(sprt: &Sprt, pairs: [f64; 5], matches: u32, rng: &mut ChaCha8Rng) -> f64 {
        let mut accepted = 0;
        for _ in 0..matches {
            let mut seen = Pentanomial::default();
            let verdict = loop {
                for _ in 0..4 {
                    let mut dice: f64 = rng.random();
                    let kind = pairs.iter().position(|p| {
                        dice -= p;
                        dice < 0.0
                    });
                    seen.0[kind.unwrap_or(4)] += 1;
                }
                if let Some(verdict) = sprt.verdict(&seen, u64::MAX) {
                    break verdict;
                }
            };
            accepted += u32::from(verdict == Verdict::H1);
        }
        f64::from(accepted) / f64::from(matches)
    }

    /// Pair probabilities with a given t: a symmetric law, tilted.
    fn law(sprt: &Sprt, elo: f64) -> [f64; 5] {
        let base = [(0.0, 0.15), (0.25, 0.1), (0.5, 0.5), (0.75, 0.1), (1.0, 0.15)];
        match sprt.model {
            EloModel::Logistic => fit_mean(&base, score_of_elo(elo)),
            EloModel::Normalized => fit_t(&base, elo / NELO_PER_SIGMA * std::f64::consts::SQRT_2),
        }
        .expect("there is such a law")
    }

    /// Thousands of simulated matches: both error rates stay at what was asked for (three standard
    /// deviations of slack), and the test is not so timid that they are far below.
    #[test]
    fn error_rates_are_as_promised() {
        let mut rng = ChaCha8Rng::seed_from_u64(20_201_103);
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let sprt = sprt(-20.0, 20.0, model);
            let matches = 2000;
            let slack = 3.0 * (0.05 * 0.95 / f64::from(matches)).sqrt();
            let type_one = share_of_h1(&sprt, law(&sprt, -20.0), matches, &mut rng);
            let type_two = 1.0 - share_of_h1(&sprt, law(&sprt, 20.0), matches, &mut rng);
            for rate in [type_one, type_two] {
                assert!(rate <= 0.05 + slack, "{model:?}: {rate}");
                assert!(rate >= 0.01, "{model:?}: {rate}");
            }
        }
    }
}
