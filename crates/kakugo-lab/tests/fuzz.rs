//! Compiles the fuzz targets in `fuzz/` and runs each of them on a few inputs, because `cargo fuzz`
//! needs a nightly toolchain. Not here: `page`, which needs `--cfg fuzzing`, and `protocol`.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

// The targets import their macro from the crate of the fuzzer.
extern crate self as libfuzzer_sys;

macro_rules! targets {
    ($($name:ident $path:literal),*) => {$(
        #[allow(unused_attributes, reason = "`no_main` belongs to a program")]
        #[path = $path]
        mod $name;
    )*};
}

targets! {
    board "../../../fuzz/fuzz_targets/board.rs",
    explore "../../../fuzz/fuzz_targets/explore.rs",
    games "../../../fuzz/fuzz_targets/games.rs",
    network "../../../fuzz/fuzz_targets/network.rs",
    records "../../../fuzz/fuzz_targets/records.rs"
}

/// Makes the body of a target a function.
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:block) => {
        pub fn run($bytes: &[u8]) $body
    };
}

/// Calls a target with random inputs of this length.
fn run_random(target: fn(&[u8]), count: u64, length: usize) {
    for seed in 0..count {
        let mut bytes = vec![0; length];
        ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
        target(&bytes);
    }
}

#[test]
fn targets_accept_random_bytes() {
    run_random(board::run, 20, 200);
    run_random(games::run, 100, 400);
    run_random(network::run, 4, 200);
    run_random(records::run, 200, 100);
    run_random(explore::run, 200, 100);
}

#[test]
fn targets_accept_games() {
    let texts = [
        "(;GM[4]SZ[15]RU[renju];B[hh]C[x];W[ii](;B[];W[jj])(;B[gg]LB[aa:1]))",
        "(;GM[4]SZ[15]AB[hh][ii]AW[aa];B[jj])(;GM[4]SZ[15];W[hh];W[ii])",
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,420\nA\nB\n-1\n",
        "A\nB\n9,9,0\n10,10,420\n0\n",
        "h8h9--i8\nh8i9 j10\n",
        "0,0, 1,1\n8,-3, 6,-4\n",
        "15 15 2 7 7 6 8",
        "...\n.XO\n...\nWhite to move\n",
        "<game><move>h8 h9</move></game>",
        "#p=15x15,renju,5,h8h9,b=a1,w=a2,t=white",
    ];
    // Every format, on a board of 15x15 under renju.
    for (format, text) in (0..16).flat_map(|format| texts.map(|text| (format, text))) {
        let bytes = [&[format, 12, 12, 2][..], text.as_bytes()].concat();
        records::run(&bytes);
        explore::run(&bytes);
    }
}
