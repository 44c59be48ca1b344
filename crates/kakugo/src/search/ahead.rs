//! Nodes that fail high at once, seen before the move that leads to them is played.
//!
//! Most moves are in vain, and many were in vain a moment ago. Where the position after a move was
//! valued of late ([`super::evals`]), and the table or this value says that the opponent has more
//! there than he needs, the move is not played at all. [`Searcher::search`] would find the same: the
//! tree is the one that it would be without this file, only sooner done.

use crate::score::Score;

use super::depth::Depth;
use super::evals::Valued;
use super::history::Played;
use super::node_kind::NodeKind;
use super::params::{reverse_futility_margin, reverse_futility_max_depth, reverse_futility_new};
use super::searcher::{MAX_PLY, Searcher};
use super::tt::{Bound, Entry};

impl Searcher<'_> {
    /// The score of the position after `played`, if it is known already to be at least `beta`. Window,
    /// depth, distance from the root and kind are that position's, as in [`Searcher::search`].
    pub(super) fn fails_high(
        &self,
        played: &Played,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        kind: NodeKind,
    ) -> Option<Score> {
        if kind == NodeKind::Pv || ply >= MAX_PLY {
            return None;
        }
        let board = self.position.board();
        let key = board.key_after(played.point);
        let Valued { raw, mask } = self.evals.get(key, played.point)?;
        let (alpha, beta) = (alpha.max(Score::loss_in(ply + 2)), beta.min(Score::win_in(ply + 1)));
        if alpha >= beta {
            return None;
        }
        let last = [Some(played.point), played.after[0]];
        let correction = self.history.correction(played.side.opponent(), mask, last);
        let corrected = |raw: Score| Score::from_eval(raw.value() + correction);
        if depth <= Depth::ZERO {
            return Some(corrected(raw)).filter(|&eval| eval >= beta);
        }
        let plies = depth.plies();
        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry
            && settles(&entry, plies, alpha, beta)
        {
            return Some(entry.score).filter(|&score| score >= beta);
        }
        let eval = corrected(entry.map_or(raw, |entry| entry.eval));
        let is_new = kind == NodeKind::Cut && entry.is_none_or(|entry| entry.best.is_none());
        let improving = ply >= 2 && eval > self.path[ply - 2].eval;
        let is_to_the_end = plies as usize + 1 >= board.empty_count();
        let may_prune = !is_to_the_end && !alpha.is_decided() && !beta.is_decided();
        (may_prune && is_clear(eval, beta, plies, improving, is_new)).then_some(eval)
    }
}

/// Whether an entry says all that a search of this depth and window is to find out.
pub(super) fn settles(entry: &Entry, plies: i32, alpha: Score, beta: Score) -> bool {
    let is_deep = entry.depth >= plies || entry.is_proof();
    is_deep
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= beta,
            Bound::Upper => entry.score <= alpha,
        }
}

/// Reverse futility: whether a position is so far above `beta` that it needs no search of this depth.
/// `is_new` says that it is expected to fail high and that no search has found a move there yet.
pub(super) fn is_clear(
    eval: Score,
    beta: Score,
    plies: i32,
    improving: bool,
    is_new: bool,
) -> bool {
    let margin = reverse_futility_margin() - if is_new { reverse_futility_new() } else { 0 };
    plies <= reverse_futility_max_depth()
        && eval - margin * (plies - 1 - i32::from(improving)).max(0) >= beta
}
