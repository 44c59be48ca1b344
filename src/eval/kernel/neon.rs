//! The steps with NEON, which every 64-bit ARM processor has: 8 numbers of 16 bits at a time.

use std::arch::aarch64::*;

use super::layout::{
    ACTIVATION_MOST, CHANNELS, Change, FLOOR, HIDDEN, INPUT_SHIFT, Layers, PAIRS, Row, Rows, Sum,
    WEIGHT_SHIFT, Weights, rows,
};

/// Registers for one `i16` of each channel or output.
const QUARTERS: usize = 4;
/// Registers for one `i32` of each channel or output.
const EIGHTHS: usize = 8;

/// As [`scalar::add`](super::scalar::add).
#[target_feature(enable = "neon")]
pub(super) fn add(
    tables: [&Rows; 2],
    from: &Sum,
    changes: impl Iterator<Item = Change>,
    to: &mut Sum,
) {
    let mut delta = [vdupq_n_s16(0); QUARTERS];
    for Change { before, after } in changes {
        let (before, after) = (rows(tables, before), rows(tables, after));
        for (quarter, delta) in delta.iter_mut().enumerate() {
            let change = vsubq_u16(cell(after, quarter), cell(before, quarter));
            *delta = vaddq_s16(*delta, vreinterpretq_s16_u16(change));
        }
    }
    for (eighth, to) in to.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let quarter = delta[eighth / 2];
        let from = wide(&from.0, eighth);
        *to = bytemuck::cast(match eighth % 2 {
            0 => vaddw_s16(from, vget_low_s16(quarter)),
            _ => vaddw_high_s16(from, quarter),
        });
    }
}

/// A quarter of the channels of a point.
#[target_feature(enable = "neon")]
fn cell([own, other]: [&Row; 2], quarter: usize) -> uint16x8_t {
    let row = |row: &Row| bytemuck::cast::<[u16; 8], uint16x8_t>(row.0.as_chunks().0[quarter]);
    vqsubq_u16(vqaddq_u16(row(own), row(other)), vdupq_n_u16(FLOOR))
}

/// As [`scalar::output`](super::scalar::output).
#[target_feature(enable = "neon")]
pub(super) fn output(layers: &Layers, sum: &Sum, mask: usize) -> i32 {
    let mut inputs = [vdupq_n_s32(0); EIGHTHS];
    for (eighth, input) in inputs.iter_mut().enumerate() {
        *input = vshrq_n_s32::<{ INPUT_SHIFT as i32 }>(wide(&sum.0, eighth));
    }
    let [lower, upper] = layers.masks.of(mask);
    let mut start = [vdupq_n_s32(0); EIGHTHS];
    for (eighth, start) in start.iter_mut().enumerate() {
        *start = vaddq_s32(wide(lower, eighth), wide(upper, eighth));
    }
    let first = layer(&layers.first, start, activations(inputs));
    let bias: [[i32; 4]; EIGHTHS] = bytemuck::cast(layers.second_bias);
    let second = layer(&layers.second, bias.map(bytemuck::cast), activations(first));
    let last: [[i16; 8]; QUARTERS] = bytemuck::cast(layers.last);
    let mut sum = vdupq_n_s32(0);
    for (input, weights) in activations(second).into_iter().zip(last) {
        let weights = bytemuck::cast(weights);
        sum = vmlal_s16(sum, vget_low_s16(input), vget_low_s16(weights));
        sum = vmlal_high_s16(sum, input, weights);
    }
    vaddvq_s32(sum)
}

/// The sums of a layer's outputs, less 2 to the power [`WEIGHT_SHIFT`].
#[target_feature(enable = "neon")]
fn layer(
    weights: &Weights,
    start: [int32x4_t; EIGHTHS],
    inputs: [int16x8_t; QUARTERS],
) -> [int32x4_t; EIGHTHS] {
    let mut sums = start;
    let pairs: [i32; PAIRS] = bytemuck::cast(inputs);
    for (weights, pair) in weights.0.iter().zip(pairs) {
        let pair = vreinterpretq_s16_s32(vdupq_n_s32(pair));
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<8>().0) {
            let weights = bytemuck::cast::<[i16; 8], int16x8_t>(*weights);
            let low = vmull_s16(vget_low_s16(pair), vget_low_s16(weights));
            let products = vpaddq_s32(low, vmull_high_s16(pair, weights));
            *sum = vaddq_s32(*sum, products);
        }
    }
    for sum in &mut sums {
        *sum = vshrq_n_s32::<{ WEIGHT_SHIFT as i32 }>(*sum);
    }
    sums
}

/// The numbers as inputs of a layer, clamped.
#[target_feature(enable = "neon")]
fn activations(numbers: [int32x4_t; EIGHTHS]) -> [int16x8_t; QUARTERS] {
    let mut quarters = [vdupq_n_s16(0); QUARTERS];
    for (quarter, [low, high]) in quarters.iter_mut().zip(numbers.as_chunks::<2>().0) {
        let joined = vcombine_s16(vqmovn_s32(*low), vqmovn_s32(*high));
        *quarter = vminq_s16(vmaxq_s16(joined, vdupq_n_s16(0)), vdupq_n_s16(ACTIVATION_MOST));
    }
    quarters
}

/// An eighth of these numbers.
#[target_feature(enable = "neon")]
fn wide(numbers: &[i32; CHANNELS], eighth: usize) -> int32x4_t {
    bytemuck::cast::<[i32; 4], int32x4_t>(numbers.as_chunks().0[eighth])
}

const _: () = assert!(CHANNELS == HIDDEN && HIDDEN == 32);
