//! Speed of the rules: `cargo bench -p kakugo --features internals --bench board`.

use divan::{Bencher, black_box};
use kakugo::board::{Board, Point, Rule, Side, Variant};

fn main() {
    divan::main();
}

const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Renju, Rule::Caro];

/// Returns a middle game: forty stones around the centre, the same in every run.
fn middle_game(rule: Rule) -> Board {
    let mut board = Board::new(15, 15, Variant::five(rule)).expect("a board of 15x15");
    let mut state = 20_u32;
    while board.ply() < 40 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y) = ((state >> 16) % 9 + 3, (state >> 24) % 9 + 3);
        // If the point is occupied, the loop tries another one.
        let _ = Point::new(x as u8, y as u8).map(|p| board.play(p));
    }
    board
}

/// Plays and undoes a stone on every free point.
#[divan::bench(args = RULES)]
fn play_and_undo(bencher: Bencher, rule: Rule) {
    let mut board = middle_game(rule);
    let free: Vec<Point> = board.empty_points().collect();
    bencher.counter(free.len()).bench_local(|| {
        for &p in &free {
            let _ = board.play(black_box(p));
            board.undo();
        }
    });
}

/// Plays a stone, computes the outcome and undoes the stone, on every free point.
#[divan::bench(args = RULES)]
fn outcome(bencher: Bencher, rule: Rule) {
    let mut board = middle_game(rule);
    let free: Vec<Point> = board.empty_points().collect();
    bencher.counter(free.len()).bench_local(|| {
        for &p in &free {
            let _ = board.play(p);
            black_box(board.outcome());
            board.undo();
        }
    });
}

/// Tests on every free point whether Black makes five.
#[divan::bench(args = RULES)]
fn makes_five(bencher: Bencher, rule: Rule) {
    let board = middle_game(rule);
    let free: Vec<Point> = board.empty_points().collect();
    bencher.counter(free.len()).bench_local(|| {
        free.iter().filter(|&&p| board.makes_five(black_box(p), Side::Black)).count()
    });
}

/// Tests every free point for renju's forbidden moves.
#[divan::bench]
fn foul(bencher: Bencher) {
    let board = middle_game(Rule::Renju);
    let free: Vec<Point> = board.empty_points().collect();
    bencher
        .counter(free.len())
        .bench_local(|| free.iter().filter_map(|&p| board.foul(black_box(p), Side::Black)).count());
}
