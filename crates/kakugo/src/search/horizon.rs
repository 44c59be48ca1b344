//! Where the regular search ends, and the searches for forced wins that it calls.

use crate::pattern::Threat;
use crate::score::Score;

use super::params::*;
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Verdict, stops, verdict};
use super::vcf::{Effort, Win};

impl Searcher<'_> {
    /// What the shapes alone decide for the side to move.
    pub(super) fn decided(&self, ply: usize) -> Option<Score> {
        match verdict(&self.position) {
            Verdict::Win(plies) => Some(Score::win_in(ply + plies)),
            Verdict::Loss(plies) => Some(Score::loss_in(ply + plies)),
            Verdict::Draw => Some(Score::ZERO),
            Verdict::Open => None,
        }
    }

    /// The end of the regular search: answer a four, look for a win by fours, else evaluate.
    pub(super) fn horizon(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        if self.position.threats().count(self.position.side_to_move().opponent(), Threat::Five) > 0
        {
            return self.answer_five(alpha, beta, ply);
        }
        let mask = self.position.threats().mask(self.position.side_to_move());
        let raw = self.valued(self.position.board().key(), mask);
        let eval = self.corrected(raw, mask);
        if eval >= beta {
            return eval;
        }
        self.wins_by_fours(ply, vcf_horizon_moves()).unwrap_or(eval)
    }

    /// Play each answer to a threatened five and look on from there.
    fn answer_five(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let mut best = Score::loss_in(ply + 2);
        for p in stops(&self.position).iter() {
            if !self.position.is_legal(p) {
                continue;
            }
            self.position.push(p);
            let score = match self.decided(ply + 1) {
                Some(score) => -score,
                None if ply + 1 >= MAX_PLY || self.control.visit() => -self.static_value(),
                None => -self.horizon(-beta, -alpha, ply + 1),
            };
            self.position.pop();
            best = best.max(score);
        }
        best
    }

    /// The score of a win by fours, if the side to move has one that is found within the budget, in
    /// moves of the attacker.
    pub(super) fn wins_by_fours(&mut self, ply: usize, budget: i32) -> Option<Score> {
        if !self.position.threats().has_fours(self.position.side_to_move()) {
            return None;
        }
        let control = &mut self.control;
        let effort = Effort { moves: budget.unsigned_abs(), narrow: true };
        let win = self.vcf.search(&mut self.position, effort, || control.visit());
        win.map(|win| Score::win_in(ply + win.plies))
    }

    /// A win of the side to move by threats, if it is found with that part of all nodes that is
    /// granted to this purpose and not used yet.
    pub(super) fn win_by_threats(&mut self, purpose: Purpose) -> Option<Win> {
        let before = self.control.nodes();
        let percent = match purpose {
            Purpose::Win => vct_percent(),
            Purpose::Refute => vct_refute_percent(),
        };
        let used = &mut self.vct_nodes[purpose as usize];
        let granted = before * u64::from(percent.unsigned_abs()) / 100;
        let budget = u32::try_from(granted.saturating_sub(*used)).unwrap_or(u32::MAX);
        if budget < vct_min_nodes().unsigned_abs() {
            return None;
        }
        let control = &mut self.control;
        let interrupt = || control.visit();
        let win = self.vct.search(&mut self.position, &self.evaluator, budget, interrupt);
        *used += self.control.nodes() - before;
        win
    }
}

/// What a search for a win by threats is good for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// The root may be won.
    Win,
    /// A move of the root may lose.
    Refute,
}
