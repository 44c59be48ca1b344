//! The node function: principal variation search with everything that makes it quick.
//!
//! Scores count from the root: a win three plies below a node at ply 4 is `win_in(7)`. Depth is in
//! 1/1024 plies, integers throughout, so that a search is the same on every machine.

use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::weights::ORDER_SCALE;
use crate::pattern::Level;
use crate::pattern::set::PointSet;
use crate::position::Position;
use crate::score::Score;

use super::control::Control;
use super::fixed;
use super::history::{History, Played, RELATIONS};
use super::movepick::{Hints, MoveStack};
use super::params::*;
use super::tactics::{Defence, OpponentThreat, Verdict, defence, stops, verdict};
use super::threads::Memory;
use super::tt::{Bound, Entry, Table};
use super::vcf::{Effort, Vcf, Win};
use super::vct::Vct;

/// One ply, in the unit of depth.
pub const PLY: i32 = 1024;

/// Longest path from the root, in plies.
pub const MAX_PLY: usize = 200;

/// What is expected of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Part of the principal variation: searched with an open window.
    Pv,
    /// Expected to fail high.
    Cut,
    /// Expected to fail low.
    All,
}

impl Node {
    fn child(self) -> Node {
        match self {
            Node::Pv | Node::All => Node::Cut,
            Node::Cut => Node::All,
        }
    }
}

/// What a node leaves for its descendants.
#[derive(Clone, Copy, Default)]
struct Frame {
    eval: Score,
    /// The move left out by a singular search.
    excluded: Option<Point>,
    /// Moves on the path from the root that were extended twice.
    doubles: i32,
}

/// One thread's search of one position.
pub struct Searcher<'a> {
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) table: &'a Table,
    pub(super) control: Control<'a>,
    pub(super) history: &'a mut History,
    pub(super) vcf: &'a mut Vcf,
    pub(super) vct: &'a mut Vct,
    /// Nodes that went into [`Searcher::win_by_threats`].
    vct_nodes: u64,
    pub(super) moves: MoveStack,
    frames: Vec<Frame>,
    /// Principal variation of each ply of the current path.
    pv: Vec<Vec<Point>>,
    pub(super) seldepth: usize,
    reductions: [i32; 64],
    /// See [`move_count_limit`], by plies and whether the position improves.
    move_limits: [[usize; 2]; 64],
}

impl<'a> Searcher<'a> {
    /// A search of `position`.
    pub fn new(
        position: Position,
        table: &'a Table,
        control: Control<'a>,
        memory: &'a mut Memory,
    ) -> Searcher<'a> {
        Searcher {
            evaluator: Evaluator::new(&position),
            position,
            table,
            control,
            history: &mut memory.history,
            vcf: &mut memory.vcf,
            vct: &mut memory.vct,
            vct_nodes: 0,
            moves: MoveStack::default(),
            frames: vec![Frame::default(); MAX_PLY + 4],
            pv: (0..MAX_PLY + 4).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            seldepth: 0,
            reductions: std::array::from_fn(|n| reduction_factor(n as u32)),
            move_limits: std::array::from_fn(|plies| {
                [false, true].map(|improving| move_count_limit(plies as u32, improving))
            }),
        }
    }

    /// Note what the root's position is worth, for the nodes below that compare themselves with it.
    pub fn enter_root(&mut self) {
        let mask = self.position.threats().mask(self.position.side_to_move());
        let raw = self.evaluator.value_given(&self.position, mask);
        self.frames[0] = Frame { eval: self.corrected(raw, mask), excluded: None, doubles: 0 };
    }

    /// The principal variation found by the last search of a node at `ply`.
    pub fn pv(&self, ply: usize) -> &[Point] {
        &self.pv[ply]
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

    /// Search the moves of a node. `depth` in 1/1024 plies.
    pub fn search(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        node: Node,
    ) -> Score {
        let pv_node = node == Node::Pv;
        self.pv[ply].clear();
        if self.control.visit() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);

        // Nothing here can be better than winning at once or worse than losing at once.
        alpha = alpha.max(Score::loss_in(ply + 2));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        if let Some(score) = self.decided(ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.static_value();
        }
        if depth <= 0 {
            return self.horizon(alpha, beta, ply);
        }

        // Transposition table.
        let side = self.position.side_to_move();
        let excluded = self.frames[ply].excluded;
        let key = self.position.board().key();
        let entry = if excluded.is_some() { None } else { self.table.probe(key, ply) };
        let plies = depth / PLY;
        if let Some(entry) = entry
            && !pv_node
            && (entry.depth >= plies || entry.is_proof())
            && settles(entry.bound, entry.score, alpha, beta)
        {
            return entry.score;
        }
        let table_move = entry.and_then(|e| e.best).filter(|&p| self.position.board().is_empty(p));

        let table_pv = pv_node || entry.is_some_and(|e| e.pv);

        let Defence { against, points } = defence(&self.position);
        let forced = against.is_four();
        let mask = self.position.threats().mask(side);
        let raw = match entry {
            Some(entry) if entry.bound != Bound::None => entry.eval,
            _ => self.evaluator.value_given(&self.position, mask),
        };
        let eval = self.corrected(raw, mask);
        self.frames[ply].eval = eval;
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;

        if !pv_node && !forced && excluded.is_none() && !beta.is_decided() && !alpha.is_decided() {
            // Reverse futility: far above beta, with nothing to answer.
            let new = node == Node::Cut && table_move.is_none();
            let margin = reverse_futility_margin() - if new { reverse_futility_new() } else { 0 };
            if plies <= reverse_futility_max_depth()
                && eval - margin * (plies - 1 - i32::from(improving)).max(0) >= beta
            {
                return eval;
            }
            // Razoring: far below alpha, only fours can help.
            if plies <= razoring_max_depth()
                && eval + razoring_base() + razoring_margin() * plies <= alpha
            {
                return self.horizon(alpha, beta, ply);
            }
        }

        // Forcing search: a win by fours ends the matter.
        if excluded.is_none()
            && entry.is_none()
            && plies >= vcf_inner_min_depth()
            && eval < beta
            && let Some(score) = self.wins_by_fours(ply, vcf_inner_nodes())
        {
            let bound = Bound::Exact;
            let entry = Entry { best: None, score, bound, depth: plies, eval: raw, pv: table_pv };
            self.table.store(key, ply, entry);
            return score;
        }

        // A position that no search has looked at yet is not worth the full depth.
        if table_move.is_none() && !forced && plies >= iir_min_depth() && excluded.is_none() {
            depth -= iir_reduction();
            if node == Node::Cut {
                depth -= iir_cut_reduction();
            }
        }

        // Singular extension: is the table's move the only good one?
        let mut singular = 0;
        if let (Some(entry), Some(best)) = (entry, table_move)
            && plies >= singular_min_depth()
            && ply > 0
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.depth >= plies - 3
            && !entry.score.is_decided()
            && excluded.is_none()
        {
            let limit = entry.score - singular_margin() * plies;
            let frame = self.frames[ply];
            self.frames[ply].excluded = Some(best);
            // The window is empty: nothing of this search belongs to the principal variation.
            let node = if pv_node { Node::Cut } else { node };
            let score = self.search(limit - 1, limit, depth / 2, ply, node);
            // Back to what this node has found: the search above wrote its own over it.
            self.frames[ply] = frame;
            self.pv[ply].clear();
            if score < limit {
                singular = PLY;
                if !pv_node
                    && score < limit - singular_double_margin()
                    && self.frames[ply].doubles < singular_double_max()
                {
                    singular += singular_double_extension();
                }
            } else if limit >= beta {
                // Several moves fail high: this node will, too.
                return limit;
            } else if entry.score >= beta {
                singular = -singular_reduction();
            }
        }

        // Far above beta already, and expected to be: a shallower search will do.
        let clear = node == Node::Cut
            && !forced
            && eval >= beta + fail_high_base() + fail_high_margin() * plies;

        let counter_move = match self.position.board().last_stone() {
            Some(last) => self.history.counter_move(last.side, last.point),
            None => None,
        };
        let after = self.last_points();
        let hints = Hints { table_move, counter_move, after };
        let mut moves = self.moves.open(points, hints);

        let alpha_before = alpha;
        // What the moves that are not listed come to.
        let unlisted = against.loss_in().map(|plies| Score::loss_in(ply + plies));
        let mut best = match against {
            OpponentThreat::OpenFour | OpponentThreat::Double => {
                unlisted.unwrap_or(-Score::INFINITE)
            }
            OpponentThreat::Five | OpponentThreat::Nothing => -Score::INFINITE,
        };
        let mut best_move = None;
        let mut number = 0;
        // Moves that turned out to lose by force say nothing about how late the next one is.
        let mut losing = 0;
        let mut tried = [None; 32];
        let mut top_value = None;
        let limit = self.move_limits[plies.clamp(0, 63) as usize][usize::from(improving)];
        let mut offered = false;
        loop {
            let next = self.moves.next(&mut moves, &self.position, &self.evaluator, self.history);
            let Some((p, value)) = next else {
                if offered || against != OpponentThreat::Nothing {
                    break;
                }
                // No free legal point near a stone: look everywhere.
                self.moves.close(moves);
                let all: PointSet = self.position.board().empty_points().collect();
                moves = self.moves.open(all, hints);
                offered = true;
                continue;
            };
            offered = true;
            if Some(p) == excluded {
                continue;
            }
            let top = if Some(p) == table_move { value } else { *top_value.get_or_insert(value) };
            let threats = self.position.threats();
            let makes = threats.level(p, side);
            let prevents = threats.level(p, side.opponent());
            let quiet = makes < Level::OpenThree && prevents < Level::OpenThree;
            let played = Played { side, point: p, level: makes, after };

            // Late moves are left out once one is known that does not lose.
            if number >= limit && !best.is_loss() {
                break;
            }
            number += 1;

            let mut extension = if Some(p) == table_move { singular } else { 0 };
            if against == OpponentThreat::Five {
                extension = extension.max(five_extension());
            }
            if clear && makes < Level::Four {
                extension -= fail_high_reduction();
            }
            let mut next_depth = depth - PLY + extension;
            if alpha > alpha_before && plies > 2 && plies < raised_max_depth() && !forced {
                next_depth -= raised_reduction();
            }
            let doubled = Some(p) == table_move && singular > PLY;
            self.frames[ply + 1].doubles = self.frames[ply].doubles + i32::from(doubled);
            self.push(p);
            let score = if number == 1 {
                -self.search(-beta, -alpha, next_depth, ply + 1, node.child_of_first())
            } else {
                let mut reduction = 0;
                if plies >= lmr_min_depth() && against != OpponentThreat::Five {
                    let (forced, behind) = (against != OpponentThreat::Nothing, top - value);
                    let late = Late { played, quiet, forced, improving, node, table_pv, behind };
                    reduction = self.reduction(plies, number - losing, &late);
                }
                let mut score =
                    -self.search(-alpha - 1, -alpha, next_depth - reduction, ply + 1, Node::Cut);
                if score > alpha && reduction > 0 {
                    if score > best + lmr_deeper_margin() && !score.is_decided() && ply > 0 {
                        next_depth += PLY;
                    }
                    score = -self.search(-alpha - 1, -alpha, next_depth, ply + 1, node.child());
                }
                if score > alpha && pv_node {
                    score = -self.search(-beta, -alpha, next_depth, ply + 1, Node::Pv);
                }
                score
            };
            self.position.pop();
            if self.control.is_stopped() {
                self.moves.close(moves);
                return Score::ZERO;
            }

            losing += usize::from(score.is_loss());
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(p);
                    if pv_node {
                        self.extend_pv(ply, p);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if number <= tried.len() && Some(p) != best_move {
                tried[number - 1] = Some(played);
            }
        }
        self.moves.close(moves);
        if number == 0 {
            return if excluded.is_some() {
                alpha_before
            } else {
                // Where nothing must be answered every free point is forbidden: playing one loses.
                unlisted.unwrap_or(Score::loss_in(ply + 2))
            };
        }

        if best >= beta
            && let Some(p) = best_move
        {
            let level = self.position.threats().level(p, side);
            self.reward(&Played { side, point: p, level, after }, &tried, plies);
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let plies = depth / PLY;
            let entry = Entry {
                best: best_move,
                score: best,
                bound,
                depth: plies,
                eval: raw,
                pv: table_pv,
            };
            self.table.store(key, ply, entry);
            let says_more = match bound {
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
                _ => true,
            };
            if says_more && !best.is_decided() && !forced {
                self.history.correct(side, mask, best.value() - eval.value(), plies);
            }
        }
        best
    }

    /// What the shapes alone decide for the side to move.
    fn decided(&self, ply: usize) -> Option<Score> {
        match verdict(&self.position) {
            Verdict::Win(plies) => Some(Score::win_in(ply + plies)),
            Verdict::Loss(plies) => Some(Score::loss_in(ply + plies)),
            Verdict::Draw => Some(Score::ZERO),
            Verdict::Open => None,
        }
    }

    /// The end of the regular search: answer a four, look for a win by fours, else evaluate.
    fn horizon(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        if self.position.threats().count(self.position.side_to_move().opponent(), Level::Five) > 0 {
            return self.answer_five(alpha, beta, ply);
        }
        let mask = self.position.threats().mask(self.position.side_to_move());
        let raw = self.evaluator.value_given(&self.position, mask);
        let eval = self.corrected(raw, mask);
        if eval >= beta {
            return eval;
        }
        self.wins_by_fours(ply, vcf_horizon_nodes()).unwrap_or(eval)
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

    /// The score of a win by fours, if the side to move has one that is found within the budget.
    pub fn wins_by_fours(&mut self, ply: usize, budget: i32) -> Option<Score> {
        if !self.position.threats().has_fours(self.position.side_to_move()) {
            return None;
        }
        let control = &mut self.control;
        let effort = Effort { moves: budget.unsigned_abs(), narrow: true };
        let win = self.vcf.search(&mut self.position, effort, || control.visit());
        win.map(|win| Score::win_in(ply + win.plies))
    }

    /// A win of the side to move by threats, if it is found with that part of all nodes that is
    /// granted to it and not used yet.
    pub fn win_by_threats(&mut self) -> Option<Win> {
        let before = self.control.nodes();
        let granted = before * u64::from(vct_percent().unsigned_abs()) / 100;
        let budget = u32::try_from(granted.saturating_sub(self.vct_nodes)).unwrap_or(u32::MAX);
        if budget < vct_min_nodes().unsigned_abs() {
            return None;
        }
        let control = &mut self.control;
        let win = self.vct.search(&mut self.position, &self.evaluator, budget, || control.visit());
        self.vct_nodes += self.control.nodes() - before;
        win
    }

    /// How much the depth of the root's move `p`, the `number`-th, is reduced, in 1/1024 plies.
    pub fn root_reduction(&self, depth: i32, number: usize, p: Point) -> i32 {
        if number == 1 || depth < lmr_min_depth() {
            return 0;
        }
        let threats = self.position.threats();
        let side = self.position.side_to_move();
        let makes = threats.level(p, side);
        let quiet =
            makes < Level::OpenThree && threats.level(p, side.opponent()) < Level::OpenThree;
        let played = Played { side, point: p, level: makes, after: self.last_points() };
        let (forced, improving, table_pv, behind) = (false, true, true, 0);
        let node = Node::Pv;
        let late = Late { played, quiet, forced, improving, node, table_pv, behind };
        self.reduction(depth, number, &late)
    }

    /// How much a late move's depth is reduced, in 1/1024 plies.
    fn reduction(&self, plies: i32, number: usize, late: &Late) -> i32 {
        let by_depth = self.reductions[(plies as usize).min(63)];
        let by_number = self.reductions[number.min(63)];
        let mut r = by_depth * by_number / 1024;
        match late.node {
            Node::Pv => r -= lmr_pv(),
            Node::Cut => r += lmr_cut(),
            Node::All => {}
        }
        if late.table_pv {
            r -= lmr_table_pv();
        }
        if !late.improving {
            r += lmr_not_improving();
        }
        if !late.quiet {
            r -= lmr_threat();
        }
        let behind = (late.behind - lmr_policy_free()).max(0);
        r += (behind * lmr_policy() / ORDER_SCALE).min(lmr_policy_max());
        r -= self.history.get(&late.played) * PLY / lmr_history_divisor();
        r = r.max(0);
        if late.forced {
            r += lmr_forced();
        }
        r.min((plies - 1) * PLY)
    }

    /// The points of the last stones, latest first.
    pub fn last_points(&self) -> [Option<Point>; RELATIONS] {
        let mut stones = self.position.board().stones().rev().map(|stone| stone.point);
        std::array::from_fn(|_| stones.next())
    }

    /// The evaluation, uncorrected.
    pub fn static_value(&mut self) -> Score {
        self.evaluator.value(&self.position)
    }

    /// An evaluation, corrected by what searches of positions with the same threats came to.
    fn corrected(&self, raw: Score, mask: usize) -> Score {
        let correction = self.history.correction(self.position.side_to_move(), mask);
        Score::from_eval(raw.value() + correction * correction_weight() / 16)
    }

    /// A move caused a cutoff: reward it, and blame those tried before it.
    fn reward(&mut self, best: &Played, tried: &[Option<Played>], plies: i32) {
        let bonus = History::bonus(plies);
        self.history.update(best, bonus);
        for played in tried.iter().flatten().filter(|played| played.point != best.point) {
            self.history.update(played, -bonus);
        }
        if let Some(last) = self.position.board().last_stone() {
            self.history.set_counter_move(last.side, last.point, best.point);
        }
    }
}

/// What decides how much a late move is reduced, besides depth and number.
struct Late {
    played: Played,
    /// Whether it neither makes nor prevents a threat.
    quiet: bool,
    /// Whether the moves of the node must answer a threat.
    forced: bool,
    improving: bool,
    node: Node,
    table_pv: bool,
    /// How much less the ordering thinks of it than of the best move, in 1/[`ORDER_SCALE`] nats.
    behind: i32,
}

impl Node {
    /// What the first child of a node is expected to be.
    fn child_of_first(self) -> Node {
        match self {
            Node::Pv => Node::Pv,
            other => other.child(),
        }
    }
}

/// Whether a bound answers the question that the window asks.
fn settles(bound: Bound, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::None => false,
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// A number for a depth or a place among the moves: the base of a reduction, in 1/1024 plies, is the
/// product of both of its numbers, divided by 1024.
fn reduction_factor(n: u32) -> i32 {
    // In 1/2^16.
    let root = (u64::from(lmr_factor().unsigned_abs()) << 32).isqrt();
    ((fixed::ln(n) * root * 32 + (1 << 47)) >> 48) as i32
}

/// How many moves a shallow node looks at.
fn move_count_limit(plies: u32, improving: bool) -> usize {
    let base = u64::from(move_count_base().unsigned_abs()) << 32;
    let limit = base + fixed::power(plies, move_count_power().unsigned_abs());
    let part = u64::from(move_count_not_improving().unsigned_abs());
    ((if improving { limit } else { limit * part / 100 }) >> 32) as usize
}
