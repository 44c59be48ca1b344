//! The node function: principal variation search with pruning, reductions and extensions.
//!
//! ```text
//! mate distance pruning → static solver → quiescence search → TT cutoff → static evaluation
//! → reverse futility → razoring → internal iterative reduction → singular extension
//! → moves → histories and TT store
//! ```
//!
//! Many children are cut off before their move is played ([`super::early_cutoff`]).
//!
//! Scores count from the root: a win three plies below a node at ply 4 is `win_in(7)`.

use crate::board::{Point, Side};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::pattern::threat::AGAINST_FOUR;
use crate::score::Score;

use super::depth::Depth;
use super::history::{CONTINUATION_PLIES, History, PlayedMove};
use super::move_picker::{Hints, MovePicker, PickedMove, Rating};
use super::node::{NodeHead, NodeType, mate_distance_window};
use super::params::*;
use super::reductions::LateMove;
use super::searcher::{MAX_PLY, Searcher};
use super::tactics::{Defence, OpponentThreat, defence};
use super::tt::{Bound, TtEntry};

/// Maximum number of moves that get a history malus after a cutoff.
const MALUS_MOVES: usize = 32;

/// A node whose moves are to be searched.
struct Node {
    head: NodeHead,
    side: Side,
    key: u64,
    /// Move excluded by a singular extension search.
    excluded: Option<Point>,
    /// The node is or was part of a principal variation.
    tt_pv: bool,
    against: OpponentThreat,
    /// Points of the moves to search.
    points: PointSet,
    /// Threat mask, for the correction history.
    mask: usize,
    /// Static evaluation without correction.
    raw_eval: Score,
    static_eval: Score,
    /// The static evaluation is better than two plies before.
    improving: bool,
    /// The last stones, latest first.
    previous: [Option<Point>; CONTINUATION_PLIES],
}

/// The progress of searching a node's moves.
struct MoveLoop {
    alpha: Score,
    best_score: Score,
    best_move: Option<Point>,
    /// Number of moves searched.
    number: usize,
    /// Number of moves searched that lose by force. They do not make later moves late.
    losing: usize,
    /// Moves that were not the best when they were searched.
    tried: [Option<PlayedMove>; MALUS_MOVES],
}

/// The result of a singular extension search.
enum Singular {
    /// Extend the TT move by this depth.
    Extend(Depth),
    /// Multi-cut: the node fails high without the TT move.
    Cutoff(Score),
}

impl Searcher<'_> {
    /// Searches a node and returns its score.
    pub fn search(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        node_type: NodeType,
    ) -> Score {
        self.clear_pv(ply);
        if self.control.count_node() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);

        // Mate distance pruning (Stockfish; −6 ± 7).
        let (alpha, beta) = mate_distance_window(alpha, beta, ply);
        if alpha >= beta {
            return alpha;
        }
        if let Some(score) = self.decided_score(ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.uncached_eval();
        }
        if depth <= Depth::ZERO {
            return self.qsearch(alpha, beta, ply);
        }

        // Transposition table.
        let key = self.position.board().key();
        let excluded = self.path[ply].excluded;
        let tt_entry = if excluded.is_some() { None } else { self.tt.probe(key, ply) };
        let head = NodeHead {
            ply,
            node_type,
            alpha,
            beta,
            depth,
            plies: depth.plies(),
            empty_points: self.position.board().empty_count(),
            tt_entry,
            tt_move: tt_entry
                .and_then(|entry| entry.tt_move)
                .filter(|&p| self.position.board().is_empty(p)),
        };
        if let Some(score) = head.tt_cutoff() {
            return score;
        }

        // Static evaluation.
        let side = self.position.side_to_move();
        let mask = self.position.threats().mask(side);
        let (raw_eval, static_eval) = self.node_eval(&head, key, mask);
        self.path[ply].static_eval = static_eval;

        let improving = self.is_improving(ply, static_eval);
        // A four must be answered.
        if mask & AGAINST_FOUR == 0
            && excluded.is_none()
            && let Some(score) = self.prune(&head, static_eval, improving)
        {
            return score;
        }

        let Defence { against, points } = defence(&self.position);
        debug_assert_eq!(against.is_four(), mask & AGAINST_FOUR != 0);
        let mut node = Node {
            head,
            side,
            key,
            excluded,
            tt_pv: node_type == NodeType::Pv || tt_entry.is_some_and(|entry| entry.pv),
            against,
            points,
            mask,
            raw_eval,
            static_eval,
            improving,
            previous: self.last_points(),
        };
        node.head.depth -= internal_iterative_reduction(&node);
        match self.singular_extension(&node) {
            Singular::Cutoff(score) => score,
            Singular::Extend(extension) => self.search_moves(&node, extension),
        }
    }

    /// Returns the static evaluation of a node, without and with correction.
    fn node_eval(&mut self, head: &NodeHead, key: u64, mask: usize) -> (Score, Score) {
        if mask & AGAINST_FOUR != 0 {
            // A position with an unanswered four has no evaluation of its own, and none is needed
            // before it is answered. It inherits the evaluation of two plies before (own;
            // +11 ± 32).
            let inherited = match head.ply {
                0 | 1 => self.uncached_eval(),
                ply => self.path[ply - 2].static_eval,
            };
            return (inherited, inherited);
        }
        let raw = match head.tt_entry {
            Some(entry) => entry.eval,
            None => self.raw_eval(key, mask),
        };
        (raw, self.corrected_eval(raw, mask))
    }

    /// Returns the score of a shallow node whose static evaluation is far outside the window. There
    /// is no four to answer.
    fn prune(&mut self, head: &NodeHead, static_eval: Score, improving: bool) -> Option<Score> {
        if !head.allows_pruning() {
            return None;
        }
        if let Some(score) = head.reverse_futility(static_eval, improving) {
            return Some(score);
        }
        // Razoring into quiescence search (Rapfi; −5 ± 32): far below alpha, only fours can help.
        let margin = razoring_base() + razoring_margin() * head.plies;
        let razors = head.plies <= razoring_max_depth() && static_eval + margin <= head.alpha;
        razors.then(|| self.qsearch(head.alpha, head.beta, head.ply))
    }

    /// Searches the other moves to find out if the TT move is the only good one.
    fn singular_extension(&mut self, node: &Node) -> Singular {
        // Singular extensions (Anantharaman et al., 1988; Stockfish; −3 ± 30).
        let NodeHead { ply, node_type, plies, beta, depth, tt_entry, tt_move, .. } = node.head;
        let no_extension = Singular::Extend(Depth::ZERO);
        let (Some(entry), Some(_)) = (tt_entry, tt_move) else { return no_extension };
        if plies < singular_min_depth()
            || ply == 0
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || entry.depth < plies - SINGULAR_TT_DEPTH_MARGIN
            || entry.score.is_decided()
            || node.excluded.is_some()
            || node.head.is_exhaustive()
        {
            return no_extension;
        }
        let singular_beta = entry.score - singular_margin() * plies;
        let state = self.path[ply];
        self.path[ply].excluded = tt_move;
        // The window is empty, so this search cannot be part of the principal variation.
        let null_window_type = if node_type == NodeType::Pv { NodeType::Cut } else { node_type };
        let singular_depth = depth / SINGULAR_DEPTH_DIVISOR;
        let score =
            self.search(singular_beta - 1, singular_beta, singular_depth, ply, null_window_type);
        // Restore the state of this node, which the search has overwritten.
        self.path[ply] = state;
        self.clear_pv(ply);
        if score < singular_beta {
            // Double extension (Stockfish; −21 ± 28): the other moves are much worse.
            let is_double = node_type != NodeType::Pv
                && score < singular_beta - singular_double_margin()
                && state.double_extensions < singular_double_max();
            let more = if is_double { singular_double_extension() } else { 0 };
            Singular::Extend(Depth::PLY + Depth::from_units(more))
        } else if singular_beta >= beta {
            // Multi-cut (Björnsson and Marsland, 1998; −21 ± 29): several moves fail high.
            Singular::Cutoff(singular_beta)
        } else if entry.score >= beta {
            // Negative extension (Stockfish; −12 ± 29): other moves fail high, too.
            Singular::Extend(Depth::ZERO - Depth::from_units(singular_reduction()))
        } else {
            no_extension
        }
    }

    /// Searches the moves of a node. The TT move is extended by `tt_extension`.
    fn search_moves(&mut self, node: &Node, tt_extension: Depth) -> Score {
        let &Node { head: NodeHead { ply, beta, tt_move, .. }, side, against, previous, .. } = node;
        let countermove = match self.position.board().last_stone() {
            Some(last) => self.history.countermove(last.side, last.point),
            None => None,
        };
        let hints = Hints { tt_move, countermove, previous };
        let mut picker = self.moves.open(node.points, hints);
        // Score of the moves that are not generated.
        let unlisted = against.loss_in().map(|plies| Score::loss_in(ply + plies));
        let unlisted_bound = unlisted.filter(|_| against != OpponentThreat::Five);
        let mut searched = MoveLoop {
            alpha: node.head.alpha,
            best_score: unlisted_bound.unwrap_or(-Score::INFINITE),
            best_move: None,
            number: 0,
            losing: 0,
            tried: [None; MALUS_MOVES],
        };
        let move_count = self.reductions.move_count(node.head.plies, node.improving);
        let mut best_value = None;
        let mut is_first = true;
        while let Some(picked) = self.next_move(&mut picker, node, hints, is_first) {
            let PickedMove { point: p, rating } = picked;
            is_first = false;
            if Some(p) == node.excluded {
                continue;
            }
            let (policy_gap, extension) = match rating {
                Rating::TtMove => (0, tt_extension),
                Rating::Value(value) => (*best_value.get_or_insert(value) - value, Depth::ZERO),
            };
            // Late move pruning by move count (Stockfish, Rapfi; +283 ± 46), once a move does not
            // lose.
            if searched.number >= move_count
                && !searched.best_score.is_loss()
                && !node.head.is_exhaustive()
            {
                break;
            }
            searched.number += 1;

            let threat = self.position.threats().at(p, side);
            let played = PlayedMove { side, point: p, threat, previous };
            let score = self.search_move(node, &searched, played, policy_gap, extension);
            if self.control.is_stopped() {
                self.moves.close(picker);
                return Score::ZERO;
            }

            searched.losing += usize::from(score.is_loss());
            if score > searched.best_score {
                searched.best_score = score;
                if score > searched.alpha {
                    searched.alpha = score;
                    searched.best_move = Some(p);
                    if node.head.node_type == NodeType::Pv {
                        self.extend_pv(ply, p);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if searched.number <= MALUS_MOVES && Some(p) != searched.best_move {
                searched.tried[searched.number - 1] = Some(played);
            }
        }
        self.moves.close(picker);
        if searched.number > 0 {
            self.update_statistics(node, &searched);
            searched.best_score
        } else if node.excluded.is_some() {
            node.head.alpha
        } else {
            // Unless a threat must be answered, every empty point is forbidden: any move loses.
            unlisted.unwrap_or(Score::loss_in(ply + 2))
        }
    }

    /// Returns the next move of a node. If no point near stones is legal, all empty points are
    /// tried.
    fn next_move(
        &mut self,
        picker: &mut MovePicker,
        node: &Node,
        hints: Hints,
        is_first: bool,
    ) -> Option<PickedMove> {
        let next = self.moves.next(picker, &self.position, &self.evaluator, self.history);
        if next.is_some() || !is_first || node.against != OpponentThreat::Nothing {
            return next;
        }
        let all: PointSet = self.position.board().empty_points().collect();
        self.moves.reopen(picker, all, hints);
        self.moves.next(picker, &self.position, &self.evaluator, self.history)
    }

    /// Searches one move: the first with the full window, others with a null window and a reduced
    /// depth first.
    fn search_move(
        &mut self,
        node: &Node,
        searched: &MoveLoop,
        played: PlayedMove,
        policy_gap: i32,
        extension: Depth,
    ) -> Score {
        let NodeHead { ply, node_type, beta, .. } = node.head;
        let &MoveLoop { alpha, best_score, number, .. } = searched;
        let (mut depth, reduction) =
            self.child_depth(node, searched, &played, policy_gap, extension);
        let is_double = extension > Depth::PLY;
        self.path[ply + 1].double_extensions =
            self.path[ply].double_extensions + i32::from(is_double);
        let next = ply + 1;
        // Parameters of the first search. Re-searches follow only if it does not fail low here.
        let (child_alpha, first_depth, child_type) = match number {
            1 => (-beta, depth, node_type.first_child()),
            _ => (-alpha - 1, depth - reduction, NodeType::Cut),
        };
        let early =
            self.early_fail_high(&played, child_alpha, -alpha, first_depth, next, child_type);
        if let Some(score) = early {
            self.control.count_node(); // As if the move had been played.
            return -score;
        }
        self.push(played.point);
        let mut score = -self.search(child_alpha, -alpha, first_depth, next, child_type);
        if number > 1 {
            if score > alpha && reduction > Depth::ZERO {
                // Deeper re-search (Stockfish, Rapfi; +22 ± 29).
                if score > best_score + lmr_deeper_margin() && !score.is_decided() && ply > 0 {
                    depth += Depth::PLY;
                }
                score = -self.search(-alpha - 1, -alpha, depth, next, node_type.child());
            }
            if score > alpha && node_type == NodeType::Pv {
                score = -self.search(-beta, -alpha, depth, next, NodeType::Pv);
            }
        }
        self.position.pop();
        score
    }

    /// Returns the full depth of a move, and the reduction of its first search.
    fn child_depth(
        &self,
        node: &Node,
        searched: &MoveLoop,
        played: &PlayedMove,
        policy_gap: i32,
        extension: Depth,
    ) -> (Depth, Depth) {
        let &Node { head, against, .. } = node;
        let NodeHead { node_type, plies, beta, .. } = head;
        let &MoveLoop { alpha, number, losing, .. } = searched;
        if head.is_exhaustive() {
            return (head.depth - Depth::PLY, Depth::ZERO);
        }
        let makes = played.threat;
        let prevents = self.position.threats().at(played.point, node.side.opponent());

        let mut extension = extension;
        // Forced reply extension (Rapfi; +3 ± 32): the only answer to a four.
        if against == OpponentThreat::Five {
            extension = extension.max(Depth::from_units(five_extension()));
        }
        // Fail-high reduction (Rapfi; +14 ± 30): a cut node far above beta.
        let is_far_above_beta = node_type == NodeType::Cut
            && !against.is_four()
            && node.static_eval >= beta + fail_high_base() + fail_high_margin() * plies;
        if is_far_above_beta && makes < Threat::Four {
            extension -= Depth::from_units(fail_high_reduction());
        }
        let mut depth = head.depth - Depth::PLY + extension;
        // Reduction after alpha was raised (Stockfish; −20 ± 27).
        let is_alpha_raised = alpha > head.alpha;
        if is_alpha_raised
            && plies > ALPHA_RAISED_MIN_DEPTH
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
            node_type,
            tt_pv: node.tt_pv,
            policy_gap,
        };
        // Losing moves do not count: they do not make the next one late (−7 ± 27).
        (depth, self.reductions.of(plies, number - losing, &late, self.history))
    }

    /// Updates histories, correction history and transposition table after the moves of a node.
    fn update_statistics(&mut self, node: &Node, searched: &MoveLoop) {
        let &Node { head, side, raw_eval, static_eval, mask, previous, .. } = node;
        let &MoveLoop { best_score, best_move, .. } = searched;
        if best_score >= head.beta
            && let Some(p) = best_move
        {
            let threat = self.position.threats().at(p, side);
            let played = PlayedMove { side, point: p, threat, previous };
            self.update_histories(&played, &searched.tried, head.plies);
        }
        if node.excluded.is_some() {
            return;
        }
        let bound = if best_score >= head.beta {
            Bound::Lower
        } else if best_score > head.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = head.depth.plies();
        let entry = TtEntry {
            tt_move: best_move,
            score: best_score,
            bound,
            depth,
            eval: raw_eval,
            pv: node.tt_pv,
        };
        self.tt.store(node.key, head.ply, entry);
        // A bound on the wrong side of the static evaluation reveals no error (+10 ± 28).
        let reveals_error = match bound {
            Bound::Lower => best_score > static_eval,
            Bound::Upper => best_score < static_eval,
            Bound::Exact => true,
        };
        if reveals_error && !best_score.is_decided() && !node.against.is_four() {
            let error = best_score.value() - static_eval.value();
            self.history.update_correction(side, mask, previous, error, depth);
        }
    }

    /// Returns the reduction of the root move `p`, the `number`-th; depth in plies. Reductions
    /// at the root: +14 ± 32.
    pub fn root_reduction(&self, depth: i32, number: usize, p: Point) -> Depth {
        if number == 1 || depth < lmr_min_depth() {
            return Depth::ZERO;
        }
        let threats = self.position.threats();
        let side = self.position.side_to_move();
        let makes = threats.at(p, side);
        let prevents = threats.at(p, side.opponent());
        let late = LateMove {
            played: PlayedMove { side, point: p, threat: makes, previous: self.last_points() },
            quiet: makes < Threat::OpenThree && prevents < Threat::OpenThree,
            forced: false,
            improving: true,
            node_type: NodeType::Pv,
            tt_pv: true,
            policy_gap: 0,
        };
        self.reductions.of(depth, number, &late, self.history)
    }

    /// Updates the histories after a cutoff: a bonus for its move, and a malus for the moves
    /// searched before it (Stockfish; +22 ± 30).
    fn update_histories(&mut self, best: &PlayedMove, tried: &[Option<PlayedMove>], plies: i32) {
        let bonus = History::bonus(plies);
        self.history.update(best, bonus);
        for played in tried.iter().flatten().filter(|played| played.point != best.point) {
            self.history.update(played, -bonus);
        }
        if let Some(last) = self.position.board().last_stone() {
            self.history.set_countermove(last.side, last.point, best.point);
        }
    }
}

/// Returns the reduction of a node without a TT move.
fn internal_iterative_reduction(node: &Node) -> Depth {
    // Internal iterative reduction (IIR; Rebel, Stockfish; −16 ± 28).
    // It is larger at cut nodes (+9 ± 30).
    if node.head.tt_move.is_some()
        || node.against.is_four()
        || node.head.plies < iir_min_depth()
        || node.head.is_exhaustive()
        || node.excluded.is_some()
    {
        return Depth::ZERO;
    }
    let is_cut_node = node.head.node_type == NodeType::Cut;
    let more = if is_cut_node { iir_cut_node_reduction() } else { 0 };
    Depth::from_units(iir_reduction() + more)
}
