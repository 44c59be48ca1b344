//! The node function: principal variation search with everything that makes it quick.
//!
//! ```text
//! what the shapes decide → horizon → table → evaluation → pruning → win by fours → less depth
//! without a move from the table → singular move → the moves → histories and table
//! ```
//!
//! What a node that was seen a moment ago would say is told before the move that leads there is played
//! ([`super::ahead`]).
//!
//! Scores count from the root: a win three plies below a node at ply 4 is `win_in(7)`.

use crate::board::{Point, Side};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::pattern::threat::AGAINST_FOUR;
use crate::score::Score;

use super::ahead::{is_clear, settles};
use super::depth::Depth;
use super::evals::Valued;
use super::history::{History, Played, RELATIONS};
use super::movepick::{Hints, Moves};
use super::node_kind::NodeKind;
use super::params::*;
use super::reductions::LateMove;
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Defence, OpponentThreat, defence};
use super::tt::{Bound, Entry};

/// How many of the moves tried in vain are blamed for it.
const BLAMED: usize = 32;

/// A node whose moves are to be searched.
struct Node {
    ply: usize,
    kind: NodeKind,
    alpha: Score,
    beta: Score,
    depth: Depth,
    /// The depth that was asked for, in whole plies.
    plies: i32,
    side: Side,
    key: u64,
    /// The move that is left out.
    excluded: Option<Point>,
    entry: Option<Entry>,
    table_move: Option<Point>,
    /// Whether it is or was part of a principal variation.
    table_pv: bool,
    against: OpponentThreat,
    /// The moves to look at.
    points: PointSet,
    /// Which threats there are, for the correction of evaluations.
    mask: usize,
    /// The evaluation, uncorrected.
    raw: Score,
    eval: Score,
    /// Whether the side to move stands better than two plies before.
    improving: bool,
    /// Whether the depth reaches the last free point: then nothing that is listed is left out or
    /// searched less deeply. The score is the truth but for one thing: where nothing must be answered,
    /// only points near stones are listed.
    is_to_the_end: bool,
    /// The last stones, latest first.
    after: [Option<Point>; RELATIONS],
}

impl Node {
    /// How much less deep to search where no search has found a move yet: such a position is not worth
    /// the full depth.
    fn reduction_if_new(&self) -> Depth {
        if self.table_move.is_some()
            || self.against.is_four()
            || self.plies < iir_min_depth()
            || self.is_to_the_end
            || self.excluded.is_some()
        {
            return Depth::ZERO;
        }
        let more = if self.kind == NodeKind::Cut { iir_cut_reduction() } else { 0 };
        Depth::from_units(iir_reduction() + more)
    }
}

/// What the search of a node's moves has come to so far.
struct MovesSearched {
    alpha: Score,
    best: Score,
    best_move: Option<Point>,
    /// Moves searched.
    number: usize,
    /// Those of them that lose by force: they say nothing about how late the next one is.
    losing: usize,
    /// The moves that were not the best when they were searched.
    tried: [Option<Played>; BLAMED],
}

/// What the search without the table's move says.
enum Singular {
    /// Search that move this much deeper.
    Extend(Depth),
    /// The node fails high without it.
    Cutoff(Score),
}

impl Searcher<'_> {
    /// Search the moves of a node.
    pub fn search(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        kind: NodeKind,
    ) -> Score {
        self.clear_pv(ply);
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
        if depth <= Depth::ZERO {
            return self.horizon(alpha, beta, ply);
        }

        // Transposition table.
        let plies = depth.plies();
        let excluded = self.path[ply].excluded;
        let key = self.position.board().key();
        let entry = if excluded.is_some() { None } else { self.table.probe(key, ply) };
        if let Some(entry) = entry
            && kind != NodeKind::Pv
            && settles(&entry, plies, alpha, beta)
        {
            return entry.score;
        }

        // Static evaluation.
        let side = self.position.side_to_move();
        let mask = self.position.threats().mask(side);
        let (raw, eval) = self.evaluated(ply, key, mask, entry);
        self.path[ply].eval = eval;

        let Defence { against, points } = defence(&self.position);
        debug_assert_eq!(against.is_four(), mask & AGAINST_FOUR != 0);
        let mut node = Node {
            ply,
            kind,
            alpha,
            beta,
            depth,
            plies,
            side,
            key,
            excluded,
            entry,
            table_move: entry.and_then(|e| e.best).filter(|&p| self.position.board().is_empty(p)),
            table_pv: kind == NodeKind::Pv || entry.is_some_and(|e| e.pv),
            against,
            points,
            mask,
            raw,
            eval,
            improving: ply >= 2 && eval > self.path[ply - 2].eval,
            is_to_the_end: plies as usize >= self.position.board().empty_count(),
            after: self.last_points(),
        };
        if let Some(score) = self.prune(&node) {
            return score;
        }
        if let Some(score) = self.win_by_fours(&node) {
            return score;
        }
        node.depth -= node.reduction_if_new();
        match self.singular(&node) {
            Singular::Cutoff(score) => score,
            Singular::Extend(extension) => self.search_moves(&node, extension),
        }
    }

    /// The evaluation, uncorrected and corrected; `key` and `mask` are the position's.
    fn evaluated(
        &mut self,
        ply: usize,
        key: u64,
        mask: usize,
        entry: Option<Entry>,
    ) -> (Score, Score) {
        if mask & AGAINST_FOUR != 0 {
            // What the position is worth shows when the four is answered, and nothing is decided by it
            // before. Until then it counts as what the side to move had two plies ago.
            let before = match ply {
                0 | 1 => self.static_value(),
                _ => self.path[ply - 2].eval,
            };
            return (before, before);
        }
        let raw = match entry {
            Some(entry) => entry.eval,
            None => self.valued(key, mask),
        };
        (raw, self.corrected(raw, mask))
    }

    /// The evaluation, uncorrected; `key` and `mask` are the position's.
    pub(super) fn valued(&mut self, key: u64, mask: usize) -> Score {
        let Some(last) = self.position.board().last_stone() else { return self.static_value() };
        if let Some(known) = self.evals.get(key, last.point) {
            return known.raw;
        }
        let raw = self.evaluator.evaluate_with_mask(&self.position, mask);
        // Where a four must be answered only the horizon asks: for the search itself such positions have no value.
        if mask & AGAINST_FOUR == 0 {
            self.evals.insert(key, last.point, Valued { raw, mask });
        }
        raw
    }

    /// The score of a shallow node that is far from its window already.
    fn prune(&mut self, node: &Node) -> Option<Score> {
        let &Node { alpha, beta, plies, eval, .. } = node;
        if node.kind == NodeKind::Pv
            || node.is_to_the_end
            || node.against.is_four()
            || node.excluded.is_some()
            || beta.is_decided()
            || alpha.is_decided()
        {
            return None;
        }
        // Reverse futility: far above beta, with nothing to answer.
        let is_new = node.kind == NodeKind::Cut && node.table_move.is_none();
        if is_clear(eval, beta, plies, node.improving, is_new) {
            return Some(eval);
        }
        // Razoring: far below alpha, only fours can help.
        let is_hopeless = plies <= razoring_max_depth()
            && eval + razoring_base() + razoring_margin() * plies <= alpha;
        is_hopeless.then(|| self.horizon(alpha, beta, node.ply))
    }

    /// The score of a node that no search has looked at yet and that is won by fours.
    fn win_by_fours(&mut self, node: &Node) -> Option<Score> {
        let &Node { ply, plies, raw, table_pv, .. } = node;
        if node.excluded.is_some()
            || node.entry.is_some()
            || plies < vcf_inner_min_depth()
            || node.eval >= node.beta
        {
            return None;
        }
        let score = self.wins_by_fours(ply, vcf_inner_moves())?;
        let bound = Bound::Exact;
        let entry = Entry { best: None, score, bound, depth: plies, eval: raw, pv: table_pv };
        self.table.store(node.key, ply, entry);
        Some(score)
    }

    /// Singular extension: is the table's move the only good one?
    fn singular(&mut self, node: &Node) -> Singular {
        let &Node { ply, kind, plies, beta, .. } = node;
        let nothing = Singular::Extend(Depth::ZERO);
        let (Some(entry), Some(_)) = (node.entry, node.table_move) else { return nothing };
        if plies < singular_min_depth()
            || ply == 0
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || entry.depth < plies - SINGULAR_TABLE_MARGIN
            || entry.score.is_decided()
            || node.excluded.is_some()
            || node.is_to_the_end
        {
            return nothing;
        }
        let limit = entry.score - singular_margin() * plies;
        let state = self.path[ply];
        self.path[ply].excluded = node.table_move;
        // The window is empty: nothing of this search belongs to the principal variation.
        let without_pv = if kind == NodeKind::Pv { NodeKind::Cut } else { kind };
        let score =
            self.search(limit - 1, limit, node.depth / SINGULAR_DEPTH_DIVISOR, ply, without_pv);
        // Back to what this node has found: the search above wrote its own over it.
        self.path[ply] = state;
        self.clear_pv(ply);
        if score < limit {
            let is_double = kind != NodeKind::Pv
                && score < limit - singular_double_margin()
                && state.double_extensions < singular_double_max();
            let more = if is_double { singular_double_extension() } else { 0 };
            Singular::Extend(Depth::PLY + Depth::from_units(more))
        } else if limit >= beta {
            // Several moves fail high: this node will, too.
            Singular::Cutoff(limit)
        } else if entry.score >= beta {
            Singular::Extend(Depth::ZERO - Depth::from_units(singular_reduction()))
        } else {
            nothing
        }
    }

    /// Search the moves one after the other, the table's extended by `singular`.
    fn search_moves(&mut self, node: &Node, singular: Depth) -> Score {
        let &Node { ply, side, against, beta, after, .. } = node;
        let counter_move = match self.position.board().last_stone() {
            Some(last) => self.history.counter_move(last.side, last.point),
            None => None,
        };
        let hints = Hints { table_move: node.table_move, counter_move, after };
        let mut moves = self.moves.open(node.points, hints);
        // What the moves that are not listed come to.
        let unlisted = against.loss_in().map(|plies| Score::loss_in(ply + plies));
        let mut searched = MovesSearched {
            alpha: node.alpha,
            best: unlisted.filter(|_| against != OpponentThreat::Five).unwrap_or(-Score::INFINITE),
            best_move: None,
            number: 0,
            losing: 0,
            tried: [None; BLAMED],
        };
        let limit = self.reductions.move_count(node.plies, node.improving);
        let mut top_value = None;
        let mut is_first = true;
        while let Some((p, value)) = self.next_move(&mut moves, node, hints, is_first) {
            is_first = false;
            if Some(p) == node.excluded {
                continue;
            }
            // How much less the ordering thinks of it than of the best; the table's move is not rated.
            let policy_gap = value.map_or(0, |value| *top_value.get_or_insert(value) - value);
            // Late moves are left out once one is known that does not lose.
            if searched.number >= limit && !searched.best.is_loss() && !node.is_to_the_end {
                break;
            }
            searched.number += 1;

            let threat = self.position.threats().at(p, side);
            let played = Played { side, point: p, threat, after };
            let singular = if value.is_none() { singular } else { Depth::ZERO };
            let score = self.search_move(node, &searched, played, policy_gap, singular);
            if self.control.is_stopped() {
                self.moves.close(moves);
                return Score::ZERO;
            }

            searched.losing += usize::from(score.is_loss());
            if score > searched.best {
                searched.best = score;
                if score > searched.alpha {
                    searched.alpha = score;
                    searched.best_move = Some(p);
                    if node.kind == NodeKind::Pv {
                        self.extend_pv(ply, p);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if searched.number <= BLAMED && Some(p) != searched.best_move {
                searched.tried[searched.number - 1] = Some(played);
            }
        }
        self.moves.close(moves);
        if searched.number > 0 {
            self.learn(node, &searched);
            searched.best
        } else if node.excluded.is_some() {
            node.alpha
        } else {
            // Where nothing must be answered every free point is forbidden: playing one loses.
            unlisted.unwrap_or(Score::loss_in(ply + 2))
        }
    }

    /// The next move of a node; where none of the points near stones is legal, one of any.
    fn next_move(
        &mut self,
        moves: &mut Moves,
        node: &Node,
        hints: Hints,
        is_first: bool,
    ) -> Option<(Point, Option<i32>)> {
        let next = self.moves.next(moves, &self.position, &self.evaluator, self.history);
        if next.is_some() || !is_first || node.against != OpponentThreat::Nothing {
            return next;
        }
        let all: PointSet = self.position.board().empty_points().collect();
        self.moves.reopen(moves, all, hints);
        self.moves.next(moves, &self.position, &self.evaluator, self.history)
    }

    /// Search one move: the first with the whole window, the others with a null window first, and
    /// less deep the later they come.
    fn search_move(
        &mut self,
        node: &Node,
        searched: &MovesSearched,
        played: Played,
        policy_gap: i32,
        singular: Depth,
    ) -> Score {
        let &Node { ply, kind, beta, .. } = node;
        let &MovesSearched { alpha, best, number, .. } = searched;
        let (mut depth, reduction) = self.depth_of(node, searched, &played, policy_gap, singular);
        let is_double = singular > Depth::PLY;
        self.path[ply + 1].double_extensions =
            self.path[ply].double_extensions + i32::from(is_double);
        let next = ply + 1;
        // The first search of a move: the others follow only where it does not fail high.
        let (worst, at_first, expected) = match number {
            1 => (-beta, depth, kind.first_child()),
            _ => (-alpha - 1, depth - reduction, NodeKind::Cut),
        };
        if let Some(score) = self.fails_high(&played, worst, -alpha, at_first, next, expected) {
            self.control.visit(); // As if it had been played.
            return -score;
        }
        self.push(played.point);
        let mut score = -self.search(worst, -alpha, at_first, next, expected);
        if number > 1 {
            if score > alpha && reduction > Depth::ZERO {
                if score > best + lmr_deeper_margin() && !score.is_decided() && ply > 0 {
                    depth += Depth::PLY;
                }
                score = -self.search(-alpha - 1, -alpha, depth, next, kind.child());
            }
            if score > alpha && kind == NodeKind::Pv {
                score = -self.search(-beta, -alpha, depth, next, NodeKind::Pv);
            }
        }
        self.position.pop();
        score
    }

    /// How deep to search a move if it is as good as hoped, and how much less deep at first.
    fn depth_of(
        &self,
        node: &Node,
        searched: &MovesSearched,
        played: &Played,
        policy_gap: i32,
        singular: Depth,
    ) -> (Depth, Depth) {
        let &Node { kind, plies, beta, against, .. } = node;
        let &MovesSearched { alpha, number, losing, .. } = searched;
        if node.is_to_the_end {
            return (node.depth - Depth::PLY, Depth::ZERO);
        }
        let makes = played.threat;
        let prevents = self.position.threats().at(played.point, node.side.opponent());

        let mut extension = singular;
        if against == OpponentThreat::Five {
            extension = extension.max(Depth::from_units(five_extension()));
        }
        // Far above beta already, and expected to be: a shallower search will do.
        let is_clear = kind == NodeKind::Cut
            && !against.is_four()
            && node.eval >= beta + fail_high_base() + fail_high_margin() * plies;
        if is_clear && makes < Threat::Four {
            extension -= Depth::from_units(fail_high_reduction());
        }
        let mut depth = node.depth - Depth::PLY + extension;
        let is_alpha_raised = alpha > node.alpha;
        if is_alpha_raised
            && plies > ALPHA_RAISED_LEAST_DEPTH
            && plies < alpha_raised_max_depth()
            && !against.is_four()
        {
            depth -= Depth::from_units(alpha_raised_reduction());
        }
        if number == 1 || plies < lmr_min_depth() || against == OpponentThreat::Five {
            return (depth, Depth::ZERO);
        }
        let late = LateMove {
            played: *played,
            quiet: makes < Threat::OpenThree && prevents < Threat::OpenThree,
            forced: against != OpponentThreat::Nothing,
            improving: node.improving,
            kind,
            table_pv: node.table_pv,
            policy_gap,
        };
        (depth, self.reductions.of(plies, number - losing, &late, self.history))
    }

    /// Keep what the search of a node's moves has come to: for the histories, the correction of
    /// evaluations, and the table.
    fn learn(&mut self, node: &Node, searched: &MovesSearched) {
        let &Node { ply, side, plies, raw, eval, mask, .. } = node;
        let &MovesSearched { best, best_move, .. } = searched;
        if best >= node.beta
            && let Some(p) = best_move
        {
            let threat = self.position.threats().at(p, side);
            let played = Played { side, point: p, threat, after: node.after };
            self.reward(&played, &searched.tried, plies);
        }
        if node.excluded.is_some() {
            return;
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = node.depth.plies();
        let pv = node.table_pv;
        let entry = Entry { best: best_move, score: best, bound, depth, eval: raw, pv };
        self.table.store(node.key, ply, entry);
        let says_more = match bound {
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
            Bound::Exact => true,
        };
        if says_more && !best.is_decided() && !node.against.is_four() {
            self.history.correct(side, mask, node.after, best.value() - eval.value(), depth);
        }
    }

    /// How much the depth of the root's move `p`, the `number`-th, is reduced; depth in plies.
    pub fn root_reduction(&self, depth: i32, number: usize, p: Point) -> Depth {
        if number == 1 || depth < lmr_min_depth() {
            return Depth::ZERO;
        }
        let threats = self.position.threats();
        let side = self.position.side_to_move();
        let makes = threats.at(p, side);
        let prevents = threats.at(p, side.opponent());
        let late = LateMove {
            played: Played { side, point: p, threat: makes, after: self.last_points() },
            quiet: makes < Threat::OpenThree && prevents < Threat::OpenThree,
            forced: false,
            improving: true,
            kind: NodeKind::Pv,
            table_pv: true,
            policy_gap: 0,
        };
        self.reductions.of(depth, number, &late, self.history)
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
