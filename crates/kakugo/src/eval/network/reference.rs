//! The definition of a network's evaluation, computed from scratch and step by step. Every faster
//! implementation must return the same numbers.

use super::model::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, HALF, HIDDEN, INPUT_SHIFT, INPUTS, MASK_BITS, REGIONS,
    Section, WEIGHT_SHIFT,
};
use super::regions::Regions;
use crate::pattern::line_code::as_seen;
use crate::pattern::threat::MASKS;
use crate::position::Position;
use crate::score::Score;

/// Returns the evaluation of `position` for the side to move. The section must be that side's and
/// valid ([`Network::check`](super::model::Network::check)); `classical` is the classical
/// evaluation of the same position.
pub fn evaluate(section: &Section, position: &Position, classical: Score) -> Score {
    let mask = position.threats().mask(position.side_to_move());
    section.score(output(section, &sums(section, position), mask), classical)
}

/// Returns the sum of every channel over the empty points of each region, in 256ths.
pub fn sums(section: &Section, position: &Position) -> [[i32; CHANNELS]; REGIONS] {
    let side = position.side_to_move();
    let regions = Regions::of(position.board());
    let mut sums = [[0; CHANNELS]; REGIONS];
    for p in position.board().empty_points() {
        let codes = position.threats().codes(p);
        let lines = position.threats().lines(p).map(|line| as_seen(side)[usize::from(line)]);
        let (own, other) = (codes[side.index()], codes[side.opponent().index()]);
        let cell = cell(section, own, other, lines);
        let sums = &mut sums[usize::from(regions.at(p))];
        sums.iter_mut().zip(cell).for_each(|(sum, channel)| *sum += i32::from(channel));
    }
    sums
}

/// Returns the channels of a point, in 256ths, given its shape codes for the side to move and its
/// opponent, and the codes of its lines.
pub fn cell(section: &Section, own: u16, other: u16, lines: [u16; 4]) -> [i16; CHANNELS] {
    let at = |code: u16, c: usize| usize::from(code) * CHANNELS + c;
    std::array::from_fn(|c| {
        let lines = lines.iter().map(|&line| i16::from(section.lines[at(line, c)])).sum::<i16>();
        let sum = section.own[at(own, c)] + section.other[at(other, c)] + lines;
        sum.clamp(0, CELL_MAX)
    })
}

/// Returns the output of the layers for region sums and a threat mask, in 65536ths of a nat.
pub fn output(section: &Section, sums: &[[i32; CHANNELS]; REGIONS], mask: usize) -> i32 {
    let mask = mask % MASKS;
    let max = i32::from(ACTIVATION_MAX);
    let activation = |sum: i32| (sum >> WEIGHT_SHIFT).clamp(0, max);
    let dot = |weights: &[i16], inputs: &[i32]| -> i32 {
        weights.iter().zip(inputs).map(|(&weight, input)| i32::from(weight) * input).sum()
    };
    let pooled = |sum: i32| ((sum + i32::from(HALF)) >> INPUT_SHIFT).min(max);
    let channels = sums.map(|region| region.map(pooled));
    let local = channels.map(|channels| -> [i32; HIDDEN] {
        std::array::from_fn(|j| {
            let weights = &section.w0[j * CHANNELS..(j + 1) * CHANNELS];
            activation(section.b0[j] + dot(weights, &channels))
        })
    });
    let inputs: [i32; INPUTS] = std::array::from_fn(|i| match i.checked_sub(CHANNELS) {
        None => pooled(channels.iter().map(|region| region[i]).sum()),
        Some(j) => pooled(local.iter().map(|region| region[j]).sum()),
    });
    let first: [i32; HIDDEN] = std::array::from_fn(|j| {
        let bits = section.m1[j * MASK_BITS..].iter().take(MASK_BITS).enumerate();
        let threats: i32 = bits.map(|(bit, row)| if mask >> bit & 1 != 0 { *row } else { 0 }).sum();
        let weights = &section.w1[j * INPUTS..(j + 1) * INPUTS];
        activation(section.b1[j] + threats + dot(weights, &inputs))
    });
    let second: [i32; HIDDEN] = std::array::from_fn(|j| {
        let weights = &section.w2[j * HIDDEN..(j + 1) * HIDDEN];
        activation(section.b2[j] + dot(weights, &first))
    });
    section.b3 + section.threat[mask] + dot(&section.w3, &second)
}
