//! Random numbers for weak moves and openings, without a random source of the operating system.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::rngs::SmallRng;

/// What the host has added to the seeds.
static ADDED: AtomicU64 = AtomicU64::new(0);

/// Returns a generator with a new seed. Good enough for games, useless for secrets.
pub fn rng() -> SmallRng {
    // The standard library seeds its hash maps at random, differently each time.
    SmallRng::seed_from_u64(RandomState::new().hash_one(ADDED.load(Ordering::Relaxed)))
}

/// Makes all later seeds depend on `number`, too. In a browser the standard library's hash maps
/// have the same seeds after every start.
pub fn add_to_seeds(number: u64) {
    ADDED.fetch_xor(number, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    #[test]
    fn seeds_differ() {
        let numbers = [(); 3].map(|()| rng().random::<u64>());
        assert!(numbers[0] != numbers[1] && numbers[1] != numbers[2], "{numbers:?}");
    }
}
