//! Fitting of the classical evaluation and the move ordering (`weights.bin`) to self-play games.
//!
//! Both models are sums over table entries, so both fits are convex:
//!
//! - *value*: logistic regression (binary cross-entropy) of the expected result. Its target mixes
//!   the later scores of the search with the game's result. Its features are the codes of all empty
//!   points, now and before the last stone, and the threat mask.
//! - *order*: multinomial logistic regression (softmax cross-entropy) of the best move of the
//!   search among the candidates.
//!
//! Most of the three thousand codes are rare. So an entry is the sum of a number for each of its
//! four shapes, one for the two strongest shapes, one for its threat, and one for the code itself.
//! Each of these is the sum of a number shared by all rules and colours, and one for the rule. All
//! numbers except the shared ones of shapes and threats decay towards zero. The optimiser is Adam
//! (Kingma and Ba, 2015).

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use kakugo::board::{Point, Side, Variant};
use kakugo::eval::weights::{ORDER_SCALE, RuleWeights, SECTIONS, VALUE_SCALE, section};
use kakugo::pattern::code::{self, CODES};
use kakugo::pattern::threat::MASKS;
use kakugo::pattern::{Shape, Threat};
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::{self, needs_evaluation};
use kakugo_cli::run_file;

use crate::selfplay::{SelfPlayGame, opening, read};
use kakugo_cli::arguments::fraction;

/// Fit the classical evaluation and the move ordering (`weights.bin`) to self-play games
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// Self-play files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write the weights to
    #[arg(long)]
    out: PathBuf,
    /// Number of passes over the games
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Initial learning rate of the move ordering; decays to a hundredth
    #[arg(long, default_value_t = 0.02, value_parser = fraction::<f64>)]
    rate: f64,
    /// Initial learning rate of the value; lower, because it is a sum over all empty points
    #[arg(long, default_value_t = 0.001, value_parser = fraction::<f64>)]
    value_rate: f64,
    /// Positions per step
    #[arg(long, default_value_t = 512)]
    batch: usize,
    /// Lambda of TD(lambda): 0 learns the score of the search, 1 the game's result
    #[arg(long, default_value_t = 0.9, value_parser = fraction::<f64>)]
    lambda: f64,
    /// Weight decay of single codes; other parts use a quarter to four times as much
    #[arg(long, default_value_t = 0.0001, value_parser = fraction::<f64>)]
    decay: f64,
    /// Random seed of the order of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Score units per nat.
const UNITS: f64 = Score::UNITS_PER_NAT as f64;
/// The games of one in this many openings are held out for validation.
const VALIDATION: u64 = 20;

/// Runs `tune`.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if there are too few games.
pub fn run(args: &TuneArgs) -> anyhow::Result<()> {
    run_file::ensure_writable(&args.out)?;
    let mut games = Vec::new();
    for path in &args.files {
        let bytes = run_file::read(path)?;
        let contents =
            read(&bytes, |game| games.push(game)).with_context(|| path.display().to_string())?;
        let lost = contents.lost_bytes();
        if lost > 0 {
            print(format_args!("{}: skipped {lost} damaged bytes", path.display()));
        }
    }
    let (check, mut train): (Vec<_>, Vec<_>) = games.into_iter().partition(is_held_out);
    anyhow::ensure!(
        !train.is_empty() && !check.is_empty(),
        "too few games: {} for training, {} for validation",
        train.len(),
        check.len()
    );
    print(format_args!("{} games for training, {} for validation", train.len(), check.len()));
    let mut model = Model::new();
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    for epoch in 0..args.epochs {
        train.shuffle(&mut rng);
        let progress = f64::from(epoch) / f64::from(args.epochs);
        // Cosine decay to a hundredth.
        let fall = 0.01 + 0.99 * 0.5 * (1.0 + (progress * std::f64::consts::PI).cos());
        (model.rate, model.value_rate) = (args.rate * fall, args.value_rate * fall);
        model.decay = args.decay;
        let mut sum = Loss::default();
        let mut pending = 0;
        for game in &train {
            let loss = model.learn(game, args.lambda);
            pending += loss.positions as usize;
            sum.add(loss);
            if pending >= args.batch {
                model.step();
                pending = 0;
            }
        }
        model.step();
        let mut checked = Loss::default();
        for game in &check {
            checked.add(model.learn(game, args.lambda));
        }
        model.clear_gradient();
        print(format_args!("epoch {}: training {sum}, validation {checked}", epoch + 1));
    }
    let bytes: Vec<u8> = model.export().iter().flat_map(RuleWeights::to_bytes).collect();
    std::fs::write(&args.out, bytes).with_context(|| format!("writing {}", args.out.display()))
}

/// Returns true if a game is held out. Only its opening decides, because games of one opening are
/// similar.
fn is_held_out(game: &SelfPlayGame) -> bool {
    opening::key(game.variant, game.width, game.height, &game.opening).is_multiple_of(VALIDATION)
}

/// Prints a line. Errors are ignored, because a closed stdout must not stop the run.
fn print(line: fmt::Arguments<'_>) {
    _ = writeln!(std::io::stdout(), "{line}");
}

/// Sums of losses, in nats.
#[derive(Clone, Copy, Default)]
struct Loss {
    value: f64,
    positions: f64,
    order: f64,
    choices: f64,
    hits: f64,
}

impl Loss {
    fn add(&mut self, other: Loss) {
        self.value += other.value;
        self.positions += other.positions;
        self.order += other.order;
        self.choices += other.choices;
        self.hits += other.hits;
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (value, order) = (self.value / self.positions, self.order / self.choices);
        let hits = 100.0 * self.hits / self.choices;
        write!(f, "value {value:.5} order {order:.4} ({hits:.1} % first)")
    }
}

/// A table of numbers with the state of Adam.
#[derive(Clone)]
struct Numbers {
    value: Vec<f64>,
    gradient: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Numbers {
    fn new(n: usize) -> Numbers {
        let zero = || vec![0.0; n];
        Numbers { value: zero(), gradient: zero(), first: zero(), second: zero() }
    }

    /// Makes a step of Adam, with weight decay.
    fn step(&mut self, rate: f64, decay: f64, time: i32) {
        const BETA: (f64, f64) = (0.9, 0.999);
        for i in 0..self.value.len() {
            let g = self.gradient[i] + decay * self.value[i];
            self.first[i] = BETA.0 * self.first[i] + (1.0 - BETA.0) * g;
            self.second[i] = BETA.1 * self.second[i] + (1.0 - BETA.1) * g * g;
            let first = self.first[i] / (1.0 - BETA.0.powi(time));
            let second = self.second[i] / (1.0 - BETA.1.powi(time));
            self.value[i] -= rate * first / (second.sqrt() + 1e-8);
            self.gradient[i] = 0.0;
        }
    }
}

/// The numbers that make up the entry of a code: for each of its shapes, for its two strongest
/// shapes, for its threat, and for the code itself.
#[derive(Clone)]
struct Parts {
    shapes: Numbers,
    pairs: Numbers,
    threats: Numbers,
    own: Numbers,
}

/// Weight decay of [`Parts`].
#[derive(Clone, Copy)]
struct Decay {
    shapes: f64,
    pairs: f64,
    own: f64,
}

impl Parts {
    fn new() -> Parts {
        Parts {
            shapes: Numbers::new(Shape::COUNT),
            pairs: Numbers::new(Shape::COUNT * Shape::COUNT),
            threats: Numbers::new(Threat::COUNT),
            own: Numbers::new(CODES),
        }
    }

    /// Adds the gradient of code `c` to all its parts.
    fn add_gradient(&mut self, c: usize, makeup: &Makeup, gradient: f64) {
        makeup.shapes.iter().for_each(|&s| self.shapes.gradient[s as usize] += gradient);
        self.pairs.gradient[makeup.pair] += gradient;
        self.threats.gradient[makeup.threat as usize] += gradient;
        self.own.gradient[c] += gradient;
    }

    fn step(&mut self, rate: f64, decay: Decay, time: i32) {
        // A dead line is fixed at zero, because otherwise the sums would not be unique.
        self.shapes.gradient[Shape::Dead as usize] = 0.0;
        self.shapes.step(rate, decay.shapes, time);
        self.pairs.step(rate, decay.pairs, time);
        self.threats.step(rate, decay.shapes, time);
        self.own.step(rate, decay.own, time);
    }

    fn sum(&self, c: usize, makeup: &Makeup) -> f64 {
        makeup.shapes.iter().map(|&s| self.shapes.value[s as usize]).sum::<f64>()
            + self.pairs.value[makeup.pair]
            + self.threats.value[makeup.threat as usize]
            + self.own.value[c]
    }
}

/// The shapes and the threat of a code.
#[derive(Clone, Copy)]
struct Makeup {
    shapes: [Shape; 4],
    /// Index of its two strongest shapes.
    pair: usize,
    threat: Threat,
}

impl Makeup {
    fn of(code: usize, restricted: bool) -> Makeup {
        let shapes = code::shapes_of(code as u16);
        let mut sorted = shapes.map(|s| s as usize);
        sorted.sort_unstable();
        let pair = sorted[3] * Shape::COUNT + sorted[2];
        Makeup { shapes, pair, threat: Threat::of(shapes, restricted) }
    }
}

/// A table over codes for one rule and colour: the shared parts plus its own.
struct CodeNumbers {
    parts: Parts,
    makeup: Vec<Makeup>,
    /// The sums, and the gradient with respect to them.
    total: Vec<f64>,
    gradient: Vec<f64>,
}

impl CodeNumbers {
    fn new(restricted: bool) -> CodeNumbers {
        CodeNumbers {
            parts: Parts::new(),
            makeup: (0..CODES).map(|c| Makeup::of(c, restricted)).collect(),
            total: vec![0.0; CODES],
            gradient: vec![0.0; CODES],
        }
    }

    /// Moves the gradient to the own and the shared parts.
    fn distribute_gradient(&mut self, shared: &mut Parts, scale: f64) {
        for (c, makeup) in self.makeup.iter().enumerate() {
            let gradient = scale * std::mem::take(&mut self.gradient[c]);
            self.parts.add_gradient(c, makeup, gradient);
            shared.add_gradient(c, makeup, gradient);
        }
    }

    fn step(&mut self, shared: &Parts, rate: f64, decay: Decay, time: i32) {
        self.parts.step(rate, decay, time);
        for (c, makeup) in self.makeup.iter().enumerate() {
            self.total[c] = shared.sum(c, makeup) + self.parts.sum(c, makeup);
        }
    }
}

/// The numbers of one section of `weights.bin`.
struct Section {
    to_move: CodeNumbers,
    waiting: CodeNumbers,
    own_move: CodeNumbers,
    other_move: CodeNumbers,
    threat: Numbers,
}

impl Section {
    fn tables(&mut self) -> [&mut CodeNumbers; 4] {
        [&mut self.to_move, &mut self.waiting, &mut self.own_move, &mut self.other_move]
    }
}

/// All numbers, with the state of the optimisation.
struct Model {
    sections: Vec<Section>,
    /// The parts that all sections share, by table.
    shared: [Parts; 4],
    rate: f64,
    value_rate: f64,
    decay: f64,
    time: i32,
    /// Positions since the last step.
    seen: f64,
}

impl Model {
    fn new() -> Model {
        let sections = SECTIONS
            .iter()
            .map(|&(rule, side)| {
                let restricted = |side| Variant::five(rule).has_forbidden(side);
                Section {
                    to_move: CodeNumbers::new(restricted(side)),
                    waiting: CodeNumbers::new(restricted(side)),
                    own_move: CodeNumbers::new(restricted(side)),
                    other_move: CodeNumbers::new(restricted(side.opponent())),
                    threat: Numbers::new(MASKS),
                }
            })
            .collect();
        Model {
            sections,
            shared: std::array::from_fn(|_| Parts::new()),
            rate: 0.0,
            value_rate: 0.0,
            decay: 0.0,
            time: 0,
            seen: 0.0,
        }
    }

    /// Replays a game and adds the gradient of each position that the search would evaluate.
    fn learn(&mut self, game: &SelfPlayGame, lambda: f64) -> Loss {
        let mut loss = Loss::default();
        let Some(board) = game.board() else { return loss };
        let mut position = Position::new(&board);
        let targets = targets(game, lambda);
        let mut before = Codes::default();
        for &p in &game.opening {
            before = Codes::of(&position);
            position.push(p);
        }
        for (m, target) in game.moves.iter().zip(targets) {
            if needs_evaluation(&position) {
                loss.value += self.learn_value(&position, &before, target);
                loss.positions += 1.0;
            }
            self.learn_order(&position, m.choice, &mut loss);
            before = Codes::of(&position);
            position.push(m.point);
        }
        self.seen += loss.positions;
        loss
    }

    /// Returns the [classical evaluation](kakugo::eval::Evaluator::classical) with these numbers,
    /// as a logit.
    fn logit(&self, position: &Position, now: &Codes, before: &Codes) -> f64 {
        let side = position.side_to_move();
        let rule = position.board().variant().rule();
        let own = &self.sections[section(rule, side)];
        let other = &self.sections[section(rule, side.opponent())];
        let sum = |numbers: &CodeNumbers, codes: &[u16]| -> f64 {
            codes.iter().map(|&c| numbers.total[usize::from(c)]).sum()
        };
        let [us, them] = [side.index(), side.opponent().index()];
        let value_now = sum(&own.to_move, &now.0[us]) - sum(&other.waiting, &now.0[them]);
        let value_before = sum(&own.waiting, &before.0[us]) - sum(&other.to_move, &before.0[them]);
        0.5 * (value_now + value_before) + own.threat.value[position.threats().mask(side)]
    }

    /// Adds the gradient of the value. Returns the Kullback-Leibler divergence: the cross-entropy
    /// minus the target's entropy.
    fn learn_value(&mut self, position: &Position, before: &Codes, target: f64) -> f64 {
        let side = position.side_to_move();
        let rule = position.board().variant().rule();
        let (own, other) = (section(rule, side), section(rule, side.opponent()));
        let mask = position.threats().mask(side);
        let now = Codes::of(position);
        let [us, them] = [side.index(), side.opponent().index()];
        let predicted = 1.0 / (1.0 + (-self.logit(position, &now, before)).exp());
        let error = predicted - target;
        self.sections[own].threat.gradient[mask] += error;
        let spread = |numbers: &mut CodeNumbers, codes: &[u16], error: f64| {
            codes.iter().for_each(|&c| numbers.gradient[usize::from(c)] += error);
        };
        let sections = &mut self.sections;
        spread(&mut sections[own].to_move, &now.0[us], 0.5 * error);
        spread(&mut sections[other].waiting, &now.0[them], -0.5 * error);
        spread(&mut sections[own].waiting, &before.0[us], 0.5 * error);
        spread(&mut sections[other].to_move, &before.0[them], -0.5 * error);
        let log = |p: f64| p.max(1e-12).ln();
        target * (log(target) - log(predicted))
            + (1.0 - target) * (log(1.0 - target) - log(1.0 - predicted))
    }

    fn learn_order(&mut self, position: &Position, best: Point, loss: &mut Loss) {
        let side = position.side_to_move();
        let section = section(position.board().variant().rule(), side);
        let threats = position.threats();
        let points: Vec<Point> = search::candidates(position)
            .iter()
            .filter(|&p| position.board().is_empty(p) && position.is_legal(p))
            .collect();
        if points.len() < 2 || !points.contains(&best) {
            return;
        }
        let codes = |p: &Point| {
            (usize::from(threats.code(*p, side)), usize::from(threats.code(*p, side.opponent())))
        };
        let numbers = &mut self.sections[section];
        let logits: Vec<f64> = points
            .iter()
            .map(codes)
            .map(|(own, other)| numbers.own_move.total[own] + numbers.other_move.total[other])
            .collect();
        let highest = logits.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logits.iter().map(|l| (l - highest).exp()).sum();
        for (p, logit) in points.iter().zip(&logits) {
            let probability = (logit - highest).exp() / sum;
            let error = probability - f64::from(u8::from(*p == best));
            let (own, other) = codes(p);
            numbers.own_move.gradient[own] += error;
            numbers.other_move.gradient[other] += error;
            if *p == best {
                loss.order -= probability.max(1e-12).ln();
                loss.hits += f64::from(u8::from(*logit >= highest));
            }
        }
        loss.choices += 1.0;
    }

    /// Makes a step with the gradient collected since the last one.
    fn step(&mut self) {
        if self.seen == 0.0 {
            return;
        }
        self.time += 1;
        let scale = 1.0 / self.seen;
        let rates = [self.value_rate, self.value_rate, self.rate, self.rate];
        for section in &mut self.sections {
            for (table, shared) in section.tables().into_iter().zip(&mut self.shared) {
                table.distribute_gradient(shared, scale);
            }
        }
        let shared = Decay { shapes: 0.0, pairs: self.decay / 4.0, own: self.decay };
        for (parts, rate) in self.shared.iter_mut().zip(rates) {
            parts.step(rate, shared, self.time);
        }
        let own = Decay { shapes: self.decay / 4.0, pairs: self.decay, own: 4.0 * self.decay };
        for section in &mut self.sections {
            for ((table, shared), rate) in section.tables().into_iter().zip(&self.shared).zip(rates)
            {
                table.step(shared, rate, own, self.time);
            }
            section.threat.gradient.iter_mut().for_each(|g| *g *= scale);
            // The rate is higher, because a position has only one mask.
            section.threat.step(10.0 * self.value_rate, self.decay, self.time);
        }
        self.seen = 0.0;
    }

    fn clear_gradient(&mut self) {
        for section in &mut self.sections {
            section.tables().into_iter().for_each(|table| table.gradient.fill(0.0));
            section.threat.gradient.fill(0.0);
        }
        self.seen = 0.0;
    }

    /// Returns the numbers in the units of `weights.bin`.
    fn export(&self) -> Vec<RuleWeights> {
        let integers = |numbers: &[f64], scale: f64| -> Vec<i16> {
            let clamp = |x: f64| (x * scale).round().clamp(-32000.0, 32000.0) as i16;
            numbers.iter().map(|&x| clamp(x)).collect()
        };
        let value = UNITS * f64::from(VALUE_SCALE);
        let order = f64::from(ORDER_SCALE);
        self.sections
            .iter()
            .map(|s| RuleWeights {
                to_move: integers(&s.to_move.total, value),
                waiting: integers(&s.waiting.total, value),
                own_move: integers(&s.own_move.total, order),
                other_move: integers(&s.other_move.total, order),
                threat: integers(&s.threat.value, value),
            })
            .collect()
    }
}

/// The codes of all empty points, by colour.
#[derive(Default)]
struct Codes([Vec<u16>; 2]);

impl Codes {
    fn of(position: &Position) -> Codes {
        let of_side = |side| {
            position.board().empty_points().map(|p| position.threats().code(p, side)).collect()
        };
        Codes(Side::BOTH.map(of_side))
    }
}

/// Returns the target before each move, from 0 to 1 for the side to move: the score of the search,
/// mixed with the next target with weight `lambda` (Sutton's TD(lambda)). Before a random move only
/// the score counts.
fn targets(game: &SelfPlayGame, lambda: f64) -> Vec<f64> {
    let last_mover = Side::to_move_after(game.opening.len() + game.moves.len()).opponent();
    let mut after = match game.winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == last_mover)),
    };
    let mut targets: Vec<f64> = game
        .moves
        .iter()
        .rev()
        .map(|m| {
            let expected = f64::from(m.score.win_rate_permille()) / 1000.0;
            let lambda = if m.is_random() { 0.0 } else { lambda };
            let target = lambda * after + (1.0 - lambda) * expected;
            after = 1.0 - target;
            target
        })
        .collect();
    targets.reverse();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::SearchedMove;
    use kakugo::board::{Board, Rule};

    #[test]
    fn the_model_equals_the_engines_evaluation() {
        let value = UNITS * f64::from(VALUE_SCALE);
        let units = |numbers: &[i16]| numbers.iter().map(|&n| f64::from(n) / value).collect();
        let mut model = Model::new();
        for (section, embedded) in model.sections.iter_mut().zip(RuleWeights::embedded()) {
            section.to_move.total = units(&embedded.to_move);
            section.waiting.total = units(&embedded.waiting);
            section.threat.value = units(&embedded.threat);
        }
        for rule in [Rule::Freestyle, Rule::Renju] {
            let board = Board::new(15, 15, Variant::five(rule)).unwrap();
            let mut position = Position::new(&board);
            for (x, y) in [(7, 7), (8, 6), (6, 8), (8, 8), (7, 5), (6, 6), (8, 7), (5, 9)] {
                let before = Codes::of(&position);
                position.push(Point::new(x, y).unwrap());
                let model = UNITS * model.logit(&position, &Codes::of(&position), &before);
                let engine = kakugo::eval::Evaluator::classical(&position).evaluate(&position);
                let engine = f64::from(engine.value());
                assert!((model - engine).abs() < 1.5, "{rule:?} {x},{y}: {model} {engine}");
            }
        }
    }

    fn searched(point: Point, score: Score) -> SearchedMove {
        SearchedMove { point, choice: point, score, shares: Vec::new() }
    }

    fn game(opening: Vec<Point>, moves: Vec<SearchedMove>) -> SelfPlayGame {
        let (variant, winner) = (Variant::FREESTYLE, Some(Side::White));
        SelfPlayGame { number: 0, variant, width: 9, height: 7, winner, opening, moves }
    }

    #[test]
    fn games_of_one_opening_are_on_one_side() {
        let points: Vec<(u8, u8)> = (0..9).flat_map(|x| (0..7).map(move |y| (x, y))).collect();
        let pairs = points.iter().flat_map(|one| points.iter().map(move |other| [*one, *other]));
        let pairs: Vec<_> = pairs.filter(|[one, other]| one != other).collect();
        let is_out = |pair: &[(u8, u8)]| {
            let opening = pair.iter().map(|&(x, y)| Point::new(x, y).unwrap()).collect();
            is_held_out(&game(opening, Vec::new()))
        };
        for pair in &pairs {
            assert_eq!(is_out(pair), is_out(&pair.map(|(x, y)| (8 - x, y))));
        }
        let held_out = pairs.iter().filter(|pair| is_out(&pair[..])).count();
        assert!((100..300).contains(&held_out), "{held_out} of {}", pairs.len());
    }

    #[test]
    fn targets_ignore_results_after_random_moves() {
        let p = |x| Point::new(x, 0).unwrap();
        let stray = SearchedMove { choice: p(5), ..searched(p(1), Score::win_in(3)) };
        let (lost, even) = (Score::loss_in(4), Score::ZERO);
        let moves = vec![searched(p(0), even), stray, searched(p(2), lost), searched(p(3), even)];
        let game = game(Vec::new(), moves);
        assert_eq!(targets(&game, 0.0), [0.5, 1.0, 0.0, 0.5]);
        assert_eq!(targets(&game, 1.0), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(targets(&game, 0.5), [0.25, 1.0, 0.125, 0.75]);
        let drawn = SelfPlayGame { winner: None, ..game };
        assert_eq!(targets(&drawn, 1.0), [0.0, 1.0, 0.5, 0.5]);
    }

    #[test]
    fn learning_moves_the_value_towards_the_result() {
        let stones = [(3, 2), (3, 3), (4, 2), (4, 4), (5, 2)];
        let [opening @ .., last] = stones.map(|(x, y)| Point::new(x, y).unwrap());
        let game = SelfPlayGame {
            winner: Some(Side::Black),
            ..game(opening.to_vec(), vec![searched(last, Score::from_eval(400))])
        };
        let mut model = Model::new();
        (model.rate, model.value_rate) = (0.01, 0.01);
        let before = model.learn(&game, 1.0);
        model.step();
        let after = (0..50).map(|_| {
            let loss = model.learn(&game, 1.0);
            model.step();
            loss
        });
        let after = after.last().unwrap();
        assert_eq!(before.positions, 1.0);
        assert!(after.value < before.value / 2.0);
        assert!(after.order < before.order / 2.0);
        let exported = model.export();
        assert!(exported[0].to_move.iter().any(|&n| n > 0));
        // Other rules learn only the shared parts.
        let max = |section: &RuleWeights| section.to_move.iter().copied().max().unwrap_or(0);
        assert!(0 < max(&exported[1]) && max(&exported[1]) < max(&exported[0]));
        assert!(exported[1].threat.iter().all(|&n| n == 0));
    }
}
