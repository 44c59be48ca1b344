//! The values of all tunables, their perturbation for a pair of games, and the update by its
//! result.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::settings::{Dimension, Settings};

/// Pair `n` uses the values after pair `n - LAG`, so that this number of workers need not wait for
/// each other's results.
pub(super) const LAG: u32 = 32;
/// Decay exponent of the step size, as recommended by Spall.
const ALPHA: f64 = 0.602;
/// Decay exponent of the perturbation size, as recommended by Spall.
const GAMMA: f64 = 0.101;
/// Stability constant of the step size, as a fraction of all pairs.
const STABILITY: f64 = 0.1;

/// A pair of games to play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Trial {
    /// Number of the pair in the run, from 0.
    pub(super) number: u32,
    /// For each tunable, true if the first player's value is the larger one.
    pub(super) signs: Vec<bool>,
    /// The values of both players.
    pub(super) values: [Vec<i32>; 2],
    /// Random seed of the games.
    pub(super) seed: u64,
}

/// The state of the optimisation.
pub(super) struct Climb<'s> {
    settings: &'s Settings,
    /// Number of finished pairs.
    done: u32,
    /// The values after each of the last pairs, latest last.
    recent: VecDeque<Vec<f64>>,
}

impl<'s> Climb<'s> {
    /// Returns the initial state of a run.
    pub(super) fn new(settings: &'s Settings) -> Climb<'s> {
        let start = settings.dimensions.iter().map(|d| f64::from(d.start)).collect();
        Climb { settings, done: 0, recent: VecDeque::from([start]) }
    }

    /// Returns the number of finished pairs.
    pub(super) fn done(&self) -> u32 {
        self.done
    }

    /// Returns the current values.
    pub(super) fn values(&self) -> &[f64] {
        self.recent.back().map_or(&[], |values| values)
    }

    /// Returns the distance of each value from its start, in steps.
    pub(super) fn moved(&self) -> Vec<f64> {
        let moved = |(d, value): (&Dimension, &f64)| {
            let far = value - f64::from(d.start);
            far / f64::from(d.step)
        };
        self.settings.dimensions.iter().zip(self.values()).map(moved).collect()
    }

    /// Returns a pair to play, or `None` if it depends on missing results.
    ///
    /// Tunables are integers, so values are rounded stochastically: up with the probability of
    /// their fraction. A value of 2.5 then behaves like the mean of 2 and 3. With rounding to the
    /// nearest integer, small values could not move before half a step. Both players use the same
    /// random number, so that their difference is exact.
    pub(super) fn trial(&self, number: u32) -> Option<Trial> {
        let newer = self.done.checked_sub(number.saturating_sub(LAG))?;
        let around = self.recent.iter().rev().nth(newer as usize)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(u64::from(number));
        let spread = self.spread(number);
        let mut signs = Vec::new();
        let mut values = [Vec::new(), Vec::new()];
        for (dimension, &value) in self.settings.dimensions.iter().zip(around) {
            let sign = rng.random::<bool>();
            let rounding = rng.random::<f64>();
            let change = spread * f64::from(dimension.step) * direction(sign);
            signs.push(sign);
            for (side, value) in values.iter_mut().zip([value + change, value - change]) {
                let rounded = (clamp(value, dimension) + rounding).floor() as i32;
                side.push(rounded.min(dimension.most));
            }
        }
        Some(Trial { number, signs, values, seed: rng.random() })
    }

    /// Moves the values towards the winner of the next pair. `result` is the number of games won
    /// minus games lost by the player with `signs`.
    pub(super) fn learn(&mut self, signs: &[bool], result: i32) {
        let far = self.gain(self.done) * f64::from(result);
        let dimensions = self.settings.dimensions.iter().zip(signs);
        let moved = |(&value, (d, &sign)): (&f64, (&Dimension, &bool))| {
            clamp(value + far * f64::from(d.step) * direction(sign), d)
        };
        let values = self.values().iter().zip(dimensions).map(moved).collect();
        self.recent.push_back(values);
        self.done += 1;
        if self.recent.len() > LAG as usize + 1 {
            self.recent.pop_front();
        }
    }

    /// Returns the size of the perturbation, in steps. It decays to one.
    fn spread(&self, number: u32) -> f64 {
        (f64::from(self.settings.pairs) / f64::from(number + 1)).powf(GAMMA)
    }

    /// Returns the step size for a won game, in steps. It decays to the rate of the settings.
    fn gain(&self, number: u32) -> f64 {
        let pairs = f64::from(self.settings.pairs);
        let stability = STABILITY * pairs;
        let decay = (stability + pairs) / (stability + f64::from(number + 1));
        self.settings.rate * decay.powf(ALPHA) / self.spread(number)
    }
}

fn direction(sign: bool) -> f64 {
    if sign { 1.0 } else { -1.0 }
}

fn clamp(value: f64, dimension: &Dimension) -> f64 {
    value.max(f64::from(dimension.least)).min(f64::from(dimension.most))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns settings for tunables that start at these values, with steps of 10.
    pub(in crate::spsa) fn settings(pairs: u32, rate: f64, starts: &[i32]) -> Settings {
        let dimension = |&start: &i32| {
            let name = format!("at_{start}");
            Dimension { name, start, step: 10, least: -1000, most: 1000 }
        };
        Settings {
            pairs,
            nodes: 100,
            boards: "freestyle:15".parse().unwrap(),
            nets: Vec::new(),
            rate,
            hash: 1,
            seed: 5,
            dimensions: starts.iter().map(dimension).collect(),
        }
    }

    /// Returns a random result, in which the player closer to the optimum wins more often.
    fn noisy_result(trial: &Trial, optimum: &[i32]) -> i32 {
        let mut rng = ChaCha8Rng::seed_from_u64(trial.seed);
        let strength = |values: &Vec<i32>| -> f64 {
            let far = values.iter().zip(optimum).map(|(v, o)| f64::from(v - o) / 10.0);
            far.map(|far| -0.03 * far * far).sum()
        };
        let odds = 1.0 / (1.0 + (strength(&trial.values[1]) - strength(&trial.values[0])).exp());
        let mut game = || if rng.random_bool(odds) { 1 } else { -1 };
        game() + game()
    }

    #[test]
    fn values_converge_on_a_noisy_quadratic() {
        let (starts, optimum) = ([0, 100, -50, 7, 300], [40, 70, -50, 37, 300]);
        let settings = settings(6_000, 0.01, &starts);
        let mut climb = Climb::new(&settings);
        for number in 0..settings.pairs {
            let trial = climb.trial(number).unwrap();
            climb.learn(&trial.signs, noisy_result(&trial, &optimum));
        }
        for (value, best) in climb.values().iter().zip(optimum) {
            assert!((value - f64::from(best)).abs() < 8.0, "{:?}", climb.values());
        }
    }

    #[test]
    fn perturbations_are_symmetric_and_unbiased() {
        let mut settings = settings(1_000, 0.1, &[5, 600]);
        settings.dimensions[0].step = 1;
        let mut climb = Climb::new(&settings);
        climb.learn(&[true, true], 2);
        let now = climb.values().to_vec();
        let mut sums = [0.0; 2];
        let pairs = LAG + 1..1_000;
        let mut later = Climb::new(&settings);
        later.recent = VecDeque::from([now.clone()]);
        for number in pairs.clone() {
            later.done = number - LAG;
            let trial = later.trial(number).unwrap();
            let spread = later.spread(number);
            for (i, dimension) in settings.dimensions.iter().enumerate() {
                let [a, b] = [trial.values[0][i], trial.values[1][i]];
                assert_eq!(trial.signs[i], a > b);
                let apart = f64::from((a - b).abs());
                assert!((apart - 2.0 * spread * f64::from(dimension.step)).abs() < 1.0);
                sums[i] += f64::from(a + b) / 2.0;
            }
        }
        for (sum, value) in sums.into_iter().zip(now) {
            assert!((sum / pairs.len() as f64 - value).abs() < 0.1, "{sum} {value}");
        }
    }

    #[test]
    fn step_and_perturbation_sizes_decay_to_the_settings() {
        let settings = settings(5_000, 0.002, &[0]);
        let mut climb = Climb::new(&settings);
        assert!((climb.spread(4_999) - 1.0).abs() < 1e-9);
        assert!((climb.gain(4_999) - 0.002).abs() < 1e-9);
        assert!((climb.spread(0) - 5_000f64.powf(0.101)).abs() < 1e-9);
        climb.done = 4_999;
        climb.learn(&[false], 2);
        assert!((climb.values()[0] + 0.04).abs() < 1e-9, "{:?}", climb.values());
        assert!((climb.moved()[0] + 0.004).abs() < 1e-9);
    }

    #[test]
    fn values_stay_within_their_range() {
        let mut settings = settings(10, 1.0, &[3, 8]);
        for dimension in &mut settings.dimensions {
            (dimension.step, dimension.least, dimension.most) = (4, 2, 9);
        }
        let mut climb = Climb::new(&settings);
        for number in 0..10 {
            let trial = climb.trial(number).unwrap();
            assert!(
                trial.values.iter().flatten().all(|value| (2..=9).contains(value)),
                "{trial:?}"
            );
            climb.learn(&[false, true], 2);
        }
        assert_eq!(climb.values(), [2.0, 9.0]);
    }

    #[test]
    fn a_pair_depends_only_on_results_before_the_lag() {
        let settings = settings(1_000, 0.1, &[0, 0]);
        let mut climb = Climb::new(&settings);
        assert!(climb.trial(LAG).is_some() && climb.trial(LAG + 1).is_none());
        let early = climb.trial(LAG).unwrap();
        for number in 0..LAG {
            climb.learn(&climb.trial(number).unwrap().signs.clone(), 2);
        }
        assert_eq!(climb.trial(LAG), Some(early));
        assert!(climb.trial(2 * LAG).is_some() && climb.trial(2 * LAG + 1).is_none());
        for number in LAG..3 * LAG {
            climb.learn(&climb.trial(number).unwrap().signs.clone(), 2);
        }
        assert_eq!(climb.recent.len(), LAG as usize + 1);
        assert!(climb.trial(3 * LAG).is_some());
    }
}
