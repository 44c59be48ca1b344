//! The sequential probability ratio test (SPRT), which stops a match early.
//!
//! A generalised SPRT on game pairs. The log-likelihood ratio (LLR) compares the hypotheses "the
//! difference is `elo1`" and "the difference is `elo0`". Each hypothesis is fitted to the observed
//! pair scores by maximum likelihood, and Wald's bounds end the test. Normalised Elo fixes
//! `t = (mu - 1/2) / sigma`, logistic Elo fixes `mu`.
//!
//! Sources: A. Wald, "Sequential Tests of Statistical Hypotheses", 1945; M. Van den Bergh, "A
//! Practical Introduction to the GSPRT" (the fit by a Lagrange multiplier) and "Comments on
//! Normalized Elo" (the fit for a given `t`), <https://cantate.be/Fishtest>.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::stats::{NELO_PER_SIGMA, Pentanomial, score_of_elo};

/// Maximum of the bounds, in Elo. Distant hypotheses take long to fit.
const MAX_ELO: f64 = 2000.0;

/// Count assumed for pair scores that did not occur, so that no hypothesis has likelihood 0.
const PRIOR_COUNT: f64 = 1e-3;

/// Minimum number of pairs before a test can end as inconclusive.
const MIN_INCONCLUSIVE_PAIRS: u64 = 200;

/// A test is inconclusive if this many times as many pairs of the same score would not decide it.
const EXTRAPOLATION: u64 = 10;

/// The Elo scale of the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalised Elo, independent of the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo, based on the expected score.
    Logistic,
}

/// The parameters of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative hypothesis; larger than `elo0`.
    pub elo1: f64,
    /// Probability of a false positive (type I error).
    pub alpha: f64,
    /// Probability of a false negative (type II error).
    pub beta: f64,
    /// Elo scale.
    pub model: EloModel,
}

/// The decision that ends a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    /// The null hypothesis is accepted: the difference is `elo0` or less.
    H0,
    /// The alternative hypothesis is accepted: the difference is `elo1` or more.
    H1,
    /// The test cannot decide, because all pairs were split.
    Inconclusive,
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtDecision::H0 => "H0 accepted",
            SprtDecision::H1 => "H1 accepted",
            SprtDecision::Inconclusive => "inconclusive, all pairs were split",
        })
    }
}

impl Sprt {
    /// Returns the LLR bounds `(lower, upper)` at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio after these pairs; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.scored().map(|(score, n)| (score, n.max(PRIOR_COUNT)));
        let total: f64 = counts.iter().map(|&(_, n)| n).sum();
        let observed = counts.map(|(score, n)| (score, n / total));
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => fit_mean(&observed, score_of_elo(elo)),
            EloModel::Normalized => fit_t(&observed, t_of_nelo(elo)),
        };
        // If a hypothesis cannot be fitted (hundreds of Elo, mostly split pairs), the LLR is 0.
        let Some((null, alternative)) = fit(self.elo0).zip(fit(self.elo1)) else { return 0.0 };
        (0..5).map(|i| total * observed[i].1 * (alternative[i] / null[i]).ln()).sum()
    }

    /// Returns the decision, if these pairs out of `scheduled` end the test.
    pub fn decision(&self, pairs: &Pentanomial, scheduled: u64) -> Option<SprtDecision> {
        self.decision_at(self.llr(pairs), pairs, scheduled)
    }

    /// Returns the same as [`Sprt::decision`], given the LLR of these pairs.
    pub fn decision_at(
        &self,
        llr: f64,
        pairs: &Pentanomial,
        scheduled: u64,
    ) -> Option<SprtDecision> {
        let inconclusive =
            || self.is_inconclusive(pairs, scheduled).then_some(SprtDecision::Inconclusive);
        self.accepted(llr).or_else(inconclusive)
    }

    /// Checks the bounds and the error rates.
    ///
    /// # Errors
    /// Returns what was expected.
    pub fn validate(&self) -> Result<(), String> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(elo0 < elo1 && is_rate(alpha) && is_rate(beta)) {
            return Err("invalid SPRT: expected elo0 < elo1, and alpha and beta between 0 and 0.5"
                .to_owned());
        }
        if elo0 < -MAX_ELO || elo1 > MAX_ELO {
            return Err(format!("invalid SPRT: expected elo0 and elo1 within ±{MAX_ELO}"));
        }
        Ok(())
    }

    /// Returns the hypothesis that this LLR accepts.
    fn accepted(&self, llr: f64) -> Option<SprtDecision> {
        let (lower, upper) = self.bounds();
        match llr {
            llr if llr >= upper => Some(SprtDecision::H1),
            llr if llr <= lower => Some(SprtDecision::H0),
            _ => None,
        }
    }

    /// Returns true if all pairs were split and many more split pairs would not decide the test.
    /// Normalised Elo is undefined without variance. With `elo0 < 0 < elo1` the LLR stays at 0.
    fn is_inconclusive(&self, pairs: &Pentanomial, scheduled: u64) -> bool {
        let [_, _, split, _, _] = pairs.0;
        let all_split = split == pairs.pairs() && split >= MIN_INCONCLUSIVE_PAIRS;
        let much_later = split.saturating_mul(EXTRAPOLATION).min(scheduled).max(split);
        all_split && self.accepted(self.llr(&Pentanomial([0, 0, much_later, 0, 0]))).is_none()
    }
}

/// Formats the hypotheses and error rates.
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

/// Parses `elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalized|logistic]`, separated by spaces
/// or commas.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let (mut elo0, mut elo1) = (None, None);
        let mut sprt =
            Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("invalid SPRT setting '{word}': expected key=value"))?;
            let number = || {
                let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
                number.ok_or_else(|| format!("invalid SPRT setting '{word}': expected a number"))
            };
            match key {
                "elo0" => elo0 = Some(number()?),
                "elo1" => elo1 = Some(number()?),
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = clap::ValueEnum::from_str(value, true).map_err(|_| {
                        format!("invalid SPRT setting '{word}': expected normalized or logistic")
                    })?;
                }
                _ => {
                    return Err(format!(
                        "unknown SPRT setting '{key}': expected elo0, elo1, alpha, beta or model"
                    ));
                }
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("an SPRT needs both bounds: elo0=ELO,elo1=ELO".to_owned());
        };
        let sprt = Sprt { elo0, elo1, ..sprt };
        sprt.validate().map(|()| sprt)
    }
}

/// Returns the `t` of pair scores that corresponds to this normalised Elo. A pair score averages
/// two games, so its deviation is that of a game over `sqrt(2)`.
fn t_of_nelo(nelo: f64) -> f64 {
    nelo / NELO_PER_SIGMA * std::f64::consts::SQRT_2
}

/// Five values with their probabilities.
type Distribution = [(f64, f64); 5];

/// Returns the maximum-likelihood probabilities under which the values have this mean.
fn fit_mean(observed: &Distribution, mean: f64) -> Option<[f64; 5]> {
    tilt(observed, &std::array::from_fn(|i| observed[i].0 - mean))
}

/// Returns the maximum-likelihood probabilities under which `(mean - 1/2) / sigma` is `t`; `None`
/// if there are none or the iteration fails.
///
/// The iteration converges only from a nearby `t`. It therefore starts at 0, where every start
/// converges, and moves to `t` in steps that are halved after each failure.
fn fit_t(observed: &Distribution, t: f64) -> Option<[f64; 5]> {
    let mut fitted = fit_t_from([0.2; 5], observed, 0.0)?;
    let (mut reached, mut step) = (0.0, t);
    while reached != t {
        let next = if (t - reached).abs() <= step.abs() { t } else { reached + step };
        match fit_t_from(fitted, observed, next) {
            Some(fit) => (fitted, reached) = (fit, next),
            None if step.abs() > SMALLEST_STEP => step /= 2.0,
            None => return None,
        }
    }
    Some(fitted)
}

/// Minimum step size of [`fit_t`].
const SMALLEST_STEP: f64 = 1e-4;

/// Returns the same from a nearby start. The constraint is not linear in the probabilities; each
/// iteration linearises it around the previous fit.
fn fit_t_from(start: [f64; 5], observed: &Distribution, t: f64) -> Option<[f64; 5]> {
    let mut fitted = start;
    for _ in 0..50 {
        let (mean, sigma) = moments(observed, &fitted);
        let linear = std::array::from_fn(|i| {
            let value = observed[i].0;
            value - 0.5 - t * sigma * (1.0 + ((value - mean) / sigma).powi(2)) / 2.0
        });
        let next = tilt(observed, &linear)?;
        let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    let (mean, sigma) = moments(observed, &fitted);
    let fits = ((mean - 0.5) / sigma - t).abs() < 1e-6 * t.abs().max(1.0);
    fits.then_some(fitted)
}

/// Returns the mean and standard deviation of the values under other probabilities.
fn moments(values: &Distribution, probabilities: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| probabilities[i] * values[i].0).sum();
    let variance: f64 = (0..5).map(|i| probabilities[i] * (values[i].0 - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// Returns the maximum-likelihood probabilities under which `moments` average to 0, if there are
/// any.
///
/// They are `p_i / (1 + x m_i)`, where the multiplier `x` solves `sum p_i m_i / (1 + x m_i) = 0`.
/// The sum decreases in `x` between its poles, so bisection finds `x`.
fn tilt(observed: &Distribution, moments: &[f64; 5]) -> Option<[f64; 5]> {
    let smallest = moments.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = moments.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let probabilities = observed.map(|(_, p)| p);
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
    fn llrs_agree_with_fastchess() {
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

    /// If all pairs are won, the fit of "t = 0" is 0 and 1 with equal probability. The fit of `t`
    /// has mean `m` with `(m - 1/2)^2 = t^2 m (1 - m)`.
    #[test]
    fn a_perfect_score_agrees_with_the_closed_form() {
        let t = t_of_nelo(5.0);
        let mean = 0.5 + t / 2.0 / (1.0 + t * t).sqrt();
        let by_hand = 104.0 * (mean / 0.5).ln();
        let found = sprt(0.0, 5.0, EloModel::Normalized).llr(&Pentanomial([0, 0, 0, 0, 104]));
        assert!((found - by_hand).abs() < 0.01, "{found}, not {by_hand}");
    }

    /// The iteration from a fixed start failed for distant hypotheses, and the LLR had the wrong
    /// sign. Expected values: the closed form above with all pairs lost, and two tables whose
    /// likelihood was maximised numerically.
    #[test]
    fn distant_hypotheses_are_fitted() {
        for elo1 in [100.0, 230.0, 240.0, 400.0, 900.0] {
            let t = t_of_nelo(elo1);
            let mean = 0.5 + t / 2.0 / (1.0 + t * t).sqrt();
            let by_hand = 30.0 * ((1.0 - mean) / 0.5).ln();
            let test = sprt(0.0, elo1, EloModel::Normalized);
            let lost = Pentanomial([30, 0, 0, 0, 0]);
            let found = test.llr(&lost);
            assert!((found - by_hand).abs() < 0.02 * by_hand.abs(), "{found}, not {by_hand}");
            assert_eq!(test.decision(&lost, 1000), Some(SprtDecision::H0));
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

    /// The likelihood of a hypothesis above the observed mean decreases with its distance.
    #[test]
    fn the_llr_decreases_with_the_distance_from_the_observed_score() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..300 {
            let mut counts = [0; 5].map(|_: i32| [0, 1, 5, 30, 300][rng.random_range(0..5)]);
            counts[0] += 1;
            counts[4] += 1;
            let pairs = Pentanomial(counts);
            let observed = pairs.scored().map(|(score, n)| (score, n / pairs.pairs() as f64));
            let (mean, sigma) = moments(&observed, &observed.map(|(_, p)| p));
            let own = (mean - 0.5) / sigma / t_of_nelo(1.0);
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
    fn one_sided_results_reach_a_decision() {
        // c-gomoku-cli's SPRT does not decide while only one kind of result has occurred.
        let won = Pentanomial([0, 0, 0, 0, 200]);
        assert_eq!(sprt(0.0, 30.0, EloModel::Logistic).decision(&won, 400), Some(SprtDecision::H1));
        let lost = Pentanomial([200, 0, 0, 0, 0]);
        assert_eq!(
            sprt(0.0, 30.0, EloModel::Normalized).decision(&lost, 400),
            Some(SprtDecision::H0)
        );
    }

    #[test]
    fn split_pairs_end_a_test_as_inconclusive() {
        use EloModel::{Logistic, Normalized};
        let split = |pairs| Pentanomial([0, 0, pairs, 0, 0]);
        let decision = |sprt: Sprt, pairs| sprt.decision(&split(pairs), 50_000);
        assert_eq!(decision(sprt(0.0, 5.0, Normalized), 199), None);
        assert_eq!(decision(sprt(0.0, 5.0, Normalized), 200), Some(SprtDecision::Inconclusive));
        assert_eq!(decision(sprt(-5.0, 5.0, Logistic), 200), Some(SprtDecision::Inconclusive));
        // With logistic Elo enough equal scores are evidence against a higher expected score.
        assert_eq!(decision(sprt(0.0, 5.0, Logistic), 200), None);
        assert_eq!(decision(sprt(0.0, 5.0, Logistic), 50_000), Some(SprtDecision::H0));
        let other = Pentanomial([0, 0, 5000, 1, 0]);
        assert_eq!(sprt(0.0, 5.0, Normalized).decision(&other, 50_000), None);
    }

    #[test]
    fn settings_are_parsed_and_validated() {
        let sprt: Sprt = "elo0=0 elo1=5 alpha=0.1 model=logistic".parse().unwrap();
        assert_eq!((sprt.elo1, sprt.alpha, sprt.model), (5.0, 0.1, EloModel::Logistic));
        for bad in ["", "elo0=0", "elo0=5 elo1=0", "elo0=0 elo1=5 alpha=0", "elo0=x elo1=1", "a"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
        for distant in ["elo0=0 elo1=2001", "elo0=-1e9 elo1=0"] {
            let error = distant.parse::<Sprt>().unwrap_err();
            assert_eq!(error, "invalid SPRT: expected elo0 and elo1 within ±2000");
        }
        assert!("elo0=-2000 elo1=2000".parse::<Sprt>().is_ok());
        let error = "elo0=0 elo1=5 model=foo".parse::<Sprt>().unwrap_err();
        assert!(error.ends_with("'model=foo': expected normalized or logistic"), "{error}");
    }

    /// Such bounds may only come from a damaged record. The most distant valid ones are fitted
    /// soon.
    #[test]
    fn distant_bounds_are_rejected_or_fitted() {
        let huge = sprt(0.0, 1e9, EloModel::Normalized);
        assert!(huge.validate().is_err());
        assert!(sprt(0.0, f64::NAN, EloModel::Normalized).validate().is_err());
        let most = sprt(-MAX_ELO, MAX_ELO, EloModel::Normalized);
        assert_eq!(most.validate(), Ok(()));
        for counts in [[30, 0, 0, 0, 0], [3, 9, 80, 7, 1], [0, 0, 30, 0, 0], [80, 0, 15, 0, 5]] {
            assert!(most.llr(&Pentanomial(counts)).is_finite(), "{counts:?}");
        }
    }

    /// Returns how often the test accepts H1 if pairs have these probabilities.
    fn share_of_h1(sprt: &Sprt, pairs: [f64; 5], matches: u32, rng: &mut ChaCha8Rng) -> f64 {
        let mut accepted = 0;
        for _ in 0..matches {
            let mut observed = Pentanomial::default();
            let decision = loop {
                for _ in 0..4 {
                    let mut dice: f64 = rng.random();
                    let kind = pairs.iter().position(|p| {
                        dice -= p;
                        dice < 0.0
                    });
                    observed.0[kind.unwrap_or(4)] += 1;
                }
                if let Some(decision) = sprt.decision(&observed, u64::MAX) {
                    break decision;
                }
            };
            accepted += u32::from(decision == SprtDecision::H1);
        }
        f64::from(accepted) / f64::from(matches)
    }

    /// Returns pair probabilities with a given Elo difference: a symmetric distribution, tilted.
    fn law(sprt: &Sprt, elo: f64) -> [f64; 5] {
        let base = [(0.0, 0.15), (0.25, 0.1), (0.5, 0.5), (0.75, 0.1), (1.0, 0.15)];
        match sprt.model {
            EloModel::Logistic => fit_mean(&base, score_of_elo(elo)),
            EloModel::Normalized => fit_t(&base, t_of_nelo(elo)),
        }
        .expect("the distribution exists")
    }

    /// In thousands of simulated matches both error rates stay within the requested ones (plus
    /// three standard deviations), and the test is not so conservative that they are far lower.
    #[test]
    fn error_rates_are_as_requested() {
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
