//! Which first moves win, lose or hold.

use kakugo::board::{Board, Outcome, Point};
use kakugo::eval::Evaluator;
use kakugo::pattern::set::PointSet;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::vcf::{Vcf, VcfLimits};
use kakugo::search::vct::Vct;
use kakugo::search::{Answer, Engine, Limits, Signals, Silent};

/// Attacker's moves by fours, and nodes by threats, to find out quickly whether a side wins.
const FOURS: u32 = 5_000;
const THREATS: u32 = 1_000;
/// Nodes of a quick look, and of a first search over many moves.
const QUICK_NODES: u64 = 1_000;
const FIRST_NODES: u64 = 10_000;
/// Nodes of a search that finds out which moves lose, and of the check of one of them.
const SEARCH_NODES: u64 = 40_000;
const CHECK_NODES: u64 = 40_000;
/// Nodes of a search for wins or losses that are hard to find.
const LONG_NODES: u64 = 300_000;
/// Highest score of the moves that do not win.
const MAX_OTHERS: i32 = 0;
/// Lowest score of a move that holds.
const MIN_HOLDING: i32 = -120;
/// Size of the transposition table, in bytes.
const HASH_BYTES: usize = 4 << 20;

/// Judges first moves by the engine's solvers and its search.
pub(super) struct Judge {
    engine: Engine,
    vcf: Vcf,
    vct: Vct,
}

impl Judge {
    pub(super) fn new() -> Judge {
        Judge { engine: Engine::new(HASH_BYTES), vcf: Vcf::default(), vct: Vct::default() }
    }

    /// Forgets all earlier positions.
    pub(super) fn clear(&mut self) {
        self.engine.clear();
        (self.vcf, self.vct) = (Vcf::default(), Vct::default());
    }

    /// Returns true if a quick search finds a win of the side to move by fours.
    pub(super) fn wins_by_fours(&mut self, board: &Board) -> bool {
        let mut position = Position::new(board);
        self.vcf.search(&mut position, VcfLimits::full(FOURS), || false).is_some()
    }

    /// Returns true if a quick search finds a win of the side to move by fours and threes.
    pub(super) fn wins_by_threats(&mut self, board: &Board) -> bool {
        let mut position = Position::new(board);
        let evaluator = Evaluator::with_network(&position, None);
        self.wins_by_fours(board)
            || self.vct.search(&mut position, &evaluator, THREATS, || false).is_some()
    }

    /// Returns all moves that win, if there are at most `max` and no other move is good: a long
    /// search of all others finds no win and no advantage.
    pub(super) fn winners(&mut self, board: &Board, max: usize) -> Option<Vec<Point>> {
        let mut right = Vec::new();
        for nodes in [FIRST_NODES, LONG_NODES] {
            loop {
                let answer = self.think_of_others(board, nodes, &right);
                match answer.best {
                    Some(p) if answer.score.is_win() && right.len() < max => right.push(p),
                    _ if answer.score.value() <= MAX_OTHERS => break,
                    _ => return None,
                }
            }
        }
        (!right.is_empty()).then_some(right)
    }

    /// Returns all moves that hold, if there are at most `max` and every other legal move is proven
    /// to lose.
    pub(super) fn holders(&mut self, board: &Board, max: usize) -> Option<Vec<Point>> {
        // Most positions fail here.
        if ![QUICK_NODES, FIRST_NODES].iter().all(|&n| holds(self.think(board, n, None).score)) {
            return None;
        }
        let mut right = Vec::new();
        loop {
            let answer = self.think_of_others(board, SEARCH_NODES, &right);
            match answer.best {
                _ if answer.score.is_loss() => break,
                Some(p) if holds(answer.score) && right.len() < max => right.push(p),
                _ => return None,
            }
        }
        let is_proven = !right.is_empty() && self.all_others_lose(board, &right);
        is_proven.then_some(right)
    }

    /// Returns true if long searches find no loss after any of these moves.
    pub(super) fn all_hold(&mut self, board: &Board, right: &[Point]) -> bool {
        right.iter().all(|&p| {
            let mut after = board.clone();
            after.play(p).is_ok()
                && after.outcome() == Outcome::Ongoing
                && holds(-self.think(&after, LONG_NODES, None).score)
        })
    }

    /// Returns true if each legal move but the `right` ones is proven to lose, one by one.
    fn all_others_lose(&mut self, board: &Board, right: &[Point]) -> bool {
        let mut others = board.empty_points().filter(|&p| board.is_legal(p) && !right.contains(&p));
        others.all(|p| self.loses(board, p))
    }

    /// Returns true if the move `p` is proven to lose.
    pub(super) fn loses(&mut self, board: &Board, p: Point) -> bool {
        let mut after = board.clone();
        after.play(p).is_ok()
            && after.outcome() == Outcome::Ongoing
            && (self.wins_by_threats(&after)
                || self.think(&after, CHECK_NODES, None).score.is_win())
    }

    /// Searches all legal moves but the `right` ones.
    fn think_of_others(&mut self, board: &Board, nodes: u64, right: &[Point]) -> Answer {
        let is_other = |p: &Point| board.is_legal(*p) && !right.contains(p);
        self.think(board, nodes, Some(board.empty_points().filter(is_other).collect()))
    }

    fn think(&mut self, board: &Board, nodes: u64, only: Option<PointSet>) -> Answer {
        let limits = Limits { max_nodes: Some(nodes), only, ..Limits::default() };
        self.engine.think(board, &limits, &Signals::default(), &mut Silent)
    }
}

/// Returns true if a move with this score may hold.
fn holds(score: Score) -> bool {
    !score.is_decided() && score.value() >= MIN_HOLDING
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    fn marked(variant: Variant, drawing: &str) -> (Board, Vec<Point>) {
        kakugo::board!(variant, drawing)
    }

    #[test]
    fn the_five_wins_if_all_other_moves_lose() {
        let (board, marks) = marked(
            Variant::FREESTYLE,
            ". . . . . . . . .
             . . X X * X X . .
             . . . . . . . . .
             . . O O O O . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        );
        let mut judge = Judge::new();
        assert_eq!(judge.winners(&board, 2), Some(marks.clone()));
        assert_eq!(judge.holders(&board, 2), None);
        let other = board.parse_point("a1").unwrap();
        assert!(judge.loses(&board, other) && !judge.loses(&board, marks[0]));
    }

    #[test]
    fn a_win_with_other_good_moves_is_not_accepted() {
        // White has no threat, and Black has another row.
        let (board, _) = marked(
            Variant::FREESTYLE,
            ". . . . . . . . .
             . . O X X X X . .
             . . . . . . . . .
             . O . . . . . . .
             . . . X X . . . .
             . . . . . O . . .
             . . . . X . . . .
             . . . . . . O . .
             . . O . . . . . .",
        );
        assert_eq!(Judge::new().winners(&board, 2), None);
    }

    #[test]
    fn the_only_stop_of_a_four_holds() {
        let (mut board, marks) = marked(
            Variant::FREESTYLE,
            ". . . . . . . . .
             . O X X X X * . .
             . . . . . . . . .
             . . . O . . . . .
             . . . . . . . . .
             . . . . . O . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        );
        board.set_side_to_move(kakugo::Side::White);
        let mut judge = Judge::new();
        assert_eq!(judge.holders(&board, 3), Some(marks));
        assert_eq!(judge.winners(&board, 3), None);
    }
}
