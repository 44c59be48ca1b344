//! What games have in common whose openings are compared.

use kakugo::board::Variant;

/// Games of one size and rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The longer side of the board.
    pub long: u8,
    /// The shorter one.
    pub short: u8,
    /// The rule.
    pub variant: Variant,
}

impl Kind {
    /// The kind of games with these sides, in any order, and this rule.
    pub fn new(width: u8, height: u8, variant: Variant) -> Kind {
        Kind { long: width.max(height), short: width.min(height), variant }
    }
}
