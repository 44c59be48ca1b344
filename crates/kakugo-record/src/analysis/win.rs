//! A forced win played on to its five.
//!
//! A search proves a win long before it has seen the five, and tells only the moves of the proof. What is
//! missing is played here: the winner by fours where they win, or else by threats, the other side by what
//! holds out longest among the moves that could help.

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::eval::Evaluator;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::vcf::{self, Effort, Vcf};
use kakugo::search::vct::Vct;
use kakugo::search::{Signals, candidates};

/// Attacker's moves that a search for a win by fours may try, and all of them together.
const VCF_BUDGET: u32 = 5_000;
const VCF_TOTAL: u32 = 200_000;

/// Nodes of a search for a win by threats, and of all of them together.
const VCT_BUDGET: u32 = 3_000;
const VCT_TOTAL: u32 = 60_000;

/// More answers than this are no answers to a threat.
const MOST_ANSWERS: usize = 40;

/// Moves of a line that is played on.
const MOST_MOVES: usize = 60;

/// The line of this value, played on to the five if it is a win of either side; as far as it has come
/// when it is stopped.
pub fn with_its_end(board: &Board, score: Score, line: &[Point], signals: &Signals) -> Vec<Point> {
    let side = board.side_to_move();
    if score.is_win() {
        to_the_five(board, line, side, signals)
    } else if score.is_loss() {
        to_the_five(board, line, side.opponent(), signals)
    } else {
        line.to_vec()
    }
}

/// The line by which `winner` wins, played on to the five; as far as it is known where the rest is not
/// found, and where it is stopped.
pub fn to_the_five(board: &Board, line: &[Point], winner: Side, signals: &Signals) -> Vec<Point> {
    let mut win = Win::new(board, signals);
    if line.iter().all(|&p| win.play(p)) {
        let goes_on = |win: &Win<'_>| {
            let is_short = win.line.len() < MOST_MOVES;
            win.board.outcome() == Outcome::Ongoing && is_short && !signals.is_stopped()
        };
        while goes_on(&win) {
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
struct Win<'a> {
    board: Board,
    line: Vec<Point>,
    /// Made when they are first wanted: they are large.
    vcf: Option<Vcf>,
    vct: Option<Vct>,
    /// Attacker's moves left for wins by fours.
    moves: u32,
    /// Nodes left for wins by threats.
    nodes: u32,
    /// Ends it.
    signals: &'a Signals,
}

impl<'a> Win<'a> {
    fn new(board: &Board, signals: &'a Signals) -> Win<'a> {
        Win {
            board: board.clone(),
            line: Vec::new(),
            vcf: None,
            vct: None,
            moves: VCF_TOTAL,
            nodes: VCT_TOTAL,
            signals,
        }
    }

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
        // The whole way by fours is quick to find where there is one.
        let by_fours = self.by_fours().and_then(|_| vcf::prove(&self.board, VCF_BUDGET));
        by_fours.or_else(|| self.by_threats().map(|(_, line)| line)).unwrap_or_default()
    }

    /// In how many plies the side to move wins by fours.
    fn by_fours(&mut self) -> Option<usize> {
        if self.moves == 0 {
            return None;
        }
        let mut position = Position::new(&self.board);
        let vcf = self.vcf.get_or_insert_default();
        let (left, mut moves) = (self.moves.min(VCF_BUDGET), 0);
        let win = vcf.search(&mut position, Effort::full(left), || {
            moves += 1;
            self.signals.is_stopped()
        });
        self.moves -= left.min(moves);
        win.map(|win| win.plies)
    }

    /// How the side to move wins by threats, in how many plies.
    fn by_threats(&mut self) -> Option<(usize, Vec<Point>)> {
        let mut position = Position::new(&self.board);
        let evaluator = Evaluator::by(&position, None);
        let vct = self.vct.get_or_insert_default();
        let (left, mut nodes) = (self.nodes.min(VCT_BUDGET), 0);
        let win = vct.search(&mut position, &evaluator, left, || {
            nodes += 1;
            self.signals.is_stopped()
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
            let plies = self.by_fours().or_else(|| self.by_threats().map(|(plies, _)| plies));
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
    use kakugo::board::Variant;

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
        let signals = Signals::default();
        for variant in [Variant::FREESTYLE, Variant::RENJU] {
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut wins = 0;
            while wins < 12 {
                let board = random_board(&mut random, variant);
                if vcf::prove(&board, 20_000).is_some() {
                    continue;
                }
                let Some(line) = puzzle::find(&board, &signals) else { continue };
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
                let lost = with_its_end(&then, Score::loss_in(8), &line[1..2], &signals);
                lost.iter().for_each(|&p| then.play(p).unwrap());
                assert_eq!(then.outcome(), Outcome::Win(side), "{board} {lost:?}");
            }
        }
    }

    /// A position of `random_board`'s that is won by threats, by no fours alone, and the move that begins it.
    fn won_by_threats() -> (Board, Point) {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        loop {
            let board = random_board(&mut random, Variant::FREESTYLE);
            let is_by_fours = vcf::prove(&board, 20_000).is_some();
            let line = puzzle::find(&board, &Signals::default()).filter(|_| !is_by_fours);
            if let Some(first) = line.filter(|line| line.len() > 8).map(|line| line[0]) {
                return (board, first);
            }
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let ended = |signals: &Signals| with_its_end(&board, Score::win_in(9), &[first], signals);
        assert!(ended(&signals).len() > 8);
        signals.stop();
        assert_eq!(ended(&signals), [first]);
    }

    #[test]
    fn the_searches_for_fours_have_a_budget_together() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let mut win = Win::new(&board, &signals);
        assert!(win.play(first) && !win.defence().is_empty());
        assert!(win.moves < VCF_TOTAL);
        // Black has a win by fours that no single one is.
        let fours =
            [(4, 4), (0, 0), (5, 4), (14, 0), (6, 4), (0, 14), (7, 5), (14, 14), (7, 6), (0, 7)];
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        fours.iter().for_each(|&(x, y)| board.play(Point::new(x, y).unwrap()).unwrap());
        let mut win = Win::new(&board, &signals);
        assert!(win.by_fours().is_some_and(|plies| plies > 1));
        win.moves = 0;
        assert_eq!(win.by_fours(), None);
    }

    #[test]
    fn the_other_side_holds_out_as_long_as_it_can() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let mut win = Win::new(&board, &signals);
        win.play(first);
        let chosen = win.defence();
        let lasts = |win: &mut Win<'_>, p: Point| {
            let before = win.board.clone();
            let can = win.board.play(p).is_ok() && win.board.outcome() == Outcome::Ongoing;
            let plies = can.then(|| win.by_fours().or_else(|| win.by_threats().map(|won| won.0)));
            win.board = before;
            plies.flatten()
        };
        let answers = candidates(&Position::new(&win.board));
        let lengths: Vec<usize> = answers.iter().filter_map(|p| lasts(&mut win, p)).collect();
        let longest = lengths.iter().max().copied();
        assert!(lengths.iter().any(|&plies| Some(plies) < longest), "{lengths:?}");
        assert_eq!(lasts(&mut win, chosen[0]), longest);
    }

    #[test]
    fn a_line_without_a_win_is_left_as_it_is_and_an_impossible_one_ends() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let at = |x, y| Point::new(x, y).unwrap();
        let line = [at(7, 7), at(8, 8)];
        let ended = |score, line: &[Point]| with_its_end(&board, score, line, &Signals::default());
        assert_eq!(ended(Score::from_eval(20), &line), line);
        assert_eq!(ended(Score::win_in(9), &line), line);
        assert_eq!(ended(Score::win_in(9), &[at(7, 7), at(7, 7)]), [at(7, 7)]);
    }
}
