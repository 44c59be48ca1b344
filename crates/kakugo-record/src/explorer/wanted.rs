//! Finding one position in games.

use std::cell::RefCell;

use super::keys::{Key, Keys};
use super::ruleset::Ruleset;
use super::walk::{Counter, walk_tree};
use crate::game_tree::GameTree;
use crate::setup::Cells;
use crate::{Game, GameResult};

/// A position to find in games of any rule, in all symmetries.
#[derive(Clone, Debug)]
pub struct WantedPosition {
    /// A game that ends with the position.
    game: Game,
    /// Keys for the rulesets of games so far.
    keys: RefCell<Vec<(Ruleset, Key)>>,
}

impl WantedPosition {
    /// Creates the final position of a game.
    pub fn new(game: Game) -> WantedPosition {
        WantedPosition { game, keys: RefCell::default() }
    }

    /// Returns true if one of the lines of a game has the position, on a board of the same size.
    pub fn is_in(&self, tree: &GameTree) -> bool {
        let Game { width, height, variant, .. } = tree.game;
        let ruleset = Ruleset::new(width, height, variant);
        if Ruleset::new(self.game.width, self.game.height, variant) != ruleset {
            return false;
        }
        let mut finder = Finder { wanted: self.key(ruleset), is_found: false };
        walk_tree(&mut finder, tree);
        finder.is_found
    }

    fn key(&self, ruleset: Ruleset) -> Key {
        let mut keys = self.keys.borrow_mut();
        if let Some((_, key)) = keys.iter().find(|(known, _)| *known == ruleset) {
            return *key;
        }
        let mut cells = Cells::new(&self.game.start);
        for (played, side) in self.game.moves.iter().zip(self.game.sides()) {
            cells.side = side;
            cells.play(played.point);
        }
        let all = Keys::of(self.game.width, self.game.height, ruleset.variant, &cells);
        let key = all.minimum(cells.side);
        keys.push((ruleset, key));
        key
    }
}

/// Compares the positions of a game with a key.
struct Finder {
    wanted: Key,
    is_found: bool,
}

impl Counter for Finder {
    fn count(&mut self, key: Key, _lines: u32, _result: Option<GameResult>) {
        self.is_found |= key == self.wanted;
    }

    fn count_lines(&mut self, _ruleset: Ruleset, _lines: u64) {}
}
