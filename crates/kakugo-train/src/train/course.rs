//! The training schedule of one section.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::draw::{Draw, rng};
use super::feed::{Feed, batches, target};
use super::gradient::{divergence, value};
use super::learner::Learner;
use super::model::Weights;
use super::quantise;
use super::samples::{Cell, Sample, Samples};
use super::settings::Settings;
use kakugo::board::Variant;
use kakugo::eval::network::Section;
use kakugo::eval::weights::SECTIONS;

/// Number of points of the loss curve.
const POINTS: u64 = 100;
/// Number of warm-up steps, in which the learning rate rises from zero.
const WARM_UP: f32 = 100.0;
/// The final learning rate, as a fraction of the maximum.
const LAST_RATE: f32 = 0.01;

/// A point of the loss curve. Losses are divergences, in nats per sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Point {
    /// Number of samples so far.
    pub(super) samples: u64,
    /// Mean training loss since the last point, each sample before its step.
    pub(super) train: f64,
    /// Mean loss of held-out positions.
    pub(super) held_out: f64,
}

/// The progress of a section.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Index in [`SECTIONS`].
    pub(super) section: usize,
    /// Number of samples so far.
    pub(super) done: u64,
    /// Number of steps so far.
    steps: u32,
    /// Number of blocks so far.
    blocks: u32,
    /// Training loss since the last point of the curve.
    loss: Loss,
    pub(super) curve: Vec<Point>,
}

impl Progress {
    /// Returns the progress of a section that has not started.
    pub(super) fn begin(section: usize) -> Progress {
        let (loss, curve) = (Loss::default(), Vec::new());
        Progress { section, done: 0, steps: 0, blocks: 0, loss, curve }
    }
}

/// A section in training.
pub(super) struct Course {
    pub(super) progress: Progress,
    pub(super) learner: Learner,
}

/// A sum of losses.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Loss {
    sum: f64,
    samples: u64,
}

impl Loss {
    /// Returns the mean loss per sample.
    fn mean(&self) -> f64 {
        self.sum / self.samples.max(1) as f64
    }
}

impl Course {
    /// Returns the start of a section, from random weights or from those of a network. Returns
    /// `None` if the section does not exist.
    pub(super) fn new(
        section: usize,
        settings: &Settings,
        from: Option<&Section>,
    ) -> Option<Course> {
        let &(rule, side) = SECTIONS.get(section)?;
        let restricted =
            [side, side.opponent()].map(|side| Variant::five(rule).has_forbidden(side));
        let learner = match from {
            Some(from) => Learner::of(&quantise::dequantise(from), restricted),
            None => Learner::new(restricted, &mut rng(settings.seed, section, Draw::Weights)),
        };
        Some(Course { progress: Progress::begin(section), learner })
    }

    /// Trains on the next block of games. Returns false if the section is finished.
    pub(super) fn learn_block(&mut self, feed: &mut Feed, settings: &Settings) -> bool {
        if self.progress.done >= settings.samples {
            return false;
        }
        let number = self.progress.blocks;
        self.progress.blocks += 1;
        let block = feed.block(number);
        for batch in batches(&feed.shuffled(&block, number), settings.batch) {
            let rate = self.rate(settings);
            let Progress { done, steps, loss, .. } = &mut self.progress;
            loss.sum += self.learner.learn(batch, rate, settings.decay);
            loss.samples += batch.len() as u64;
            *done += batch.len() as u64;
            *steps += 1;
            if *done >= settings.samples {
                break;
            }
        }
        true
    }

    /// Returns true if all games have been read and had no samples.
    pub(super) fn has_no_samples(&self, feed: &Feed) -> bool {
        self.progress.done == 0 && self.progress.blocks >= feed.blocks_per_pass()
    }

    /// Adds a point to the curve after each hundredth of the samples.
    pub(super) fn measure(&mut self, held_out: &[Samples], settings: &Settings) {
        let Progress { done, loss, curve, .. } = &mut self.progress;
        let last = curve.last().map_or(0, |point| point.samples);
        let is_due = *done >= last + settings.samples / POINTS || *done >= settings.samples;
        if loss.samples > 0 && is_due {
            let train = std::mem::take(loss).mean();
            let held_out = mean_loss(&self.learner.weights, held_out, settings.share);
            curve.push(Point { samples: *done, train, held_out });
        }
    }

    /// Returns the current learning rate: warm-up, then cosine decay.
    fn rate(&self, settings: &Settings) -> f32 {
        let Progress { done, steps, .. } = self.progress;
        let progress = done as f32 / settings.samples as f32;
        let decay = 0.5 * (1.0 + (progress * std::f32::consts::PI).cos());
        let warm_up = ((steps + 1) as f32 / WARM_UP).min(1.0);
        settings.rate * warm_up * (LAST_RATE + (1.0 - LAST_RATE) * decay)
    }
}

/// Returns the mean divergence of samples, in nats.
fn mean_loss(weights: &Weights, samples: &[Samples], share: f32) -> f64 {
    let of_one = |(sample, cells): (&Sample, &[Cell])| {
        divergence(target(sample, share), value(weights, sample, cells))
    };
    let of_some = |samples: &Samples| (samples.iter().map(of_one).sum::<f64>(), samples.len());
    // Summed in order, so that the result does not depend on the number of threads.
    let sums: Vec<(f64, usize)> = samples.par_iter().map(of_some).collect();
    let (sum, n) = sums.iter().fold((0.0, 0), |(sum, n), (s, m)| (sum + s, n + m));
    sum / n.max(1) as f64
}
