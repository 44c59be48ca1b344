//! Random networks, for tests and benchmarks that do not need a trained one.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::model::{Network, Section};
use super::regions::MAX_SIDE;
use crate::board::{MIN_SIZE, Rule};

/// Returns a network for all supported board sizes that passes [`Network::check`]. Equal seeds give
/// equal networks. The numbers are about as large as trained ones: few activations saturate.
pub fn random(rule: Rule, seed: u64) -> Network {
    let mut rng = SmallRng::seed_from_u64(seed);
    let sections = (0..Network::sections_of(rule)).map(|_| section(&mut rng)).collect();
    let description = format!("random numbers, seed {seed}");
    Network { rule, min_size: MIN_SIZE, max_size: MAX_SIDE, description, sections }
}

fn section(rng: &mut impl Rng) -> Section {
    let mut section = Section::zero();
    let mut fill = |table: &mut Vec<i16>, max: i16| {
        table.iter_mut().for_each(|number| *number = rng.random_range(-max..=max));
    };
    fill(&mut section.own, 200);
    fill(&mut section.other, 200);
    section.lines.iter_mut().for_each(|number| *number = rng.random_range(-50..=50));
    let mut fill = |table: &mut Vec<i16>, max: i16| {
        table.iter_mut().for_each(|number| *number = rng.random_range(-max..=max));
    };
    fill(&mut section.w0, 150);
    fill(&mut section.w1, 150);
    fill(&mut section.w2, 150);
    fill(&mut section.w3, 100);
    let mut fill = |table: &mut Vec<i32>, max: i32| {
        table.iter_mut().for_each(|number| *number = rng.random_range(-max..=max));
    };
    fill(&mut section.m1, 1 << 17);
    fill(&mut section.b0, 1 << 17);
    fill(&mut section.b1, 1 << 17);
    fill(&mut section.b2, 1 << 17);
    fill(&mut section.threat, 1 << 15);
    section.b3 = rng.random_range(-(1 << 15)..=1 << 15);
    section.factor = rng.random_range(512..=1024);
    section
}
