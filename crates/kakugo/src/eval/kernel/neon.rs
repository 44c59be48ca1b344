//! The steps with NEON, which every 64-bit ARM processor has: 8 numbers of 16 bits at a time.

use std::arch::aarch64::*;

use super::layout::{
    ACTIVATION_MOST, CHANNELS, CellRows, Change, FLOOR, HALF, HIDDEN, INPUT_SHIFT, INPUTS, Layers,
    LineRow, REGIONS, Row, Sums, WEIGHT_SHIFT, Weights,
};

/// Registers for one `i16` of each channel.
const OF_CHANNELS: usize = CHANNELS / 8;
/// Registers for one `i16` of each output of a layer.
const OF_OUTPUTS: usize = HIDDEN / 8;
/// Registers for one `i32` of each.
const OF_SUMS: usize = HIDDEN / 4;

/// As [`scalar::add`](super::scalar::add).
#[target_feature(enable = "neon")]
pub(super) fn add(tables: CellRows, from: &Sums, changes: &[Change], to: &mut Sums) {
    to.clone_from(from);
    for &Change { region, before, after, others, line } in changes {
        let (before, after) = (tables.rows(before), tables.rows(after));
        let ([a, b, c], [old, new]) = (tables.of_lines(others), tables.of_lines(line));
        for (part, sum) in to.changing(region).as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let two = vaddq_s16(of_line(a, part), of_line(b, part));
            let three = vaddq_s16(two, of_line(c, part));
            let [old, new] = [old, new].map(|line| vaddq_s16(three, of_line(line, part)));
            let change = vsubq_u16(cell(after, new, part), cell(before, old, part));
            *sum = bytemuck::cast(vaddq_u16(bytemuck::cast(*sum), change));
        }
    }
}

/// Some channels of a line.
#[target_feature(enable = "neon")]
fn of_line(line: &LineRow, part: usize) -> int16x8_t {
    vmovl_s8(bytemuck::cast::<[i8; 8], int8x8_t>(line.0.as_chunks().0[part]))
}

/// Some channels of a point, with those of its lines.
#[target_feature(enable = "neon")]
fn cell([own, other]: [&Row; 2], lines: int16x8_t, part: usize) -> uint16x8_t {
    let row = |row: &Row| bytemuck::cast::<[u16; 8], uint16x8_t>(row.0.as_chunks().0[part]);
    let own = vaddq_u16(row(own), vreinterpretq_u16_s16(lines));
    vqsubq_u16(vqaddq_u16(own, row(other)), vdupq_n_u16(FLOOR))
}

/// As [`scalar::output`](super::scalar::output).
#[target_feature(enable = "neon")]
pub(super) fn output(layers: &Layers, sums: &mut Sums, mask: usize) -> i32 {
    let bias = bytemuck::cast::<_, [[i32; 4]; OF_SUMS]>(layers.local_bias).map(bytemuck::cast);
    for region in sums.take_stale() {
        let inputs = channels(&sums.regions[region]);
        let inputs: [i16; CHANNELS] = bytemuck::cast(inputs);
        sums.local[region] = bytemuck::cast(layer(&layers.local, bias, &inputs));
    }
    let half = vdupq_n_s16(HALF.cast_signed());
    let (mut together, mut one_by_one) = ([half; OF_CHANNELS], [half; OF_OUTPUTS]);
    for region in 0..REGIONS {
        for (sum, channels) in together.iter_mut().zip(channels(&sums.regions[region])) {
            *sum = vqaddq_s16(*sum, channels);
        }
        let local: [[i16; 8]; OF_OUTPUTS] = bytemuck::cast(sums.local[region]);
        for (sum, local) in one_by_one.iter_mut().zip(local) {
            *sum = vqaddq_s16(*sum, bytemuck::cast(local));
        }
    }
    let mut inputs = [[0i16; 8]; INPUTS / 8];
    for (input, sum) in inputs.iter_mut().zip(together.into_iter().chain(one_by_one)) {
        *input = bytemuck::cast(vshrq_n_s16::<{ INPUT_SHIFT as i32 }>(sum));
    }
    let [lower, upper] = layers.masks.of(mask).map(bytemuck::cast_ref::<_, [[i32; 4]; OF_SUMS]>);
    let mut start = [vdupq_n_s32(0); OF_SUMS];
    for (start, (lower, upper)) in start.iter_mut().zip(lower.iter().zip(upper)) {
        *start = vaddq_s32(bytemuck::cast(*lower), bytemuck::cast(*upper));
    }
    let first: [i16; HIDDEN] = bytemuck::cast(layer(&layers.first, start, inputs.as_flattened()));
    let bias = bytemuck::cast::<_, [[i32; 4]; OF_SUMS]>(layers.second_bias).map(bytemuck::cast);
    let second = layer(&layers.second, bias, &first);
    let last: [[i16; 8]; OF_OUTPUTS] = bytemuck::cast(layers.last);
    let mut sum = vdupq_n_s32(0);
    for (input, weights) in second.into_iter().zip(last) {
        let weights = bytemuck::cast(weights);
        sum = vmlal_s16(sum, vget_low_s16(input), vget_low_s16(weights));
        sum = vmlal_high_s16(sum, input, weights);
    }
    vaddvq_s32(sum)
}

/// The channels of a region as inputs of a layer.
#[target_feature(enable = "neon")]
fn channels(region: &[u16; CHANNELS]) -> [int16x8_t; OF_CHANNELS] {
    let most = vdupq_n_u16(ACTIVATION_MOST.unsigned_abs());
    let mut inputs = [vdupq_n_s16(0); OF_CHANNELS];
    for (input, sums) in inputs.iter_mut().zip(region.as_chunks::<8>().0) {
        let pooled = vshrq_n_u16::<{ INPUT_SHIFT as i32 }>(bytemuck::cast(*sums));
        *input = vreinterpretq_s16_u16(vminq_u16(pooled, most));
    }
    inputs
}

/// The outputs of a layer, clamped: inputs of the next.
#[target_feature(enable = "neon")]
fn layer<const PAIRS: usize>(
    weights: &Weights<PAIRS>,
    start: [int32x4_t; OF_SUMS],
    inputs: &[i16],
) -> [int16x8_t; OF_OUTPUTS] {
    let mut sums = start;
    for (weights, &[a, b]) in weights.0.iter().zip(inputs.as_chunks::<2>().0) {
        let pair = vreinterpretq_s16_s32(vdupq_n_s32(bytemuck::cast([a, b])));
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<8>().0) {
            let weights = bytemuck::cast::<[i16; 8], int16x8_t>(*weights);
            let low = vmull_s16(vget_low_s16(pair), vget_low_s16(weights));
            let products = vpaddq_s32(low, vmull_high_s16(pair, weights));
            *sum = vaddq_s32(*sum, products);
        }
    }
    let (zero, most) = (vdupq_n_s16(0), vdupq_n_s16(ACTIVATION_MOST));
    let mut outputs = [zero; OF_OUTPUTS];
    for (output, &[low, high]) in outputs.iter_mut().zip(sums.as_chunks::<2>().0) {
        let low = vqmovn_s32(vshrq_n_s32::<{ WEIGHT_SHIFT as i32 }>(low));
        let high = vqmovn_s32(vshrq_n_s32::<{ WEIGHT_SHIFT as i32 }>(high));
        *output = vminq_s16(vmaxq_s16(vcombine_s16(low, high), zero), most);
    }
    outputs
}

const _: () = assert!(CHANNELS.is_multiple_of(8) && HIDDEN.is_multiple_of(8));
