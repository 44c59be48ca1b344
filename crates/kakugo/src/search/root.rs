//! The root: iterative deepening with aspiration windows, multi-PV, and the answer.
//!
//! Threats go deeper than iterations. Before each iteration, VCF and VCT search for a win. After
//! each root move that becomes the best, VCT searches for a win of the opponent. A move that allows
//! one is refuted and excluded.

use std::time::Duration;

use crate::board::Point;
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::score::Score;

use super::depth::Depth;
use super::limits::Limits;
use super::move_picker::Hints;
use super::node::NodeType;
use super::params::*;
use super::qsearch::VctPurpose;
use super::report::{Answer, Report, Reporter};
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Defence, OpponentThreat, defence, static_win_in, winning_move};
use super::time::Stability;
use super::vcf::{ForcedWin, VcfLimits};

/// A root move with the results of its searches.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    /// Score of the last finished search of this move; minus infinity if it failed low.
    score: Score,
    /// Principal variation, starting with this move.
    pv: Vec<Point>,
    /// Nodes spent on this move by the current iteration.
    nodes: u64,
    /// Nodes spent on this move by the last finished iteration.
    finished_nodes: u64,
}

/// Iterative deepening from one position.
pub struct Root<'a, 'r> {
    searcher: Searcher<'a>,
    limits: &'a Limits,
    reporter: &'r mut dyn Reporter,
    moves: Vec<RootMove>,
    /// Moves that are excluded because the opponent wins by threats after them, longest loss first.
    refuted: Vec<RootMove>,
    /// Stability of the search after the last iteration.
    stability: Stability,
    /// Mean of the scores so far, weighted by 2 to the power of the iteration.
    mean_score: Option<f64>,
    /// Best move of the last finished iteration, and its depth.
    finished: Option<(RootMove, u32)>,
}

impl<'a, 'r> Root<'a, 'r> {
    /// Creates a search from the searcher's position.
    pub fn new(
        searcher: Searcher<'a>,
        limits: &'a Limits,
        reporter: &'r mut dyn Reporter,
    ) -> Root<'a, 'r> {
        let (moves, refuted) = (Vec::new(), Vec::new());
        let stability = Stability::default();
        let (mean_score, finished) = (None, None);
        Root { searcher, limits, reporter, moves, refuted, stability, mean_score, finished }
    }

    /// Returns the longest gap between two polls of the clock.
    pub fn lag(&self) -> Duration {
        self.searcher.control.clock().lag()
    }

    /// Searches until a limit is reached. Calls `begin` before the first iteration, unless the
    /// answer needs none.
    pub fn run(&mut self, begin: impl FnOnce()) -> Answer {
        self.moves = self.root_moves();
        let Some(first) = self.moves.first() else {
            let (pv, root_nodes) = (Vec::new(), Vec::new());
            return Answer { best: None, score: Score::ZERO, depth: 0, nodes: 0, pv, root_nodes };
        };
        let fallback = first.point;
        let at_once = self.moves.len() == 1 && self.limits.plays_only_move_at_once();
        let mut depth = 0;
        if let Some(win) = self.immediate_win().or_else(|| self.vcf_win()) {
            depth = 1;
            self.set_best(win);
            self.report(depth);
        } else if at_once {
            self.use_static_eval();
            self.report(depth);
        } else {
            begin();
            depth = self.iterate_all(|_| false);
            if self.is_stopped() {
                self.use_interrupted(depth);
            }
        }
        self.searcher.control.publish_nodes();
        let best = &self.moves[0];
        let point = if best.pv.is_empty() { fallback } else { best.point };
        Answer {
            best: Some(point),
            score: best.score.max(Score::loss_in(0)),
            depth,
            nodes: self.searcher.control.total_nodes(),
            pv: if best.pv.is_empty() { vec![point] } else { best.pv.clone() },
            root_nodes: self.root_nodes(),
        }
    }

    /// Uses the results of an iteration that was interrupted after this depth. A single line is
    /// reported again, because the best move may have changed. Several lines cannot be compared any
    /// more, so the best line of the last finished iteration is played.
    fn use_interrupted(&mut self, depth: u32) {
        if self.limits.multi_pv > 1
            && let Some((best, _)) = self.finished.take()
        {
            self.moves.retain(|m| m.point != best.point);
            self.moves.insert(0, best);
            return;
        }
        if self.moves[0].pv.is_empty() || self.moves[0].score == -Score::INFINITE {
            self.use_static_eval();
        }
        self.report(depth.max(1));
    }

    /// Returns `true` if the opponent wins by threats after this move.
    pub fn is_refuted(&self, p: Point) -> bool {
        self.refuted.iter().any(|m| m.point == p)
    }

    /// Plays the first move without a search, with the static evaluation as its score.
    fn use_static_eval(&mut self) {
        let score = self.searcher.uncached_eval();
        let first = &mut self.moves[0];
        (first.score, first.pv) = (score, vec![first.point]);
    }

    /// Searches as a helper thread until it is stopped, without the depths for which `skip` returns
    /// `true`. Returns the answer of the last finished iteration, if there is one.
    pub fn run_helper(&mut self, skip: impl Fn(u32) -> bool) -> Option<Answer> {
        self.moves = self.root_moves();
        self.searcher.control.set_has_answer();
        if !self.moves.is_empty() {
            self.iterate_all(skip);
        }
        self.searcher.control.publish_nodes();
        let (best, depth) = self.finished.take()?;
        let (nodes, root_nodes) = (self.searcher.control.nodes(), self.root_nodes());
        let RootMove { point, score, pv, .. } = best;
        Some(Answer { best: Some(point), score, depth, nodes, pv, root_nodes })
    }

    /// Returns the nodes that the last finished iteration spent on each root move.
    fn root_nodes(&self) -> Vec<(Point, u64)> {
        let spent = self.moves.iter().filter(|m| m.finished_nodes > 0);
        spent.map(|m| (m.point, m.finished_nodes)).collect()
    }

    /// Returns `true` if the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.searcher.control.is_stopped()
    }

    /// Iterates from depth 1, without the depths for which `skip` returns `true`. Returns the last
    /// finished depth.
    fn iterate_all(&mut self, skip: impl Fn(u32) -> bool) -> u32 {
        let empty = self.searcher.position.board().empty_count();
        let max_depth = self.limits.max_depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let mut finished = 0;
        for depth in (1..=max_depth.min(empty as u32 + 1)).filter(|&depth| !skip(depth)) {
            if let Some(win) = self.vcf_win().or_else(|| self.vct_win()) {
                self.set_best(win);
                self.report(depth);
                self.finished = Some((self.moves[0].clone(), depth));
                return depth;
            }
            self.iterate(depth as i32);
            self.restore_refuted();
            if self.searcher.control.is_stopped() {
                break;
            }
            finished = depth;
            self.moves.iter_mut().for_each(|m| m.finished_nodes = m.nodes);
            self.finished = Some((self.moves[0].clone(), depth));
            self.searcher.control.set_has_answer();
            self.report(depth);
            self.update_stability();
            let score = self.moves[0].score;
            let decided =
                score.plies_to_five().is_some_and(|n| score.is_win() || n <= depth as usize);
            if (decided && self.limits.multi_pv <= 1)
                || !self.searcher.control.may_iterate(self.time_scale())
            {
                break;
            }
        }
        finished
    }

    /// Runs one iteration: each of the best lines in turn.
    fn iterate(&mut self, depth: i32) {
        let lines = self.limits.multi_pv.clamp(1, self.moves.len());
        let best_before = self.moves[0].point;
        self.searcher.enter_root();
        self.moves.iter_mut().for_each(|m| m.nodes = 0);
        for line in 0..lines {
            self.search_line(depth, line);
            if self.searcher.control.is_stopped() || line >= self.moves.len() {
                break;
            }
            // A line may be better than earlier ones, in whose search it was reduced.
            self.moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.score));
        }
        let is_stable = self.moves.first().is_some_and(|best| best.point == best_before);
        self.stability.iterations = if is_stable { self.stability.iterations + 1 } else { 0 };
    }

    /// Searches the moves from `line` on with a window around the expected score.
    fn search_line(&mut self, depth: i32, line: usize) {
        let Some(expected) = self.moves.get(line).map(|m| m.score) else { return };
        let known = !expected.is_decided() && expected > -Score::INFINITE;
        // Aspiration windows.
        let mut margin = aspiration_margin();
        let (mut alpha, mut beta) = if depth >= aspiration_min_depth() && known {
            (expected - margin, expected + margin)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            self.searcher.seldepth = 0;
            let score = self.search_moves(alpha, beta, depth, line);
            // Best first. The sort is stable, so moves that failed low keep their order.
            self.moves[line..].sort_by_key(|m| std::cmp::Reverse(m.score));
            if self.searcher.control.is_stopped() || line >= self.moves.len() {
                return;
            }
            if score <= alpha {
                beta = Score::from_value((alpha.value() + beta.value()) / 2);
                alpha = if score.is_decided() { -Score::INFINITE } else { score - margin };
            } else if score >= beta {
                beta = if score.is_decided() { Score::INFINITE } else { score + margin };
            } else {
                return;
            }
            margin += margin;
            if margin > 1000 {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
            alpha = alpha.max(-Score::INFINITE);
            beta = beta.min(Score::INFINITE);
        }
    }

    /// Searches the root moves from `line` on.
    fn search_moves(&mut self, mut alpha: Score, beta: Score, depth: i32, line: usize) -> Score {
        let mut best = -Score::INFINITE;
        let next = Depth::from_plies(depth - 1);
        let mut losing = 0;
        let mut i = line;
        while i < self.moves.len() {
            let p = self.moves[i].point;
            let reduction = self.searcher.root_reduction(depth, i - line + 1 - losing, p);
            let nodes_before = self.searcher.control.nodes();
            self.searcher.push(p);
            let score = if i == line {
                -self.searcher.search(-beta, -alpha, next, 1, NodeType::Pv)
            } else {
                let mut score =
                    -self.searcher.search(-alpha - 1, -alpha, next - reduction, 1, NodeType::Cut);
                if score > alpha && reduction > Depth::ZERO {
                    score = -self.searcher.search(-alpha - 1, -alpha, next, 1, NodeType::Cut);
                }
                if score > alpha {
                    score = -self.searcher.search(-beta, -alpha, next, 1, NodeType::Pv);
                }
                score
            };
            let stopped = self.is_stopped();
            let raised = i == line || score > alpha;
            let may_lose = raised && !score.is_decided() && !stopped;
            let refutation = if may_lose { self.refutation() } else { None };
            self.searcher.position.pop();
            self.moves[i].nodes += self.searcher.control.nodes() - nodes_before;
            if stopped {
                return best;
            }
            if let Some((score, pv)) = refutation {
                self.refute(i, score, pv);
                continue;
            }
            losing += usize::from(score.is_loss());
            self.moves[i].score = if raised { score } else { -Score::INFINITE };
            if raised {
                let pv = std::iter::once(p).chain(self.searcher.pv(1).iter().copied()).collect();
                self.moves[i].pv = pv;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                // Moves that were not searched keep their places.
                self.moves[i + 1..].iter_mut().for_each(|m| m.score = -Score::INFINITE);
                break;
            }
            i += 1;
        }
        best
    }

    /// Returns score and line of the root move that was just played, if the opponent wins by
    /// threats after it.
    fn refutation(&mut self) -> Option<(Score, Vec<Point>)> {
        // VCT refutation of the best root move (own).
        let win = self.searcher.vct_win(VctPurpose::Refute)?;
        let last = self.searcher.last_points()[0];
        let attack = self.searcher.vct.line(&mut self.searcher.position);
        Some((Score::loss_in(win.plies + 1), last.into_iter().chain(attack).collect()))
    }

    /// Excludes the `i`-th move, which loses with this score and line.
    fn refute(&mut self, i: usize, score: Score, pv: Vec<Point>) {
        let lost = RootMove { score, pv, ..self.moves.remove(i) };
        if self.finished.as_ref().is_some_and(|(best, _)| best.point == lost.point) {
            self.finished = None;
        }
        let index = self.refuted.partition_point(|longer| longer.score >= score);
        self.refuted.insert(index, lost);
    }

    /// Restores refuted moves if all others lose as well: the loss of a refuted move may be longer.
    fn restore_refuted(&mut self) {
        let loses = |m: &RootMove| m.score.is_loss() && m.score > -Score::INFINITE;
        if self.moves.first().is_none_or(loses) {
            self.moves.append(&mut self.refuted);
            self.moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
    }

    /// Returns the legal root moves, most promising first. If all moves lose, returns those that
    /// stop at least one threat; if all are forbidden, a forbidden one.
    fn root_moves(&mut self) -> Vec<RootMove> {
        let Defence { against, points } = defence(&self.searcher.position);
        let position = &self.searcher.position;
        let attacker = position.side_to_move().opponent();
        let fours = position.threats().fours(attacker);
        let fives: PointSet = position.threats().points_at(attacker, Threat::Five).collect();
        let board = position.board();
        let all: PointSet = board.empty_points().collect();
        let centre = Point::new(board.width() / 2, board.height() / 2);
        let is_first = |&p: &Point| board.ply() == 0 && board.is_empty(p);
        let opening: PointSet = centre.into_iter().filter(is_first).collect();
        let choices = match against {
            OpponentThreat::Nothing => [opening, points, all],
            OpponentThreat::Double => [points, position.near(), all],
            // No move stops several fives, but the opponent may overlook the rest.
            OpponentThreat::Five => [points, fives, all],
            OpponentThreat::OpenFour => [points, *fours, all],
        };
        for choice in &choices {
            let moves = self.legal(choice);
            if !moves.is_empty() {
                return moves;
            }
        }
        let forbidden = self.searcher.position.board().empty_points().next();
        forbidden.map(RootMove::new).into_iter().collect()
    }

    /// Returns the legal moves among these points, most promising first.
    fn legal(&mut self, points: &PointSet) -> Vec<RootMove> {
        let searcher = &mut self.searcher;
        let key = searcher.position.board().key();
        let tt_move = searcher.tt.probe(key, 0).and_then(|entry| entry.tt_move);
        let hints = Hints { tt_move, countermove: None, previous: searcher.last_points() };
        let mut picker = searcher.moves.open(*points, hints);
        let mut list = Vec::new();
        while let Some(picked) = searcher.moves.next(
            &mut picker,
            &searcher.position,
            &searcher.evaluator,
            searcher.history,
        ) {
            list.push(RootMove::new(picked.point));
        }
        searcher.moves.close(picker);
        list
    }

    /// Returns a win by a five or by a four that cannot be stopped, which needs no search.
    fn immediate_win(&self) -> Option<RootMove> {
        let position = &self.searcher.position;
        let plies = static_win_in(position).filter(|&plies| plies <= 3)?;
        Some(RootMove::winning(ForcedWin { plies, first: winning_move(position, plies)? }))
    }

    /// Searches for a win by fours. The budget grows with the nodes of the regular search.
    fn vcf_win(&mut self) -> Option<RootMove> {
        // VCF at the root (Rapfi).
        let spent = u32::try_from(self.searcher.control.nodes() / 4).unwrap_or(u32::MAX);
        let min = vcf_root_min_moves().unsigned_abs().min(VCF_ROOT_MAX_MOVES);
        let budget = spent.clamp(min, VCF_ROOT_MAX_MOVES);
        let searcher = &mut self.searcher;
        let control = &mut searcher.control;
        let win = searcher
            .vcf
            .search(&mut searcher.position, VcfLimits::full(budget), || control.count_node())?;
        Some(RootMove::winning(win))
    }

    /// Searches for a win by threats.
    fn vct_win(&mut self) -> Option<RootMove> {
        // VCT at the root (own).
        let win = self.searcher.vct_win(VctPurpose::Win)?;
        let pv = self.searcher.vct.line(&mut self.searcher.position);
        Some(RootMove { pv, ..RootMove::winning(win) })
    }

    /// Sets the best move to a winning one, unless another line of a multi-PV search wins sooner.
    fn set_best(&mut self, best: RootMove) {
        self.moves.retain(|m| m.point != best.point);
        self.moves.insert(0, best);
        if self.limits.multi_pv > 1 {
            self.moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
    }

    /// Updates the stability of the search after an iteration.
    fn update_stability(&mut self) {
        let best = &self.moves[0];
        let all: u64 = self.moves.iter().map(|m| m.finished_nodes).sum();
        self.stability.effort = best.finished_nodes as f64 / all.max(1) as f64;
        let score = f64::from(best.score.value());
        let mean = self.mean_score.unwrap_or(score);
        self.stability.fall = (mean - score).max(0.0);
        self.mean_score = Some((mean + score) / 2.0);
    }

    /// Returns the factor of the optimum time. With a match clock, a stable best move saves time
    /// for later moves.
    fn time_scale(&self) -> f64 {
        if self.limits.left.is_none() { 1.0 } else { self.stability.time_scale() }
    }

    /// Reports the best lines.
    fn report(&mut self, depth: u32) {
        let control = &self.searcher.control;
        let moves = self.moves.iter().chain(&self.refuted);
        for (line, m) in moves.take(self.limits.multi_pv.max(1)).enumerate() {
            if m.pv.is_empty() || m.score == -Score::INFINITE {
                continue;
            }
            self.reporter.report(&Report {
                line,
                depth,
                seldepth: self.searcher.seldepth.max(depth as usize) as u32,
                score: m.score,
                nodes: control.total_nodes(),
                elapsed: control.clock().elapsed(),
                pv: m.pv.clone(),
            });
        }
    }
}

impl RootMove {
    fn new(point: Point) -> RootMove {
        RootMove { point, score: -Score::INFINITE, pv: Vec::new(), nodes: 0, finished_nodes: 0 }
    }

    fn winning(win: ForcedWin) -> RootMove {
        let point = win.first;
        RootMove { score: Score::win_in(win.plies), pv: vec![point], ..RootMove::new(point) }
    }
}
