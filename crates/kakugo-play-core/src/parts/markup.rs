//! Changes of comments, symbols, marks and arrows, which can be taken back and made again.

use kakugo_record::tree::NodeId;

use crate::game::annotations::Annotations;
use crate::game::live::LiveGame;

/// The largest number of changes that can be taken back.
const MAX_CHANGES: usize = 200;

/// The largest size of the history, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The annotations of the game before the latest changes, and after those that were taken back.
#[derive(Default)]
pub struct Markup {
    before: Vec<Annotations>,
    after: Vec<Annotations>,
}

/// Restores the latest annotations of a stack if their move still exists, or else those below. What
/// they replace goes to the other stack. Returns the move.
fn restore(
    from: &mut Vec<Annotations>,
    to: &mut Vec<Annotations>,
    game: &mut LiveGame,
) -> Option<NodeId> {
    while let Some(restored) = from.pop() {
        if let Some(replaced) = game.restore_annotations(restored) {
            let node = replaced.node();
            to.push(replaced);
            return Some(node);
        }
    }
    None
}

impl Markup {
    /// A change of the game was made: `before` is what the annotations were.
    pub fn changed(&mut self, before: Annotations, game: &LiveGame) {
        if game.annotations(before.node()).as_ref() == Some(&before) {
            return;
        }
        self.after.clear();
        self.before.push(before);
        let size =
            |changes: &[Annotations]| -> usize { changes.iter().map(Annotations::bytes).sum() };
        while self.before.len() > MAX_CHANGES || size(&self.before) > MAX_BYTES {
            self.before.remove(0);
        }
    }

    /// Returns true if there is a change that can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Returns true if there is a change that can be made again.
    pub fn can_redo(&self) -> bool {
        !self.after.is_empty()
    }

    /// Takes back the latest change of a move that still exists, and returns the move.
    pub fn undo(&mut self, game: &mut LiveGame) -> Option<NodeId> {
        restore(&mut self.before, &mut self.after, game)
    }

    /// Makes the latest change again that was taken back, and returns its move.
    pub fn redo(&mut self, game: &mut LiveGame) -> Option<NodeId> {
        restore(&mut self.after, &mut self.before, game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::error::GameError;
    use crate::game::records::game_from_record;
    use kakugo_record::pos::RowOrder;
    use kakugo_record::sgf::{self, Symbol};

    /// Returns the game of an SGF file.
    fn game(text: &str) -> LiveGame {
        let record = sgf::read_trees(text).unwrap().remove(0);
        game_from_record(&record, RowOrder::FromBottom).unwrap().0
    }

    #[test]
    fn large_properties_of_a_file_are_not_kept_many_times() {
        let mut game = game(&format!("(;GM[4]SZ[15];B[hh]XX[{}])", "x".repeat(200 << 10)));
        let (node, mut markup) = (game.node(), Markup::default());
        for n in 0..20 {
            let symbol = (n % 2 == 0).then_some(Symbol::Good);
            let before = game.judge(node, symbol).unwrap();
            markup.changed(before, &game);
        }
        assert_eq!(markup.before.len(), 5);
        assert_eq!(markup.undo(&mut game), Some(node));
    }

    #[test]
    fn all_comments_of_a_game_together_are_limited() {
        let mut game = game("(;GM[4]SZ[15];B[hh];W[ii];B[jj];W[gg])");
        let nodes: Vec<NodeId> = game.tree().preorder().collect();
        let long = "x".repeat(1 << 20);
        for &node in &nodes[..4] {
            game.comment(node, &long).unwrap();
        }
        assert_eq!(game.comment(nodes[4], "x"), Err(GameError::TooMuchText));
        game.comment(nodes[0], "shorter").unwrap();
        game.comment(nodes[4], "x").unwrap();
    }
}
