//! All parameters of one section, and their steps.
//!
//! Most codes are rare. So the row of a code is the sum of a row for each of its four shapes, one
//! for its threat, and one for the code itself. Rare codes then rely on their shapes. Rows of lines
//! are not shared.
//!
//! A batch is split into a fixed number of shards, and sums are taken in their order. So the result
//! does not depend on the number of threads.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::adam::Parameters;
use super::feed::Lesson;
use super::gradient::Gradient;
use super::model::{
    B0, B1, B2, BIAS_MOST, CHANNELS, HEAD, HIDDEN, LAST, LINE_MAX, Layer, M1, ROW_MAX, Row, W0, W1,
    W2, W3, WEIGHT_MOST, Weights,
};
use kakugo::pattern::code::{CODES, shapes_of};
use kakugo::pattern::line_code::LINE_CODES;
use kakugo::pattern::threat::MASKS;
use kakugo::pattern::{Shape, Threat};

/// Number of parts of a code: its shapes and its threat.
const PARTS_OF_CODE: usize = 5;
/// Total number of parts.
const PARTS: usize = Shape::COUNT + Threat::COUNT;
/// Number of shards of a batch.
const SHARDS: usize = 8;
/// Number of rows per task.
const ROWS_PER_TASK: usize = 192;
/// Learning rate of rows of codes, relative to that of the layers.
const ROW_RATE: f32 = 0.3;
/// Learning rate of rows of lines, relative to that of the layers.
const LINE_RATE: f32 = 1.0;
/// Weight decay of rows of lines, relative to that of codes. It is lower, because most lines are
/// common and have no shared parts.
const LINE_DECAY: f32 = 0.2;

/// A table of rows by code.
pub(super) struct Table {
    /// Rows of the codes themselves.
    pub(super) own: Vec<Parameters<CHANNELS>>,
    /// Rows of the parts.
    pub(super) parts: Vec<Parameters<CHANNELS>>,
    /// The parts of each code.
    makeup: Vec<[u8; PARTS_OF_CODE]>,
}

/// Returns the parts of each code. `restricted` is true for a colour with forbidden moves.
fn makeup(restricted: bool) -> Vec<[u8; PARTS_OF_CODE]> {
    let of = |code: usize| {
        let shapes = shapes_of(code as u16);
        let threat = Shape::COUNT as u8 + Threat::of(shapes, restricted) as u8;
        let [a, b, c, d] = shapes.map(|shape| shape as u8);
        [a, b, c, d, threat]
    };
    (0..CODES).map(of).collect()
}

/// Returns a random number around 0 with this standard deviation.
fn noise(rng: &mut ChaCha8Rng, deviation: f32) -> f32 {
    let sum: f32 = (0..3).map(|_| rng.random::<f32>()).sum();
    (sum - 1.5) * 2.0 * deviation
}

fn noisy<const N: usize>(rng: &mut ChaCha8Rng, deviation: f32) -> [f32; N] {
    std::array::from_fn(|_| noise(rng, deviation))
}

impl Table {
    fn new(restricted: bool, rng: &mut ChaCha8Rng) -> Table {
        Table {
            own: vec![Parameters::new([0.0; CHANNELS]); CODES],
            parts: (0..PARTS).map(|_| Parameters::new(noisy(rng, 0.25))).collect(),
            makeup: makeup(restricted),
        }
    }

    /// Returns a table whose sums are these rows. The parts are fitted to them by least squares.
    /// This approximately recovers the original parts, because most codes are rare and have own
    /// rows near zero.
    fn of(rows: &[Row], restricted: bool) -> Table {
        let makeup = makeup(restricted);
        let mut parts = vec![[0.0; CHANNELS]; PARTS];
        let mut own = rows.to_vec();
        for part in (0..SWEEPS * PARTS).map(|i| i % PARTS) {
            let times =
                |code: usize| makeup[code].iter().filter(|&&p| usize::from(p) == part).count();
            let (mut sum, mut weight) = ([0.0; CHANNELS], 0.0);
            for (code, row) in own.iter().enumerate() {
                let times = times(code) as f32;
                weight += times * times;
                (0..CHANNELS).for_each(|c| sum[c] += times * row[c]);
            }
            if weight > 0.0 {
                let more = sum.map(|x| x / weight);
                (0..CHANNELS).for_each(|c| parts[part][c] += more[c]);
                for (code, row) in own.iter_mut().enumerate() {
                    let times = times(code) as f32;
                    (0..CHANNELS).for_each(|c| row[c] -= times * more[c]);
                }
            }
        }
        let learnt = |rows: Vec<Row>| rows.into_iter().map(Parameters::new).collect();
        Table { own: learnt(own), parts: learnt(parts), makeup }
    }

    /// Makes a step of all rows that the shards have touched. `which` is the index of this table.
    /// The codes' own rows also decay by `decay` times the rate, at most to zero (Loshchilov and
    /// Hutter, "Decoupled weight decay regularization", 2019). So they do not learn what the parts
    /// can represent.
    fn step(&mut self, shards: &[Gradient], which: usize, scale: f32, rate: f32, decay: f32) {
        let Table { own, parts, makeup } = self;
        let kept = (1.0 - rate * decay).max(0.0);
        let tasks: Vec<[Row; PARTS]> = own
            .par_chunks_mut(ROWS_PER_TASK)
            .enumerate()
            .map(|(task, rows)| {
                let mut by_part = [[0.0; CHANNELS]; PARTS];
                for (row, code) in rows.iter_mut().zip(task * ROWS_PER_TASK..) {
                    let of_code = shards
                        .iter()
                        .map(|shard| (shard.touched[which][code], &shard.rows[which][code]));
                    let Some(gradient) = sum_of(of_code, scale) else { continue };
                    row.step(&gradient, rate);
                    row.value.iter_mut().for_each(|x| *x *= kept);
                    for &part in &makeup[code] {
                        let by_part = &mut by_part[usize::from(part)];
                        (0..CHANNELS).for_each(|c| by_part[c] += gradient[c]);
                    }
                }
                by_part
            })
            .collect();
        for (i, part) in parts.iter_mut().enumerate() {
            let mut gradient = [0.0; CHANNELS];
            for task in &tasks {
                (0..CHANNELS).for_each(|c| gradient[c] += task[i][c]);
            }
            if gradient != [0.0; CHANNELS] {
                part.step(&gradient, rate);
            }
        }
    }

    /// Computes the row of each code: the sum of its parts and its own row.
    pub(super) fn fold(&self, rows: &mut [Row]) {
        rows.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(task, rows)| {
            for (row, code) in rows.iter_mut().zip(task * ROWS_PER_TASK..) {
                *row = self.own[code].value;
                for &part in &self.makeup[code] {
                    let part = &self.parts[usize::from(part)].value;
                    (0..CHANNELS).for_each(|c| row[c] += part[c]);
                }
                row.iter_mut().for_each(|x| *x = x.clamp(-ROW_MAX, ROW_MAX));
            }
        });
    }
}

/// Returns the gradient of a row summed over all shards, if any has touched it.
fn sum_of<'g>(shards: impl Iterator<Item = (bool, &'g Row)>, scale: f32) -> Option<Row> {
    let (mut sum, mut touched) = ([0.0; CHANNELS], false);
    for (_, row) in shards.filter(|&(touched, _)| touched) {
        (0..CHANNELS).for_each(|c| sum[c] += row[c]);
        touched = true;
    }
    sum.iter_mut().for_each(|x| *x *= scale);
    touched.then_some(sum)
}

/// Number of least-squares sweeps over the parts in [`Table::of`]. Half of them converge.
const SWEEPS: usize = 40;

/// All parameters of one section.
pub(super) struct Learner {
    pub(super) tables: [Table; 2],
    /// Rows of lines.
    pub(super) lines: Vec<Parameters<CHANNELS>>,
    pub(super) head: Vec<Parameters<HIDDEN>>,
    pub(super) threat: Vec<Parameters<1>>,
    /// The network's weights, computed from the parameters.
    pub(super) weights: Weights,
    shards: Vec<Gradient>,
}

impl Learner {
    /// Returns random parameters with a value close to the classical evaluation. `restricted` is
    /// true for the side to move, or its opponent, if it has forbidden moves.
    pub(super) fn new(restricted: [bool; 2], rng: &mut ChaCha8Rng) -> Learner {
        let tables = restricted.map(|restricted| Table::new(restricted, rng));
        let mut head = vec![Parameters::new([0.0; HIDDEN]); HEAD];
        let spread = (1.0 / HIDDEN as f32).sqrt();
        let mut fill = |rows: std::ops::Range<usize>, deviation| {
            head[rows].iter_mut().for_each(|row| *row = Parameters::new(noisy(rng, deviation)));
        };
        fill(W0..B0, spread);
        fill(W1..B1, spread);
        fill(W2..B2, spread);
        fill(W3..W3 + 1, 0.02 * spread);
        head[LAST].value[1] = 1.0;
        let mut learner = Learner {
            tables,
            lines: vec![Parameters::new([0.0; CHANNELS]); LINE_CODES],
            head,
            threat: vec![Parameters::new([0.0]); MASKS],
            weights: Weights::zero(),
            shards: (0..SHARDS).map(|_| Gradient::new()).collect(),
        };
        learner.fold();
        learner
    }

    /// Returns the parameters of a network. `restricted` is as for [`Learner::new`].
    pub(super) fn of(weights: &Weights, restricted: [bool; 2]) -> Learner {
        let [own, other] = &weights.rows;
        let [by_own, by_other] = restricted;
        let mut learner = Learner {
            tables: [Table::of(own, by_own), Table::of(other, by_other)],
            lines: weights.lines.iter().copied().map(Parameters::new).collect(),
            head: weights.head.iter().copied().map(Parameters::new).collect(),
            threat: weights.threat.iter().map(|&x| Parameters::new([x])).collect(),
            weights: Weights::zero(),
            shards: (0..SHARDS).map(|_| Gradient::new()).collect(),
        };
        learner.fold();
        learner
    }

    /// Updates [`Learner::weights`].
    pub(super) fn fold(&mut self) {
        for (table, rows) in self.tables.iter().zip(&mut self.weights.rows) {
            table.fold(rows);
        }
        let weights = &mut self.weights;
        let lines = weights.lines.par_iter_mut().zip(&self.lines).with_min_len(ROWS_PER_TASK);
        lines.for_each(|(row, line)| {
            *row = line.value.map(|x| x.clamp(-LINE_MAX, LINE_MAX));
        });
        weights.head.iter_mut().zip(&self.head).for_each(|(row, learnt)| *row = learnt.value);
        weights.threat.iter_mut().zip(&self.threat).for_each(|(x, learnt)| *x = learnt.value[0]);
        weights.transpose();
    }

    /// Makes a step with these samples. Returns the sum of their losses before it. For `rate` and
    /// `decay` see [`Settings`](super::settings::Settings).
    pub(super) fn learn(&mut self, batch: &[Lesson], rate: f32, decay: f32) -> f64 {
        let Learner { weights, shards, .. } = self;
        let per_shard = batch.len().div_ceil(SHARDS).max(1);
        shards.par_iter_mut().enumerate().for_each(|(i, shard)| {
            shard.clear();
            for &(sample, cells, target) in batch.iter().skip(i * per_shard).take(per_shard) {
                shard.add(weights, sample, cells, target);
            }
        });
        self.step(1.0 / batch.len() as f32, rate, decay);
        self.shards.iter().map(|shard| shard.loss).sum()
    }

    fn step(&mut self, scale: f32, rate: f32, decay: f32) {
        let Learner { tables, lines, head, threat, shards, .. } = self;
        for (which, table) in tables.iter_mut().enumerate() {
            table.step(shards, which, scale, ROW_RATE * rate, decay);
        }
        let rate_of_lines = LINE_RATE * rate;
        let kept = (1.0 - LINE_DECAY * ROW_RATE * rate * decay).max(0.0);
        let by_code = lines.par_iter_mut().enumerate().with_min_len(ROWS_PER_TASK);
        by_code.for_each(|(code, row)| {
            let of_line =
                shards.iter().map(|shard| (shard.touched_lines[code], &shard.lines[code]));
            if let Some(gradient) = sum_of(of_line, scale) {
                row.step(&gradient, rate_of_lines);
                row.value.iter_mut().for_each(|x| *x *= kept);
            }
        });
        for (i, row) in head.iter_mut().enumerate() {
            let mut gradient: Layer = [0.0; HIDDEN];
            for shard in shards.iter() {
                (0..HIDDEN).for_each(|c| gradient[c] += scale * shard.head[i][c]);
            }
            row.step(&gradient, rate);
            let is_weight = [W0..B0, W1..M1, W2..B2].iter().any(|rows| rows.contains(&i));
            let most = if is_weight { WEIGHT_MOST } else { BIAS_MOST };
            row.value.iter_mut().for_each(|x| *x = x.clamp(-most, most));
        }
        for (mask, number) in threat.iter_mut().enumerate() {
            if shards.iter().any(|shard| shard.touched_threat[mask]) {
                let gradient = shards.iter().map(|shard| shard.threat[mask]).sum::<f32>();
                number.step(&[scale * gradient], rate);
                number.value[0] = number.value[0].clamp(-BIAS_MOST, BIAS_MOST);
            }
        }
        self.fold();
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::train::nats::sigmoid;
    use crate::train::quantise;
    use crate::train::random;
    use crate::train::samples::{Cell, Samples, Selection};
    use kakugo::board::{Rule, Variant};

    fn samples(n: usize) -> Vec<Samples> {
        let games = random::games(Variant::FREESTYLE, n, 6).train;
        let games: Vec<_> = games.iter().collect();
        Samples::of(&games, &Selection { rule: Rule::Freestyle, section: 0, solved: true })
    }

    fn learner() -> Learner {
        Learner::new([false; 2], &mut ChaCha8Rng::seed_from_u64(2))
    }

    /// Returns a target that favours the side with the better shapes.
    fn planted(cells: &[Cell]) -> f32 {
        let quality = |code: u16| shapes_of(code).iter().map(|&s| s as u8 as f32).sum::<f32>();
        let cell = |cell: &Cell| cell.points * (quality(cell.own) - quality(cell.other));
        sigmoid(cells.iter().map(cell).sum::<f32>() / 20.0)
    }

    fn batch(samples: &[Samples]) -> Vec<Lesson<'_>> {
        let all = samples.iter().flat_map(Samples::iter);
        all.map(|(sample, cells)| (sample, cells, planted(cells))).collect()
    }

    fn assert_rows_are_sums(learner: &Learner) {
        for (table, rows) in learner.tables.iter().zip(&learner.weights.rows) {
            for code in (0..CODES).step_by(17) {
                let parts = table.makeup[code].map(|part| table.parts[usize::from(part)].value);
                for (c, x) in rows[code].iter().enumerate() {
                    let sum: f32 =
                        table.own[code].value[c] + parts.iter().map(|part| part[c]).sum::<f32>();
                    assert!((x - sum.clamp(-ROW_MAX, ROW_MAX)).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_planted_target_is_learnt_and_rows_stay_sums_of_their_parts() {
        let samples = samples(60);
        let batch = batch(&samples);
        let mut learner = learner();
        assert_rows_are_sums(&learner);
        let first = learner.learn(&batch, 0.002, 0.0);
        let last = (0..150).map(|_| learner.learn(&batch, 0.002, 0.0)).last().unwrap();
        assert!(last < first / 4.0, "{first} {last}");
        assert_rows_are_sums(&learner);
        let touched = learner.tables[0].own.iter().filter(|row| row.steps > 0).count();
        assert!(0 < touched && touched < CODES / 2, "{touched}");
    }

    #[test]
    fn a_learner_of_a_network_reproduces_it() {
        let samples = samples(60);
        let batch = batch(&samples);
        let mut learner = learner();
        (0..60).for_each(|_| _ = learner.learn(&batch, 0.002, 1.0));
        let section = quantise::section(&learner.weights, 200.0);
        let again = Learner::of(&quantise::dequantise(&section), [false; 2]);
        assert_rows_are_sums(&again);
        assert_eq!(quantise::section(&again.weights, 200.0), section);
        // Own rows must not grow: the parts represent the rest.
        let own = |learner: &Learner| -> f32 {
            learner
                .tables
                .iter()
                .flat_map(|table| &table.own)
                .flat_map(|row| row.value)
                .map(|x| x * x)
                .sum()
        };
        assert!(own(&again) < 1.1 * own(&learner), "{} {}", own(&again), own(&learner));
    }

    #[test]
    fn decay_shrinks_codes_more_than_lines_and_not_parts() {
        let samples = samples(40);
        let batch = batch(&samples);
        let size = |rows: &[Parameters<CHANNELS>]| {
            let squares = rows.iter().flat_map(|row| row.value).map(|x| f64::from(x * x));
            squares.sum::<f64>().sqrt()
        };
        let sizes = |decay| {
            let mut learner = learner();
            (0..100).for_each(|_| _ = learner.learn(&batch, 0.002, decay));
            assert_rows_are_sums(&learner);
            let table = &learner.tables[0];
            (size(&table.own), size(&table.parts), size(&learner.lines))
        };
        let (free, shrunk) = (sizes(0.0), sizes(50.0));
        assert!(shrunk.0 < free.0 / 2.0, "{free:?} {shrunk:?}");
        assert!(shrunk.1 > free.1 * 0.9, "{free:?} {shrunk:?}");
        let left = shrunk.2 / free.2;
        assert!(left < 0.9 && left > 1.5 * shrunk.0 / free.0, "{free:?} {shrunk:?}");
        // Decay stops at zero.
        assert_eq!(sizes(1e6).0, 0.0);
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        let samples = samples(40);
        let batch = batch(&samples);
        let learnt = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut learner = learner();
                let losses: Vec<f64> = (0..3).map(|_| learner.learn(&batch, 0.002, 1.0)).collect();
                (learner.weights, losses)
            })
        };
        assert!(learnt(1) == learnt(3));
    }
}
