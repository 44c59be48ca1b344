//! The root: iterative deepening with aspiration windows, multi-PV, and the answer.
//!
//! Threats go deeper than iterations. Before each iteration, VCF and VCT search for a win. After
//! each root move that becomes the best, VCT searches for a win of the opponent. A move that allows
//! one is refuted and excluded.

use std::time::Duration;

use crate::board::{Board, Point};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::score::Score;

use super::depth::Depth;
use super::limits::Limits;
use super::move_picker::Hints;
use super::node::NodeType;
use super::params::*;
use super::proven_line::KnownWin;
use super::qsearch::VctPurpose;
use super::report::{Answer, Report, Reporter};
use super::searcher::{MAX_PLY, Searcher};
use super::shortest::{Attack, Shortest};
use super::tactics::{Defence, OpponentThreat, defence, static_win, static_win_among};
use super::time::Stability;
use super::vcf::{ForcedWin, VcfLimits};

/// Maximum number of nodes to evaluate an only move, and their part of the node limit. It is played
/// in any case.
const ONLY_MOVE_NODES: u64 = 4_000;
const ONLY_MOVE_SHARE: u64 = 16;

/// Maximum number of nodes to search for a shorter win than the one that is proven.
const SHORTER_WIN_NODES: u32 = 4_000;

/// The same, if an earlier search has proven a shorter one.
const PROMISED_WIN_NODES: u32 = 20_000;

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
    /// A win that an earlier search has proven.
    known: Option<&'a KnownWin>,
    reporter: &'r mut dyn Reporter,
    moves: Vec<RootMove>,
    /// Points of the moves that may be searched; `None`: all.
    allowed: Option<PointSet>,
    /// Moves that are proven to win and need no search, shortest win first.
    won: Vec<RootMove>,
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
    /// Creates a search from the searcher's position. `known` is a win that an earlier search has
    /// proven.
    pub fn new(
        searcher: Searcher<'a>,
        limits: &'a Limits,
        known: Option<&'a KnownWin>,
        reporter: &'r mut dyn Reporter,
    ) -> Root<'a, 'r> {
        Root {
            searcher,
            limits,
            known,
            reporter,
            moves: Vec::new(),
            allowed: limits.allowed(),
            won: Vec::new(),
            refuted: Vec::new(),
            stability: Stability::default(),
            mean_score: None,
            finished: None,
        }
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
            return self.answer_without_legal_move();
        };
        let fallback = first.point;
        // If the limits left only one move, the user wants to know what it is worth.
        let at_once = self.moves.len() == 1
            && self.allowed.is_none()
            && self.limits.plays_only_move_at_once();
        let mut depth = 0;
        if let Some(win) = self.known_win() {
            depth = 1;
            self.add_win(win);
        }
        while self.lines_left() > 0
            && let Some(win) = self.immediate_win().or_else(|| self.vcf_win())
        {
            depth = 1;
            self.add_win(win);
        }
        if depth > 0 {
            self.report(depth);
        }
        if self.lines_left() == 0 {
            // The wins are proven.
        } else {
            if at_once {
                let nodes = self.limits.max_nodes.map_or(ONLY_MOVE_NODES, |n| n / ONLY_MOVE_SHARE);
                self.searcher.control.limit_nodes(nodes.min(ONLY_MOVE_NODES));
            } else {
                begin();
            }
            depth = depth.max(self.iterate_all(|_| false));
            if self.is_stopped() {
                self.use_interrupted(depth);
            }
        }
        // From here on, the node limit holds although no iteration may be finished.
        self.searcher.control.set_has_answer();
        if !self.is_stopped() && self.shorten_win() {
            self.report(depth);
        }
        self.searcher.control.publish_nodes();
        let best = self.ranked()[0];
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

    /// Returns the answer if the limits allow no legal move: a forbidden one, which loses as in
    /// the rest of the tree, or none.
    fn answer_without_legal_move(&mut self) -> Answer {
        let forbidden = self.searcher.position.board().empty_points();
        let forbidden = forbidden.filter(|&p| self.limits.allows(p)).map(RootMove::forbidden);
        self.moves.extend(forbidden.take(self.limits.lines_to_fill()));
        let depth = u32::from(!self.moves.is_empty());
        self.report(depth);
        let best = self.moves.first();
        Answer {
            best: best.map(|best| best.point),
            score: best.map_or(Score::ZERO, |best| best.score),
            depth,
            nodes: 0,
            pv: best.map(|best| best.pv.clone()).unwrap_or_default(),
            root_nodes: Vec::new(),
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
        if !self.won.is_empty() {
            return;
        }
        if self.moves[0].pv.is_empty() || self.moves[0].score == -Score::INFINITE {
            self.use_static_eval();
        }
        self.report(depth.max(1));
    }

    /// Returns the number of lines that are still to be searched.
    fn lines_left(&self) -> usize {
        let more = self.limits.lines_to_fill().saturating_sub(self.won.len());
        more.min(self.moves.len() + self.refuted.len())
    }

    /// Returns the moves of the best lines, best first.
    fn ranked(&self) -> Vec<&RootMove> {
        let moves = self.won.iter().chain(&self.moves).chain(&self.refuted);
        let mut moves: Vec<_> = moves.take(self.limits.multi_pv.max(1)).collect();
        if !self.won.is_empty() {
            moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
        moves
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
                self.add_win(win);
                self.report(depth);
                if self.lines_left() == 0 {
                    self.finished = Some((self.won[0].clone(), depth));
                    return depth;
                }
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
            let lines = self.lines().min(self.moves.len());
            let is_decided = |m: &RootMove| {
                m.score.plies_to_five().is_some_and(|n| m.score.is_win() || n <= depth as usize)
            };
            if self.moves[..lines].iter().all(is_decided)
                || !self.searcher.control.may_iterate(self.time_scale())
            {
                break;
            }
        }
        finished
    }

    /// Runs one iteration: each of the best lines in turn.
    fn iterate(&mut self, depth: i32) {
        let lines = self.lines().min(self.moves.len());
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

    /// Returns the number of lines to search, besides those that are proven to win.
    fn lines(&self) -> usize {
        self.limits.multi_pv.saturating_sub(self.won.len()).max(1)
    }

    /// Searches the moves from `line` on with a window around the expected score.
    fn search_line(&mut self, depth: i32, line: usize) {
        let Some(expected) = self.moves.get(line).map(|m| m.score) else { return };
        let known = !expected.is_decided() && expected > -Score::INFINITE;
        // Aspiration windows (+108 ± 31).
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
                // The middle of the window as beta (Stockfish; −2 ± 30).
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
        // VCT refutation of the best root move (own; −14 ± 24).
        let win = self.searcher.vct_win(VctPurpose::Refute, None)?;
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

    /// Restores refuted moves if a wanted line loses as well: the loss of a refuted move may be
    /// longer. After an interrupted iteration only the first line counts, because the scores of the
    /// others are of two iterations.
    fn restore_refuted(&mut self) {
        let loses = |m: &RootMove| m.score.is_loss() && m.score > -Score::INFINITE;
        let last = if self.is_stopped() { 0 } else { self.lines() - 1 };
        if self.moves.get(last).is_none_or(loses) {
            self.moves.append(&mut self.refuted);
            self.moves.sort_by_key(|m| std::cmp::Reverse(m.score));
        }
    }

    /// Returns the legal root moves, most promising first. If all moves lose, returns those that
    /// stop at least one threat. If there are fewer than the lines wanted, others are added that
    /// the engine would not consider. Returns none if all allowed moves are forbidden.
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
            // The user wants to compare exactly these.
            _ if self.limits.only.is_some() => [all; 4],
            OpponentThreat::Nothing => [opening, points, around_centre(board), all],
            OpponentThreat::Double => [points, position.near(), all, all],
            // No move stops several fives, but the opponent may overlook the rest.
            OpponentThreat::Five => [points, fives, position.near(), all],
            OpponentThreat::OpenFour => [points, *fours, position.near(), all],
        };
        let (mut moves, mut rest) = (Vec::new(), self.allowed.unwrap_or(PointSet::ALL));
        for choice in &choices {
            moves.extend(self.legal(&rest.intersection(choice)));
            rest = rest.difference(choice);
            if moves.len() >= self.limits.lines_to_fill() {
                return moves;
            }
        }
        moves
    }

    /// Returns the points of first moves for which a win is still to be found; `None`: all.
    fn untried(&self) -> Option<PointSet> {
        if self.won.is_empty() {
            return self.allowed;
        }
        let won = self.won.iter().map(|m| m.point).collect();
        Some(self.allowed.unwrap_or(PointSet::ALL).difference(&won))
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
        let (plies, first) = match self.untried() {
            None => static_win(position)?,
            Some(points) => static_win_among(position, &points)?,
        };
        (plies <= 3).then(|| RootMove::winning(ForcedWin { plies, first }))
    }

    /// Returns the win of the side to move that an earlier search has proven.
    fn known_win(&self) -> Option<RootMove> {
        let board = self.searcher.position.board();
        let KnownWin { winner, plies, line } = self.known?;
        let point = *line.first().filter(|_| *winner == board.side_to_move())?;
        let score = Score::win_in(*plies);
        Some(RootMove { score, pv: line.clone(), ..RootMove::new(point) })
    }

    /// Searches for a win by fours. The budget grows with the nodes of the regular search.
    fn vcf_win(&mut self) -> Option<RootMove> {
        // VCF at the root (Rapfi; −25 ± 19 in short searches, but it finds the longest wins).
        let spent = u32::try_from(self.searcher.control.nodes() / 4).unwrap_or(u32::MAX);
        let min = vcf_root_min_moves().unsigned_abs().min(VCF_ROOT_MAX_MOVES);
        let limits = VcfLimits::full(spent.clamp(min, VCF_ROOT_MAX_MOVES));
        let points = self.untried();
        let Searcher { vcf, position, control, .. } = &mut self.searcher;
        let interrupt = || control.count_node();
        let win = match &points {
            None => vcf.search(position, limits, interrupt),
            Some(points) => vcf.search_among(position, points, limits, interrupt),
        };
        win.map(RootMove::winning)
    }

    /// Searches for a win by threats.
    fn vct_win(&mut self) -> Option<RootMove> {
        // VCT at the root (own; −4 ± 26).
        let points = self.untried();
        let win = self.searcher.vct_win(VctPurpose::Win, points.as_ref())?;
        let first = points.map(|_| win.first);
        let pv = self.searcher.vct.line_after(&mut self.searcher.position, first);
        Some(RootMove { pv, ..RootMove::winning(win) })
    }

    /// Replaces the best move by one that wins sooner, if a small search finds one. Otherwise a
    /// player could find another win as long as the last one at every move. Returns `true` if the
    /// move was replaced.
    fn shorten_win(&mut self) -> bool {
        // Shorter wins at the root (own).
        let best = self.ranked()[0];
        let Some(plies) = best.score.plies_to_five().filter(|_| best.score.is_win()) else {
            return false;
        };
        if self.limits.multi_pv > 1 || self.allowed.is_some() {
            return false;
        }
        let Searcher { position, control, .. } = &mut self.searcher;
        let stones = plies.div_ceil(2);
        // An earlier search has promised a win in fewer plies.
        let is_promised = self.known.is_some_and(|known| known.plies < plies);
        let nodes = if is_promised { PROMISED_WIN_NODES } else { SHORTER_WIN_NODES };
        let (board, interrupt) = (position.board(), || control.count_node());
        let mut search = Shortest::with_interrupt(board, Attack::Threats, nodes, interrupt);
        let Ok(Some(win)) = search.find(stones.saturating_sub(1)) else { return false };
        let Some(&point) = win.line.first() else { return false };
        let score = Score::win_in(win.line.len());
        self.won.insert(0, RootMove { score, pv: win.line, ..RootMove::new(point) });
        true
    }

    /// Records that a move wins. The search continues without it, if more lines are wanted.
    fn add_win(&mut self, win: RootMove) {
        if self.finished.as_ref().is_some_and(|(best, _)| best.point == win.point) {
            self.finished = None;
        }
        self.moves.retain(|m| m.point != win.point);
        self.refuted.retain(|m| m.point != win.point);
        self.won.push(win);
        self.won.sort_by_key(|m| std::cmp::Reverse(m.score));
        if self.moves.is_empty() {
            self.restore_refuted();
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
        let is_searched = |m: &&RootMove| !m.pv.is_empty() && m.score > -Score::INFINITE;
        let report = |(line, m): (usize, &RootMove)| Report {
            line,
            depth,
            seldepth: self.searcher.seldepth.max(depth as usize) as u32,
            score: m.score,
            nodes: control.total_nodes(),
            elapsed: control.clock().elapsed(),
            pv: m.pv.clone(),
        };
        let ranked = self.ranked().into_iter().filter(is_searched);
        let reports: Vec<Report> = ranked.enumerate().map(report).collect();
        reports.iter().for_each(|report| self.reporter.report(report));
    }
}

/// Returns the points at most two steps from the centre of an empty board; none on other boards.
fn around_centre(board: &Board) -> PointSet {
    let centre = Point::new(board.width() / 2, board.height() / 2);
    let is_near = |p: &Point| board.ply() == 0 && centre.is_some_and(|c| p.distance(c) <= 2);
    board.empty_points().filter(is_near).collect()
}

impl RootMove {
    fn new(point: Point) -> RootMove {
        RootMove { point, score: -Score::INFINITE, pv: Vec::new(), nodes: 0, finished_nodes: 0 }
    }

    /// Returns a move that loses at once by the rule.
    fn forbidden(point: Point) -> RootMove {
        RootMove { score: Score::loss_in(2), pv: vec![point], ..RootMove::new(point) }
    }

    fn winning(win: ForcedWin) -> RootMove {
        let point = win.first;
        RootMove { score: Score::win_in(win.plies), pv: vec![point], ..RootMove::new(point) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Outcome, Side, Variant};
    use crate::search::{Engine, Signals};

    fn board(names: &str, variant: Variant) -> Board {
        let mut board = Board::new(15, 15, variant).unwrap();
        for name in names.split_whitespace() {
            board.play(board.parse_point(name).unwrap()).unwrap();
        }
        board
    }

    /// Positions in which the side to move has a five, an open four, a win by fours, a win by
    /// threats and none of these; and one in which it must answer a four.
    fn positions() -> Vec<Board> {
        let free = |names| board(names, Variant::FREESTYLE);
        vec![
            free("h8 h9 i8 i9 j8 j9 k8 l8"),
            free("h8 a1 i8 a15 j8 o1"),
            free("h8 g8 i8 a1 j8 a15 k10 o1 k11 o15 k12 k13"),
            free("g8 a1 h8 o1 i6 a15 i7 o15"),
            free("h8 i9 i7 g9"),
            free("h8 g8 i8 a1 j8 a3 k8"),
            board("g8 a1 h8 o1 i6 a15 i7 o15", Variant::RENJU),
        ]
    }

    #[derive(Default)]
    struct Last(Vec<Report>);

    impl Reporter for Last {
        fn report(&mut self, report: &Report) {
            if report.line == 0 {
                self.0.clear();
            }
            assert_eq!(self.0.len(), report.line, "lines are reported without gaps");
            self.0.push(report.clone());
        }
    }

    fn think(board: &Board, limits: &Limits) -> (Answer, Vec<Report>) {
        let mut last = Last::default();
        let mut engine = Engine::new(1 << 20);
        let answer = engine.think(board, limits, &Signals::default(), &mut last);
        (answer, last.0)
    }

    fn nodes(max_nodes: u64) -> Limits {
        Limits { max_nodes: Some(max_nodes), ..Limits::default() }
    }

    #[test]
    fn as_many_lines_are_reported_as_are_wanted() {
        for board in positions() {
            for multi_pv in [2, 5] {
                let (answer, lines) = think(&board, &Limits { multi_pv, ..nodes(5_000) });
                assert_eq!(lines.len(), multi_pv, "{board}{lines:?}");
                let firsts: HashSet<_> = lines.iter().map(|line| line.pv[0]).collect();
                assert_eq!(firsts.len(), multi_pv, "{board}{lines:?}");
                assert!(lines.is_sorted_by_key(|line| -line.score), "{board}{lines:?}");
                let best = (answer.best, answer.score);
                assert_eq!(best, (Some(lines[0].pv[0]), lines[0].score), "{board}");
                let single = think(&board, &nodes(5_000)).0.score;
                assert_eq!(answer.score.is_win(), single.is_win(), "{board}{answer:?} {single}");
            }
        }
    }

    #[test]
    fn lines_are_not_filled_for_players() {
        for board in &positions()[..4] {
            let limits = Limits { multi_pv: 5, fill_lines: false, ..nodes(20_000) };
            let (answer, _) = think(board, &limits);
            assert!(answer.score.is_win() && answer.nodes < 10_000, "{board}{answer:?}");
        }
    }

    #[test]
    fn all_fives_are_lines() {
        let open = board("h8 a1 i8 a3 j8 a5 k8 a7", Variant::FREESTYLE);
        let (_, lines) = think(&open, &Limits { multi_pv: 3, ..nodes(2_000) });
        let scores: Vec<_> = lines.iter().map(|line| line.score).collect();
        assert_eq!(scores[..2], [Score::win_in(1); 2]);
        assert!(scores[2] < Score::win_in(1) && scores[2].is_win(), "{lines:?}");
    }

    #[test]
    fn excluded_moves_are_never_played_and_wins_are_proven_without_them() {
        for board in positions() {
            let side = board.side_to_move();
            let mut without = PointSet::EMPTY;
            // Exclude the best move again and again.
            for _ in 0..12 {
                let limits = Limits { without, ..nodes(3_000) };
                let (answer, lines) = think(&board, &limits);
                let best = answer.best.unwrap();
                assert!(!without.contains(best), "{board}{answer:?}");
                assert!(lines.iter().all(|line| !without.contains(line.pv[0])), "{board}");
                if answer.score.is_win() {
                    // The first move wins on its own.
                    let mut after = board.clone();
                    after.play(best).unwrap();
                    let is_won = after.outcome() == Outcome::Win(side) || {
                        let reply = think(&after, &nodes(50_000)).0;
                        reply.score.is_loss()
                    };
                    assert!(is_won, "{board}{answer:?}");
                }
                without.insert(best);
            }
        }
    }

    #[test]
    fn a_filtered_search_does_not_change_what_later_searches_find() {
        for board in positions() {
            let mut engine = Engine::new(1 << 20);
            let mut think = |limits: &Limits| {
                engine.think(&board, limits, &Signals::default(), &mut Last::default())
            };
            let expected = think(&nodes(5_000));
            let without = expected.best.into_iter().collect();
            think(&Limits { without, ..nodes(5_000) });
            let again = think(&nodes(5_000));
            assert_eq!(expected.score.is_win(), again.score.is_win(), "{board}{again:?}");
        }
    }

    #[test]
    fn only_the_named_moves_are_lines() {
        for board in positions() {
            let corner = ["b14", "c13"].map(|name| board.parse_point(name).unwrap());
            let limits = Limits { multi_pv: 5, ..nodes(2_000) }.only(corner);
            let (answer, lines) = think(&board, &limits);
            assert!(answer.best.is_some_and(|best| corner.contains(&best)), "{board}");
            assert_eq!(lines.len(), 2, "{board}{lines:?}");
        }
    }

    #[test]
    fn without_any_move_there_is_no_answer() {
        let board = board("h8", Variant::FREESTYLE);
        let (answer, lines) = think(&board, &nodes(100).only([]));
        assert_eq!((answer.best, lines.len()), (None, 0));
    }

    #[test]
    fn a_forbidden_move_is_answered_only_if_no_other_is_allowed_and_loses() {
        // h8 is a double-three.
        let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
        for (names, side) in [("h9 h10 i8 j8", Side::Black), ("a1 a3 a5 o1", Side::White)] {
            let points = names.split(' ').map(|name| board.parse_point(name).unwrap());
            points.collect::<Vec<_>>().into_iter().for_each(|p| board.place(p, side).unwrap());
        }
        board.set_side_to_move(Side::Black);
        let [foul, other] = ["h8", "i9"].map(|name| board.parse_point(name).unwrap());
        assert!(board.foul(foul, Side::Black).is_some() && board.is_legal(other));
        let lost = Score::loss_in(2);
        for threads in [1, 2] {
            let mut engine = Engine::new(1 << 20);
            engine.set_threads(threads);
            let mut think = |limits: &Limits| {
                let mut last = Last::default();
                let answer = engine.think(&board, limits, &Signals::default(), &mut last);
                (answer, last.0)
            };
            let (answer, lines) = think(&nodes(500).only([foul]));
            assert_eq!((answer.best, answer.score, answer.pv), (Some(foul), lost, vec![foul]));
            assert_eq!((lines.len(), lines[0].score), (1, lost));
            // Among others it is ignored.
            let (answer, lines) = think(&Limits { multi_pv: 2, ..nodes(500) }.only([foul, other]));
            assert_eq!((answer.best, lines.len()), (Some(other), 1));
            // Later searches do not remember it.
            assert!(think(&nodes(500)).0.best != Some(foul));
        }
    }

    #[test]
    fn threads_exclude_moves_too() {
        let board = board("h8 i9 i7 g9", Variant::FREESTYLE);
        let mut engine = Engine::new(1 << 20);
        engine.set_threads(3);
        let mut think = |without: PointSet| {
            let limits = Limits { without, ..nodes(20_000) };
            engine.think(&board, &limits, &Signals::default(), &mut Last::default()).best.unwrap()
        };
        let mut without = PointSet::EMPTY;
        for _ in 0..5 {
            let best = think(without);
            assert!(!without.contains(best));
            without.insert(best);
        }
    }

    /// White must stop a four and wins after that.
    #[test]
    fn a_forced_reply_has_a_true_evaluation() {
        let mut forced = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let mut place = |names: &str, side: Side| {
            for name in names.split_whitespace() {
                let p = forced.parse_point(name).unwrap();
                forced.place(p, side).unwrap();
            }
        };
        // Black's four from b2 to e2 can be made five at f2 only.
        place("b2 c2 d2 e2 n14 o3", Side::Black);
        // White has an open three and a two that meet f2, which becomes a four-three.
        place("a2 f3 f4 g3 h4 l9 m12", Side::White);
        forced.set_side_to_move(Side::White);
        let limits = Limits { skip_only_move: true, ..nodes(100_000) };
        let (answer, lines) = think(&forced, &limits);
        assert_eq!(answer.best, forced.parse_point("f2").ok());
        assert!(answer.nodes < 10_000 && answer.depth > 0, "{answer:?}");
        let deep = think(&forced, &nodes(100_000)).0.score;
        assert_eq!(answer.score.is_win(), deep.is_win(), "{answer:?} {deep}");
        assert_eq!(lines.last().map(|line| line.score), Some(answer.score));
    }
}
