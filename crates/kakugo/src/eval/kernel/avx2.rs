//! The steps with AVX2: 16 numbers of 16 bits at a time.

use std::arch::x86_64::*;

use super::layout::{
    ACTIVATION_MOST, CHANNELS, CellRows, Change, FLOOR, HALF, HIDDEN, INPUT_SHIFT, INPUTS, Layers,
    LineRow, REGIONS, Row, Sums, WEIGHT_SHIFT, Weights,
};

/// Registers for one `i16` of each channel.
const OF_CHANNELS: usize = CHANNELS / 16;
/// Registers for one `i16` of each output of a layer.
const OF_OUTPUTS: usize = HIDDEN / 16;
/// Registers for one `i32` of each.
const OF_SUMS: usize = HIDDEN / 8;

/// As [`scalar::add`](super::scalar::add).
#[target_feature(enable = "avx2")]
pub(super) fn add(tables: CellRows, from: &Sums, changes: &[Change], to: &mut Sums) {
    to.clone_from(from);
    for &Change { region, before, after, others, line } in changes {
        let (before, after) = (tables.rows(before), tables.rows(after));
        let ([a, b, c], [old, new]) = (tables.of_lines(others), tables.of_lines(line));
        for (part, sum) in to.changing(region).as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let two = _mm256_add_epi16(of_line(a, part), of_line(b, part));
            let three = _mm256_add_epi16(two, of_line(c, part));
            let [old, new] = [old, new].map(|line| _mm256_add_epi16(three, of_line(line, part)));
            let change = _mm256_sub_epi16(cell(after, new, part), cell(before, old, part));
            *sum = bytemuck::cast(_mm256_add_epi16(bytemuck::cast(*sum), change));
        }
    }
}

/// Some channels of a line.
#[target_feature(enable = "avx2")]
fn of_line(line: &LineRow, part: usize) -> __m256i {
    _mm256_cvtepi8_epi16(bytemuck::cast::<[i8; 16], __m128i>(line.0.as_chunks().0[part]))
}

/// Some channels of a point, with those of its lines.
#[target_feature(enable = "avx2")]
fn cell([own, other]: [&Row; 2], lines: __m256i, part: usize) -> __m256i {
    let row = |row: &Row| bytemuck::cast::<[u16; 16], __m256i>(row.0.as_chunks().0[part]);
    let sum = _mm256_adds_epu16(_mm256_add_epi16(row(own), lines), row(other));
    _mm256_subs_epu16(sum, _mm256_set1_epi16(FLOOR.cast_signed()))
}

/// As [`scalar::output`](super::scalar::output).
#[target_feature(enable = "avx2")]
pub(super) fn output(layers: &Layers, sums: &mut Sums, mask: usize) -> i32 {
    let bias = bytemuck::cast::<_, [[i32; 8]; OF_SUMS]>(layers.local_bias).map(bytemuck::cast);
    for region in sums.take_stale() {
        let inputs = channels(&sums.regions[region]);
        let inputs: [i16; CHANNELS] = bytemuck::cast(inputs);
        sums.local[region] = bytemuck::cast(layer(&layers.local, bias, &inputs));
    }
    let half = _mm256_set1_epi16(HALF.cast_signed());
    let (mut together, mut one_by_one) = ([half; OF_CHANNELS], [half; OF_OUTPUTS]);
    for region in 0..REGIONS {
        for (sum, channels) in together.iter_mut().zip(channels(&sums.regions[region])) {
            *sum = _mm256_adds_epi16(*sum, channels);
        }
        let local: [[i16; 16]; OF_OUTPUTS] = bytemuck::cast(sums.local[region]);
        for (sum, local) in one_by_one.iter_mut().zip(local) {
            *sum = _mm256_adds_epi16(*sum, bytemuck::cast(local));
        }
    }
    let mut inputs = [[0i16; 16]; INPUTS / 16];
    for (input, sum) in inputs.iter_mut().zip(together.into_iter().chain(one_by_one)) {
        *input = bytemuck::cast(_mm256_srai_epi16::<{ INPUT_SHIFT as i32 }>(sum));
    }
    let [lower, upper] = layers.masks.of(mask).map(bytemuck::cast_ref::<_, [[i32; 8]; OF_SUMS]>);
    let mut start = [_mm256_setzero_si256(); OF_SUMS];
    for (start, (lower, upper)) in start.iter_mut().zip(lower.iter().zip(upper)) {
        *start = _mm256_add_epi32(bytemuck::cast(*lower), bytemuck::cast(*upper));
    }
    let first: [i16; HIDDEN] = bytemuck::cast(layer(&layers.first, start, inputs.as_flattened()));
    let bias = bytemuck::cast::<_, [[i32; 8]; OF_SUMS]>(layers.second_bias).map(bytemuck::cast);
    let second = layer(&layers.second, bias, &first);
    let last: [[i16; 16]; OF_OUTPUTS] = bytemuck::cast(layers.last);
    let mut products = _mm256_setzero_si256();
    for (input, weights) in second.into_iter().zip(last) {
        let product = _mm256_madd_epi16(input, bytemuck::cast(weights));
        products = _mm256_add_epi32(products, product);
    }
    bytemuck::cast::<__m256i, [i32; 8]>(products).iter().sum()
}

/// The channels of a region as inputs of a layer.
#[target_feature(enable = "avx2")]
fn channels(region: &[u16; CHANNELS]) -> [__m256i; OF_CHANNELS] {
    let most = _mm256_set1_epi16(ACTIVATION_MOST);
    let mut inputs = [most; OF_CHANNELS];
    for (input, sums) in inputs.iter_mut().zip(region.as_chunks::<16>().0) {
        let pooled = _mm256_srli_epi16::<{ INPUT_SHIFT as i32 }>(bytemuck::cast(*sums));
        *input = _mm256_min_epu16(pooled, most);
    }
    inputs
}

/// The outputs of a layer, clamped: inputs of the next.
#[target_feature(enable = "avx2")]
fn layer<const PAIRS: usize>(
    weights: &Weights<PAIRS>,
    start: [__m256i; OF_SUMS],
    inputs: &[i16],
) -> [__m256i; OF_OUTPUTS] {
    let mut sums = start;
    for (weights, &[a, b]) in weights.0.iter().zip(inputs.as_chunks::<2>().0) {
        let pair = _mm256_set1_epi32(bytemuck::cast([a, b]));
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
            let products = _mm256_madd_epi16(pair, bytemuck::cast(*weights));
            *sum = _mm256_add_epi32(*sum, products);
        }
    }
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION_MOST));
    let mut outputs = [zero; OF_OUTPUTS];
    for (output, &[low, high]) in outputs.iter_mut().zip(sums.as_chunks::<2>().0) {
        // Packing takes turns between the lower and upper parts of both registers.
        let packed = _mm256_packs_epi32(
            _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(low),
            _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(high),
        );
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        *output = _mm256_min_epi16(_mm256_max_epi16(ordered, zero), most);
    }
    outputs
}

const _: () = assert!(CHANNELS.is_multiple_of(16) && HIDDEN.is_multiple_of(16));
