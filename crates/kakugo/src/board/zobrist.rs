//! Random keys for hashing positions, fixed at compile time.
//!
//! A position's key is the XOR of one key for the game (rule, win length, board size), one per
//! stone (colour and point), one per wall, and one when White is to move. Zobrist, "A New Hashing
//! Method with Application for Game Playing", 1970.

use super::point::{POINTS, Point};
use super::rule::{Side, Variant};

struct Keys {
    stones: [[u64; POINTS]; 2],
    walls: [u64; POINTS],
    white_to_move: u64,
}

/// SplitMix64 (Steele, Lea, Flood 2014): the next state and its output.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

const fn generate() -> Keys {
    let mut keys = Keys { stones: [[0; POINTS]; 2], walls: [0; POINTS], white_to_move: 0 };
    let mut state = 0x4B61_6B75_676F; // "Kakugo"
    let mut i = 0;
    while i < POINTS {
        (state, keys.stones[0][i]) = split_mix(state);
        (state, keys.stones[1][i]) = split_mix(state);
        (state, keys.walls[i]) = split_mix(state);
        i += 1;
    }
    (_, keys.white_to_move) = split_mix(state);
    keys
}

static KEYS: Keys = generate();

/// Returns the key of the empty board of a game. Equal stones have different keys under different
/// rules, win lengths or board sizes.
pub fn game(width: u8, height: u8, variant: Variant) -> u64 {
    let rule = variant.rule().number() as u8;
    let game = u32::from_le_bytes([width, height, rule, variant.win_length()]);
    let (state, _) = split_mix(u64::from(game));
    split_mix(state).1
}

/// Returns the key of a stone of `side` on `p`.
pub fn stone(side: Side, p: Point) -> u64 {
    KEYS.stones[side.index()][p.index()]
}

/// Returns the key of a wall on `p`.
pub fn wall(p: Point) -> u64 {
    KEYS.walls[p.index()]
}

/// Returns the key of White being to move.
pub fn white_to_move() -> u64 {
    KEYS.white_to_move
}
