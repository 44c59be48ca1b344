//! The classical value fitted to the same games: the control of a network.
//!
//! It is linear in what the network sees: a number for each code of each free point, one for each
//! mask of threats, and a factor of the embedded classical value. What a network predicts better than
//! this, it owes to what is not linear in it, and not to its games.

use rayon::prelude::*;

use super::adam::Learnt;
use super::feed::{Feed, Lesson, batches};
use super::games::ScoredGame;
use super::nats::sigmoid;
use super::samples::{Cell, Sample};
use super::settings::Settings;
use kakugo::pattern::code::CODES;
use kakugo::pattern::threat::MASKS;
use kakugo_cli::stderr::note;

/// Where the numbers are: by code for the side to move, by code for the opponent, by mask, a
/// constant, and the factor.
const OTHER: usize = CODES;
const THREAT: usize = OTHER + CODES;
const CONSTANT: usize = THREAT + MASKS;
const FACTOR: usize = CONSTANT + 1;
const NUMBERS: usize = FACTOR + 1;

/// Samples to learn: a sum of numbers is learnt long before a network.
const SAMPLES: u64 = 5_000_000;
/// Highest rate of Adam: a number counts for many points.
const RATE: f32 = 0.0005;
/// Shards of a batch.
const SHARDS: usize = 8;

/// The fitted classical value.
pub(super) struct Refit {
    numbers: Vec<Learnt<1>>,
}

/// What each number is multiplied by.
fn inputs(sample: &Sample, cells: &[Cell]) -> impl Iterator<Item = (usize, f32)> {
    let code = |cell: &Cell| {
        let (own, other) = (usize::from(cell.own), OTHER + usize::from(cell.other));
        [(own, cell.points), (other, cell.points)]
    };
    let mask = (THREAT + usize::from(sample.mask), 1.0);
    cells.iter().flat_map(code).chain([mask, (CONSTANT, 1.0), (FACTOR, sample.classical)])
}

impl Refit {
    /// The embedded value, not fitted yet.
    pub(super) fn begin() -> Refit {
        let mut numbers = vec![Learnt::new([0.0]); NUMBERS];
        numbers[FACTOR].value[0] = 1.0;
        Refit { numbers }
    }

    /// Fit it to games.
    pub(super) fn of(games: &[ScoredGame], section: usize, settings: &Settings) -> Refit {
        let mut refit = Refit::begin();
        let samples = settings.samples.min(SAMPLES);
        note(format_args!("fitting the classical value to {samples} samples, to compare with"));
        let mut feed = Feed::new(games, section, *settings);
        let (mut done, mut number) = (0, 0);
        // A section without samples ends with the first pass.
        while done < samples && (done > 0 || number < feed.blocks_per_pass()) {
            let block = feed.block(number);
            for batch in batches(&feed.shuffled(&block, number), settings.batch) {
                let left = 1.0 - (done as f32 / samples as f32).min(1.0);
                refit.learn(batch, RATE * (0.01 + 0.99 * left));
                done += batch.len() as u64;
            }
            number += 1;
        }
        refit
    }

    /// What it says of a sample, in nats.
    pub(super) fn value(&self, sample: &Sample, cells: &[Cell]) -> f32 {
        inputs(sample, cells).map(|(i, x)| x * self.numbers[i].value[0]).sum()
    }

    fn learn(&mut self, batch: &[Lesson], rate: f32) {
        let scale = 1.0 / batch.len() as f32;
        let of_shard = |shard: &[Lesson]| {
            let mut gradient = vec![0.0; NUMBERS];
            for &(sample, cells, target) in shard {
                let error = scale * (sigmoid(self.value(sample, cells)) - target);
                inputs(sample, cells).for_each(|(i, x)| gradient[i] += error * x);
            }
            gradient
        };
        let per_shard = batch.len().div_ceil(SHARDS).max(1);
        let shards: Vec<Vec<f32>> = batch.par_chunks(per_shard).map(of_shard).collect();
        for (i, number) in self.numbers.iter_mut().enumerate() {
            let gradient: f32 = shards.iter().map(|shard| shard[i]).sum();
            if gradient != 0.0 {
                number.step(&[gradient], rate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::random;
    use crate::train::samples::Samples;
    use kakugo::board::Variant;

    #[test]
    fn a_linear_rule_is_learnt() {
        let games = random::games(Variant::FREESTYLE, 60, 6).train;
        let settings = Settings {
            samples: 1,
            batch: 200,
            rate: 0.1,
            share: 0.0,
            decay: 0.0,
            solved: true,
            seed: 1,
            from: None,
        };
        let samples = Feed::new(&games, 0, settings).block(0);
        let rule = |cells: &[Cell]| {
            let cell = |cell: &Cell| cell.points * (f32::from(cell.own) - f32::from(cell.other));
            cells.iter().map(cell).sum::<f32>() / 5_000.0
        };
        let lessons: Vec<Lesson> = samples
            .iter()
            .flat_map(Samples::iter)
            .map(|(sample, cells)| (sample, cells, sigmoid(rule(cells))))
            .collect();
        let mut refit = Refit::begin();
        let error = |refit: &Refit| {
            let of_one = |&(sample, cells, target): &Lesson| {
                (sigmoid(refit.value(sample, cells)) - target).abs()
            };
            lessons.iter().map(of_one).sum::<f32>() / lessons.len() as f32
        };
        let before = error(&refit);
        for _ in 0..60 {
            batches(&lessons, 200).for_each(|batch| refit.learn(batch, 0.002));
        }
        assert!(error(&refit) < before / 4.0, "{before} {}", error(&refit));
    }
}
