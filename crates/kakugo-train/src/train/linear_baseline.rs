//! A linear model fitted to the same games, as a baseline for the network.
//!
//! It is linear in the network's features: a weight for each code of each empty point, one for each
//! threat mask, and a factor of the embedded classical evaluation. If the network predicts better,
//! the reason is its nonlinearity and not its training data.
//!
//! [`tune`](crate::tune) fits another model, the engine's own classical evaluation, and writes it
//! to a file. This one only serves the report.

use rayon::prelude::*;

use super::adam::Parameters;
use super::feed::{Feed, Lesson, batches};
use super::games::ScoredGame;
use super::nats::sigmoid;
use super::samples::{Cell, Sample};
use super::settings::Settings;
use kakugo::pattern::code::CODES;
use kakugo::pattern::threat::MASKS;
use kakugo_cli::stderr::note;

/// Offsets of the weights: by code for the side to move (0), by code for the opponent, by threat
/// mask, the constant, and the factor of the classical evaluation.
const OTHER: usize = CODES;
const THREAT: usize = OTHER + CODES;
const CONSTANT: usize = THREAT + MASKS;
const FACTOR: usize = CONSTANT + 1;
const WEIGHTS: usize = FACTOR + 1;

/// Maximum number of samples. A linear model converges long before a network.
const SAMPLES: u64 = 5_000_000;
/// Maximum learning rate. It is low, because a weight applies to many points.
const RATE: f32 = 0.0005;
/// Number of shards of a batch.
const SHARDS: usize = 8;

/// The linear model.
pub(super) struct LinearBaseline {
    weights: Vec<Parameters<1>>,
}

/// Returns the weights that a sample uses, with their inputs.
fn inputs(sample: &Sample, cells: &[Cell]) -> impl Iterator<Item = (usize, f32)> {
    let code = |cell: &Cell| {
        let (own, other) = (usize::from(cell.own), OTHER + usize::from(cell.other));
        [(own, cell.points), (other, cell.points)]
    };
    let mask = (THREAT + usize::from(sample.mask), 1.0);
    cells.iter().flat_map(code).chain([mask, (CONSTANT, 1.0), (FACTOR, sample.classical)])
}

impl LinearBaseline {
    /// Returns the model that equals the embedded classical evaluation.
    pub(super) fn new() -> LinearBaseline {
        let mut weights = vec![Parameters::new([0.0]); WEIGHTS];
        weights[FACTOR].value[0] = 1.0;
        LinearBaseline { weights }
    }

    /// Fits the model to games.
    pub(super) fn fit(games: &[ScoredGame], section: usize, settings: &Settings) -> LinearBaseline {
        let mut baseline = LinearBaseline::new();
        let samples = settings.samples.min(SAMPLES);
        note(format_args!("fitting a linear baseline to {samples} samples"));
        let mut feed = Feed::new(games, section, *settings);
        let (mut done, mut number) = (0, 0);
        // If the section has no samples, stop after the first pass.
        while done < samples && (done > 0 || number < feed.blocks_per_pass()) {
            let block = feed.block(number);
            for batch in batches(&feed.shuffled(&block, number), settings.batch) {
                let left = 1.0 - (done as f32 / samples as f32).min(1.0);
                baseline.learn(batch, RATE * (0.01 + 0.99 * left));
                done += batch.len() as u64;
            }
            number += 1;
        }
        baseline
    }

    /// Returns the value of a sample, in nats.
    pub(super) fn value(&self, sample: &Sample, cells: &[Cell]) -> f32 {
        inputs(sample, cells).map(|(i, x)| x * self.weights[i].value[0]).sum()
    }

    fn learn(&mut self, batch: &[Lesson], rate: f32) {
        let scale = 1.0 / batch.len() as f32;
        let of_shard = |shard: &[Lesson]| {
            let mut gradient = vec![0.0; WEIGHTS];
            for &(sample, cells, target) in shard {
                let error = scale * (sigmoid(self.value(sample, cells)) - target);
                inputs(sample, cells).for_each(|(i, x)| gradient[i] += error * x);
            }
            gradient
        };
        let per_shard = batch.len().div_ceil(SHARDS).max(1);
        let shards: Vec<Vec<f32>> = batch.par_chunks(per_shard).map(of_shard).collect();
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let gradient: f32 = shards.iter().map(|shard| shard[i]).sum();
            if gradient != 0.0 {
                weight.step(&[gradient], rate);
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
    fn a_linear_target_is_learnt() {
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
        let mut baseline = LinearBaseline::new();
        let error = |baseline: &LinearBaseline| {
            let of_one = |&(sample, cells, target): &Lesson| {
                (sigmoid(baseline.value(sample, cells)) - target).abs()
            };
            lessons.iter().map(of_one).sum::<f32>() / lessons.len() as f32
        };
        let before = error(&baseline);
        for _ in 0..60 {
            batches(&lessons, 200).for_each(|batch| baseline.learn(batch, 0.002));
        }
        assert!(error(&baseline) < before / 4.0, "{before} {}", error(&baseline));
    }
}
