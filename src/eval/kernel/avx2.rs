//! The steps with AVX2: 16 numbers of 16 bits at a time.

use std::arch::x86_64::*;

use super::layout::{
    ACTIVATION_MOST, CHANNELS, Change, FLOOR, HIDDEN, INPUT_SHIFT, Layers, PAIRS, Row, Rows, Sum,
    WEIGHT_SHIFT, Weights, rows,
};

/// Registers for one `i16` of each channel or output.
const HALVES: usize = 2;
/// Registers for one `i32` of each channel or output.
const QUARTERS: usize = 4;

/// As [`scalar::add`](super::scalar::add).
#[target_feature(enable = "avx2")]
pub(super) fn add(
    tables: [&Rows; 2],
    from: &Sum,
    changes: impl Iterator<Item = Change>,
    to: &mut Sum,
) {
    let mut delta = [_mm256_setzero_si256(); HALVES];
    for Change { before, after } in changes {
        let (before, after) = (rows(tables, before), rows(tables, after));
        for (half, delta) in delta.iter_mut().enumerate() {
            let change = _mm256_sub_epi16(cell(after, half), cell(before, half));
            *delta = _mm256_add_epi16(*delta, change);
        }
    }
    for (quarter, to) in to.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let half = delta[quarter / 2];
        let delta = match quarter % 2 {
            0 => _mm256_cvtepi16_epi32(_mm256_castsi256_si128(half)),
            _ => _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(half)),
        };
        *to = bytemuck::cast(_mm256_add_epi32(wide(&from.0, quarter), delta));
    }
}

/// Half of the channels of a point.
#[target_feature(enable = "avx2")]
fn cell([own, other]: [&Row; 2], half: usize) -> __m256i {
    let row = |row: &Row| bytemuck::cast::<[u16; 16], __m256i>(row.0.as_chunks().0[half]);
    let sum = _mm256_adds_epu16(row(own), row(other));
    _mm256_subs_epu16(sum, _mm256_set1_epi16(FLOOR.cast_signed()))
}

/// As [`scalar::output`](super::scalar::output).
#[target_feature(enable = "avx2")]
pub(super) fn output(layers: &Layers, sum: &Sum, mask: usize) -> i32 {
    let mut inputs = [_mm256_setzero_si256(); QUARTERS];
    for (quarter, input) in inputs.iter_mut().enumerate() {
        *input = _mm256_srai_epi32::<{ INPUT_SHIFT as i32 }>(wide(&sum.0, quarter));
    }
    let [lower, upper] = layers.masks.of(mask);
    let mut start = [_mm256_setzero_si256(); QUARTERS];
    for (quarter, start) in start.iter_mut().enumerate() {
        *start = _mm256_add_epi32(wide(lower, quarter), wide(upper, quarter));
    }
    let first = layer(&layers.first, start, activations(inputs));
    let bias: [[i32; 8]; QUARTERS] = bytemuck::cast(layers.second_bias);
    let second = layer(&layers.second, bias.map(bytemuck::cast), activations(first));
    let last: [[i16; 16]; HALVES] = bytemuck::cast(layers.last);
    let [a, b] = activations(second);
    let products = _mm256_add_epi32(
        _mm256_madd_epi16(a, bytemuck::cast(last[0])),
        _mm256_madd_epi16(b, bytemuck::cast(last[1])),
    );
    bytemuck::cast::<__m256i, [i32; 8]>(products).iter().sum()
}

/// The sums of a layer's outputs, less 2 to the power [`WEIGHT_SHIFT`].
#[target_feature(enable = "avx2")]
fn layer(
    weights: &Weights,
    start: [__m256i; QUARTERS],
    inputs: [__m256i; HALVES],
) -> [__m256i; QUARTERS] {
    let mut sums = start;
    let pairs: [i32; PAIRS] = bytemuck::cast(inputs);
    for (weights, pair) in weights.0.iter().zip(pairs) {
        let pair = _mm256_set1_epi32(pair);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
            let products = _mm256_madd_epi16(pair, bytemuck::cast(*weights));
            *sum = _mm256_add_epi32(*sum, products);
        }
    }
    for sum in &mut sums {
        *sum = _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(*sum);
    }
    sums
}

/// The numbers as inputs of a layer, clamped.
#[target_feature(enable = "avx2")]
fn activations(numbers: [__m256i; QUARTERS]) -> [__m256i; HALVES] {
    let [a, b, c, d] = numbers;
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION_MOST));
    // Packing takes turns between the lower and upper parts of both registers.
    let packed = [_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)];
    let mut halves = [zero; HALVES];
    for (half, packed) in halves.iter_mut().zip(packed) {
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        *half = _mm256_min_epi16(_mm256_max_epi16(ordered, zero), most);
    }
    halves
}

/// A quarter of these numbers.
#[target_feature(enable = "avx2")]
fn wide(numbers: &[i32; CHANNELS], quarter: usize) -> __m256i {
    bytemuck::cast::<[i32; 8], __m256i>(numbers.as_chunks().0[quarter])
}

const _: () = assert!(CHANNELS == HIDDEN && HIDDEN == 32);
