//! The head of a node: everything that may end it before its moves are generated.
//!
//! [`Searcher::search`](super::searcher::Searcher::search) and
//! [early cutoffs](super::early_cutoff) both use it, so they always agree.

use crate::board::Point;
use crate::score::Score;

use super::depth::Depth;
use super::params::*;
use super::tt::{Bound, TtEntry};

/// The expected type of a node (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeType {
    /// Part of the principal variation: searched with an open window.
    Pv,
    /// Expected to fail high.
    Cut,
    /// Expected to fail low.
    All,
}

impl NodeType {
    /// Returns the expected type of a child that is searched with a null window.
    pub fn child(self) -> NodeType {
        match self {
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }

    /// Returns the expected type of the first child.
    pub fn first_child(self) -> NodeType {
        match self {
            NodeType::Pv => NodeType::Pv,
            other => other.child(),
        }
    }
}

/// The head of a node.
#[derive(Clone, Copy)]
pub(super) struct NodeHead {
    /// Distance from the root.
    pub ply: usize,
    /// Expected type.
    pub node_type: NodeType,
    /// Lower bound of the window.
    pub alpha: Score,
    /// Upper bound of the window.
    pub beta: Score,
    /// Remaining depth.
    pub depth: Depth,
    /// Remaining depth at the start of the node, in whole plies.
    pub plies: i32,
    /// Empty points of the board.
    pub empty_points: usize,
    /// Entry of the transposition table.
    pub tt_entry: Option<TtEntry>,
    /// Move of the transposition table, if it is an empty point.
    pub tt_move: Option<Point>,
}

impl NodeHead {
    /// Returns `true` if the depth reaches the last empty point. Then no generated move is pruned
    /// or reduced, so the score is exact with one exception: unless a threat must be answered, only
    /// points near stones are generated.
    pub fn is_exhaustive(&self) -> bool {
        self.plies as usize >= self.empty_points
    }

    /// Returns the score of a node that the transposition table decides.
    pub fn tt_cutoff(&self) -> Option<Score> {
        let entry = self.tt_entry.filter(|_| self.node_type != NodeType::Pv)?;
        // TT cutoff (+87 ± 32). Proofs hold at any depth (own; +3 ± 27).
        let is_deep_enough = entry.depth >= self.plies || entry.is_proof();
        let is_decisive = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= self.beta,
            Bound::Upper => entry.score <= self.alpha,
        };
        (is_deep_enough && is_decisive).then_some(entry.score)
    }

    /// Returns `true` if the node may be pruned by its static evaluation.
    pub fn allows_pruning(&self) -> bool {
        self.node_type != NodeType::Pv
            && !self.is_exhaustive()
            && !self.alpha.is_decided()
            && !self.beta.is_decided()
    }

    /// Returns the static evaluation if it is so far above beta that the node needs no search. The
    /// caller checks [`NodeHead::allows_pruning`].
    pub fn reverse_futility(&self, static_eval: Score, improving: bool) -> Option<Score> {
        // Reverse futility pruning (Stockfish, Rapfi; +61 ± 35), with smaller margins at cut nodes
        // without TT move (−11 ± 29) and if improving (+12 ± 30).
        let is_untried_cut_node = self.node_type == NodeType::Cut && self.tt_move.is_none();
        let untried = if is_untried_cut_node { reverse_futility_untried_margin() } else { 0 };
        let margin = reverse_futility_margin() - untried;
        let plies = (self.plies - 1 - i32::from(improving)).max(0);
        let prunes =
            self.plies <= reverse_futility_max_depth() && static_eval - margin * plies >= self.beta;
        prunes.then_some(static_eval)
    }
}

/// Mate distance pruning: no score can be better than winning at once, or worse than losing at
/// once. Returns the narrowed window.
pub(super) fn mate_distance_window(alpha: Score, beta: Score, ply: usize) -> (Score, Score) {
    (alpha.max(Score::loss_in(ply + 2)), beta.min(Score::win_in(ply + 1)))
}
