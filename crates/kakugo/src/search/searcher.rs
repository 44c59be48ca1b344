//! The search of one position by one thread: its data, its current path and its evaluations.

use crate::board::Point;
use crate::eval::Evaluator;
use crate::pattern::threat::AGAINST_FOUR;
use crate::position::Position;
use crate::score::Score;

use super::control::Control;
use super::eval_cache::{CachedEval, EvalCache};
use super::history::{CONTINUATION_PLIES, History};
use super::move_picker::MoveStack;
use super::reductions::Reductions;
use super::thread_data::ThreadData;
use super::tt::TranspositionTable;
use super::vcf::Vcf;
use super::vct::Vct;

/// Maximum ply of a path.
pub const MAX_PLY: usize = 200;

/// The state of a node on the current path.
#[derive(Clone, Copy, Default)]
pub struct NodeState {
    /// Static evaluation.
    pub static_eval: Score,
    /// Move excluded by a singular extension search.
    pub excluded: Option<Point>,
    /// Double extensions on the path from the root.
    pub double_extensions: i32,
}

/// The search of one position by one thread.
pub struct Searcher<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) tt: &'a TranspositionTable,
    pub(super) control: Control<'a>,
    pub(super) history: &'a mut History,
    pub(super) eval_cache: &'a mut EvalCache,
    pub(super) vcf: &'a mut Vcf,
    pub(super) vct: &'a mut Vct,
    /// Nodes spent by [`Searcher::vct_win`], by purpose.
    pub(super) vct_nodes: [u64; 2],
    pub(super) moves: MoveStack,
    /// Nodes of the current path, by ply.
    pub(super) path: Vec<NodeState>,
    /// Principal variation of each ply of the current path.
    pv: Vec<Vec<Point>>,
    pub(super) seldepth: usize,
    pub(super) reductions: Reductions,
}

impl<'a> Searcher<'a> {
    /// Creates a search of `position`, evaluated by `evaluator`.
    pub fn new(
        position: Position,
        evaluator: Evaluator,
        tt: &'a TranspositionTable,
        control: Control<'a>,
        data: &'a mut ThreadData,
    ) -> Searcher<'a> {
        Searcher {
            position,
            evaluator,
            tt,
            control,
            history: &mut data.history,
            eval_cache: &mut data.eval_cache,
            vcf: &mut data.vcf,
            vct: &mut data.vct,
            vct_nodes: [0; 2],
            moves: MoveStack::default(),
            path: vec![NodeState::default(); MAX_PLY + 4],
            pv: (0..MAX_PLY + 4).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            seldepth: 0,
            reductions: Reductions::new(),
        }
    }

    /// Sets the static evaluation of the root, which nodes below compare theirs with.
    pub fn enter_root(&mut self) {
        let mask = self.position.threats().mask(self.position.side_to_move());
        let raw = self.evaluator.evaluate_with_mask(&self.position, mask);
        let static_eval = self.corrected_eval(raw, mask);
        self.path[0] = NodeState { static_eval, ..NodeState::default() };
    }

    /// Returns the principal variation of the last search of a node at `ply`.
    pub fn pv(&self, ply: usize) -> &[Point] {
        &self.pv[ply]
    }

    /// Clears the principal variation at `ply`.
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// Sets the principal variation at `ply` to the move `best` and the variation after it.
    pub fn extend_pv(&mut self, ply: usize, best: Point) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let (line, tail) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(best);
        line.extend_from_slice(tail);
    }

    /// Plays a move that is to be searched.
    pub fn push(&mut self, p: Point) {
        self.tt.prefetch(self.position.board().key_after(p));
        self.position.push(p);
    }

    /// Returns the points of the last stones, latest first.
    pub fn last_points(&self) -> [Option<Point>; CONTINUATION_PLIES] {
        let mut stones = self.position.board().stones().rev().map(|stone| stone.point);
        std::array::from_fn(|_| stones.next())
    }

    /// Returns the static evaluation without correction, not from the cache.
    pub fn uncached_eval(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// Returns the static evaluation without correction. `key` and `mask` are the position's.
    pub(super) fn raw_eval(&mut self, key: u64, mask: usize) -> Score {
        let Some(last) = self.position.board().last_stone() else { return self.uncached_eval() };
        if let Some(cached) = self.eval_cache.get(key, last.point) {
            return cached.raw;
        }
        let raw = self.evaluator.evaluate_with_mask(&self.position, mask);
        // Only quiescence search evaluates positions in which a four must be answered.
        if mask & AGAINST_FOUR == 0 {
            self.eval_cache.insert(key, last.point, CachedEval { raw, mask });
        }
        raw
    }

    /// Returns a static evaluation, corrected by the errors that recent searches found: after
    /// positions with the same threats, and after the same last stones.
    pub fn corrected_eval(&self, raw: Score, mask: usize) -> Score {
        // Correction history (Stockfish), by threats (−20 ± 29) and by the last two moves
        // (+3 ± 31).
        let side = self.position.side_to_move();
        Score::from_eval(raw.value() + self.history.correction(side, mask, self.last_points()))
    }

    /// Returns `true` if `static_eval` is better than the same side's two plies before.
    pub(super) fn is_improving(&self, ply: usize, static_eval: Score) -> bool {
        ply >= 2 && static_eval > self.path[ply - 2].static_eval
    }
}
