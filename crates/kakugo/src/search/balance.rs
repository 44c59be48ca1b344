//! Balance search: the move, or the pair of moves, after which the position is closest to even.
//!
//! A placement of stones is worth a look only if its score is closer to the target than the best
//! score so far. So each one is searched with two null windows, one on either side of the target,
//! and most placements fail the first of them. Placements are sorted by their static evaluations at
//! first, and the best one of an iteration is the first of the next.

use std::time::Duration;

use crate::board::{Board, Point};
use crate::eval::Evaluator;
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;
use crate::score::Score;

use super::depth::Depth;
use super::limits::Limits;
use super::node::NodeType;
use super::params::aspiration_margin;
use super::qsearch::VctPurpose;
use super::report::{Answer, Report, Reporter};
use super::searcher::{MAX_PLY, NodeState, Searcher};
use super::tactics::{Verdict, verdict};

/// Maximum number of placements to search. More are possible with two stones only, and then some
/// hundreds of them are nearly even.
const MAX_PLACEMENTS: usize = 300;

/// Placements after this number are searched one ply less at first, and after four times as many,
/// two plies.
const REDUCED_AFTER: usize = 4;

/// Minimum depth of these reductions, in plies.
const REDUCED_MIN_DEPTH: i32 = 4;

/// The number of stones to place, and the score to reach.
///
/// ```
/// use kakugo::{Balance, Board, Engine, Limits, Variant};
///
/// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
/// board.play(board.parse_point("h8")?)?;
/// let limits = Limits::new().depth(4);
/// // White's move after which neither side is better.
/// let line = Engine::default().balance(&board, Balance::ONE, &limits).ok_or("no move")?;
/// println!("{} is {} for White", board.name(line.moves[0]), line.score);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Balance {
    stones: usize,
    bias: i32,
}

impl Balance {
    /// One stone of the side to move.
    pub const ONE: Balance = Balance { stones: 1, bias: 0 };
    /// A stone of the side to move and one of its opponent.
    pub const TWO: Balance = Balance { stones: 2, bias: 0 };

    /// Sets the score to reach, from the point of view of the side to move. The default is 0: even.
    #[must_use = "returns the changed balance"]
    pub fn bias(self, bias: i32) -> Balance {
        Balance { bias: Score::from_eval(bias).value(), ..self }
    }

    /// Returns the number of stones to place.
    pub fn stones(self) -> usize {
        self.stones
    }
}

/// One or two stones, with the results of their searches.
#[derive(Clone, Debug)]
struct Placement {
    stones: Vec<Point>,
    /// Score for the side to move at the root; a bound if the placement was rejected.
    score: Score,
    /// Principal variation, starting with the stones.
    pv: Vec<Point>,
}

/// The search for balanced placements from one position.
pub struct BalanceSearch<'a, 'r> {
    searcher: Searcher<'a>,
    balance: Balance,
    limits: &'a Limits,
    reporter: &'r mut dyn Reporter,
    /// The best placement first.
    placements: Vec<Placement>,
}

impl<'a, 'r> BalanceSearch<'a, 'r> {
    /// Creates a search from the searcher's position.
    pub fn new(
        searcher: Searcher<'a>,
        balance: Balance,
        limits: &'a Limits,
        reporter: &'r mut dyn Reporter,
    ) -> BalanceSearch<'a, 'r> {
        BalanceSearch { searcher, balance, limits, reporter, placements: Vec::new() }
    }

    /// Returns the longest gap between two polls of the clock.
    pub fn lag(&self) -> Duration {
        self.searcher.control.clock().lag()
    }

    /// Searches until a limit is reached. The principal variation of the answer starts with the
    /// stones; it is empty if there are not enough points.
    pub fn run(&mut self) -> Answer {
        self.searcher.control.set_has_answer();
        self.place();
        let mut depth = 0;
        if !self.placements.is_empty() {
            self.report(depth);
            depth = self.iterate_all();
            if self.is_stopped() {
                // The best placement may have changed.
                self.report(depth);
            }
        }
        self.searcher.control.publish_nodes();
        let (score, pv) = match self.placements.first() {
            Some(best) => (best.score, best.pv.clone()),
            None => (Score::ZERO, Vec::new()),
        };
        let (best, nodes) = (pv.first().copied(), self.searcher.control.total_nodes());
        Answer { best, score, depth, nodes, pv, root_nodes: Vec::new() }
    }

    /// Lists the placements, most even first by their static evaluations.
    fn place(&mut self) {
        let mut firsts = Vec::new();
        for p in choices(&self.searcher.position, self.limits) {
            self.searcher.position.push(p);
            firsts.push(self.static_placement(vec![p]));
            self.searcher.position.pop();
        }
        self.sort(&mut firsts);
        if self.balance.stones == 1 {
            self.placements = firsts;
            return;
        }
        let mut pairs = Vec::new();
        for Placement { stones, .. } in firsts {
            let first = stones[0];
            self.searcher.position.push(first);
            for p in choices(&self.searcher.position, self.limits) {
                self.searcher.position.push(p);
                pairs.push(self.static_placement(vec![first, p]));
                self.searcher.position.pop();
            }
            self.searcher.position.pop();
            if !pairs.is_empty() && self.searcher.control.check() {
                break;
            }
        }
        self.sort(&mut pairs);
        pairs.truncate(MAX_PLACEMENTS);
        self.placements = pairs;
    }

    /// Returns a placement that is on the board, with its static evaluation.
    fn static_placement(&mut self, stones: Vec<Point>) -> Placement {
        let ply = stones.len();
        let score =
            self.searcher.decided_score(ply).unwrap_or_else(|| self.searcher.uncached_eval());
        Placement { pv: stones.clone(), score: from_root(score, ply), stones }
    }

    /// Sorts placements by their distance to the target.
    fn sort(&self, placements: &mut [Placement]) {
        placements.sort_by_key(|placement| self.distance(placement.score));
    }

    fn distance(&self, score: Score) -> u32 {
        score.value().abs_diff(self.balance.bias)
    }

    /// Iterates from depth 1. Returns the last finished depth.
    fn iterate_all(&mut self) -> u32 {
        let empty = self.searcher.position.board().empty_count() as u32;
        let max_depth = self.limits.max_depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 2);
        let mut finished = 0;
        for depth in 1..=max_depth.min(empty) {
            self.enter_root();
            if !self.iterate(depth as i32) {
                break;
            }
            finished = depth;
            self.report(depth);
            let score = self.placements[0].score;
            let is_decided = score.plies_to_five().is_some_and(|n| n <= depth as usize);
            if is_decided || !self.searcher.control.may_iterate(1.0) {
                break;
            }
        }
        finished
    }

    /// Sets the static evaluations of the nodes above the placements.
    fn enter_root(&mut self) {
        self.searcher.enter_root();
        let static_eval = -self.searcher.path[0].static_eval;
        self.searcher.path[1] = NodeState { static_eval, ..NodeState::default() };
        self.searcher.seldepth = 0;
    }

    /// Runs one iteration. Returns `false` if it was interrupted.
    fn iterate(&mut self, depth: i32) -> bool {
        let next = Depth::from_plies(depth - 1);
        if !self.search_first(next) {
            return false;
        }
        for i in 1..self.placements.len() {
            let distance = self.distance(self.placements[0].score) as i32;
            let (low, high) = (self.balance.bias - distance, self.balance.bias + distance);
            if distance == 0 {
                break;
            }
            let reduction = match i {
                _ if depth < REDUCED_MIN_DEPTH => 0,
                0..REDUCED_AFTER => 0,
                _ if i < 4 * REDUCED_AFTER => 1,
                _ => 2,
            };
            let reduced = next - Depth::from_plies(reduction);
            let is_closer = self.is_between(i, low, high, reduced)
                && (reduction == 0 || self.is_between(i, low, high, next));
            if is_closer && !self.is_stopped() {
                let (score, pv) = self.exact_score(i, low, high, next);
                if !self.is_stopped() && self.distance(score) < distance as u32 {
                    self.set_result(i, score, pv);
                    self.placements[..=i].rotate_right(1);
                }
            }
            if self.is_stopped() {
                return false;
            }
        }
        true
    }

    /// Searches the placement that is the best so far. Returns `false` if it was interrupted.
    fn search_first(&mut self, depth: Depth) -> bool {
        let expected = self.placements[0].score.value();
        let mut margin = aspiration_margin();
        loop {
            let is_wide = margin > 1000 || self.placements[0].score.is_decided();
            let (low, high) = if is_wide {
                (-Score::INFINITE.value(), Score::INFINITE.value())
            } else {
                (expected - margin, expected + margin)
            };
            let (score, pv) = self.exact_score(0, low, high, depth);
            if self.is_stopped() {
                return false;
            }
            if is_wide || score.is_decided() || (low < score.value() && score.value() < high) {
                self.set_result(0, score, pv);
                return true;
            }
            margin *= 4;
        }
    }

    fn set_result(&mut self, i: usize, score: Score, pv: Vec<Point>) {
        let placement = &mut self.placements[i];
        (placement.score, placement.pv) = (score, pv);
    }

    /// Returns `true` if the score of a placement is between these bounds. Tests first the bound
    /// that it is more likely to violate.
    fn is_between(&mut self, i: usize, low: i32, high: i32, depth: Depth) -> bool {
        let is_low = self.placements[i].score.value() < self.balance.bias;
        for above in [is_low, !is_low] {
            // The window is empty, so the score is a bound.
            let (alpha, beta) = if above { (low, low + 1) } else { (high - 1, high) };
            let is_trivial = beta <= -Score::INFINITE.value() || alpha >= Score::INFINITE.value();
            if is_trivial {
                continue;
            }
            let score = self.search(i, alpha, beta, depth, NodeType::Cut);
            if self.is_stopped() {
                return false;
            }
            let fails = if above { score.value() <= low } else { score.value() >= high };
            if fails {
                self.placements[i].score = score;
                return false;
            }
        }
        true
    }

    /// Returns the score and principal variation of a placement between these bounds.
    fn exact_score(&mut self, i: usize, low: i32, high: i32, depth: Depth) -> (Score, Vec<Point>) {
        let score = self.search(i, low, high, depth, NodeType::Pv);
        let mut pv = self.placements[i].stones.clone();
        pv.extend(self.searcher.pv(pv.len()));
        if score.is_decided() || self.is_stopped() {
            return (score, pv);
        }
        // The side to move may win by threats beyond the depth of the search.
        let stones = self.push(i);
        let win = self.searcher.vct_win(VctPurpose::Refute, None);
        let attack = win.map(|win| (win, self.searcher.vct.line(&mut self.searcher.position)));
        self.pop(stones);
        match attack {
            Some((win, line)) => {
                pv.truncate(stones);
                pv.extend(line);
                (from_root(Score::win_in(stones + win.plies), stones), pv)
            }
            None => (score, pv),
        }
    }

    /// Searches a placement with a window from the point of view of the side to move at the root.
    fn search(&mut self, i: usize, low: i32, high: i32, depth: Depth, node: NodeType) -> Score {
        let limit = Score::INFINITE.value();
        let bound = |value: i32| Score::from_value(value.clamp(-limit, limit));
        let stones = self.push(i);
        let window = (bound(low), bound(high));
        let (alpha, beta) = if stones == 1 { (-window.1, -window.0) } else { window };
        let score = self.searcher.search(alpha, beta, depth, stones, node);
        self.pop(stones);
        from_root(score, stones)
    }

    /// Plays the stones of a placement. Returns their number.
    fn push(&mut self, i: usize) -> usize {
        let placement = &self.placements[i];
        placement.stones.iter().for_each(|&p| self.searcher.push(p));
        placement.stones.len()
    }

    fn pop(&mut self, stones: usize) {
        (0..stones).for_each(|_| self.searcher.position.pop());
    }

    fn is_stopped(&self) -> bool {
        self.searcher.control.is_stopped()
    }

    /// Reports the best placement.
    fn report(&mut self, depth: u32) {
        let control = &self.searcher.control;
        let best = &self.placements[0];
        self.reporter.report(&Report {
            line: 0,
            depth,
            seldepth: self.searcher.seldepth.max(depth as usize) as u32,
            score: best.score,
            nodes: control.total_nodes(),
            elapsed: control.clock().elapsed(),
            pv: best.pv.clone(),
        });
    }
}

/// Returns the score of a position some stones after the root from the root's point of view.
fn from_root(score: Score, stones: usize) -> Score {
    if stones.is_multiple_of(2) { score } else { -score }
}

/// Returns the points to try for the side to move: legal points near the stones that make no five.
/// If there are none, returns other legal points, or else all points.
fn choices(position: &Position, limits: &Limits) -> Vec<Point> {
    let board = position.board();
    let side = position.side_to_move();
    let all: PointSet = board.empty_points().filter(|&p| limits.allows(p)).collect();
    let near = if board.ply() == 0 { in_half(board) } else { position.near() };
    let is_quiet =
        |p: &Point| position.is_legal(*p) && position.threats().at(*p, side) != Threat::Five;
    let quiet = |points: &PointSet| points.iter().filter(is_quiet).collect::<Vec<_>>();
    let near = quiet(&near.intersection(&all));
    if !near.is_empty() && limits.only.is_none() {
        return near;
    }
    let quiet = quiet(&all);
    if !quiet.is_empty() {
        return quiet;
    }
    let legal: Vec<Point> = all.iter().filter(|&p| position.is_legal(p)).collect();
    if legal.is_empty() { all.iter().collect() } else { legal }
}

/// Returns the points of an empty board in the middle half of its columns and rows.
fn in_half(board: &Board) -> PointSet {
    let is_middle = |at: u8, size: u8| (size / 4..size - size / 4).contains(&at);
    let is_inside = |p: &Point| is_middle(p.x(), board.width()) && is_middle(p.y(), board.height());
    board.empty_points().filter(is_inside).collect()
}

/// Returns stones that are even by the classical evaluation, one after the other, if there is no
/// time for a search, with the score of the side to move; `None` if there are not enough points.
pub fn unsearched(board: &Board, balance: Balance, limits: &Limits) -> Option<(Vec<Point>, Score)> {
    let mut position = Position::new(board);
    let (mut stones, mut last) = (Vec::new(), Score::ZERO);
    for ply in 1..=balance.stones {
        let mut evaluator = Evaluator::classical(&position);
        let mut best: Option<(u32, Point, Score)> = None;
        for p in choices(&position, limits) {
            position.push(p);
            let score = match verdict(&position) {
                Verdict::Win(plies) => Score::win_in(plies),
                Verdict::Loss(plies) => Score::loss_in(plies),
                Verdict::Draw => Score::ZERO,
                Verdict::Open => evaluator.evaluate(&position),
            };
            position.pop();
            let score = from_root(score, ply);
            let distance = score.value().abs_diff(balance.bias);
            if best.is_none_or(|(closest, ..)| distance < closest) {
                best = Some((distance, p, score));
            }
        }
        let (_, p, score) = best?;
        position.push(p);
        stones.push(p);
        last = score;
    }
    Some((stones, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Side, Variant};
    use crate::search::{Engine, Signals, Silent};

    fn board(names: &str, variant: Variant) -> Board {
        let mut board = Board::new(15, 15, variant).unwrap();
        for name in names.split_whitespace() {
            board.play(board.parse_point(name).unwrap()).unwrap();
        }
        board
    }

    fn find(board: &Board, balance: Balance, limits: &Limits) -> Answer {
        Engine::new(1 << 20).think_balance(board, balance, limits, &Signals::default(), &mut Silent)
    }

    fn nodes(max_nodes: u64) -> Limits {
        Limits { max_nodes: Some(max_nodes), ..Limits::default() }
    }

    /// Returns the score for the side to move at the root after these stones.
    fn score_after(board: &Board, stones: &[Point]) -> Score {
        let mut after = board.clone();
        stones.iter().for_each(|&p| after.play(p).unwrap());
        let limits = nodes(10_000);
        let answer = Engine::new(1 << 20).think(&after, &limits, &Signals::default(), &mut Silent);
        from_root(answer.score, stones.len())
    }

    /// The scores of the latest lines, by first move.
    #[derive(Default)]
    struct Scores(Vec<(Point, i32)>);

    impl Reporter for Scores {
        fn report(&mut self, report: &Report) {
            if report.line == 0 {
                self.0.clear();
            }
            self.0.push((report.pv[0], report.score.value()));
        }
    }

    #[test]
    fn no_other_move_is_clearly_more_even() {
        for (names, variant) in [
            ("h8 i8", Variant::FREESTYLE),
            ("h8 h9 i8", Variant::FREESTYLE),
            ("h8 i9 i7 g7 j8", Variant::RENJU),
            ("h8 i9 c4 l12", Variant::STANDARD),
        ] {
            let board = board(names, variant);
            let depth = Limits { max_depth: Some(7), ..Limits::default() };
            let mut lines = Scores::default();
            let all = Limits { multi_pv: 225, fill_lines: false, ..depth.clone() };
            Engine::new(1 << 20).think(&board, &all, &Signals::default(), &mut lines);
            for bias in [-100, 0, 100] {
                let answer = find(&board, Balance::ONE.bias(bias), &depth);
                let distance = |score: i32| score.abs_diff(bias);
                let closest = lines.0.iter().map(|&(_, score)| distance(score)).min().unwrap();
                let score = lines.0.iter().find(|&&(p, _)| Some(p) == answer.best).unwrap().1;
                assert!(distance(score) < closest + 100, "{names} {bias}: {score} {answer:?}");
            }
        }
    }

    #[test]
    fn two_balanced_stones_are_nearly_even_in_another_search() {
        for (names, variant) in [
            ("h8", Variant::FREESTYLE),
            ("h8 h9 i8", Variant::FREESTYLE),
            ("h8 i9 i7 g7 j8", Variant::RENJU),
            ("", Variant::STANDARD),
        ] {
            let board = board(names, variant);
            let answer = find(&board, Balance::TWO, &nodes(20_000));
            assert!(answer.depth >= 2, "{names} {answer:?}");
            let score = score_after(&board, &answer.pv[..2]);
            assert!(score.value().abs() < 150, "{names}: {score} after {answer:?}");
        }
    }

    #[test]
    fn the_bias_is_for_the_side_to_move() {
        let board = board("h8 i8", Variant::FREESTYLE);
        for balance in [Balance::ONE, Balance::TWO] {
            let [worse, better] = [-250, 250].map(|bias| {
                let answer = find(&board, balance.bias(bias), &nodes(10_000));
                score_after(&board, &answer.pv[..balance.stones])
            });
            assert!(worse < better, "{balance:?} {worse} {better}");
        }
    }

    #[test]
    fn a_won_position_is_balanced_by_another_move_than_the_win() {
        let four = board("h8 h9 i8 i9 j8 j9 k8 l8", Variant::FREESTYLE);
        let answer = find(&four, Balance::ONE, &nodes(5_000));
        assert_ne!(answer.best, four.parse_point("g8").ok(), "{answer:?}");
    }

    #[test]
    fn there_is_an_answer_wherever_there_are_points() {
        let answer = |board: &Board, balance: Balance| {
            let stopped = Signals::default();
            stopped.stop();
            let limits = nodes(500);
            let quick =
                unsearched(board, balance, &limits).map_or(Vec::new(), |(stones, _)| stones);
            let cut =
                Engine::new(1 << 16).think_balance(board, balance, &limits, &stopped, &mut Silent);
            for stones in [&quick[..], &cut.pv, &find(board, balance, &limits).pv] {
                let enough = board.empty_count() >= balance.stones;
                assert_eq!(stones.len() >= balance.stones, enough, "{board}{stones:?}");
                let mut after = board.clone();
                stones.iter().take(balance.stones).for_each(|&p| after.play(p).unwrap());
            }
        };
        // Black may not play anywhere: every free point makes an overline.
        let mut forbidden = Board::new(15, 15, Variant::five(Rule::Renju)).unwrap();
        for x in [0, 1, 2, 4, 5, 6] {
            forbidden.place(Point::new(x, 0).unwrap(), Side::Black).unwrap();
        }
        let free = Point::new(3, 0).unwrap();
        let rest: Vec<_> = forbidden.empty_points().filter(|&p| p != free).collect();
        rest.into_iter().for_each(|p| forbidden.block(p).unwrap());
        forbidden.set_side_to_move(Side::Black);
        let small = |text: &str| Board::from_diagram(Variant::FREESTYLE, text).unwrap();
        for board in [
            board("", Variant::CARO),
            board("h8", Variant::RENJU),
            forbidden,
            small("XOX\nOX.\nOXO"),
            small("XOX\nO..\nOXO"),
            small("...\n...\n..."),
            // Only a five.
            small("XXXX.\nOOOXO\nXXOXX\nOOXOO\nXOXOO"),
        ] {
            answer(&board, Balance::ONE);
            answer(&board, Balance::TWO);
        }
    }

    #[test]
    fn excluded_moves_are_not_placed() {
        let board = board("h8 i9", Variant::FREESTYLE);
        for balance in [Balance::ONE, Balance::TWO] {
            let first = find(&board, balance, &nodes(2_000)).pv;
            let limits = nodes(2_000).without(first[..balance.stones].iter().copied());
            let other = find(&board, balance, &limits).pv;
            assert!(other[..balance.stones].iter().all(|p| !first[..balance.stones].contains(p)));
        }
    }
}
