//! Reproducible random numbers.

use rand::SeedableRng;
use rand::rngs::StdRng;

/// Returns a generator with a new seed, or with the one in `KAKUGO_SEED`. Prints the seed, which
/// the test harness shows if the test fails.
pub fn generator() -> StdRng {
    let wanted = std::env::var("KAKUGO_SEED").ok().and_then(|text| text.parse().ok());
    let seed: u64 = wanted.unwrap_or_else(rand::random);
    println!("KAKUGO_SEED={seed}");
    StdRng::seed_from_u64(seed)
}
