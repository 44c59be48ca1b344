//! What is kept of a room's game, and the right to write it.

use std::time::Instant;

use crate::kept::claim::Claim;

/// What is kept of a room's game.
#[derive(Debug)]
pub struct Keeping {
    /// The game's name, and the right to write it; `None` as long as nothing is worth keeping.
    pub name: Option<(String, Claim)>,
    /// Whether the game was begun as a game, not opened as a record.
    pub begun: bool,
    /// Whether it has changed since it was written.
    pub dirty: bool,
    /// When it was last written.
    pub written: Option<Instant>,
}

impl Keeping {
    /// The game has changed.
    pub fn changed(&mut self) {
        self.dirty = true;
    }

    /// Nothing is kept yet of a game that begins now, or of a record.
    pub fn new(begun: bool) -> Keeping {
        Keeping { name: None, begun, dirty: false, written: None }
    }
}
