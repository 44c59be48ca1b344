//! Quantisation: conversion between floating-point weights and the integers of the engine's
//! network.

use rayon::prelude::*;

use super::gradient::value;
use super::model::{B0, B1, B2, BITS, HIDDEN, INPUTS, LAST, M1, Row, W0, W1, W2, W3, Weights};
use super::nats::UNITS;
use super::samples::{Cell, Sample, Samples};
use kakugo::eval::network::{CHANNELS, LINE_MAX, REGIONS, ROW_MAX, Section, reference};
use kakugo::score::Score;

/// Scales of rows and weights, of biases, and of the factor of the classical evaluation.
const SMALL: f32 = 256.0;
const LARGE: f32 = 65536.0;
const FACTOR: f32 = 1024.0;

fn small(x: f32, most: i16) -> i16 {
    (x * SMALL).round().clamp(-f32::from(most), f32::from(most)) as i16
}

fn large(x: f32) -> i32 {
    (x * LARGE).round() as i32
}

/// Converts a bias of a layer whose output the engine rounds down. Adds one half, so that the
/// result is rounded to nearest.
fn before_cut(x: f32) -> i32 {
    large(x) + (LARGE / SMALL) as i32 / 2
}

/// Returns the integers nearest to `weights`. `scale` is the number of score units per nat.
pub(super) fn section(weights: &Weights, scale: f64) -> Section {
    let rows = |rows: &[Row]| rows.iter().flatten().map(|&x| small(x, ROW_MAX)).collect();
    let tiny = |&x: &f32| small(x, LINE_MAX.into()) as i8;
    let head = &weights.head;
    // The engine stores weights by output, the rows here are by input.
    let turned = |rows: std::ops::Range<usize>| -> Vec<i16> {
        let by_output = |j: usize| head[rows.clone()].iter().map(move |row| row[j]);
        (0..HIDDEN).flat_map(by_output).map(|x| small(x, i16::MAX)).collect()
    };
    let threats = |j: usize| head[M1..M1 + BITS].iter().map(move |row| large(row[j]));
    let [bias, factor, ..] = head[LAST];
    Section {
        own: rows(&weights.rows[0]),
        other: rows(&weights.rows[1]),
        lines: weights.lines.iter().flatten().map(tiny).collect(),
        w0: turned(W0..B0),
        b0: head[B0].map(before_cut).to_vec(),
        w1: turned(W1..M1),
        m1: (0..HIDDEN).flat_map(threats).collect(),
        b1: head[B1].map(before_cut).to_vec(),
        w2: turned(W2..B2),
        b2: head[B2].map(before_cut).to_vec(),
        w3: head[W3].map(|x| small(x, i16::MAX)).to_vec(),
        b3: large(bias),
        threat: weights.threat.iter().map(|&x| large(x)).collect(),
        factor: (factor * FACTOR).round() as i32,
        scale: scale.round() as i32,
    }
}

/// Returns the floating-point weights that the integers of a section represent.
pub(super) fn dequantise(section: &Section) -> Weights {
    let small = |x: i16| f32::from(x) / SMALL;
    let large = |x: i32| x as f32 / LARGE;
    let mut weights = Weights::zero();
    for (rows, integers) in weights.rows.iter_mut().zip([&section.own, &section.other]) {
        rows.iter_mut().flatten().zip(integers).for_each(|(x, &integer)| *x = small(integer));
    }
    let lines = weights.lines.iter_mut().flatten().zip(&section.lines);
    lines.for_each(|(x, &integer)| *x = small(integer.into()));
    let head = &mut weights.head;
    let mut turn = |first: usize, inputs: usize, by_output: &[i16]| {
        for (j, row) in by_output.chunks(inputs).enumerate() {
            row.iter().enumerate().for_each(|(i, &x)| head[first + i][j] = small(x));
        }
    };
    turn(W0, CHANNELS, &section.w0);
    turn(W1, INPUTS, &section.w1);
    turn(W2, HIDDEN, &section.w2);
    turn(W3, 1, &section.w3);
    for (j, row) in section.m1.chunks(BITS).enumerate() {
        row.iter().enumerate().for_each(|(k, &x)| head[M1 + k][j] = large(x));
    }
    for (row, biases) in [(B0, &section.b0), (B1, &section.b1), (B2, &section.b2)] {
        let half = before_cut(0.0);
        head[row].iter_mut().zip(biases).for_each(|(x, bias)| *x = large(bias - half));
    }
    head[LAST][0] = large(section.b3);
    head[LAST][1] = section.factor as f32 / FACTOR;
    weights.threat.iter_mut().zip(&section.threat).for_each(|(x, &threat)| *x = large(threat));
    weights.transpose();
    weights
}

/// Returns the score of a sample with the engine's integers.
pub(super) fn score(section: &Section, sample: &Sample, cells: &[Cell]) -> Score {
    let mut sums = [[0; CHANNELS]; REGIONS];
    for cell in cells {
        let channels = reference::cell(section, cell.own, cell.other, cell.lines);
        let sums: &mut [i32; CHANNELS] = &mut sums[usize::from(cell.region)];
        for (sum, channel) in sums.iter_mut().zip(channels) {
            *sum += cell.points as i32 * i32::from(channel);
        }
    }
    let output = reference::output(section, &sums, usize::from(sample.mask));
    section.score(output, Score::from_value((sample.classical * UNITS).round() as i32))
}

/// The error of quantisation, in score units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) mean: f64,
    pub(super) largest: f64,
}

/// Compares the integers with the floating-point weights on samples.
pub(super) fn difference(section: &Section, weights: &Weights, samples: &[Samples]) -> Difference {
    let of_one = |(sample, cells): (&Sample, &[Cell])| {
        let exact = f64::from(section.scale) * f64::from(value(weights, sample, cells));
        (f64::from(self::score(section, sample, cells).value()) - exact).abs()
    };
    let differences: Vec<f64> =
        samples.par_iter().flat_map_iter(|samples| samples.iter().map(of_one)).collect();
    let sum: f64 = differences.iter().sum();
    Difference {
        mean: sum / differences.len().max(1) as f64,
        largest: differences.iter().copied().fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::train::learner::Learner;
    use crate::train::random;
    use crate::train::samples::Selection;
    use kakugo::board::{Rule, Variant};
    use kakugo::eval::network::Network;
    use kakugo::position::Position;

    #[test]
    fn integers_match_the_weights_and_the_engine() {
        let games = random::games(Variant::FREESTYLE, 20, 8).train;
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let samples = Samples::of(&games.iter().collect::<Vec<_>>(), &selection);
        let mut learner = Learner::new([false; 2], &mut ChaCha8Rng::seed_from_u64(3));
        let all = samples.iter().flat_map(Samples::iter);
        let batch: Vec<_> = all.map(|(s, cells)| (s, cells, s.result)).collect();
        (0..40).for_each(|_| _ = learner.learn(&batch, 0.002, 1.0));
        let section = section(&learner.weights, 211.4);
        let Difference { mean, largest } = difference(&section, &learner.weights, &samples);
        assert!(mean < 3.0 && largest < 8.0, "{mean} {largest}");

        let mut samples = batch.into_iter();
        for game in &games {
            let mut position = Position::new(&game.board().unwrap());
            let of_game = Samples::of(&[game], &selection);
            for (sample, _) in of_game.iter().flat_map(Samples::iter) {
                while position.board().ply() < usize::from(sample.ply) {
                    position.push(game.stones[position.board().ply()]);
                }
                let classical = kakugo::eval::Evaluator::classical(&position).evaluate(&position);
                let engine = reference::evaluate(&section, &position, classical);
                let (sample, cells, _) = samples.next().unwrap();
                assert_eq!(score(&section, sample, cells), engine);
            }
        }
        let (rule, description, sections) = (Rule::Freestyle, String::new(), vec![section]);
        let network = Network { rule, min_size: 9, max_size: 9, description, sections };
        assert_eq!(network.check(), Ok(()));
    }
}
