//! What is known of a game: values of its positions, what was found about the one shown, a review, a
//! hint.

use std::collections::HashMap;

use crate::analysis::review::Review;
use crate::board::{Board, Point, Side};
use crate::record::tree::NodeId;

use super::findings::Findings;

/// A line looked at again.
pub struct Reviewed {
    /// The root and the nodes of the line's stones.
    pub nodes: Vec<NodeId>,
    /// What was found.
    pub review: Review,
}

/// What is known of a game.
#[derive(Default)]
pub struct Known {
    /// Expected result for Black after the stone of a node, per mille.
    values: HashMap<NodeId, u32>,
    /// The line that is being looked at again.
    pub reviewing: Vec<NodeId>,
    /// The line that was looked at again.
    pub reviewed: Option<Reviewed>,
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

    /// The line being looked at again has been.
    pub fn learn_review(&mut self, review: Review) -> &Reviewed {
        let nodes = std::mem::take(&mut self.reviewing);
        for (&node, judged) in nodes.iter().zip(&review.positions) {
            self.note(node, judged.black_permille);
        }
        self.reviewed.insert(Reviewed { nodes, review })
    }

    /// The position after so many stones of the line being looked at again is judged.
    pub fn note_reviewed(&mut self, ply: usize, permille: u32) {
        if let Some(&node) = self.reviewing.get(ply) {
            self.note(node, permille);
        }
    }

    /// Note the value of a node's position, per mille for Black.
    pub fn note(&mut self, node: NodeId, permille: u32) {
        self.values.insert(node, permille);
    }

    /// The values of these nodes' positions, as far as they are known.
    pub fn values(&self, nodes: &[NodeId]) -> Vec<Option<u32>> {
        nodes.iter().map(|node| self.values.get(node).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_belong_to_positions_whatever_way_the_game_takes() {
        let mut known = Known::default();
        let node = NodeId::of;
        let line = [0, 1, 2, 3].map(node);
        for (permille, &node) in (500..).zip(&line) {
            known.note(node, permille);
        }
        known.moved();
        assert_eq!(known.values(&line), [500, 501, 502, 503].map(Some));
        let other = [0, 1, 2, 7].map(node);
        assert_eq!(known.values(&other), [Some(500), Some(501), Some(502), None]);
    }
}
