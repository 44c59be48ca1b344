//! The bench: fixed positions, fixed depths, one thread, and the sum of nodes as a signature.
//!
//! The signature must be the same on every machine and in every build; it changes exactly when the
//! search or the evaluation does. Speed is printed for orientation and is not part of it.

use std::time::Instant;

use anyhow::Context;

use crate::board::{Board, Point, Rule, Variant};
use crate::search::{Engine, Limits, Signals, Silent};

/// Size of the transposition table, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// A position of the bench: rule, win length, board, search depth, moves as `x,y` pairs.
struct Case {
    rule: Rule,
    win_length: u8,
    size: (u8, u8),
    depth: u32,
    moves: &'static str,
}

const fn five(rule: Rule, side: u8, depth: u32, moves: &'static str) -> Case {
    Case { rule, win_length: 5, size: (side, side), depth, moves }
}

/// Middle games of the engine against itself, and a few odd boards.
const CASES: [Case; 6] = [
    five(Rule::Freestyle, 15, 9, "7,7 8,8 7,9 8,6 6,8 9,7"),
    five(Rule::Freestyle, 20, 9, "10,10 11,11 10,12 11,9 9,11 12,10 8,8"),
    five(Rule::Standard, 15, 9, "7,7 6,8 8,6 5,5 9,9 6,6 10,7"),
    five(Rule::Renju, 15, 9, "7,7 7,6 9,5 8,8 6,8 5,9 9,7"),
    five(Rule::Caro, 15, 9, "7,7 8,7 8,6 6,8 9,8 7,5"),
    Case { rule: Rule::Freestyle, win_length: 4, size: (9, 7), depth: 8, moves: "4,3 3,3 0,0" },
];

/// Run `bench`: a line per position, the speed, and last the signature, on stdout.
pub fn run() -> anyhow::Result<()> {
    let start = Instant::now();
    let nodes = signature(|line| println!("{line}"))?;
    println!("{:.0} nodes/s\n{nodes}", nodes as f64 / start.elapsed().as_secs_f64());
    Ok(())
}

/// The nodes of all positions together; `show` gets a line for each.
pub fn signature(mut show: impl FnMut(&str)) -> anyhow::Result<u64> {
    let mut nodes = 0;
    for case in &CASES {
        let variant = Variant::new(case.rule, case.win_length)?;
        let (width, height) = case.size;
        let mut board = Board::new(width, height, variant)?;
        for word in case.moves.split_whitespace() {
            board.play(point(word).with_context(|| format!("bench move {word}"))?)?;
        }
        let limits = Limits { max_depth: Some(case.depth), ..Limits::default() };
        let mut engine = Engine::new(HASH_BYTES);
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        nodes += answer.nodes;
        let best = answer.best.map_or("none".to_owned(), |p| p.to_string());
        show(&format!(
            "{variant}, {width}x{height}, {} stones, depth {}: {best} score {} nodes {}",
            board.ply(),
            case.depth,
            answer.score,
            answer.nodes
        ));
    }
    Ok(nodes)
}

fn point(word: &str) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    Point::new(x.parse().ok()?, y.parse().ok()?)
}
