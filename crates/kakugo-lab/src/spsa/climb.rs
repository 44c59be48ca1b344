//! The values, how they are varied for a pair of games, and how its result moves them.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::settings::{Dimension, Settings};

/// Pair `n` is played around the values that the pairs before `n - LAG` have led to: so many workers
/// find something to do while the results of others are missing.
pub(super) const LAG: u32 = 32;
/// Constants of the schedule that Spall recommends: how steps get shorter, ...
const ALPHA: f64 = 0.602;
/// ... how the players get more alike, ...
const GAMMA: f64 = 0.101;
/// ... and the part of all pairs by which the first steps are held back.
const STABILITY: f64 = 0.1;

/// A pair of games that is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Trial {
    /// Which pair of the run, from 0.
    pub(super) number: u32,
    /// Of each tunable, whether the first player's value is the larger one.
    pub(super) signs: Vec<bool>,
    /// The values that both players play with.
    pub(super) values: [Vec<i32>; 2],
    /// Of the games' own random choices.
    pub(super) seed: u64,
}

/// The values on their way.
pub(super) struct Climb<'s> {
    settings: &'s Settings,
    /// Pairs known.
    done: u32,
    /// The values after each of the last pairs, the newest last.
    recent: VecDeque<Vec<f64>>,
}

impl<'s> Climb<'s> {
    /// The beginning of a run.
    pub(super) fn new(settings: &'s Settings) -> Climb<'s> {
        let start = settings.dimensions.iter().map(|d| f64::from(d.start)).collect();
        Climb { settings, done: 0, recent: VecDeque::from([start]) }
    }

    /// Pairs known.
    pub(super) fn done(&self) -> u32 {
        self.done
    }

    /// The values now.
    pub(super) fn values(&self) -> &[f64] {
        self.recent.back().map_or(&[], |values| values)
    }

    /// How far each value has come, in steps.
    pub(super) fn moved(&self) -> Vec<f64> {
        let moved = |(d, value): (&Dimension, &f64)| {
            let far = value - f64::from(d.start);
            far / f64::from(d.step)
        };
        self.settings.dimensions.iter().zip(self.values()).map(moved).collect()
    }

    /// A pair to play; `None` if it takes results that are missing.
    ///
    /// Values are whole numbers, so they are rounded by lot, up with the probability that their
    /// fraction says: what is found out of a value like 2.5 is then the mean of what is true of 2 and
    /// of 3. Rounded to the nearest number, small values could not move before they had come
    /// half-way, and no result would tell that they should. Both players share the lot, so that they
    /// differ by no less and no more than they should.
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
            let lot = rng.random::<f64>();
            let change = spread * f64::from(dimension.step) * direction(sign);
            signs.push(sign);
            for (side, value) in values.iter_mut().zip([value + change, value - change]) {
                let whole = (clamp(value, dimension) + lot).floor() as i32;
                side.push(whole.min(dimension.most));
            }
        }
        Some(Trial { number, signs, values, seed: rng.random() })
    }

    /// Go towards the winner of the next pair: `result` is the games that the player with `signs` has
    /// won less those that he has lost.
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

    /// How far each player of a pair is from the values, in steps: one in the end.
    fn spread(&self, number: u32) -> f64 {
        (f64::from(self.settings.pairs) / f64::from(number + 1)).powf(GAMMA)
    }

    /// How far a game won moves the values, in steps: the rate in the end.
    fn gain(&self, number: u32) -> f64 {
        let pairs = f64::from(self.settings.pairs);
        let held_back = STABILITY * pairs;
        let fall = (held_back + pairs) / (held_back + f64::from(number + 1));
        self.settings.rate * fall.powf(ALPHA) / self.spread(number)
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

    /// A run over tunables that begin at these values, with steps of 10.
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

    /// The result of a pair between players of whom the one nearer to the optimum wins more often.
    fn noisy_result(trial: &Trial, optimum: &[i32]) -> i32 {
        let mut rng = ChaCha8Rng::seed_from_u64(trial.seed);
        let worth = |values: &Vec<i32>| -> f64 {
            let far = values.iter().zip(optimum).map(|(v, o)| f64::from(v - o) / 10.0);
            far.map(|far| -0.03 * far * far).sum()
        };
        let odds = 1.0 / (1.0 + (worth(&trial.values[1]) - worth(&trial.values[0])).exp());
        let mut game = || if rng.random_bool(odds) { 1 } else { -1 };
        game() + game()
    }

    #[test]
    fn a_noisy_quadratic_is_climbed_to_its_top() {
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
    fn players_differ_by_twice_the_step_and_meet_the_values_in_the_mean() {
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
    fn steps_and_differences_end_as_the_settings_say() {
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
    fn a_pair_waits_for_the_results_that_it_takes_and_no_others() {
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
