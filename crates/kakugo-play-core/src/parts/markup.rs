//! Changes of symbols, marks and arrows, which can be taken back.

use crate::game::annotations::Annotations;
use crate::game::live::LiveGame;

/// The largest number of changes that can be taken back.
const MAX_CHANGES: usize = 200;

/// The annotations of the game before the latest changes.
#[derive(Default)]
pub struct Markup {
    before: Vec<Annotations>,
}

impl Markup {
    /// A change was made: `before` is what the annotations were.
    pub fn changed(&mut self, before: Annotations) {
        if self.before.len() >= MAX_CHANGES {
            self.before.remove(0);
        }
        self.before.push(before);
    }

    /// Returns true if there is a change that can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Takes back the latest change of a move that still exists. Returns false if there is none.
    pub fn undo(&mut self, game: &mut LiveGame) -> bool {
        while let Some(before) = self.before.pop() {
            if game.restore_annotations(before) {
                return true;
            }
        }
        false
    }
}
