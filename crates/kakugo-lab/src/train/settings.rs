//! What determines the numbers that a run ends with, besides its games.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What determines the numbers that a run ends with, besides its games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Samples to learn for each section; a position counts as often as it comes.
    pub(super) samples: u64,
    /// Samples per step, about.
    pub(super) batch: usize,
    /// Highest rate of Adam.
    pub(super) rate: f32,
    /// Weight of the search's score in the target; the rest is the game's result, or what the
    /// search expected before the next stray.
    pub(super) share: f32,
    /// How much the numbers of single codes shrink at each step: by this times the rate; those of lines less.
    pub(super) decay: f32,
    /// Whether to learn from positions that the search has solved.
    pub(super) solved: bool,
    /// Seed of all draws.
    pub(super) seed: u64,
    /// Checksum of the network that it begins with, if it does not begin at random.
    pub(super) from: Option<u32>,
}

/// As on the command line.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { samples, batch, rate, share, decay, solved, seed, from } = self;
        write!(
            f,
            "--samples {samples} --batch {batch} --rate {rate} --share {share} --decay {decay} \
             --seed {seed}"
        )?;
        f.write_str(if *solved { "" } else { " --unsolved" })?;
        match from {
            Some(checksum) => write!(f, " --from a network of checksum {checksum:08x}"),
            None => Ok(()),
        }
    }
}
