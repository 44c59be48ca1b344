//! Settings that determine the games of a run. They are stored in the file's header, so that a
//! resumed run uses the same ones.

use std::fmt;
use std::str::FromStr;

use kakugo::board::{MAX_SIZE, Rule};

/// Minimum board size for openings.
const MIN_SIZE: u8 = 7;

/// A range of sizes of square boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The minimum size.
    pub min: u8,
    /// The maximum size.
    pub max: u8,
}

impl Sizes {
    /// Returns the sizes from `min` to `max`, or `None` if self-play does not support them.
    pub fn new(min: u8, max: u8) -> Option<Sizes> {
        let is_supported = MIN_SIZE <= min && min <= max && max <= MAX_SIZE;
        is_supported.then_some(Sizes { min, max })
    }
}

/// Parses `15`, or `13-20` for all sizes from 13 to 20.
impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let (min, max) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse().ok();
        let sizes = number(min).zip(number(max)).and_then(|(min, max)| Sizes::new(min, max));
        sizes.ok_or_else(|| {
            format!("expected a size from {MIN_SIZE} to {MAX_SIZE}, or a range such as 13-20")
        })
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{}-{}", self.min, self.max)
        }
    }
}

/// Settings that determine the games of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The rule of all games.
    pub rule: Rule,
    /// Board sizes, drawn for each game.
    pub sizes: Sizes,
    /// Nodes per move.
    pub nodes: u32,
    /// One in this many opening moves is random; 0: none.
    pub stray: u16,
    /// Random seed.
    pub seed: u64,
}
