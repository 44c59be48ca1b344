//! One thread's search of one position: what it searches with, and what it keeps about the path from
//! the root to the node where it is.

use crate::board::Point;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::score::Score;

use super::control::Control;
use super::evals::Evaluations;
use super::history::{History, RELATIONS};
use super::movepick::MoveStack;
use super::reductions::Reductions;
use super::thread_data::ThreadData;
use super::tt::Table;
use super::vcf::Vcf;
use super::vct::Vct;

/// Longest path from the root, in plies.
pub const MAX_PLY: usize = 200;

/// What is kept of a node while nodes below it are searched.
#[derive(Clone, Copy, Default)]
pub struct NodeState {
    /// Its static evaluation.
    pub eval: Score,
    /// The move left out by a singular search.
    pub excluded: Option<Point>,
    /// Moves on the path from the root that were extended twice.
    pub double_extensions: i32,
}

/// One thread's search of one position.
pub struct Searcher<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) table: &'a Table,
    pub(super) control: Control<'a>,
    pub(super) history: &'a mut History,
    pub(super) evals: &'a mut Evaluations,
    pub(super) vcf: &'a mut Vcf,
    pub(super) vct: &'a mut Vct,
    /// Nodes that went into [`Searcher::win_by_threats`], by purpose.
    pub(super) vct_nodes: [u64; 2],
    pub(super) moves: MoveStack,
    /// The nodes of the current path, by ply.
    pub(super) path: Vec<NodeState>,
    /// Principal variation of each ply of the current path.
    pv: Vec<Vec<Point>>,
    pub(super) seldepth: usize,
    pub(super) reductions: Reductions,
}

impl<'a> Searcher<'a> {
    /// A search of `position`, which `evaluator` values.
    pub fn new(
        position: Position,
        evaluator: Evaluator,
        table: &'a Table,
        control: Control<'a>,
        data: &'a mut ThreadData,
    ) -> Searcher<'a> {
        Searcher {
            position,
            evaluator,
            table,
            control,
            history: &mut data.history,
            evals: &mut data.evals,
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

    /// Note what the root's position is worth, for the nodes below that compare themselves with it.
    pub fn enter_root(&mut self) {
        let (eval, _) = self.evaluate();
        self.path[0] = NodeState { eval, ..NodeState::default() };
    }

    /// The principal variation found by the last search of a node at `ply`.
    pub fn pv(&self, ply: usize) -> &[Point] {
        &self.pv[ply]
    }

    /// There is no principal variation at `ply` yet.
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// `best` is the new best move at `ply`: its line becomes the principal variation.
    pub fn extend_pv(&mut self, ply: usize, best: Point) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let (line, tail) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(best);
        line.extend_from_slice(tail);
    }

    /// Play a move that is to be searched.
    pub fn push(&mut self, p: Point) {
        self.table.prefetch(self.position.board().key_after(p));
        self.position.push(p);
    }

    /// The points of the last stones, latest first.
    pub fn last_points(&self) -> [Option<Point>; RELATIONS] {
        let mut stones = self.position.board().stones().rev().map(|stone| stone.point);
        std::array::from_fn(|_| stones.next())
    }

    /// The evaluation, uncorrected.
    pub fn static_value(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// The evaluation, corrected, and the mask of the threats.
    pub fn evaluate(&mut self) -> (Score, usize) {
        let mask = self.position.threats().mask(self.position.side_to_move());
        let raw = self.evaluator.evaluate_with_mask(&self.position, mask);
        (self.corrected(raw, mask), mask)
    }

    /// An evaluation, corrected by what searches of positions with the same threats, and of those after
    /// the same last stones, came to.
    pub fn corrected(&self, raw: Score, mask: usize) -> Score {
        let side = self.position.side_to_move();
        Score::from_eval(raw.value() + self.history.correction(side, mask, self.last_points()))
    }
}
