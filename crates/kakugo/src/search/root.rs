//! The root: iterative deepening with aspiration windows, several best lines, and the answer.
//!
//! Threats go deeper than iterations do. Before each one a search for threats looks for a win, and
//! after each move that is the best so far for one of the opponent's; a move that allows one is left out.

use std::time::Duration;

use crate::board::Point;
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::score::Score;

use super::answer::{Answer, Report, Reporter};
use super::depth::Depth;
use super::horizon::Purpose;
use super::limits::Limits;
use super::movepick::Hints;
use super::node_kind::NodeKind;
use super::params::*;
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Defence, OpponentThreat, defence, win_in, winning_move};
use super::time::Settled;
use super::vcf::{Effort, Win};

/// A move of the root and what the search thinks of it.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    /// Score of the last finished search of this move; minus infinity if it only failed low.
    score: Score,
    /// The expected line, this move first.
    pv: Vec<Point>,
    /// Nodes that this iteration spent on the move, and the last finished one.
    nodes: u64,
    finished_nodes: u64,
}

/// One run of iterative deepening.
pub struct Root<'a, 'r> {
    searcher: Searcher<'a>,
    limits: &'a Limits,
    reporter: &'r mut dyn Reporter,
    moves: Vec<RootMove>,
    /// Moves that are left out because the opponent wins by threats after them, the longest loss
    /// first.
    refuted: Vec<RootMove>,
    /// How settled the last iteration left the search.
    settled: Settled,
    /// Mean of the scores so far, each counting half as much as the next.
    mean: Option<f64>,
    /// The result of the last iteration that was finished, and its depth.
    finished: Option<(RootMove, u32)>,
}

impl<'a, 'r> Root<'a, 'r> {
    /// A search from the searcher's position.
    pub fn new(
        searcher: Searcher<'a>,
        limits: &'a Limits,
        reporter: &'r mut dyn Reporter,
    ) -> Root<'a, 'r> {
        let (moves, refuted) = (Vec::new(), Vec::new());
        let settled = Settled::default();
        Root { searcher, limits, reporter, moves, refuted, settled, mean: None, finished: None }
    }

    /// The longest gap between two looks at the clock.
    pub fn lag(&self) -> Duration {
        self.searcher.control.clock().lag()
    }

    /// Search until the limits say stop. Where the answer is not plain at once, `begin` is called
    /// before the first iteration.
    pub fn run(&mut self, begin: impl FnOnce()) -> Answer {
        self.moves = self.root_moves();
        let Some(first) = self.moves.first() else {
            let (pv, root_nodes) = (Vec::new(), Vec::new());
            return Answer { best: None, score: Score::ZERO, depth: 0, nodes: 0, pv, root_nodes };
        };
        let fallback = first.point;
        let at_once = self.moves.len() == 1 && self.limits.plays_only_move_at_once();
        let mut depth = 0;
        if let Some(win) = self.win_at_once().or_else(|| self.search_for_fours()) {
            depth = 1;
            self.settle_on(win);
            self.tell(depth);
        } else if at_once {
            self.take_unsearched();
            self.tell(depth);
        } else {
            begin();
            depth = self.deepen(|_| false);
            if self.is_stopped() {
                self.break_off(depth);
            }
        }
        self.searcher.control.tell_nodes();
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

    /// An iteration was broken off after this depth. Where one line is asked for, it is told what that
    /// iteration came to: its nodes count, and it may have changed the move. Several lines are no longer
    /// to be compared then: it is the best of the last ones told that is played.
    fn break_off(&mut self, depth: u32) {
        if self.limits.multi_pv > 1
            && let Some((best, _)) = self.finished.take()
        {
            self.moves.retain(|m| m.point != best.point);
            self.moves.insert(0, best);
            return;
        }
        if self.moves[0].pv.is_empty() || self.moves[0].score == -Score::INFINITE {
            self.take_unsearched();
        }
        self.tell(depth.max(1));
    }

    /// Whether the opponent is known to win by threats after this move.
    pub fn is_refuted(&self, p: Point) -> bool {
        self.refuted.iter().any(|m| m.point == p)
    }

    /// The first move is taken as it is, for what the position is worth without a search.
    fn take_unsearched(&mut self) {
        let score = self.searcher.static_value();
        let first = &mut self.moves[0];
        (first.score, first.pv) = (score, vec![first.point]);
    }

    /// Search beside another thread until all are told to stop, without the iterations that `skip`
    /// names. The answer is that of the last finished iteration, if there is one.
    pub fn assist(&mut self, skip: impl Fn(u32) -> bool) -> Option<Answer> {
        self.moves = self.root_moves();
        self.searcher.control.has_answer();
        if !self.moves.is_empty() {
            self.deepen(skip);
        }
        self.searcher.control.tell_nodes();
        let (best, depth) = self.finished.take()?;
        let (nodes, root_nodes) = (self.searcher.control.nodes(), self.root_nodes());
        let RootMove { point, score, pv, .. } = best;
        Some(Answer { best: Some(point), score, depth, nodes, pv, root_nodes })
    }

    /// Nodes that the last finished iteration spent on each of the moves that it searched.
    fn root_nodes(&self) -> Vec<(Point, u64)> {
        let spent = self.moves.iter().filter(|m| m.finished_nodes > 0);
        spent.map(|m| (m.point, m.finished_nodes)).collect()
    }

    /// Whether an iteration was broken off.
    pub fn is_stopped(&self) -> bool {
        self.searcher.control.is_stopped()
    }

    /// Iterate from depth 1 on, without the depths that `skip` names. Returns the last depth that
    /// was finished.
    fn deepen(&mut self, skip: impl Fn(u32) -> bool) -> u32 {
        let room = self.searcher.position.board().empty_count();
        let deepest = self.limits.max_depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        let mut finished = 0;
        for depth in (1..=deepest.min(room as u32 + 1)).filter(|&depth| !skip(depth)) {
            if let Some(win) = self.search_for_fours().or_else(|| self.search_for_threats()) {
                self.settle_on(win);
                self.tell(depth);
                self.finished = Some((self.moves[0].clone(), depth));
                return depth;
            }
            self.iterate(depth as i32);
            self.recall_refuted();
            if self.searcher.control.is_stopped() {
                break;
            }
            finished = depth;
            self.moves.iter_mut().for_each(|m| m.finished_nodes = m.nodes);
            self.finished = Some((self.moves[0].clone(), depth));
            self.searcher.control.has_answer();
            self.tell(depth);
            self.take_stock();
            let score = self.moves[0].score;
            let decided =
                score.plies_to_five().is_some_and(|n| score.is_win() || n <= depth as usize);
            if (decided && self.limits.multi_pv <= 1)
                || !self.searcher.control.may_go_on(self.time_scale())
            {
                break;
            }
        }
        finished
    }

    /// One iteration: each of the best lines in turn.
    fn iterate(&mut self, depth: i32) {
        let lines = self.limits.multi_pv.clamp(1, self.moves.len());
        let best_before = self.moves[0].point;
        self.searcher.enter_root();
        self.moves.iter_mut().for_each(|m| m.nodes = 0);
        for line in 0..lines {
            self.aspire(depth, line);
            if self.searcher.control.is_stopped() || line >= self.moves.len() {
                break;
            }
            // A line may turn out better than those before it, which were searched with it reduced.
            self.moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.score));
        }
        let is_stable = self.moves.first().is_some_and(|best| best.point == best_before);
        self.settled.stable = if is_stable { self.settled.stable + 1 } else { 0 };
    }

    /// Search the moves from `line` on with a window around the score expected.
    fn aspire(&mut self, depth: i32, line: usize) {
        let Some(expected) = self.moves.get(line).map(|m| m.score) else { return };
        let known = !expected.is_decided() && expected > -Score::INFINITE;
        let mut margin = aspiration_margin();
        let (mut alpha, mut beta) = if depth >= aspiration_min_depth() && known {
            (expected - margin, expected + margin)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            self.searcher.seldepth = 0;
            let score = self.search_moves(alpha, beta, depth, line);
            // Best first; the order among the rest is kept.
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

    /// Search the root's moves from `line` on.
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
                -self.searcher.search(-beta, -alpha, next, 1, NodeKind::Pv)
            } else {
                let mut score =
                    -self.searcher.search(-alpha - 1, -alpha, next - reduction, 1, NodeKind::Cut);
                if score > alpha && reduction > Depth::ZERO {
                    score = -self.searcher.search(-alpha - 1, -alpha, next, 1, NodeKind::Cut);
                }
                if score > alpha {
                    score = -self.searcher.search(-beta, -alpha, next, 1, NodeKind::Pv);
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
                // What was not searched keeps its place.
                self.moves[i + 1..].iter_mut().for_each(|m| m.score = -Score::INFINITE);
                break;
            }
            i += 1;
        }
        best
    }

    /// What the root's move that was just played comes to, and how, if the opponent is found to win
    /// by threats after it.
    fn refutation(&mut self) -> Option<(Score, Vec<Point>)> {
        let win = self.searcher.win_by_threats(Purpose::Refute)?;
        let last = self.searcher.last_points()[0];
        let attack = self.searcher.vct.line(&mut self.searcher.position);
        Some((Score::loss_in(win.plies + 1), last.into_iter().chain(attack).collect()))
    }

    /// Leave out the `i`-th move, which loses like this.
    fn refute(&mut self, i: usize, score: Score, pv: Vec<Point>) {
        let lost = RootMove { score, pv, ..self.moves.remove(i) };
        if self.finished.as_ref().is_some_and(|(best, _)| best.point == lost.point) {
            self.finished = None;
        }
        let place = self.refuted.partition_point(|longer| longer.score >= score);
        self.refuted.insert(place, lost);
    }

    /// Where all other moves lose as well, those that were left out may hold out longer.
    fn recall_refuted(&mut self) {
        let loses = |m: &RootMove| m.score.is_loss() && m.score > -Score::INFINITE;
        if self.moves.first().is_none_or(loses) {
            self.moves.append(&mut self.refuted);
            self.moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
    }

    /// The legal moves of the root, most promising first. Where everything loses, the moves that
    /// at least stop something; where everything is forbidden, a forbidden one.
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
            // None stops all of several fives, but the opponent may overlook what is left.
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

    fn legal(&mut self, points: &PointSet) -> Vec<RootMove> {
        let searcher = &mut self.searcher;
        let key = searcher.position.board().key();
        let table_move = searcher.table.probe(key, 0).and_then(|entry| entry.best);
        let hints = Hints { table_move, counter_move: None, after: searcher.last_points() };
        let mut moves = searcher.moves.open(*points, hints);
        let mut list = Vec::new();
        while let Some((p, _)) = searcher.moves.next(
            &mut moves,
            &searcher.position,
            &searcher.evaluator,
            searcher.history,
        ) {
            list.push(RootMove::new(p));
        }
        searcher.moves.close(moves);
        list
    }

    /// A five, or a four that cannot be stopped: no search needed.
    fn win_at_once(&self) -> Option<RootMove> {
        let position = &self.searcher.position;
        let plies = win_in(position).filter(|&plies| plies <= 3)?;
        Some(RootMove::winning(Win { plies, first: winning_move(position, plies)? }))
    }

    /// A win by fours. The budget follows the nodes spent on the regular search.
    fn search_for_fours(&mut self) -> Option<RootMove> {
        let spent = u32::try_from(self.searcher.control.nodes() / 4).unwrap_or(u32::MAX);
        let least = vcf_root_least_moves().unsigned_abs().min(VCF_ROOT_MOVES);
        let budget = spent.clamp(least, VCF_ROOT_MOVES);
        let searcher = &mut self.searcher;
        let control = &mut searcher.control;
        let win = searcher
            .vcf
            .search(&mut searcher.position, Effort::full(budget), || control.visit())?;
        Some(RootMove::winning(win))
    }

    /// A win by threats.
    fn search_for_threats(&mut self) -> Option<RootMove> {
        let win = self.searcher.win_by_threats(Purpose::Win)?;
        let pv = self.searcher.vct.line(&mut self.searcher.position);
        Some(RootMove { pv, ..RootMove::winning(win) })
    }

    /// The outcome is clear: this is the move, unless another of the best lines wins sooner.
    fn settle_on(&mut self, best: RootMove) {
        self.moves.retain(|m| m.point != best.point);
        self.moves.insert(0, best);
        if self.limits.multi_pv > 1 {
            self.moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
    }

    /// See how settled the search is after an iteration.
    fn take_stock(&mut self) {
        let best = &self.moves[0];
        let all: u64 = self.moves.iter().map(|m| m.finished_nodes).sum();
        self.settled.effort = best.finished_nodes as f64 / all.max(1) as f64;
        let score = f64::from(best.score.value());
        let mean = self.mean.unwrap_or(score);
        self.settled.fall = (mean - score).max(0.0);
        self.mean = Some((mean + score) / 2.0);
    }

    /// How much more than the usual time the search is worth: with a match clock, a settled best move
    /// saves time for later moves.
    fn time_scale(&self) -> f64 {
        if self.limits.left.is_none() { 1.0 } else { self.settled.time_scale() }
    }

    fn tell(&mut self, depth: u32) {
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

    fn winning(win: Win) -> RootMove {
        let point = win.first;
        RootMove { score: Score::win_in(win.plies), pv: vec![point], ..RootMove::new(point) }
    }
}
