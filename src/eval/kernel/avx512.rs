//! The steps with AVX-512 (F and BW): 32 numbers of 16 bits at a time.

use std::arch::x86_64::*;

use super::layout::{
    ACTIVATION_MOST, CHANNELS, Change, FLOOR, HIDDEN, INPUT_SHIFT, Layers, PAIRS, Row, Rows, Sum,
    WEIGHT_SHIFT, Weights, rows,
};

/// Registers for one `i32` of each channel or output.
const HALVES: usize = 2;

/// As [`scalar::add`](super::scalar::add).
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn add(
    tables: [&Rows; 2],
    from: &Sum,
    changes: impl Iterator<Item = Change>,
    to: &mut Sum,
) {
    let mut delta = _mm512_setzero_si512();
    for Change { before, after } in changes {
        let change = _mm512_sub_epi16(cell(rows(tables, after)), cell(rows(tables, before)));
        delta = _mm512_add_epi16(delta, change);
    }
    let delta = [_mm512_castsi512_si256(delta), _mm512_extracti64x4_epi64::<1>(delta)];
    for (half, to) in to.0.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let delta = _mm512_cvtepi16_epi32(delta[half]);
        *to = bytemuck::cast(_mm512_add_epi32(wide(&from.0, half), delta));
    }
}

/// The channels of a point.
#[target_feature(enable = "avx512f,avx512bw")]
fn cell([own, other]: [&Row; 2]) -> __m512i {
    let sum = _mm512_adds_epu16(bytemuck::cast(own.0), bytemuck::cast(other.0));
    _mm512_subs_epu16(sum, _mm512_set1_epi16(FLOOR.cast_signed()))
}

/// As [`scalar::output`](super::scalar::output).
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn output(layers: &Layers, sum: &Sum, mask: usize) -> i32 {
    let mut inputs = [_mm512_setzero_si512(); HALVES];
    for (half, input) in inputs.iter_mut().enumerate() {
        *input = _mm512_srai_epi32::<INPUT_SHIFT>(wide(&sum.0, half));
    }
    let [lower, upper] = layers.masks.of(mask);
    let mut start = [_mm512_setzero_si512(); HALVES];
    for (half, start) in start.iter_mut().enumerate() {
        *start = _mm512_add_epi32(wide(lower, half), wide(upper, half));
    }
    let first = layer(&layers.first, start, activations(inputs));
    let bias: [[i32; 16]; HALVES] = bytemuck::cast(layers.second_bias);
    let second = layer(&layers.second, bias.map(bytemuck::cast), activations(first));
    _mm512_reduce_add_epi32(_mm512_madd_epi16(activations(second), bytemuck::cast(layers.last)))
}

/// The sums of a layer's outputs, less 2 to the power [`WEIGHT_SHIFT`].
#[target_feature(enable = "avx512f,avx512bw")]
fn layer(weights: &Weights, start: [__m512i; HALVES], inputs: __m512i) -> [__m512i; HALVES] {
    let mut sums = start;
    let pairs: [i32; PAIRS] = bytemuck::cast(inputs);
    for (weights, pair) in weights.0.iter().zip(pairs) {
        let pair = _mm512_set1_epi32(pair);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<32>().0) {
            *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(pair, bytemuck::cast(*weights)));
        }
    }
    for sum in &mut sums {
        *sum = _mm512_srai_epi32::<WEIGHT_SHIFT>(*sum);
    }
    sums
}

/// The numbers as inputs of a layer, clamped.
#[target_feature(enable = "avx512f,avx512bw")]
fn activations(numbers: [__m512i; HALVES]) -> __m512i {
    let [a, b] = numbers;
    let joined = _mm512_castsi256_si512(_mm512_cvtsepi32_epi16(a));
    let joined = _mm512_inserti64x4::<1>(joined, _mm512_cvtsepi32_epi16(b));
    let most = _mm512_set1_epi16(ACTIVATION_MOST);
    _mm512_min_epi16(_mm512_max_epi16(joined, _mm512_setzero_si512()), most)
}

/// Half of these numbers.
#[target_feature(enable = "avx512f")]
fn wide(numbers: &[i32; CHANNELS], half: usize) -> __m512i {
    bytemuck::cast::<[i32; 16], __m512i>(numbers.as_chunks().0[half])
}

const _: () = assert!(CHANNELS == HIDDEN && HIDDEN == 32);
