//! What determines the games of a run: kept in the file's header, so that a run that goes on plays
//! as it began.

use std::fmt;
use std::str::FromStr;

use kakugo::board::{MAX_SIZE, Rule};

/// The smallest board that openings are made for.
const MIN_SIDE: u8 = 7;

/// The sides of square boards, from and to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The smallest.
    pub least: u8,
    /// The largest.
    pub most: u8,
}

impl Sizes {
    /// Sides from `least` to `most`; `None` if there is no such board, or games need a larger one.
    pub fn new(least: u8, most: u8) -> Option<Sizes> {
        let fits = MIN_SIDE <= least && least <= most && most <= MAX_SIZE;
        fits.then_some(Sizes { least, most })
    }
}

/// `15`, or `13-20` for all sizes from 13 to 20.
impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse().ok();
        let sizes = number(least).zip(number(most)).and_then(|(a, b)| Sizes::new(a, b));
        sizes.ok_or_else(|| format!("a size from {MIN_SIDE} to {MAX_SIZE}, or a range as 13-20"))
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            write!(f, "{}", self.least)
        } else {
            write!(f, "{}-{}", self.least, self.most)
        }
    }
}

/// What determines the games of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The rule of all games.
    pub rule: Rule,
    /// The boards; each game draws its own.
    pub sizes: Sizes,
    /// Nodes per move.
    pub nodes: u32,
    /// One of this many of a game's first moves is a stray; 0: none.
    pub stray: u16,
    /// Seed of the random choices.
    pub seed: u64,
}
