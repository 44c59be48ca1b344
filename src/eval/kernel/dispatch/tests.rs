use rand::{Rng, SeedableRng, rngs::StdRng};

use super::*;
use crate::eval::kernel::layout::{
    ACTIVATION_MOST, CELL_MOST, CHANNELS, HIDDEN, MASK_BITS, MOST_CHANGES, Masks, ROW_MOST, Weights,
};

/// As many codes as have rows in the tests.
const CODES: u16 = 300;

/// A number up to `most`, either sign: often one of the largest.
fn number(rng: &mut StdRng, most: i32) -> i32 {
    match rng.random_range(0..4) {
        0 => most,
        1 => -most,
        _ => rng.random_range(-most..=most),
    }
}

fn numbers<T: TryFrom<i32>>(rng: &mut StdRng, n: usize, most: i32) -> Vec<T> {
    (0..n).map(|_| number(rng, most).try_into().ok().unwrap()).collect()
}

fn table(rng: &mut StdRng) -> Vec<i16> {
    let most = [ROW_MOST, CELL_MOST, 100][rng.random_range(0..3)];
    numbers(rng, usize::from(CODES) * CHANNELS, i32::from(most))
}

/// Codes of a point; beyond the table, where it is occupied.
fn codes(rng: &mut StdRng) -> [u16; 2] {
    if rng.random_bool(0.1) { [CODES; 2] } else { [0; 2].map(|_| rng.random_range(0..CODES)) }
}

#[test]
fn every_kernel_adds_changes_as_they_are_defined() {
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..300 {
        let (own, other) = (table(&mut rng), table(&mut rng));
        let rows = [&Rows::new(&own), &Rows::new(&other)];
        let count = rng.random_range(0..=MOST_CHANGES);
        let changes: Vec<Change> = (0..count)
            .map(|_| Change { before: codes(&mut rng), after: codes(&mut rng) })
            .collect();
        let from = Sum(std::array::from_fn(|_| rng.random_range(0..1 << 20)));
        let cell = |[p, q]: [u16; 2], c| match (p, q) {
            (CODES, CODES) => 0,
            (p, q) => {
                let row = |code: u16| usize::from(code) * CHANNELS + c;
                let sum: i16 = own[row(p)] + other[row(q)];
                i32::from(sum.clamp(0, CELL_MOST))
            }
        };
        let change =
            |c| changes.iter().map(move |change| cell(change.after, c) - cell(change.before, c));
        let expected = Sum(std::array::from_fn(|c| from.0[c] + change(c).sum::<i32>()));
        for kernel in Kernel::available() {
            let mut to = Sum::ZERO;
            kernel.add(rows, &from, changes.iter().copied(), &mut to);
            assert_eq!(to, expected, "{kernel}, {changes:?}");
        }
    }
}

#[test]
fn as_many_of_the_largest_changes_as_may_be_still_fit() {
    let (own, other) = (vec![ROW_MOST; CHANNELS], vec![ROW_MOST; CHANNELS]);
    let rows = [&Rows::new(&own), &Rows::new(&other)];
    let come = Change { before: [CODES; 2], after: [0; 2] };
    let most = MOST_CHANGES as i32 * i32::from(CELL_MOST);
    for kernel in Kernel::available() {
        let (mut full, mut none) = (Sum::ZERO, Sum::ZERO);
        kernel.add(rows, &Sum::ZERO, std::iter::repeat_n(come, MOST_CHANGES), &mut full);
        assert_eq!(full, Sum([most; CHANNELS]), "{kernel}");
        let go = Change { before: come.after, after: come.before };
        kernel.add(rows, &full, std::iter::repeat_n(go, MOST_CHANGES), &mut none);
        assert_eq!(none, Sum::ZERO, "{kernel}");
    }
}

#[test]
fn every_kernel_computes_the_layers_as_they_are_defined() {
    let mut rng = StdRng::seed_from_u64(2);
    let most = i32::from(ACTIVATION_MOST);
    for round in 0..500 {
        let size = [2047, 150, 20][round % 3];
        let w1: Vec<i16> = numbers(&mut rng, HIDDEN * CHANNELS, size);
        let w2: Vec<i16> = numbers(&mut rng, HIDDEN * HIDDEN, size);
        let last: Vec<i16> = numbers(&mut rng, HIDDEN, size);
        let m1: Vec<i32> = numbers(&mut rng, HIDDEN * MASK_BITS, 31 << 16);
        let b1: Vec<i32> = numbers(&mut rng, HIDDEN, 31 << 16);
        let b2: Vec<i32> = numbers(&mut rng, HIDDEN, 31 << 16);
        let layers = Layers {
            first: Weights::new(&w1),
            masks: Masks::new(&b1, &m1),
            second: Weights::new(&w2),
            second_bias: b2.clone().try_into().unwrap(),
            last: last.clone().try_into().unwrap(),
        };
        let largest = if round % 2 == 0 { 1 << 20 } else { 20_000 };
        let sum = Sum(std::array::from_fn(|_| rng.random_range(0..largest)));
        let mask = rng.random_range(0..1 << MASK_BITS);
        let inputs = sum.0.map(|n| (n / 16).min(most));
        let layer = |j: usize, start: i32, weights: &[i16], inputs: &[i32]| {
            let products =
                inputs.iter().enumerate().map(|(i, n)| n * i32::from(weights[j * 32 + i]));
            ((start + products.sum::<i32>()) >> 8).clamp(0, most)
        };
        let start = |j: usize| {
            let bit = |k: &usize| mask >> k & 1 == 1;
            b1[j] + (0..MASK_BITS).filter(bit).map(|k| m1[j * MASK_BITS + k]).sum::<i32>()
        };
        let first: [i32; HIDDEN] = std::array::from_fn(|j| layer(j, start(j), &w1, &inputs));
        let second: [i32; HIDDEN] = std::array::from_fn(|j| layer(j, b2[j], &w2, &first));
        let output: i32 = second.iter().zip(&last).map(|(n, &w)| n * i32::from(w)).sum();
        for kernel in Kernel::available() {
            assert_eq!(kernel.output(&layers, &sum, mask), output, "{kernel}, round {round}");
        }
    }
}
