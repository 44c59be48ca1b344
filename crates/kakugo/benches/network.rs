//! Speed of the networks: `cargo bench -p kakugo --features internals --bench network`.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kakugo::board::{Board, Point, Rule, Variant};
use kakugo::eval::Evaluator;
use kakugo::eval::kernel::{CHANNELS, Kernel, LayerWeights, Layers, MaskRows, REGIONS, RegionSums};
use kakugo::eval::network::{Accumulator, Network, NetworkTables, random};
use kakugo::position::Position;

fn main() {
    divan::main();
}

/// Returns a kernel of the current CPU by number, slowest first; `None` if there are fewer.
fn kernel(number: usize) -> Option<Kernel> {
    Kernel::available().get(number).copied()
}

fn network() -> Network {
    random(Rule::Freestyle, 1)
}

fn tables() -> Arc<NetworkTables> {
    Arc::new(NetworkTables::new(&network()).expect("random numbers fit"))
}

/// Returns a middle game.
fn position() -> Position {
    let mut board = Board::new(15, 15, Variant::FREESTYLE).expect("a board of 15x15");
    for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7), (5, 5)] {
        board.play(Point::new(x, y).expect("a point of the board")).expect("a free point");
    }
    Position::new(&board)
}

/// Loads a network from bytes, as a process does before its first search.
#[divan::bench]
fn decode(bencher: Bencher) {
    let bytes = network().to_bytes();
    bencher.bench_local(|| NetworkTables::read(black_box(&bytes)));
}

/// Computes the accumulators of a position, as a search does at its root.
#[divan::bench]
fn first_value(bencher: Bencher) {
    let (position, tables) = (position(), tables());
    bencher.bench_local(|| {
        Evaluator::with_network(&position, Some(tables.clone())).evaluate(&position)
    });
}

/// Plays a move, evaluates and undoes it, with a network and without.
#[divan::bench(args = [true, false])]
fn value_after_a_move(bencher: Bencher, by_network: bool) {
    let mut position = position();
    let mut evaluator = Evaluator::with_network(&position, by_network.then(tables));
    let p = Point::new(8, 8).expect("a point of the board");
    bencher.bench_local(|| {
        position.push(p);
        let value = evaluator.evaluate(&position);
        position.pop();
        value
    });
}

/// The part of the network: the updates of one move and the layers, without push and pop.
#[divan::bench(args = [0, 1, 2])]
fn by_kernel(bencher: Bencher, number: usize) {
    let Some(kernel) = kernel(number) else { return };
    let mut position = position();
    let mut values = Accumulator::with_kernel(tables(), kernel);
    let p = Point::new(8, 8).expect("a point of the board");
    bencher.bench_local(|| {
        position.push(p);
        let value = values.evaluate(&position, 0, Default::default());
        position.pop();
        value
    });
}

/// The layers alone, with all regions out of date.
#[divan::bench(args = [0, 1, 2])]
fn layers_by_kernel(bencher: Bencher, number: usize) {
    let Some(kernel) = kernel(number) else { return };
    let network = network();
    let section = &network.sections[0];
    let layers = Layers {
        local: LayerWeights::new(&section.w0),
        local_bias: std::array::from_fn(|j| section.b0[j]),
        first: LayerWeights::new(&section.w1),
        masks: MaskRows::new(&section.b1, &section.m1),
        second: LayerWeights::new(&section.w2),
        second_bias: std::array::from_fn(|j| section.b2[j]),
        last: std::array::from_fn(|j| section.w3[j]),
    };
    let sums =
        RegionSums::new([std::array::from_fn::<u16, CHANNELS, _>(|c| 50 * c as u16); REGIONS]);
    bencher
        .with_inputs(|| sums.clone())
        .bench_local_refs(|sums| kernel.output(black_box(&layers), black_box(sums), 5));
}
