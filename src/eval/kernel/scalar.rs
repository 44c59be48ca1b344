//! The steps in plain Rust: the truth that the other kernels must come to.

use super::layout::{
    ACTIVATION_MOST, CHANNELS, Change, FLOOR, HIDDEN, INPUT_SHIFT, Layers, Rows, Sum, WEIGHT_SHIFT,
    Weights, rows,
};

/// Set `to` to `from` with these changes, [`MOST_CHANGES`](super::MOST_CHANGES) at most.
pub(super) fn add(
    tables: [&Rows; 2],
    from: &Sum,
    changes: impl Iterator<Item = Change>,
    to: &mut Sum,
) {
    let mut delta = [0i16; CHANNELS];
    for Change { before, after } in changes {
        let (before, after) = (cell(tables, before), cell(tables, after));
        for (delta, (before, after)) in delta.iter_mut().zip(before.into_iter().zip(after)) {
            *delta = delta.wrapping_add_unsigned(after).wrapping_sub_unsigned(before);
        }
    }
    for (to, (from, delta)) in to.0.iter_mut().zip(from.0.iter().zip(delta)) {
        *to = from + i32::from(delta);
    }
}

/// The channels of a point with these codes.
#[inline(always)]
fn cell(tables: [&Rows; 2], codes: [u16; 2]) -> [u16; CHANNELS] {
    let [own, other] = rows(tables, codes);
    std::array::from_fn(|c| own.0[c].saturating_add(other.0[c]).saturating_sub(FLOOR))
}

/// What the layers make of a sum and a mask of threats, in 65536ths.
pub(super) fn output(layers: &Layers, sum: &Sum, mask: usize) -> i32 {
    let most = i32::from(ACTIVATION_MOST);
    let inputs = sum.0.map(|sum| (sum >> INPUT_SHIFT).min(most));
    let [lower, upper] = layers.masks.of(mask);
    let start = std::array::from_fn(|j| lower[j] + upper[j]);
    let first = layer(&layers.first, start, &inputs);
    let second = layer(&layers.second, layers.second_bias, &first);
    second.iter().zip(layers.last).map(|(input, weight)| input * i32::from(weight)).sum()
}

fn layer(weights: &Weights, start: [i32; HIDDEN], inputs: &[i32; HIDDEN]) -> [i32; HIDDEN] {
    let mut sums = start;
    for (inputs, weights) in inputs.as_chunks::<2>().0.iter().zip(&weights.0) {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
            *sum += inputs[0] * i32::from(weights[0]) + inputs[1] * i32::from(weights[1]);
        }
    }
    sums.map(|sum| (sum >> WEIGHT_SHIFT).clamp(0, i32::from(ACTIVATION_MOST)))
}
