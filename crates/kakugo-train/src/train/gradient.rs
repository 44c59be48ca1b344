//! Forward and backward pass of the network.

use super::model::{
    B0, B1, B2, BITS, CELL_MAX, CHANNELS, HEAD, HIDDEN, INPUTS, LAST, Layer, M1, NEURON_MOST, POOL,
    REGIONS, Row, W0, W1, W2, W3, Weights,
};
use super::nats::sigmoid;
use super::samples::{Cell, Sample};
use kakugo::pattern::code::CODES;
use kakugo::pattern::line_code::LINE_CODES;
use kakugo::pattern::threat::MASKS;

/// The activations of a forward pass.
struct Forward {
    /// Pooled cells of each region, before the upper limit.
    regions: [Row; REGIONS],
    /// The layer of each region.
    local: [Layer; REGIONS],
    /// Sums over all regions, before the upper limit.
    x: [f32; INPUTS],
    /// Hidden layers, after both limits.
    hidden: [Layer; 2],
    logit: f32,
}

/// Computes `target += factor * row`.
#[inline(always)]
fn add<const N: usize>(target: &mut [f32; N], row: &[f32; N], factor: f32) {
    for c in 0..N {
        target[c] += factor * row[c];
    }
}

#[inline(always)]
fn clamp(x: f32, most: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < most { x } else { most }
}

/// Returns the derivative of [`clamp`]: 1 between the limits, else 0.
#[inline(always)]
fn inside(x: f32, most: f32) -> f32 {
    let above = if x > 0.0 { 1.0 } else { 0.0 };
    let below = if x < most { 1.0 } else { 0.0 };
    above * below
}

#[inline(always)]
fn clamped<const N: usize>(row: &[f32; N], most: f32) -> [f32; N] {
    let mut out = [0.0; N];
    for c in 0..N {
        out[c] = clamp(row[c], most);
    }
    out
}

fn bits(mask: u16) -> impl Iterator<Item = usize> {
    (0..BITS).filter(move |k| mask >> k & 1 != 0)
}

/// Returns a layer's sums: the biases plus each input times its row of weights.
#[inline(always)]
fn layer(start: &Layer, weights: &[Layer], inputs: &[f32]) -> Layer {
    let mut sums = *start;
    weights.iter().zip(inputs).for_each(|(row, &input)| add(&mut sums, row, input));
    sums
}

/// Returns the channels of a cell before the limits.
#[inline(always)]
fn channels(weights: &Weights, cell: &Cell) -> Row {
    let own = &weights.rows[0][usize::from(cell.own)];
    let other = &weights.rows[1][usize::from(cell.other)];
    let [p, q, r, s] = cell.lines.map(|line| &weights.lines[usize::from(line)]);
    let mut sums = [0.0; CHANNELS];
    for c in 0..CHANNELS {
        sums[c] = own[c] + other[c] + (p[c] + q[c]) + (r[c] + s[c]);
    }
    sums
}

fn forward(weights: &Weights, sample: &Sample, cells: &[Cell]) -> Forward {
    let mut regions = [[0.0; CHANNELS]; REGIONS];
    for cell in cells {
        let channels = channels(weights, cell);
        let region = &mut regions[usize::from(cell.region) % REGIONS];
        for c in 0..CHANNELS {
            region[c] += cell.points * clamp(channels[c], CELL_MAX);
        }
    }
    let head = &weights.head;
    let (mut local, mut x) = ([[0.0; HIDDEN]; REGIONS], [0.0; INPUTS]);
    for (region, local) in regions.iter_mut().zip(&mut local) {
        region.iter_mut().for_each(|sum| *sum /= POOL);
        let inputs = clamped(region, NEURON_MOST);
        *local = clamped(&layer(&head[B0], &head[W0..B0], &inputs), NEURON_MOST);
        for (x, input) in x.iter_mut().zip(inputs.iter().chain(&*local)) {
            *x += input / POOL;
        }
    }
    let input = clamped(&x, NEURON_MOST);
    let mut first = layer(&head[B1], &head[W1..M1], &input);
    bits(sample.mask).for_each(|k| add(&mut first, &head[M1 + k], 1.0));
    let first = clamped(&first, NEURON_MOST);
    let second = clamped(&layer(&head[B2], &head[W2..B2], &first), NEURON_MOST);
    let dot: f32 = head[W3].iter().zip(&second).map(|(w, h)| w * h).sum();
    let [bias, factor, ..] = head[LAST];
    let logit = bias + dot + weights.threat[usize::from(sample.mask)] + factor * sample.classical;
    Forward { regions, local, x, hidden: [first, second], logit }
}

/// Returns the network's value of a sample, in nats.
pub(super) fn value(weights: &Weights, sample: &Sample, cells: &[Cell]) -> f32 {
    forward(weights, sample, cells).logit
}

/// The gradient of the loss of some samples, in the layout of [`Weights`].
pub(super) struct Gradient {
    pub(super) rows: [Vec<Row>; 2],
    /// True for the rows that any sample has touched.
    pub(super) touched: [Vec<bool>; 2],
    pub(super) lines: Vec<Row>,
    pub(super) touched_lines: Vec<bool>,
    pub(super) head: Vec<Layer>,
    pub(super) threat: Vec<f32>,
    pub(super) touched_threat: Vec<bool>,
    /// Sum of the divergences, in nats.
    pub(super) loss: f64,
}

impl Gradient {
    /// Returns a gradient without samples.
    pub(super) fn new() -> Gradient {
        let rows = || vec![[0.0; CHANNELS]; CODES];
        Gradient {
            rows: [rows(), rows()],
            touched: [vec![false; CODES], vec![false; CODES]],
            lines: vec![[0.0; CHANNELS]; LINE_CODES],
            touched_lines: vec![false; LINE_CODES],
            head: vec![[0.0; HIDDEN]; HEAD],
            threat: vec![0.0; MASKS],
            touched_threat: vec![false; MASKS],
            loss: 0.0,
        }
    }

    /// Resets the gradient.
    pub(super) fn clear(&mut self) {
        let codes = self.rows.iter_mut().zip(&mut self.touched);
        for (rows, touched) in codes.chain([(&mut self.lines, &mut self.touched_lines)]) {
            for (row, touched) in rows.iter_mut().zip(touched) {
                if std::mem::take(touched) {
                    *row = [0.0; CHANNELS];
                }
            }
        }
        self.head.fill([0.0; HIDDEN]);
        self.threat.fill(0.0);
        self.touched_threat.fill(false);
        self.loss = 0.0;
    }

    /// Adds the gradient of one sample.
    #[inline(never)]
    pub(super) fn add(&mut self, weights: &Weights, sample: &Sample, cells: &[Cell], target: f32) {
        let Forward { regions, local, x, hidden: [first, second], logit } =
            forward(weights, sample, cells);
        self.loss += divergence(target, logit);
        let error = sigmoid(logit) - target;
        let (mask, old) = (usize::from(sample.mask), &weights.head);
        self.threat[mask] += error;
        self.touched_threat[mask] = true;
        let head = &mut self.head;
        head[LAST][0] += error;
        head[LAST][1] += error * sample.classical;
        add(&mut head[W3], &second, error);
        let mut by_second = old[W3].map(|weight| weight * error);
        keep_inside(&mut by_second, &second);
        let mut by_first = back(&mut head[W2..=B2], &weights.transposed.second, &by_second, &first);
        keep_inside(&mut by_first, &first);
        bits(sample.mask).for_each(|k| add(&mut head[M1 + k], &by_first, 1.0));
        let input = clamped(&x, NEURON_MOST);
        let mut by_x = back(&mut head[W1..M1], &weights.transposed.first, &by_first, &input);
        add(&mut head[B1], &by_first, 1.0);
        for c in 0..INPUTS {
            // Sums are never negative, so only the upper limit matters.
            by_x[c] *= inside(x[c], NEURON_MOST) / POOL;
        }
        let (by_channels, by_local) = by_x.split_at(CHANNELS);
        let mut by_region = [[0.0; CHANNELS]; REGIONS];
        for ((by_region, region), local) in by_region.iter_mut().zip(&regions).zip(&local) {
            let mut by_output = [0.0; HIDDEN];
            by_output.copy_from_slice(by_local);
            keep_inside(&mut by_output, local);
            let input = clamped(region, NEURON_MOST);
            *by_region = back(&mut head[W0..=B0], &weights.transposed.local, &by_output, &input);
            for c in 0..CHANNELS {
                by_region[c] += by_channels[c];
                by_region[c] *= inside(region[c], NEURON_MOST) / POOL;
            }
        }
        self.add_cells(weights, cells, &by_region);
    }

    /// Propagates the gradient of the regions to the rows of the cells.
    #[inline(never)]
    fn add_cells(&mut self, weights: &Weights, cells: &[Cell], by_region: &[Row; REGIONS]) {
        let [own_gradient, other_gradient] = &mut self.rows;
        let (lines, touched_lines) = (&mut self.lines, &mut self.touched_lines);
        for cell in cells {
            let (own, other) = (usize::from(cell.own), usize::from(cell.other));
            let channels = channels(weights, cell);
            let by_sum = &by_region[usize::from(cell.region) % REGIONS];
            let mut gradient = [0.0; CHANNELS];
            for c in 0..CHANNELS {
                gradient[c] = by_sum[c] * (cell.points * inside(channels[c], CELL_MAX));
            }
            add(&mut own_gradient[own], &gradient, 1.0);
            add(&mut other_gradient[other], &gradient, 1.0);
            for line in cell.lines.map(usize::from) {
                add(&mut lines[line], &gradient, 1.0);
                touched_lines[line] = true;
            }
            self.touched[0][own] = true;
            self.touched[1][other] = true;
        }
    }
}

/// Adds the gradient of a layer's weights, and of its biases if `head` includes them. Returns the
/// gradient of its inputs. `transposed` are the weights by output.
#[inline(always)]
fn back<const N: usize>(
    head: &mut [Layer],
    transposed: &[[f32; N]; HIDDEN],
    by_output: &Layer,
    inputs: &[f32; N],
) -> [f32; N] {
    let biased = inputs.iter().chain(&[1.0]);
    head.iter_mut().zip(biased).for_each(|(row, &input)| add(row, by_output, input));
    let mut by_input = [0.0; N];
    transposed.iter().zip(by_output).for_each(|(row, &by)| add(&mut by_input, row, by));
    by_input
}

/// Sets the gradient of neurons at a limit to zero.
#[inline(always)]
fn keep_inside(gradient: &mut Layer, neurons: &Layer) {
    for c in 0..HIDDEN {
        gradient[c] *= inside(neurons[c], NEURON_MOST);
    }
}

/// Returns the Kullback-Leibler divergence of a prediction from the target, in nats.
pub(super) fn divergence(target: f32, logit: f32) -> f64 {
    let (t, l) = (f64::from(target), f64::from(logit));
    let own = |p: f64| if p > 0.0 { p * p.ln() } else { 0.0 };
    // ln(1 + e^l), without overflow.
    let log_sum = l.max(0.0) + (-l.abs()).exp().ln_1p();
    log_sum - t * l + own(t) + own(1.0 - t)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::train::random;
    use crate::train::samples::{Samples, Selection};
    use kakugo::board::{Rule, Variant};

    fn weights(rng: &mut ChaCha8Rng) -> Weights {
        let mut weights = Weights::zero();
        let mut number = |most: f32| rng.random_range(-most..most);
        weights.rows.iter_mut().flatten().flatten().for_each(|x| *x = number(0.8));
        weights.lines.iter_mut().flatten().for_each(|x| *x = number(0.2));
        weights.head.iter_mut().flatten().for_each(|x| *x = number(0.3));
        weights.threat.iter_mut().for_each(|x| *x = rng.random_range(-0.5..0.5));
        weights.transpose();
        weights
    }

    type Tables<'a> = (&'a mut [Vec<Row>; 2], &'a mut [Row], &'a mut [Layer], &'a mut [f32]);

    /// Returns weight `at`, or the same element of a gradient.
    fn number<'a>(
        (rows, lines, head, threat): Tables<'a>,
        (table, row, column): (usize, usize, usize),
    ) -> &'a mut f32 {
        match table {
            0 | 1 => &mut rows[table][row][column],
            2 => &mut head[row][column],
            3 => &mut lines[row][column],
            _ => &mut threat[row],
        }
    }

    /// A few differences are wrong, because a neuron may reach a limit within the step.
    #[test]
    fn gradients_match_finite_differences() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let games = random::games(Variant::FREESTYLE, 30, 4).train;
        let games: Vec<_> = games.iter().collect();
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let samples = Samples::of(&games, &selection);
        let samples: Vec<_> = samples.iter().flat_map(Samples::iter).step_by(7).take(40).collect();
        let mut weights = weights(&mut rng);
        let (mut tried, mut close) = (0, 0);
        for (sample, cells) in samples {
            let target = rng.random_range(0.1..0.9);
            let mut gradient = Gradient::new();
            gradient.add(&weights, sample, cells, target);
            let cell = cells[rng.random_range(0..cells.len())];
            let bit = bits(sample.mask).next().unwrap_or(0);
            let (channel, column) = (rng.random_range(0..CHANNELS), rng.random_range(0..HIDDEN));
            for at in [
                (0, usize::from(cell.own), channel),
                (1, usize::from(cell.other), channel),
                (3, usize::from(cell.lines[rng.random_range(0..4)]), channel),
                (2, W0 + channel, column),
                (2, B0, column),
                (2, W1 + channel, column),
                (2, W1 + CHANNELS + rng.random_range(0..HIDDEN), column),
                (2, M1 + bit, column),
                (2, B1, column),
                (2, W2 + rng.random_range(0..HIDDEN), column),
                (2, B2, column),
                (2, W3, column),
                (2, LAST, 0),
                (2, LAST, 1),
                (4, usize::from(sample.mask), 0),
            ] {
                let Gradient { rows, lines, head, threat, .. } = &mut gradient;
                let computed = f64::from(*number((rows, lines, head, threat), at));
                let mut loss = |step: f32| {
                    let Weights { rows, lines, head, threat, .. } = &mut weights;
                    let number = number((rows, lines, head, threat), at);
                    let before = std::mem::replace(number, *number + step);
                    let loss = divergence(target, value(&weights, sample, cells));
                    let Weights { rows, lines, head, threat, .. } = &mut weights;
                    *self::number((rows, lines, head, threat), at) = before;
                    loss
                };
                const STEP: f32 = 1.0 / 256.0;
                let measured = (loss(STEP) - loss(-STEP)) / (2.0 * f64::from(STEP));
                tried += 1;
                close += usize::from((measured - computed).abs() < 1e-3 + 0.02 * measured.abs());
            }
        }
        assert_eq!(tried, 600);
        assert!(close >= 584, "{close} of {tried}");
    }

    #[test]
    fn a_cleared_gradient_equals_a_new_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let weights = weights(&mut rng);
        let games = random::games(Variant::FREESTYLE, 5, 4).train;
        let games: Vec<_> = games.iter().collect();
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let samples = Samples::of(&games, &selection);
        let mut gradient = Gradient::new();
        for (sample, cells) in samples.iter().flat_map(Samples::iter) {
            gradient.add(&weights, sample, cells, 0.5);
        }
        assert!(gradient.rows != Gradient::new().rows && gradient.lines != Gradient::new().lines);
        gradient.clear();
        let new = Gradient::new();
        assert!(gradient.rows == new.rows && gradient.touched == new.touched);
        assert!(gradient.lines == new.lines && gradient.touched_lines == new.touched_lines);
        assert!(gradient.head == new.head && gradient.threat == new.threat);
    }

    #[test]
    fn divergence_is_zero_at_the_target_and_finite_everywhere() {
        assert!(divergence(sigmoid(0.7), 0.7).abs() < 1e-6);
        assert!((divergence(1.0, -40.0) - 40.0).abs() < 1e-6);
        assert!(divergence(0.0, -1e30) == 0.0 && divergence(0.0, 1e30).is_finite());
    }
}
