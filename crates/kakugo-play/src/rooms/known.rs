//! What is known of a game besides its review: values of its positions, what was found about the one
//! shown, a hint.

use std::collections::HashMap;

use kakugo::board::{Board, Point, Side};
use kakugo_record::tree::NodeId;

use super::findings::Findings;

/// What is known of a game.
#[derive(Default)]
pub struct Known {
    /// Expected result for Black after the stone of a node, per mille.
    values: HashMap<NodeId, u32>,
    /// A move suggested in the position.
    pub hint: Option<Point>,
    /// What the newest search of the position found.
    pub findings: Option<Findings>,
}

impl Known {
    /// The position has changed.
    pub fn moved(&mut self) {
        self.findings = None;
        self.hint = None;
    }

    /// A search has found something about the position of this node.
    pub fn learn(&mut self, node: NodeId, board: &Board, findings: Findings) {
        if let Some(best) = findings.lines.first() {
            let black = board.side_to_move() == Side::Black;
            let score = if black { best.score } else { -best.score };
            self.note(node, score.win_rate_permille());
        }
        self.findings = Some(findings);
    }

    fn note(&mut self, node: NodeId, permille: u32) {
        self.values.insert(node, permille);
    }

    /// The value of a node's position, if it is known.
    pub fn value(&self, node: NodeId) -> Option<u32> {
        self.values.get(&node).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_belong_to_positions_whatever_way_the_game_takes() {
        let mut known = Known::default();
        let node = NodeId::from_number;
        let line = [0, 1, 2, 3].map(node);
        for (permille, &node) in (500..).zip(&line) {
            known.note(node, permille);
        }
        known.moved();
        assert_eq!(line.map(|node| known.value(node)), [500, 501, 502, 503].map(Some));
        assert_eq!(known.value(node(7)), None);
    }
}
