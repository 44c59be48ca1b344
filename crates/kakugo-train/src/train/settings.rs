//! Settings that determine the result of a run, besides its games.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Settings that determine the result of a run, besides its games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Number of samples per section. Repeated positions count each time.
    pub(super) samples: u64,
    /// Approximate number of samples per step.
    pub(super) batch: usize,
    /// Maximum learning rate.
    pub(super) rate: f32,
    /// Weight of the search's score in the target. The rest is the game's result, or the score
    /// before the next random move.
    pub(super) share: f32,
    /// Weight decay of single codes, relative to their learning rate. Lines use less.
    pub(super) decay: f32,
    /// True if positions that the search has solved are samples.
    pub(super) solved: bool,
    /// Random seed.
    pub(super) seed: u64,
    /// Checksum of the initial network, if there is one.
    pub(super) from: Option<u32>,
}

/// Formats the settings as options of the command line.
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
            Some(checksum) => write!(f, " --from NETWORK (checksum {checksum:08x})"),
            None => Ok(()),
        }
    }
}
