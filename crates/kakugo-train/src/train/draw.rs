//! Independent random streams for all purposes of a run.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The purpose of a random stream.
#[derive(Clone, Copy)]
pub(super) enum Draw {
    /// Initial weights of a section.
    Weights,
    /// Order of the games in this pass.
    Pass(u32),
    /// Order of the samples in this block.
    Block(u32),
    /// Selection of the samples of this block.
    Thinning(u32),
}

/// Returns the random stream of a section for a purpose.
pub(super) fn rng(seed: u64, section: usize, draw: Draw) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (kind, number) = match draw {
        Draw::Weights => (0, 0),
        Draw::Pass(number) => (1, number),
        Draw::Block(number) => (2, number),
        Draw::Thinning(number) => (3, number),
    };
    rng.set_stream((section as u64) << 40 | kind << 32 | u64::from(number));
    rng
}
