//! Early cutoffs: children that fail low are recognized before their move is played.
//!
//! Most moves fail low, and many failed low a moment ago. If the evaluation cache has the position
//! after a move, and the transposition table or reverse futility pruning refutes the move, it is
//! not played. This resembles enhanced transposition cutoffs (Plaat et al., "Exploiting graph
//! properties of game trees", 1996). [`Searcher::search`] would return the same score, so the tree
//! does not change; the search is only faster.

use crate::score::Score;

use super::depth::Depth;
use super::eval_cache::CachedEval;
use super::history::PlayedMove;
use super::node::{NodeHead, NodeType, mate_distance_window};
use super::searcher::{MAX_PLY, Searcher};

impl Searcher<'_> {
    /// Returns the score of the position after `played` if it is known to be at least `beta`.
    /// Window, depth, ply and node type are those of that position, as in [`Searcher::search`].
    pub(super) fn early_fail_high(
        &self,
        played: &PlayedMove,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        node_type: NodeType,
    ) -> Option<Score> {
        if node_type == NodeType::Pv || ply >= MAX_PLY {
            return None;
        }
        let board = self.position.board();
        let key = board.key_after(played.point);
        let CachedEval { raw, mask } = self.eval_cache.get(key, played.point)?;
        let (alpha, beta) = mate_distance_window(alpha, beta, ply);
        if alpha >= beta {
            return None;
        }
        let previous = [Some(played.point), played.previous[0]];
        let correction = self.history.correction(played.side.opponent(), mask, previous);
        let corrected = |raw: Score| Score::from_eval(raw.value() + correction);
        if depth <= Depth::ZERO {
            return Some(corrected(raw)).filter(|&eval| eval >= beta);
        }
        let tt_entry = self.tt.probe(key, ply);
        let head = NodeHead {
            ply,
            node_type,
            alpha,
            beta,
            depth,
            plies: depth.plies(),
            empty_points: board.empty_count() - 1,
            tt_entry,
            tt_move: tt_entry.and_then(|entry| entry.tt_move),
        };
        if let Some(score) = head.tt_cutoff() {
            return Some(score).filter(|&score| score >= beta);
        }
        let static_eval = corrected(tt_entry.map_or(raw, |entry| entry.eval));
        let improving = self.is_improving(ply, static_eval);
        if !head.allows_pruning() {
            return None;
        }
        head.reverse_futility(static_eval, improving)
    }
}
