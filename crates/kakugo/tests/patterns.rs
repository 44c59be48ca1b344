//! Incremental shapes and evaluations against slow twins that compute them from scratch.

use kakugo::board::{Board, Direction, Point, Rule, Side, Stone, Variant};
use kakugo::eval::Evaluator;
use kakugo::eval::weights::{RuleWeights, VALUE_SCALE, section};
use kakugo::pattern::set::PointSet;
use kakugo::pattern::threat::ThreatMap;
use kakugo::position::Position;
use kakugo::score::Score;
use rand::{Rng, SeedableRng, rngs::StdRng};

fn variants() -> Vec<Variant> {
    let lengths = |rule| (3..=6).filter_map(move |n| Variant::new(rule, n).ok());
    Rule::ALL.into_iter().flat_map(lengths).collect()
}

/// Board sizes, one per variant: the largest, the narrowest in both directions, and lines that end
/// anywhere in a word of bits.
const SHAPES: [(u8, u8); 6] = [(32, 32), (32, 3), (3, 32), (19, 12), (31, 17), (12, 25)];

/// Number of stones placed and undone in a game.
const STEPS: usize = 40;

fn assert_same(position: &Position, context: &str) {
    let board = position.board();
    let (fast, slow) = (position.threats(), ThreatMap::new(board));
    for p in board.empty_points() {
        assert_eq!(fast.lines(p), slow.lines(p), "{context}: lines at {p}\n{board}");
        for side in Side::BOTH {
            assert_eq!(
                fast.shapes(p, side),
                slow.shapes(p, side),
                "{context}: shapes of {side} at {p}\n{board}"
            );
            assert_eq!(fast.at(p, side), slow.at(p, side), "{context}");
            assert_eq!(fast.code(p, side), slow.code(p, side), "{context}");
        }
    }
    for side in Side::BOTH {
        assert_eq!(fast.fours(side), slow.fours(side), "{context}");
        assert_eq!(fast.threes(side), slow.threes(side), "{context}");
        for threat in kakugo::pattern::Threat::ALL {
            let (f, s) = (fast.count(side, threat), slow.count(side, threat));
            assert_eq!(f, s, "{context}: {side} {threat:?}");
        }
    }
    // Within distance 2, and up to distance 4 along lines.
    let is_near = |p: &Point| {
        board.stones().any(|Stone { point, .. }| {
            let (dx, dy) = (p.x().abs_diff(point.x()), p.y().abs_diff(point.y()));
            let is_on_line = dx == 0 || dy == 0 || dx == dy;
            dx.max(dy) <= if is_on_line { 4 } else { 2 }
        })
    };
    let near: PointSet = board.empty_points().filter(is_near).collect();
    assert_eq!(position.near(), near, "{context}\n{board}");
    let anew = Position::new(board);
    for p in board.empty_points() {
        assert_eq!(position.threats().codes(p), anew.threats().codes(p), "{context}");
    }
}

/// Returns the evaluation by its definition: the sum over all free points, now and before the last
/// stone.
fn slow_value(board: &Board, sections: &[RuleWeights]) -> Score {
    let rule = board.variant().rule();
    let side = board.side_to_move();
    let numbers = |side: Side| &sections[section(rule, side)];
    let sum = |board: &Board, of: Side, table: fn(&RuleWeights) -> &[i16]| -> i32 {
        let threats = ThreatMap::new(board);
        let worth = |p| i32::from(table(numbers(of))[usize::from(threats.code(p, of))]);
        board.empty_points().map(worth).sum()
    };
    let [to_move, waiting]: [fn(&RuleWeights) -> &[i16]; 2] = [|n| &n.to_move, |n| &n.waiting];
    let mut before = board.clone();
    before.undo();
    let now = sum(board, side, to_move) - sum(board, side.opponent(), waiting);
    // Before the last stone, the side to move was the other one.
    let earlier = sum(&before, side, waiting) - sum(&before, side.opponent(), to_move);
    let threat = i32::from(numbers(side).threat[ThreatMap::new(board).mask(side)]);
    Score::from_eval(((now + earlier) / 2 + threat) / VALUE_SCALE)
}

#[test]
fn values_follow_the_moves_whenever_they_are_asked_for() {
    let mut rng = StdRng::seed_from_u64(26);
    let sections = RuleWeights::embedded();
    for variant in variants() {
        for (game, size) in [9, 15, 20, 32].into_iter().enumerate() {
            let mut board = Board::new(size, size, variant).unwrap();
            for _ in 0..rng.random_range(0..20) {
                let p = Point::new(rng.random_range(0..size), rng.random_range(0..size)).unwrap();
                let _ = board.play(p);
            }
            let mut position = Position::new(&board);
            let mut evaluator = Evaluator::classical(&position);
            let mut pushed = 0;
            for step in 0..120 {
                if pushed > 0 && rng.random_bool(0.45) {
                    let back = rng.random_range(1..=pushed.min(4));
                    (0..back).for_each(|_| position.pop());
                    pushed -= back;
                } else {
                    let nth = rng.random_range(0..40);
                    let Some(p) = position.board().empty_points().nth(nth) else { continue };
                    position.push(p);
                    pushed += 1;
                }
                // Often several moves pass between two evaluations.
                if rng.random_bool(0.4) {
                    let slow = slow_value(position.board(), &sections);
                    let context = format!("{variant}, game {game}, step {step}");
                    assert_eq!(evaluator.evaluate(&position), slow, "{context}");
                    let anew = Evaluator::classical(&position).evaluate(&position);
                    assert_eq!(anew, slow, "{context}");
                }
            }
        }
    }
}

#[test]
fn incremental_shapes_equal_shapes_from_scratch() {
    let seed = 20_26;
    let mut rng = StdRng::seed_from_u64(seed);
    for variant in variants() {
        for game in 0..14 {
            let drawn = (rng.random_range(3..=32), rng.random_range(3..=32));
            let (w, h) = SHAPES.get(game).copied().unwrap_or(drawn);
            let mut board = Board::new(w, h, variant).unwrap();
            for _ in 0..rng.random_range(0..4) {
                let p = Point::new(rng.random_range(0..w), rng.random_range(0..h)).unwrap();
                let _ = board.block(p);
            }
            let mut fast = Position::new(&board);
            for step in 0..STEPS {
                let context = format!("seed {seed}, {variant}, game {game}, step {step}");
                if rng.random_bool(0.25) && fast.board().ply() > 0 {
                    for _ in 0..rng.random_range(1..=fast.board().ply()) {
                        fast.pop();
                    }
                }
                let free: Vec<Point> = fast.board().empty_points().collect();
                if free.is_empty() {
                    break;
                }
                fast.push(free[rng.random_range(0..free.len())]);
                assert_same(&fast, &context);
            }
        }
    }
}

#[test]
fn threat_five_is_exactly_what_the_rules_call_five() {
    let mut rng = StdRng::seed_from_u64(7);
    for variant in variants() {
        let mut fives = 0;
        for _ in 0..150 {
            let mut board = Board::new(9, 9, variant).unwrap();
            for _ in 0..rng.random_range(10..60) {
                let p = Point::new(rng.random_range(0..9), rng.random_range(0..9)).unwrap();
                let side = Side::BOTH[rng.random_range(0..2)];
                let _ = board.place(p, side);
            }
            let position = Position::new(&board);
            for p in board.empty_points() {
                for side in Side::BOTH {
                    let five = position.threats().at(p, side) == kakugo::pattern::Threat::Five;
                    assert_eq!(five, board.makes_five(p, side), "{variant} {p} {side}\n{board}");
                    fives += usize::from(five);
                }
            }
        }
        assert!(fives >= 10, "{variant}: only {fives} fives seen");
    }
}

/// The shapes must mark every forbidden point, because the search checks only marked points against
/// the rules.
#[test]
fn forbidden_points_are_never_missed_by_threats() {
    let mut rng = StdRng::seed_from_u64(11);
    let mut fouls = 0;
    for _ in 0..600 {
        let mut board = Board::new(11, 11, Variant::RENJU).unwrap();
        for _ in 0..rng.random_range(15..45) {
            let p = Point::new(rng.random_range(1..10), rng.random_range(1..10)).unwrap();
            let side = if rng.random_bool(0.7) { Side::Black } else { Side::White };
            let _ = board.place(p, side);
        }
        let position = Position::new(&board);
        for p in board.empty_points() {
            if board.foul(p, Side::Black).is_some() {
                fouls += 1;
                let threat = position.threats().at(p, Side::Black);
                assert_eq!(threat, kakugo::pattern::Threat::Forbidden, "{p}\n{board}");
            }
        }
    }
    assert!(fouls > 200, "only {fouls} fouls seen");
}

#[test]
fn shapes_are_what_their_diagrams_say() {
    use kakugo::pattern::Shape::{self, *};
    let shape = |variant, row: &str| -> Shape {
        let blank = ". ".repeat(row.split_whitespace().count());
        let drawing = format!("{blank}\n{row}\n{blank}");
        let (board, marks) = kakugo::board!(variant, &drawing);
        Position::new(&board).threats().shape(marks[0], Side::Black, Direction::Horizontal)
    };
    for (variant, row, expected) in [
        (Variant::FREESTYLE, ". . . X X X X * . . .", Five),
        (Variant::FREESTYLE, ". . X X X * X X . . .", Five),
        (Variant::STANDARD, ". . X X X * X X . . .", Overline),
        (Variant::FREESTYLE, ". . O X X * X . . . .", Four),
        (Variant::FREESTYLE, ". . . X X * X . . . .", OpenFour),
        (Variant::STANDARD, ". X . X X * X . . . .", Four),
        (Variant::STANDARD, ". X . X * X . X . . .", DoubleFour),
        (Variant::FREESTYLE, ". . . X . X * . . . .", OpenThree),
        (Variant::FREESTYLE, ". . . . X X * . . . .", OpenThreeBest),
        (Variant::FREESTYLE, ". . O X X * . . . . .", Three),
        (Variant::FREESTYLE, ". . . . X * . . . . .", OpenTwoBest),
        (Variant::FREESTYLE, ". . O X * . . . . . .", Two),
        (Variant::FREESTYLE, ". O * . . . O . . . .", Dead),
        (Variant::CARO, ". O X X * X . O . . .", Dead),
        (Variant::CARO, ". O X X * X . . . . .", Four),
        (Variant::CARO, ". O . X * X X . O . .", Four),
    ] {
        assert_eq!(shape(variant, row), expected, "{variant}: {row}");
    }
}
