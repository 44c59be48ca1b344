use rand::{Rng, SeedableRng, rngs::StdRng};

use super::*;
use crate::eval::kernel::layout::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, CodeRows, HALF, HIDDEN, INPUTS, LINE_MAX, LayerWeights,
    LineRows, MASK_BITS, MaskRows, REGION_CELLS_MAX, REGIONS, ROW_MAX,
};

/// Number of codes with rows in the tests; few under Miri, which is slow.
const CODES: u16 = if cfg!(miri) { 12 } else { 300 };

/// Returns the number of rounds of a test: one under Miri, which takes half a minute for it.
fn rounds(max: usize) -> usize {
    if cfg!(miri) { 1 } else { max }
}

/// Returns a number of at most `max`, either sign, often one of the extremes.
fn number(rng: &mut StdRng, max: i32) -> i32 {
    match rng.random_range(0..4) {
        0 => max,
        1 => -max,
        _ => rng.random_range(-max..=max),
    }
}

fn numbers<T: TryFrom<i32>>(rng: &mut StdRng, n: usize, max: i32) -> Vec<T> {
    (0..n).map(|_| number(rng, max).try_into().ok().unwrap()).collect()
}

fn table(rng: &mut StdRng) -> Vec<i16> {
    let max = [ROW_MAX, CELL_MAX, 100][rng.random_range(0..3)];
    numbers(rng, usize::from(CODES) * CHANNELS, i32::from(max))
}

fn line_table(rng: &mut StdRng) -> Vec<i8> {
    let max = [LINE_MAX, 20][rng.random_range(0..2)];
    numbers(rng, usize::from(CODES) * CHANNELS, i32::from(max))
}

/// Returns shape codes of a point; beyond the table if it is occupied.
fn codes(rng: &mut StdRng) -> [u16; 2] {
    if rng.random_bool(0.1) { [CODES; 2] } else { [0; 2].map(|_| rng.random_range(0..CODES)) }
}

/// Returns a random change.
fn change(rng: &mut StdRng) -> CellChange {
    let region = rng.random_range(0..REGIONS as u8);
    let (before, after) = (codes(rng), codes(rng));
    let others = [0; 3].map(|_| rng.random_range(0..CODES));
    CellChange { region, before, after, others, line: [0; 2].map(|_| rng.random_range(0..CODES)) }
}

/// Tables of rows.
struct Cells {
    codes: [CodeRows; 2],
    lines: LineRows,
}

impl Cells {
    fn new(own: &[i16], other: &[i16], lines: &[i8]) -> Cells {
        Cells { codes: [CodeRows::new(own), CodeRows::new(other)], lines: LineRows::new(lines) }
    }

    fn random(rng: &mut StdRng) -> Cells {
        Cells::new(&table(rng), &table(rng), &line_table(rng))
    }

    fn rows(&self) -> CellRows<'_> {
        CellRows { codes: self.codes.each_ref(), lines: &self.lines }
    }
}

#[test]
fn every_kernel_applies_changes_as_defined() {
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..rounds(300) {
        let (own, other, lines) = (table(&mut rng), table(&mut rng), line_table(&mut rng));
        let cells = Cells::new(&own, &other, &lines);
        let changes: Vec<CellChange> =
            (0..rng.random_range(0..60)).map(|_| change(&mut rng)).collect();
        let cell = |[p, q]: [u16; 2], seen: [u16; 4], c| match (p, q) {
            (CODES, CODES) => 0,
            (p, q) => {
                let row = |code: u16| usize::from(code) * CHANNELS + c;
                let seen: i16 = seen.into_iter().map(|line| i16::from(lines[row(line)])).sum();
                let sum: i16 = own[row(p)] + other[row(q)] + seen;
                sum.clamp(0, CELL_MAX).unsigned_abs()
            }
        };
        // Any sums will do: only differences count, and they wrap.
        let from = RegionSums::new([0; REGIONS].map(|_| std::array::from_fn(|_| rng.random())));
        let mut expected = *from.regions();
        for &CellChange { region, before, after, others: [p, q, r], line: [old, new] } in &changes {
            for (c, sum) in expected[usize::from(region)].iter_mut().enumerate() {
                let removed = cell(before, [p, q, r, old], c);
                *sum = sum.wrapping_add(cell(after, [p, q, r, new], c)).wrapping_sub(removed);
            }
        }
        for kernel in Kernel::available() {
            let mut to = RegionSums::ZERO;
            kernel.update(cells.rows(), &from, &changes, &mut to);
            assert_eq!(to.regions(), &expected, "{kernel}, {changes:?}");
        }
    }
}

#[test]
fn the_largest_region_of_the_largest_points_fits() {
    let (own, other) = (vec![ROW_MAX; CHANNELS], vec![ROW_MAX; CHANNELS]);
    let cells = Cells::new(&own, &other, &[LINE_MAX; CHANNELS]);
    let rows = cells.rows();
    let (before, after) = ([CODES; 2], [0; 2]);
    let come = CellChange { region: 4, before, after, others: [0; 3], line: [0; 2] };
    let go = come.reversed();
    let max = HALF + u16::try_from(REGION_CELLS_MAX * CELL_MAX as usize).unwrap();
    for kernel in Kernel::available() {
        let (mut full, mut none) = (RegionSums::ZERO, RegionSums::ZERO);
        kernel.update(rows, &RegionSums::ZERO, &[come; REGION_CELLS_MAX], &mut full);
        assert_eq!(full.regions()[4], [max; CHANNELS], "{kernel}");
        assert_eq!(full.regions()[3], [HALF; CHANNELS], "{kernel}");
        kernel.update(rows, &full, &[go; REGION_CELLS_MAX], &mut none);
        assert_eq!(none.regions(), RegionSums::ZERO.regions(), "{kernel}");
    }
}

/// Numbers of all layers, by output, for a scalar twin of the kernels.
struct Numbers {
    w: [Vec<i16>; 3],
    b: [Vec<i32>; 3],
    m1: Vec<i32>,
    last: Vec<i16>,
}

impl Numbers {
    fn new(rng: &mut StdRng, size: i32) -> Numbers {
        Numbers {
            w: [CHANNELS, INPUTS, HIDDEN].map(|inputs| numbers(rng, HIDDEN * inputs, size)),
            b: [0; 3].map(|_| numbers(rng, HIDDEN, 31 << 16)),
            m1: numbers(rng, HIDDEN * MASK_BITS, 31 << 16),
            last: numbers(rng, HIDDEN, size),
        }
    }

    fn layers(&self) -> Layers {
        let fixed = |numbers: &[i32]| numbers.try_into().unwrap();
        Layers {
            local: LayerWeights::new(&self.w[0]),
            local_bias: fixed(&self.b[0]),
            first: LayerWeights::new(&self.w[1]),
            masks: MaskRows::new(&self.b[1], &self.m1),
            second: LayerWeights::new(&self.w[2]),
            second_bias: fixed(&self.b[2]),
            last: self.last.as_slice().try_into().unwrap(),
        }
    }

    /// Returns the outputs of layer `which`, with `more` added to the bias of each output.
    fn layer(&self, which: usize, more: impl Fn(usize) -> i32, inputs: &[i32]) -> Vec<i32> {
        let output = |j: usize| {
            let weights = &self.w[which][j * inputs.len()..];
            let products = inputs.iter().zip(weights).map(|(n, &w)| n * i32::from(w));
            let sum = self.b[which][j] + more(j) + products.sum::<i32>();
            (sum >> 8).clamp(0, i32::from(ACTIVATION_MAX))
        };
        (0..HIDDEN).map(output).collect()
    }

    /// Returns the output of all layers for sums (with [`HALF`]) and a mask, step by step.
    fn output(&self, regions: &[[u16; CHANNELS]; REGIONS], mask: usize) -> i32 {
        let max = i32::from(ACTIVATION_MAX);
        let channels = regions.map(|region| region.map(|sum| (i32::from(sum) / 4).min(max)));
        let local: Vec<Vec<i32>> =
            channels.iter().map(|channels| self.layer(0, |_| 0, channels)).collect();
        let pooled = |sum: i32| ((sum + 2) / 4).min(max);
        let together = (0..CHANNELS).map(|c| pooled(channels.iter().map(|r| r[c]).sum()));
        let one_by_one = (0..HIDDEN).map(|j| pooled(local.iter().map(|r| r[j]).sum()));
        let inputs: Vec<i32> = together.chain(one_by_one).collect();
        let bits: Vec<usize> = (0..MASK_BITS).filter(|k| mask >> k & 1 == 1).collect();
        let threats = |j: usize| bits.iter().map(|k| self.m1[j * MASK_BITS + k]).sum();
        let first = self.layer(1, threats, &inputs);
        let second = self.layer(2, |_| 0, &first);
        second.iter().zip(&self.last).map(|(n, &w)| n * i32::from(w)).sum()
    }
}

#[test]
fn every_kernel_computes_the_layers_as_defined() {
    let mut rng = StdRng::seed_from_u64(2);
    for round in 0..rounds(500) {
        let numbers = Numbers::new(&mut rng, [2047, 150, 20][round % 3]);
        let layers = numbers.layers();
        let largest = [u16::MAX, 12_000, 1_500][round / 3 % 3];
        let region = |_| std::array::from_fn(|_| rng.random_range(0..=largest));
        let sums = RegionSums::new([0; REGIONS].map(region));
        let mask = rng.random_range(0..1 << MASK_BITS);
        let output = numbers.output(sums.regions(), mask);
        for kernel in Kernel::available() {
            let mut sums = sums.clone();
            assert_eq!(kernel.output(&layers, &mut sums, mask), output, "{kernel}, round {round}");
            // Again, with fresh outputs of the regions.
            assert_eq!(kernel.output(&layers, &mut sums, mask), output, "{kernel}, round {round}");
        }
    }
}

#[test]
fn outputs_follow_the_changes() {
    let mut rng = StdRng::seed_from_u64(3);
    for _ in 0..rounds(100) {
        let numbers = Numbers::new(&mut rng, 150);
        let layers = numbers.layers();
        let cells = Cells::random(&mut rng);
        for kernel in Kernel::available() {
            let mut sums = RegionSums::new([[5_000; CHANNELS]; REGIONS]);
            for _ in 0..if cfg!(miri) { 3 } else { 6 } {
                let changes: Vec<CellChange> =
                    (0..rng.random_range(0..4)).map(|_| change(&mut rng)).collect();
                let from = sums.clone();
                kernel.update(cells.rows(), &from, &changes, &mut sums);
                if rng.random_bool(0.3) {
                    continue;
                }
                let expected = numbers.output(sums.regions(), 77);
                assert_eq!(kernel.output(&layers, &mut sums, 77), expected, "{kernel}");
            }
        }
    }
}
