//! The way of one section through its samples.

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

/// Points of the curve of losses.
const POINTS: u64 = 100;
/// Steps over which the rate rises from zero.
const WARM_UP: f32 = 100.0;
/// The last rate, as a share of the first.
const LAST_RATE: f32 = 0.01;

/// Losses by then, in nats per sample beyond what the targets themselves have.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Point {
    /// Samples learnt.
    pub(super) samples: u64,
    /// Of the samples learnt since the last point, each before it was learnt.
    pub(super) train: f64,
    /// Of held-out positions.
    pub(super) held_out: f64,
}

/// How far a section is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Index in [`SECTIONS`].
    pub(super) section: usize,
    /// Samples learnt.
    pub(super) done: u64,
    /// Steps taken.
    steps: u32,
    /// Blocks learnt.
    blocks: u32,
    /// What was learnt since the last point of the curve.
    loss: Loss,
    pub(super) curve: Vec<Point>,
}

impl Progress {
    /// The beginning of a section.
    pub(super) fn begin(section: usize) -> Progress {
        let (loss, curve) = (Loss::default(), Vec::new());
        Progress { section, done: 0, steps: 0, blocks: 0, loss, curve }
    }
}

/// One section on its way.
pub(super) struct Course {
    pub(super) progress: Progress,
    pub(super) learner: Learner,
}

/// Samples and the sum of their losses.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Loss {
    sum: f64,
    samples: u64,
}

impl Loss {
    /// Per sample.
    fn mean(&self) -> f64 {
        self.sum / self.samples.max(1) as f64
    }
}

impl Course {
    /// The beginning of a section, from random numbers or from a network's; `None` if there is no section
    /// of this number.
    pub(super) fn new(
        section: usize,
        settings: &Settings,
        from: Option<&Section>,
    ) -> Option<Course> {
        let &(rule, side) = SECTIONS.get(section)?;
        let restricted =
            [side, side.opponent()].map(|side| Variant::five(rule).has_forbidden(side));
        let learner = match from {
            Some(from) => Learner::of(&quantise::numbers(from), restricted),
            None => Learner::new(restricted, &mut rng(settings.seed, section, Draw::Numbers)),
        };
        Some(Course { progress: Progress::begin(section), learner })
    }

    /// Learn the next block of games; false if the section has learnt all it should.
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

    /// Whether all games have come and none had a sample.
    pub(super) fn is_in_vain(&self, feed: &Feed) -> bool {
        self.progress.done == 0 && self.progress.blocks >= feed.blocks_per_pass()
    }

    /// Add a point to the curve if it is time: one for each hundredth of the way.
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

    /// The present rate: it rises, and then falls by half a cosine.
    fn rate(&self, settings: &Settings) -> f32 {
        let Progress { done, steps, .. } = self.progress;
        let progress = done as f32 / settings.samples as f32;
        let fall = 0.5 * (1.0 + (progress * std::f32::consts::PI).cos());
        let rise = ((steps + 1) as f32 / WARM_UP).min(1.0);
        settings.rate * rise * (LAST_RATE + (1.0 - LAST_RATE) * fall)
    }
}

/// Mean loss of samples, in nats beyond what the targets themselves have.
fn mean_loss(weights: &Weights, samples: &[Samples], share: f32) -> f64 {
    let of_one = |(sample, cells): (&Sample, &[Cell])| {
        divergence(target(sample, share), value(weights, sample, cells))
    };
    let of_some = |samples: &Samples| (samples.iter().map(of_one).sum::<f64>(), samples.len());
    // Summed in order, whatever the number of threads.
    let sums: Vec<(f64, usize)> = samples.par_iter().map(of_some).collect();
    let (sum, n) = sums.iter().fold((0.0, 0), |(sum, n), (s, m)| (sum + s, n + m));
    sum / n.max(1) as f64
}
