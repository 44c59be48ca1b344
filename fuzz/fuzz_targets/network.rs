//! Bytes as damage to the file of a network. What is taken in spite of it must be written as it was
//! read, and value positions as the definition does, whatever the instructions.

#![no_main]

use std::sync::{Arc, LazyLock};

use kakugo::board::{Board, Point, Rule, Variant};
use kakugo::checksum::crc32;
use kakugo::eval::Evaluator;
use kakugo::eval::kernel::Kernel;
use kakugo::eval::network::{Accumulator, Network, NetworkTables, random, reference};
use kakugo::position::Position;
use libfuzzer_sys::fuzz_target;

/// Files of networks, of one section and of two.
static FILES: LazyLock<[Vec<u8>; 2]> =
    LazyLock::new(|| [Rule::Freestyle, Rule::Renju].map(|rule| random(rule, 1).to_bytes()));

fuzz_target!(|bytes: &[u8]| {
    let [kind, changes, rest @ ..] = bytes else { return };
    if kind % 8 == 0 {
        // From scratch, with and without a checksum.
        let _ = Network::from_bytes(rest);
        let _ = Network::from_bytes(&[rest, &crc32(rest).to_le_bytes()].concat());
        return;
    }
    let mut file = FILES[usize::from(kind / 8 % 2)].clone();
    let (damage, moves) = rest.split_at(rest.len().min(5 * usize::from(changes % 64)));
    for change in damage.chunks_exact(5) {
        let [a, b, c, low, high] = change else { continue };
        let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize;
        // Small places are those of the header; the rest is counted from the end.
        let at = if at < 64 { at } else { file.len() - 2 - at % (file.len() - 66) };
        file[at] = *low;
        file[at + 1] = *high;
    }
    match kind % 8 {
        1 => file.truncate(file.len() - 1),
        2 => file.push(0),
        _ => {}
    }
    let end = file.len() - 4;
    let checksum = crc32(&file[..end]);
    file[end..].copy_from_slice(&checksum.to_le_bytes());
    let Ok(network) = Network::from_bytes(&file) else { return };
    assert_eq!(network.to_bytes(), file);
    let tables = Arc::new(NetworkTables::new(&network).expect("it was checked"));
    let size = moves.first().map_or(15, |size| 3 + size % 30);
    let board = Board::new(size, size, Variant::five(network.rule)).expect("a size of boards");
    let serves = tables.supports(&board);
    let mut position = Position::new(&board);
    let mut classical = Evaluator::classical(&position);
    let mut by_default = Evaluator::with_network(&position, Some(Arc::clone(&tables)));
    let mut all: Vec<Accumulator> = Kernel::available()
        .into_iter()
        .map(|kernel| Accumulator::with_kernel(Arc::clone(&tables), kernel))
        .collect();
    for step in moves.chunks_exact(2).take(60) {
        let p = Point::new(step[0] % size, step[1] % size);
        match p.filter(|&p| position.board().is_empty(p)) {
            Some(p) => position.push(p),
            None => continue,
        }
        let plain = classical.evaluate(&position);
        let wanted =
            reference::evaluate(network.section(position.side_to_move()), &position, plain);
        let mask = position.threats().mask(position.side_to_move());
        for values in &mut all {
            assert_eq!(values.evaluate(&position, mask, plain), wanted);
        }
        assert_eq!(by_default.evaluate(&position), if serves { wanted } else { plain });
    }
});
