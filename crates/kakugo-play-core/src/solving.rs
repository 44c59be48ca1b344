//! Forced wins on request: by fours, by threats, or by any moves, with a budget of time.

use std::time::Duration;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::clock::Instant;
use kakugo::eval::Evaluator;
use kakugo::position::Position;
use kakugo::proof::{to_the_five, with_its_end};
use kakugo::search::vcf::{self, Vcf, VcfLimits};
use kakugo::search::vct::Vct;
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_record::analysis::shortest::{Attack, Length};

/// The budgets of the first attempts by fours and by threats. Each further attempt may take
/// [`GROWTH`] times as much.
const FIRST_FOURS: u32 = 20_000;
const FIRST_THREATS: u32 = 5_000;
const GROWTH: u32 = 4;

/// Nodes of the search for a shorter win.
const SHORTER_NODES: u32 = 10_000;

/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 64;

/// The moves that a forced win may consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveMethod {
    /// Fours only (VCF).
    Fours,
    /// Fours and open threes (VCT).
    Threats,
    /// Any moves, by a search of the engine.
    Search,
}

/// A position to solve.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// The position.
    pub board: Board,
    /// The moves of the win.
    pub method: SolveMethod,
    /// The longest time. To complete the line of a win may take longer.
    pub time: Duration,
}

/// The result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveResult {
    /// It wins by force.
    Win,
    /// It loses by force.
    Loss,
    /// It has no win of this kind.
    NoWin,
    /// The time was up.
    Unknown,
}

/// A solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The result.
    pub result: SolveResult,
    /// The moves of both sides, up to the five if that was found. Empty unless a side wins.
    pub line: Vec<Point>,
    /// True if there is no shorter win of this kind. Otherwise the five may come sooner.
    pub is_shortest: bool,
    /// Nodes searched.
    pub nodes: u64,
}

impl Solution {
    /// Returns a result without a line.
    fn without_line(result: SolveResult, nodes: u64) -> Solution {
        Solution { result, line: Vec::new(), is_shortest: false, nodes }
    }

    /// Returns a win of the side to move by threats of this kind. A shorter line replaces `line`.
    fn of_attack(board: &Board, attack: Attack, line: Vec<Point>, nodes: u64) -> Solution {
        let Length { is_shortest, shorter, .. } =
            Length::of_attack(board, attack, &line, SHORTER_NODES);
        let line = shorter.unwrap_or(line);
        Solution { result: SolveResult::Win, line, is_shortest, nodes }
    }
}

/// Ends a search when its time is up or it is stopped, and counts its nodes.
struct Watch<'a> {
    end: Option<Instant>,
    signals: &'a Signals,
    nodes: u64,
    is_up: bool,
}

impl Watch<'_> {
    /// Counts a node. Returns true if the search must end.
    fn visit(&mut self) -> bool {
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.is_up |=
                self.signals.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end);
        }
        self.nodes += 1;
        self.is_up
    }
}

impl SolveRequest {
    /// Searches for a forced win until it is found, excluded, or the time since `start` is up.
    pub fn run(&self, start: Instant, engine: &mut Engine, signals: &Signals) -> Solution {
        if self.board.outcome() != Outcome::Ongoing {
            return Solution::without_line(SolveResult::NoWin, 0);
        }
        let end = start.checked_add(self.time);
        let mut watch = Watch { end, signals, nodes: 0, is_up: false };
        match self.method {
            SolveMethod::Fours => by_fours(&self.board, &mut watch),
            SolveMethod::Threats => by_threats(&self.board, &mut watch),
            SolveMethod::Search => self.by_search(start, engine, signals),
        }
    }

    fn by_search(&self, start: Instant, engine: &mut Engine, signals: &Signals) -> Solution {
        let limits = Limits { start, turn: Some(self.time), ..Limits::default() };
        let answer = engine.think(&self.board, &limits, signals, &mut Silent);
        let result = match answer.score {
            score if score.is_win() => SolveResult::Win,
            score if score.is_loss() => SolveResult::Loss,
            _ => return Solution::without_line(SolveResult::Unknown, answer.nodes),
        };
        let line = with_its_end(&self.board, answer.score, &answer.pv, signals);
        let length = Length::of(&self.board, answer.score, &line, SHORTER_NODES);
        let is_shortest = length.as_ref().is_some_and(|length| length.is_shortest);
        let line = length.and_then(|length| length.shorter).unwrap_or(line);
        Solution { result, line, is_shortest, nodes: answer.nodes }
    }
}

fn by_fours(board: &Board, watch: &mut Watch<'_>) -> Solution {
    let mut position = Position::new(board);
    let mut vcf = Vcf::default();
    let mut budget = FIRST_FOURS;
    loop {
        let before = watch.nodes;
        let win = vcf.search(&mut position, VcfLimits::full(budget), || watch.visit());
        if let Some(win) = win {
            let line = vcf::prove(board, budget).unwrap_or_else(|| vec![win.first]);
            return Solution::of_attack(board, Attack::Fours, line, watch.nodes);
        }
        if watch.is_up {
            return Solution::without_line(SolveResult::Unknown, watch.nodes);
        }
        if watch.nodes - before < u64::from(budget) {
            return Solution::without_line(SolveResult::NoWin, watch.nodes);
        }
        budget = budget.saturating_mul(GROWTH);
    }
}

fn by_threats(board: &Board, watch: &mut Watch<'_>) -> Solution {
    let mut position = Position::new(board);
    let evaluator = Evaluator::with_network(&position, None);
    let mut vct = Vct::default();
    let mut budget = FIRST_THREATS;
    loop {
        let before = watch.nodes;
        let win = vct.search(&mut position, &evaluator, budget, || watch.visit());
        if win.is_some() {
            let side: Side = board.side_to_move();
            let line = to_the_five(board, &vct.line(&mut position), side, watch.signals);
            return Solution::of_attack(board, Attack::Threats, line, watch.nodes);
        }
        if watch.is_up {
            return Solution::without_line(SolveResult::Unknown, watch.nodes);
        }
        if watch.nodes - before < u64::from(budget) {
            return Solution::without_line(SolveResult::NoWin, watch.nodes);
        }
        budget = budget.saturating_mul(GROWTH);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;
    use kakugo_record::pos::{self, RowOrder};

    fn solve(stones: &str, method: SolveMethod, time: Duration) -> (Board, Solution) {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let points = pos::read(stones, 15, RowOrder::FromBottom).unwrap();
        points.into_iter().for_each(|p| board.play(p).unwrap());
        let request = SolveRequest { board: board.clone(), method, time };
        let mut engine = Engine::new(1 << 20);
        let solution = request.run(Instant::now(), &mut engine, &Signals::default());
        (board, solution)
    }

    #[test]
    fn wins_are_found_up_to_the_five_by_each_method() {
        let long = Duration::from_secs(60);
        // An open three of Black, and two crossing twos of Black.
        let (three, twos) = ("f8a1g8a3h8c1", "g8a1h8o1i6a15i7o15");
        for (stones, method) in [
            (three, SolveMethod::Fours),
            (three, SolveMethod::Threats),
            (twos, SolveMethod::Threats),
            (three, SolveMethod::Search),
        ] {
            let (mut board, solution) = solve(stones, method, long);
            assert_eq!(solution.result, SolveResult::Win, "{stones} {method:?}");
            assert!(solution.is_shortest, "{stones} {method:?}");
            solution.line.iter().for_each(|&p| board.play(p).unwrap());
            assert_eq!(board.outcome(), Outcome::Win(Side::Black), "{stones} {method:?}");
        }
        // White can stop one end of a four only.
        let (_, lost) = solve("f8a1g8a3h8c1i8", SolveMethod::Search, long);
        assert_eq!(lost.result, SolveResult::Loss);
        assert!(!lost.line.is_empty());
    }

    #[test]
    fn the_absence_of_a_win_differs_from_a_lack_of_time() {
        let (_, none) = solve("h8h9", SolveMethod::Fours, Duration::from_secs(60));
        assert_eq!(none.result, SolveResult::NoWin);
        let (_, late) = solve("g8a1h8o1j9a15", SolveMethod::Threats, Duration::ZERO);
        assert_eq!(late, Solution::without_line(SolveResult::Unknown, late.nodes));
        let (_, over) = solve("f8a1g8a3h8c1i8a5j8", SolveMethod::Search, Duration::from_secs(60));
        assert_eq!(over.result, SolveResult::NoWin);
    }
}
