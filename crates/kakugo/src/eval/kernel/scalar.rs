//! The steps in plain Rust: the truth that the other kernels must come to.

use super::layout::{
    ACTIVATION_MOST, CHANNELS, CellRows, Change, FLOOR, HALF, HIDDEN, INPUT_SHIFT, INPUTS, Layers,
    LineRow, REGIONS, Row, Sums, WEIGHT_SHIFT, Weights,
};

/// Set `to` to `from` with these changes.
pub(super) fn add(tables: CellRows, from: &Sums, changes: &[Change], to: &mut Sums) {
    to.clone_from(from);
    for &Change { region, before, after, others, line } in changes {
        let (before, after) = (tables.rows(before), tables.rows(after));
        let ([a, b, c], [old, new]) = (tables.of_lines(others), tables.of_lines(line));
        for (channel, sum) in to.changing(region).iter_mut().enumerate() {
            let cell = |rows, line| cell(rows, [a, b, c, line], channel);
            *sum = sum.wrapping_add(cell(after, new)).wrapping_sub(cell(before, old));
        }
    }
}

/// A channel of a point with the rows of its codes and of its lines.
#[inline(always)]
fn cell([own, other]: [&Row; 2], lines: [&LineRow; 4], channel: usize) -> u16 {
    let lines = lines.iter().map(|line| i16::from(line.0[channel])).sum();
    let own = own.0[channel].wrapping_add_signed(lines);
    own.saturating_add(other.0[channel]).saturating_sub(FLOOR)
}

/// What the layers make of sums and a mask of threats, in 65536ths.
pub(super) fn output(layers: &Layers, sums: &mut Sums, mask: usize) -> i32 {
    let channels = sums.regions.map(|region| region.map(channel));
    for region in sums.take_stale() {
        let outputs = layer(&layers.local, layers.local_bias, &channels[region]);
        sums.local[region] = outputs.map(|output| output as i16);
    }
    let mut inputs = [0; INPUTS];
    let (together, one_by_one) = inputs.split_at_mut(CHANNELS);
    together.copy_from_slice(&pooled(&channels));
    one_by_one.copy_from_slice(&pooled(&sums.local));
    let [lower, upper] = layers.masks.of(mask);
    let start = std::array::from_fn(|j| lower[j] + upper[j]);
    let first = layer(&layers.first, start, &inputs);
    let second = layer(&layers.second, layers.second_bias, &first.map(|output| output as i16));
    second.iter().zip(layers.last).map(|(input, weight)| input * i32::from(weight)).sum()
}

/// A channel of a region as an input of a layer.
fn channel(sum: u16) -> i16 {
    (sum >> INPUT_SHIFT).min(ACTIVATION_MOST.unsigned_abs()).cast_signed()
}

/// What all regions come to together, as inputs of the first layer.
fn pooled<const N: usize>(regions: &[[i16; N]; REGIONS]) -> [i16; N] {
    let half = HALF.cast_signed();
    let sum = |c: usize| regions.iter().fold(half, |sum, region| sum.saturating_add(region[c]));
    std::array::from_fn(|c| sum(c) >> INPUT_SHIFT)
}

fn layer<const PAIRS: usize>(
    weights: &Weights<PAIRS>,
    start: [i32; HIDDEN],
    inputs: &[i16],
) -> [i32; HIDDEN] {
    let mut sums = start;
    for (inputs, weights) in inputs.as_chunks::<2>().0.iter().zip(&weights.0) {
        let [a, b] = inputs.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
            *sum += a * i32::from(weights[0]) + b * i32::from(weights[1]);
        }
    }
    sums.map(|sum| (sum >> WEIGHT_SHIFT).clamp(0, i32::from(ACTIVATION_MOST)))
}
