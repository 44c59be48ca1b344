//! Random numbers for weak moves and openings, without a random source of the operating system.

use std::hash::{BuildHasher, RandomState};

use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Returns a generator with a new seed. Good enough for games, useless for secrets.
pub fn rng() -> SmallRng {
    // The standard library seeds its hash maps at random, differently each time.
    SmallRng::seed_from_u64(RandomState::new().hash_one(0u8))
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
