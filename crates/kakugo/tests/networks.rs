//! Network evaluations: incremental against computed from scratch, and symmetric in the colours.

use std::collections::HashSet;
use std::sync::Arc;

use kakugo::board::{Board, Point, Rule, Variant};
use kakugo::eval::Evaluator;
use kakugo::eval::kernel::Kernel;
use kakugo::eval::network::{Accumulator, Network, NetworkTables, random, reference};
use kakugo::position::Position;
use rand::{Rng, SeedableRng, rngs::StdRng};

fn tables(network: &Network) -> Arc<NetworkTables> {
    Arc::new(NetworkTables::new(network).unwrap())
}

/// Returns a position with a few random stones.
fn opening(rng: &mut StdRng, rule: Rule, (width, height): (u8, u8)) -> Position {
    let mut board = Board::new(width, height, Variant::five(rule)).unwrap();
    for _ in 0..rng.random_range(0..12) {
        let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
        let _ = board.play(Point::new(x, y).unwrap());
    }
    Position::new(&board)
}

/// Returns a random free point, often near stones.
fn any_free(rng: &mut StdRng, position: &Position) -> Option<Point> {
    let near: Vec<Point> = position.near().iter().collect();
    let free: Vec<Point> = position.board().empty_points().collect();
    let points = if near.is_empty() || rng.random_bool(0.2) { free } else { near };
    (!points.is_empty()).then(|| points[rng.random_range(0..points.len())])
}

#[test]
fn values_follow_the_moves_whenever_they_are_asked_for() {
    let mut rng = StdRng::seed_from_u64(3);
    for rule in Rule::ALL {
        let network = random(rule, 5);
        let tables = tables(&network);
        for size in [(9, 9), (15, 15), (20, 20), (17, 11), (27, 27)] {
            let mut position = opening(&mut rng, rule, size);
            let by = |kernel| (kernel, Accumulator::with_kernel(tables.clone(), kernel));
            let mut every: Vec<_> = Kernel::available().into_iter().map(by).collect();
            let mut evaluator = Evaluator::with_network(&position, Some(tables.clone()));
            let mut classical = Evaluator::classical(&position);
            let mut pushed = 0;
            for step in 0..100 {
                if pushed > 0 && rng.random_bool(0.45) {
                    let back = rng.random_range(1..=pushed.min(5));
                    (0..back).for_each(|_| position.pop());
                    pushed -= back;
                } else if let Some(p) = any_free(&mut rng, &position) {
                    position.push(p);
                    pushed += 1;
                }
                if rng.random_bool(0.1) {
                    position.pass();
                }
                // Often several moves pass between two evaluations.
                if rng.random_bool(0.5) {
                    continue;
                }
                let context = format!("{rule}, {size:?}, step {step}");
                let side = position.side_to_move();
                let (mask, plain) = (position.threats().mask(side), classical.evaluate(&position));
                let expected = reference::evaluate(network.section(side), &position, plain);
                for (kernel, values) in &mut every {
                    assert_eq!(
                        values.evaluate(&position, mask, plain),
                        expected,
                        "{kernel}, {context}"
                    );
                }
                assert_eq!(evaluator.evaluate(&position), expected, "{context}");
            }
        }
    }
}

/// Returns the position with every stone moved by a symmetry, and with the colours exchanged if
/// `swapped`.
fn mapped(board: &Board, swapped: bool, map: impl Fn(Point) -> (u8, u8)) -> Position {
    let mut image = Board::new(board.width(), board.height(), board.variant()).unwrap();
    for stone in board.stones() {
        let (x, y) = map(stone.point);
        let side = if swapped { stone.side.opponent() } else { stone.side };
        image.place(Point::new(x, y).unwrap(), side).unwrap();
    }
    let turn = board.side_to_move();
    image.set_side_to_move(if swapped { turn.opponent() } else { turn });
    Position::new(&image)
}

#[test]
fn what_looks_the_same_is_worth_the_same() {
    let mut rng = StdRng::seed_from_u64(4);
    let mut values = HashSet::new();
    for rule in Rule::ALL {
        let tables = tables(&random(rule, 6));
        for _ in 0..30 {
            let mut position = opening(&mut rng, rule, (15, 15));
            for _ in 0..rng.random_range(0..10) {
                any_free(&mut rng, &position).into_iter().for_each(|p| position.push(p));
            }
            let value = |position: &Position| {
                Evaluator::with_network(position, Some(tables.clone())).evaluate(position)
            };
            let (expected, board) = (value(&position), position.board());
            values.insert(expected);
            assert_eq!(value(&mapped(board, false, |p| (p.y(), p.x()))), expected, "{board}");
            assert_eq!(value(&mapped(board, false, |p| (14 - p.x(), p.y()))), expected, "{board}");
            assert_eq!(value(&mapped(board, false, |p| (p.y(), 14 - p.x()))), expected, "{board}");
            if rule != Rule::Renju {
                let swapped = mapped(board, true, |p| (p.x(), p.y()));
                assert_eq!(value(&swapped), expected, "{board}");
            }
        }
    }
    assert!(values.len() > 100, "hardly any value differs from another");
}

#[test]
fn boards_that_no_network_serves_keep_the_classical_value() {
    let mut network = random(Rule::Freestyle, 7);
    (network.min_size, network.max_size) = (13, 20);
    let tables = tables(&network);
    let changes = |width, height, variant| {
        let mut board = Board::new(width, height, variant).unwrap();
        for (x, y) in [(4, 4), (5, 5), (4, 6), (6, 4)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let position = Position::new(&board);
        let value = |tables| Evaluator::with_network(&position, tables).evaluate(&position);
        value(Some(tables.clone())) != value(None)
    };
    assert!(changes(13, 13, Variant::FREESTYLE));
    assert!(changes(13, 20, Variant::FREESTYLE));
    assert!(!changes(12, 15, Variant::FREESTYLE));
    assert!(!changes(15, 21, Variant::FREESTYLE));
    assert!(!changes(15, 15, Variant::STANDARD));
    assert!(!changes(15, 15, Variant::new(Rule::Freestyle, 6).unwrap()));
}
