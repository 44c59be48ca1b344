//! Quiescence search, and the searches for forced wins that the search calls.

use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::score::Score;

use super::params::*;
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Verdict, five_defences, verdict};
use super::vcf::{ForcedWin, VcfLimits};

impl Searcher<'_> {
    /// Returns the score of a position that the shapes on the board decide.
    pub(super) fn decided_score(&self, ply: usize) -> Option<Score> {
        match verdict(&self.position) {
            Verdict::Win(plies) => Some(Score::win_in(ply + plies)),
            Verdict::Loss(plies) => Some(Score::loss_in(ply + plies)),
            Verdict::Draw => Some(Score::ZERO),
            Verdict::Open => None,
        }
    }

    /// Quiescence search: answers a four, looks for a win by fours, else returns the static
    /// evaluation.
    pub(super) fn qsearch(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let side = self.position.side_to_move();
        if self.position.threats().count(side.opponent(), Threat::Five) > 0 {
            return self.qsearch_evasions(alpha, beta, ply);
        }
        // Stand pat.
        let mask = self.position.threats().mask(side);
        let raw = self.raw_eval(self.position.board().key(), mask);
        let static_eval = self.corrected_eval(raw, mask);
        if static_eval >= beta {
            return static_eval;
        }
        // VCF at leaves (Rapfi; +13 ± 31).
        self.vcf_score(ply, vcf_leaf_moves()).unwrap_or(static_eval)
    }

    /// Plays each answer to a threatened five, and continues the quiescence search after it.
    fn qsearch_evasions(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        // Evasions in quiescence search (+47 ± 29): the forced reply comes before an evaluation.
        let mut best = Score::loss_in(ply + 2);
        for p in five_defences(&self.position).iter() {
            if !self.position.is_legal(p) {
                continue;
            }
            self.position.push(p);
            let score = match self.decided_score(ply + 1) {
                Some(score) => -score,
                None if ply + 1 >= MAX_PLY || self.control.count_node() => -self.uncached_eval(),
                None => -self.qsearch(-beta, -alpha, ply + 1),
            };
            self.position.pop();
            best = best.max(score);
        }
        best
    }

    /// Returns the score of a win by fours, if the side to move has one within `budget` moves of
    /// the attacker.
    pub(super) fn vcf_score(&mut self, ply: usize, budget: i32) -> Option<Score> {
        if !self.position.threats().has_fours(self.position.side_to_move()) {
            return None;
        }
        let control = &mut self.control;
        let limits = VcfLimits { moves: budget.unsigned_abs(), narrow: true };
        let win = self.vcf.search(&mut self.position, limits, || control.count_node());
        win.map(|win| Score::win_in(ply + win.plies))
    }

    /// Looks for a win of the side to move by threats, which begins with one of `points` if they
    /// are given. The budget is a share of all nodes, of which earlier calls for the same purpose
    /// have used a part.
    pub(super) fn vct_win(
        &mut self,
        purpose: VctPurpose,
        points: Option<&PointSet>,
    ) -> Option<ForcedWin> {
        let before = self.control.nodes();
        let percent = match purpose {
            VctPurpose::Win => vct_percent(),
            VctPurpose::Refute => vct_refute_percent(),
        };
        let used = &mut self.vct_nodes[purpose as usize];
        let granted = before * u64::from(percent.unsigned_abs()) / 100;
        let budget = u32::try_from(granted.saturating_sub(*used)).unwrap_or(u32::MAX);
        if budget < vct_min_nodes().unsigned_abs() {
            return None;
        }
        let control = &mut self.control;
        let interrupt = || control.count_node();
        let (position, evaluator) = (&mut self.position, &self.evaluator);
        let win = match points {
            None => self.vct.search(position, evaluator, budget, interrupt),
            Some(points) => self.vct.search_among(position, points, evaluator, budget, interrupt),
        };
        *used += self.control.nodes() - before;
        win
    }
}

/// Purpose of a VCT search.
#[derive(Clone, Copy)]
pub(super) enum VctPurpose {
    /// To win from the root.
    Win,
    /// To refute a root move.
    Refute,
}
