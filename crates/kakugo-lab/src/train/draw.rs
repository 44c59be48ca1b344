//! What is drawn at random, so that no two draws of a run are alike.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What is drawn.
#[derive(Clone, Copy)]
pub(super) enum Draw {
    /// What a section begins with.
    Numbers,
    /// The order of the games in this pass.
    Pass(u32),
    /// The order of the samples in this block.
    Block(u32),
    /// Which positions of this block are samples.
    Thinning(u32),
}

/// The source of a draw for a section.
pub(super) fn rng(seed: u64, section: usize, draw: Draw) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (kind, number) = match draw {
        Draw::Numbers => (0, 0),
        Draw::Pass(number) => (1, number),
        Draw::Block(number) => (2, number),
        Draw::Thinning(number) => (3, number),
    };
    rng.set_stream((section as u64) << 40 | kind << 32 | u64::from(number));
    rng
}
