//! The two steps of an evaluation, written once for every instruction set.

use super::layout::{
    ACTIVATION_MAX, CHANNELS, CellChange, CellRows, CodeRow, FLOOR, HALF, HIDDEN, INPUTS,
    LayerWeights, Layers, LineRow, REGIONS, RegionSums,
};
use super::simd::{Simd, load, store};

/// Number of 16-bit lanes in a vector.
const fn lanes<S: Simd>() -> usize {
    size_of::<S::I16>() / size_of::<i16>()
}

/// Sets `to` to `from` with these changes applied.
#[inline(always)]
pub(super) fn update<S: Simd>(
    simd: S,
    rows: CellRows,
    from: &RegionSums,
    changes: &[CellChange],
    to: &mut RegionSums,
) {
    to.clone_from(from);
    for &CellChange { region, before, after, others, line } in changes {
        let (before, after) = (rows.codes(before), rows.codes(after));
        let ([a, b, c], [old, new]) = (rows.lines(others), rows.lines(line));
        let region = to.touch(region);
        for part in 0..CHANNELS / lanes::<S>() {
            let two = simd.add(line_part(simd, a, part), line_part(simd, b, part));
            let three = simd.add(two, line_part(simd, c, part));
            let old = simd.add(three, line_part(simd, old, part));
            let new = simd.add(three, line_part(simd, new, part));
            let old = cell_part(simd, before, old, part);
            let new = cell_part(simd, after, new, part);
            let sum = load(region, part);
            store(region, part, simd.add(sum, simd.sub(new, old)));
        }
    }
}

/// Returns some channels of a line.
#[inline(always)]
fn line_part<S: Simd>(simd: S, line: &LineRow, part: usize) -> S::I16 {
    simd.widen(load(&line.0, part))
}

/// Returns some channels of a cell, given the sum of its lines.
#[inline(always)]
fn cell_part<S: Simd>(simd: S, [own, other]: [&CodeRow; 2], lines: S::I16, part: usize) -> S::I16 {
    let own = simd.add(load(&own.0, part), lines);
    let sum = simd.add_saturating_u16(own, load(&other.0, part));
    simd.sub_saturating_u16(sum, simd.splat(FLOOR.cast_signed()))
}

/// Returns the output of the layers for region sums and a threat mask, in 65536ths. Refreshes the
/// outputs of the region layer that `sums` caches.
#[inline(always)]
pub(super) fn output<S: Simd>(simd: S, layers: &Layers, sums: &mut RegionSums, mask: usize) -> i32 {
    let bias: S::Hidden32 = bytemuck::cast(layers.local_bias);
    for region in sums.take_stale() {
        let inputs: [i16; CHANNELS] = bytemuck::cast(channels(simd, &sums.regions[region]));
        sums.local[region] = bytemuck::cast(layer(simd, &layers.local, bias, &inputs));
    }

    // Pool channels and region outputs over the board.
    let half = simd.splat(HALF.cast_signed());
    let mut pooled: S::Channels = bytemuck::Zeroable::zeroed();
    let mut pooled_local: S::Hidden16 = bytemuck::Zeroable::zeroed();
    pooled.as_mut().fill(half);
    pooled_local.as_mut().fill(half);
    for region in 0..REGIONS {
        let channels = channels(simd, &sums.regions[region]);
        for (sum, &channels) in pooled.as_mut().iter_mut().zip(channels.as_ref()) {
            *sum = simd.add_saturating(*sum, channels);
        }
        for (part, sum) in pooled_local.as_mut().iter_mut().enumerate() {
            *sum = simd.add_saturating(*sum, load(&sums.local[region], part));
        }
    }
    let mut inputs = [0i16; INPUTS];
    for (part, &sum) in pooled.as_ref().iter().chain(pooled_local.as_ref()).enumerate() {
        store(&mut inputs, part, simd.shift_input(sum));
    }

    // The layers of the whole board.
    let [lower, upper] = layers.masks.rows(mask);
    let mut start: S::Hidden32 = bytemuck::Zeroable::zeroed();
    for (part, start) in start.as_mut().iter_mut().enumerate() {
        *start = simd.add32(load(lower, part), load(upper, part));
    }
    let first: [i16; HIDDEN] = bytemuck::cast(layer(simd, &layers.first, start, &inputs));
    let bias: S::Hidden32 = bytemuck::cast(layers.second_bias);
    let second = layer(simd, &layers.second, bias, &first);
    let mut products: S::I32 = bytemuck::Zeroable::zeroed();
    for (part, &input) in second.as_ref().iter().enumerate() {
        products = simd.multiply_add(products, input, load(&layers.last, part));
    }
    simd.sum32(products)
}

/// Returns the channels of a region as inputs of a layer.
#[inline(always)]
fn channels<S: Simd>(simd: S, region: &[u16; CHANNELS]) -> S::Channels {
    let max = simd.splat(ACTIVATION_MAX);
    let mut inputs: S::Channels = bytemuck::Zeroable::zeroed();
    for (part, input) in inputs.as_mut().iter_mut().enumerate() {
        *input = simd.min_u16(simd.shift_input_u16(load(region, part)), max);
    }
    inputs
}

/// Returns the outputs of a layer, clamped: inputs of the next layer.
#[inline(always)]
fn layer<S: Simd, const INPUTS: usize, const PAIRS: usize>(
    simd: S,
    weights: &LayerWeights<PAIRS>,
    start: S::Hidden32,
    inputs: &[i16; INPUTS],
) -> S::Hidden16 {
    let mut sums = start;
    for (weights, &pair) in weights.0.iter().zip(inputs.as_chunks::<2>().0) {
        let pair = simd.splat_pair(pair);
        for (part, sum) in sums.as_mut().iter_mut().enumerate() {
            *sum = simd.multiply_add(*sum, pair, load(weights, part));
        }
    }
    let (zero, max) = (simd.splat(0), simd.splat(ACTIVATION_MAX));
    let mut outputs: S::Hidden16 = bytemuck::Zeroable::zeroed();
    let halves = sums.as_ref().as_chunks::<2>().0;
    for (output, &[low, high]) in outputs.as_mut().iter_mut().zip(halves) {
        *output = simd.min(simd.max(simd.narrow(low, high), zero), max);
    }
    outputs
}

/// Compiles the algorithm for the instruction set of a token.
macro_rules! kernel_functions {
    ($token:ty $(, $features:literal)?) => {
        /// As [`algorithm::update`](super::algorithm::update).
        $(#[target_feature(enable = $features)])?
        pub(super) fn update(
            simd: $token,
            rows: super::layout::CellRows,
            from: &super::layout::RegionSums,
            changes: &[super::layout::CellChange],
            to: &mut super::layout::RegionSums,
        ) {
            super::algorithm::update(simd, rows, from, changes, to);
        }

        /// As [`algorithm::output`](super::algorithm::output).
        $(#[target_feature(enable = $features)])?
        pub(super) fn output(
            simd: $token,
            layers: &super::layout::Layers,
            sums: &mut super::layout::RegionSums,
            mask: usize,
        ) -> i32 {
            super::algorithm::output(simd, layers, sums, mask)
        }
    };
}
pub(super) use kernel_functions;
