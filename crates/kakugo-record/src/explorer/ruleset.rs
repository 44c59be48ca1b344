//! Rulesets: games are compared only with games of the same board size and rule.

use kakugo::board::Variant;

/// Board size and rule of a game, regardless of orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruleset {
    /// Longer side of the board.
    pub long: u8,
    /// Shorter side of the board.
    pub short: u8,
    /// Rule and win length.
    pub variant: Variant,
}

impl Ruleset {
    /// Creates the ruleset for a board with these sides, in any order.
    pub fn new(width: u8, height: u8, variant: Variant) -> Ruleset {
        Ruleset { long: width.max(height), short: width.min(height), variant }
    }
}
