//! A forced win played on to its five.
//!
//! A search proves a win long before it has seen the five, and tells only the moves of the proof. What is
//! missing is played here: the winner by fours where they win, or else by threats, the other side by what
//! holds out longest among the moves that could help.

use crate::board::{Board, Outcome, Point, Side};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::vct::Vct;
use crate::search::{candidates, vcf};

/// Attacker's moves that a search for a win by fours may try.
const VCF_BUDGET: u32 = 5_000;

/// Nodes of a search for a win by threats, and of all of them together.
const VCT_BUDGET: u32 = 3_000;
const VCT_TOTAL: u32 = 60_000;

/// More answers than this are no answers to a threat.
const MOST_ANSWERS: usize = 40;

/// Moves of a line that is played on.
const MOST_MOVES: usize = 60;

/// The line of this value, played on to the five if it is a win of either side.
pub fn with_its_end(board: &Board, score: Score, line: &[Point]) -> Vec<Point> {
    let side = board.side_to_move();
    if score.is_win() {
        to_the_five(board, line, side)
    } else if score.is_loss() {
        to_the_five(board, line, side.opponent())
    } else {
        line.to_vec()
    }
}

/// The line by which `winner` wins, played on to the five; as far as it is known where the rest is not
/// found.
pub fn to_the_five(board: &Board, line: &[Point], winner: Side) -> Vec<Point> {
    let mut win = Win { board: board.clone(), line: Vec::new(), vct: None, nodes: VCT_TOTAL };
    if line.iter().all(|&p| win.play(p)) {
        while win.board.outcome() == Outcome::Ongoing && win.line.len() < MOST_MOVES {
            let is_winners_turn = win.board.side_to_move() == winner;
            let more = if is_winners_turn { win.attack() } else { win.defence() };
            if more.is_empty() || !more.into_iter().all(|p| win.play(p)) {
                break;
            }
        }
    }
    win.line
}

/// A line and the position after it.
struct Win {
    board: Board,
    line: Vec<Point>,
    /// Made when it is first wanted: it is large.
    vct: Option<Vct>,
    /// Nodes left for wins by threats.
    nodes: u32,
}

impl Win {
    /// Add a move; whether it can be played.
    fn play(&mut self, p: Point) -> bool {
        let can = self.board.outcome() == Outcome::Ongoing && self.board.play(p).is_ok();
        if can {
            self.line.push(p);
        }
        can
    }

    /// The winner's next moves with the answers to them; none if no win is found.
    fn attack(&mut self) -> Vec<Point> {
        let by_fours = vcf::prove(&self.board, VCF_BUDGET);
        by_fours.or_else(|| self.by_threats().map(|(_, line)| line)).unwrap_or_default()
    }

    /// How the side to move wins by threats, in how many plies.
    fn by_threats(&mut self) -> Option<(usize, Vec<Point>)> {
        let mut position = Position::new(&self.board);
        let evaluator = Evaluator::by(&position, None);
        let vct = self.vct.get_or_insert_default();
        let (left, mut nodes) = (self.nodes.min(VCT_BUDGET), 0);
        let win = vct.search(&mut position, &evaluator, left, || {
            nodes += 1;
            false
        });
        self.nodes -= left.min(nodes);
        let plies = win?.plies;
        let line = vct.line(&mut position);
        (!line.is_empty()).then_some((plies, line))
    }

    /// The answer that is known to lose last; none if there is no answer.
    fn defence(&mut self) -> Vec<Point> {
        let position = Position::new(&self.board);
        let helpful = candidates(&position);
        if helpful.len() > MOST_ANSWERS {
            return Vec::new();
        }
        let legal = |p: &Point| position.is_legal(*p);
        let mut best: Option<(usize, Point)> = None;
        for p in helpful.iter().filter(legal) {
            let mut after = self.board.clone();
            if after.play(p).is_err() || after.outcome() != Outcome::Ongoing {
                continue;
            }
            let before = std::mem::replace(&mut self.board, after);
            let by_fours = vcf::prove(&self.board, VCF_BUDGET).map(|line| line.len());
            let plies = by_fours.or_else(|| self.by_threats().map(|(plies, _)| plies));
            self.board = before;
            let later = |plies: &usize| best.is_none_or(|(longest, _)| *plies > longest);
            if let Some(plies) = plies.filter(later) {
                best = Some((plies, p));
            }
        }
        // Nothing helps against two fives at once.
        let other = self.board.side_to_move().opponent();
        let fives = || self.board.empty_points().filter(|&p| self.board.makes_five(p, other));
        let lost = || fives().chain(self.board.empty_points()).find(legal);
        match best {
            Some((_, p)) => vec![p],
            None if helpful.iter().any(|p| legal(&p)) => Vec::new(),
            None => lost().into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::analysis::puzzle;
    use crate::board::Variant;

    fn random_board(random: &mut ChaCha8Rng, variant: Variant) -> Board {
        let mut board = Board::new(15, 15, variant).unwrap();
        let stones = random.random_range(8..24);
        for _ in 0..100 {
            let [x, y] = [(); 2].map(|()| random.random_range(4..11));
            let (p, side) = (Point::new(x, y).unwrap(), board.side_to_move());
            let is_quiet = !board.makes_five(p, side) && board.foul(p, side).is_none();
            if board.ply() < stones && board.is_empty(p) && is_quiet {
                board.play(p).unwrap();
            }
        }
        board
    }

    #[test]
    fn wins_by_threats_are_played_to_their_fives() {
        for variant in [Variant::FREESTYLE, Variant::RENJU] {
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut wins = 0;
            while wins < 12 {
                let board = random_board(&mut random, variant);
                if vcf::prove(&board, 20_000).is_some() {
                    continue;
                }
                let Some(line) = puzzle::find(&board) else { continue };
                wins += 1;
                let side = board.side_to_move();
                let mut after = board.clone();
                for &p in &line {
                    assert_eq!(after.outcome(), Outcome::Ongoing);
                    after.play(p).unwrap();
                }
                assert_eq!(after.outcome(), Outcome::Win(side), "{board} {line:?}");
                // The same win as a loss of the side that answers.
                let mut then = board.clone();
                then.play(line[0]).unwrap();
                let lost = with_its_end(&then, Score::loss_in(8), &line[1..2]);
                lost.iter().for_each(|&p| then.play(p).unwrap());
                assert_eq!(then.outcome(), Outcome::Win(side), "{board} {lost:?}");
            }
        }
    }

    #[test]
    fn a_line_without_a_win_is_left_as_it_is_and_an_impossible_one_ends() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let at = |x, y| Point::new(x, y).unwrap();
        let line = [at(7, 7), at(8, 8)];
        assert_eq!(with_its_end(&board, Score::from_eval(20), &line), line);
        assert_eq!(with_its_end(&board, Score::win_in(9), &line), line);
        assert_eq!(with_its_end(&board, Score::win_in(9), &[at(7, 7), at(7, 7)]), [at(7, 7)]);
    }
}
