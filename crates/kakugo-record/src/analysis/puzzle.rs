//! Puzzles: positions with a forced win for the side to move.

use std::time::Duration;

use super::sequence::{ThreatKind, sequence};
use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::eval::Evaluator;
use kakugo::position::Position;
use kakugo::proof::to_the_five;
use kakugo::search::vct::Vct;
use kakugo::search::{Engine, Limits, Signals, Silent, vcf};

/// Attacker moves in a VCF search, and nodes in a VCT search.
const VCF_BUDGET: u32 = 20_000;
const VCT_BUDGET: u32 = 3_000;

/// Attacker moves in the search for a threatened VCF.
const THREAT_BUDGET: u32 = 2_000;

/// Nodes of the search for a defence, and the size of its transposition table in bytes.
const LOST_BUDGET: u64 = 2_000;
const LOST_HASH: usize = 1 << 18;

/// Attacker moves when proving that an answer wins, and the time for a search if that fails.
const PROOF_BUDGET: u32 = 50_000;
const ANSWER_TIME: Duration = Duration::from_millis(1500);

/// The kind of threats that a win consists of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WinKind {
    /// Five at once.
    Five,
    /// Fours, ending with an open four.
    OpenFour,
    /// Fours, with a four-three.
    FourThree,
    /// Fours only (VCF), ending with a double four.
    Fours,
    /// Fours and open threes (VCT).
    Threats,
}

impl WinKind {
    /// Returns the kind as a phrase.
    pub const fn words(self) -> &'static str {
        match self {
            WinKind::Five => "five",
            WinKind::OpenFour => "open four",
            WinKind::FourThree => "four-three",
            WinKind::Fours => "fours (VCF)",
            WinKind::Threats => "threats (VCT)",
        }
    }

    /// Returns the kind of a win by `line`, which starts with the winner's move.
    pub fn of(board: &Board, line: &[Point]) -> WinKind {
        let steps = sequence(board, line);
        let made: Vec<Option<ThreatKind>> =
            steps.iter().step_by(2).map(|step| step.makes).collect();
        let ends_in_five = made.last() == Some(&Some(ThreatKind::Five));
        let is_four = |made: &Option<ThreatKind>| {
            made.is_some_and(|made| made.is_four() || made == ThreatKind::Five)
        };
        if made.len() == 1 && ends_in_five {
            WinKind::Five
        } else if !ends_in_five || !made.iter().all(is_four) {
            WinKind::Threats
        } else if made.contains(&Some(ThreatKind::FourThree)) {
            WinKind::FourThree
        } else if made.contains(&Some(ThreatKind::OpenFour)) {
            WinKind::OpenFour
        } else {
            WinKind::Fours
        }
    }
}

/// Returns the difficulty of a win, 1 to 5, for its kind and the number of the winner's stones.
pub fn grade(kind: WinKind, stones: usize) -> u8 {
    let by_length = match stones {
        0..=2 => 1,
        3 => 2,
        4..=5 => 3,
        6..=8 => 4,
        _ => 5,
    };
    if kind == WinKind::Threats { (by_length + 1).clamp(2, 5) } else { by_length }
}

/// Searches for a forced win of the side to move with a small budget. Returns the moves of both
/// sides up to the five.
pub fn find(board: &Board, signals: &Signals) -> Option<Vec<Point>> {
    if board.outcome() != Outcome::Ongoing {
        return None;
    }
    if let Some(line) = vcf::prove(board, VCF_BUDGET) {
        return Some(line);
    }
    let mut position = Position::new(board);
    let evaluator = Evaluator::with_network(&position, None);
    let mut vct = Vct::default();
    vct.search(&mut position, &evaluator, VCT_BUDGET, || signals.is_stopped())?;
    Some(to_the_five(board, &vct.line(&mut position), board.side_to_move(), signals))
}

/// Returns the win by fours that the opponent threatens, if the side to move has to defend: a
/// search with a small budget finds no forced win of its own, and does not prove that it has lost
/// already. The line is the one after a pass.
pub fn threatened_win(board: &Board, signals: &Signals) -> Option<Vec<Point>> {
    let line = threat(board)?;
    (find(board, signals).is_none() && !is_lost(board, signals)).then_some(line)
}

/// Returns true if the side to move has lost already: the opponent threatens to win by fours, and a
/// search with a small budget proves that no move stops it.
pub fn is_lost(board: &Board, signals: &Signals) -> bool {
    if board.outcome() != Outcome::Ongoing || threat(board).is_none() {
        return false;
    }
    let limits = Limits { max_nodes: Some(LOST_BUDGET), ..Limits::default() };
    let answer = Engine::new(LOST_HASH).think(board, &limits, signals, &mut Silent);
    answer.score.is_loss()
}

/// Returns the win by fours that the opponent threatens, found with a small budget. The line is the
/// one after a pass.
fn threat(board: &Board) -> Option<Vec<Point>> {
    let mut passed = board.clone();
    passed.set_side_to_move(board.side_to_move().opponent());
    if passed.outcome() != Outcome::Ongoing {
        return None;
    }
    vcf::prove(&passed, THREAT_BUDGET)
}

/// The verdict on an answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The move wins at once.
    Solved,
    /// The move wins by force; the best reply.
    Right(Point),
    /// The move does not win by force; a refutation, if there is one.
    Wrong(Option<Point>),
}

/// Judges the answer `p`, a legal move, by search.
pub fn judge(engine: &mut Engine, board: &Board, p: Point, signals: &Signals) -> Verdict {
    let side = board.side_to_move();
    let mut after = board.clone();
    if after.play(p).is_err() {
        return Verdict::Wrong(None);
    }
    match after.outcome() {
        Outcome::Win(winner) if winner == side => return Verdict::Solved,
        Outcome::Ongoing => {}
        _ => return Verdict::Wrong(None),
    }
    if let Some(reply) = only_reply(&after, side) {
        let mut then = after.clone();
        if then.play(reply).is_ok() && vcf::prove(&then, PROOF_BUDGET).is_some() {
            return Verdict::Right(reply);
        }
    }
    let limits = Limits { turn: Some(ANSWER_TIME), ..Limits::default() };
    let answer = engine.think(&after, &limits, signals, &mut Silent);
    match answer.best {
        Some(reply) if answer.score.is_loss() => Verdict::Right(reply),
        best => Verdict::Wrong(best),
    }
}

/// Judges the defence `p`, a legal move: it is right if no search finds a win of the opponent.
pub fn judge_defence(engine: &mut Engine, board: &Board, p: Point, signals: &Signals) -> Verdict {
    let mut after = board.clone();
    if after.play(p).is_err() {
        return Verdict::Wrong(None);
    }
    if after.outcome() != Outcome::Ongoing {
        return Verdict::Solved;
    }
    if let Some(line) = find(&after, signals) {
        return Verdict::Wrong(line.first().copied());
    }
    let limits = Limits { turn: Some(ANSWER_TIME), ..Limits::default() };
    let answer = engine.think(&after, &limits, signals, &mut Silent);
    if answer.score.is_win() { Verdict::Wrong(answer.best) } else { Verdict::Solved }
}

/// Returns the only reply to a four of `attacker`, unless the side to move can make five.
fn only_reply(board: &Board, attacker: Side) -> Option<Point> {
    let fives = |side: Side| board.empty_points().filter(move |&p| board.makes_five(p, side));
    if fives(attacker.opponent()).next().is_some() {
        return None;
    }
    let legal = |p: &Point| board.foul(*p, board.side_to_move()).is_none();
    fives(attacker).next().filter(legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pos::{self, RowOrder};
    use kakugo::board::Variant;

    fn board(stones: &str) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let points = pos::read(stones, 15, RowOrder::FromBottom).unwrap();
        points.into_iter().for_each(|p| board.play(p).unwrap());
        board
    }

    fn point(name: &str) -> Point {
        pos::read(name, 15, RowOrder::FromBottom).unwrap()[0]
    }

    #[test]
    fn kind_and_difficulty_follow_from_the_line() {
        let kind = |stones: &str| {
            let board = board(stones);
            let line = find(&board, &Signals::default()).expect(stones);
            (WinKind::of(&board, &line), line.len())
        };
        assert_eq!(kind("f8a1g8a3h8c1i8a5"), (WinKind::Five, 1));
        assert_eq!(kind("f8a1g8a3h8c1"), (WinKind::OpenFour, 3));
        assert_eq!(kind("f8e8g8a3h8c1i7c3i6o1").0, WinKind::FourThree);
        // Two crossing twos.
        assert_eq!(kind("g8a1h8o1i6a15i7o15").0, WinKind::Threats);
        assert_eq!(
            (grade(WinKind::Five, 1), grade(WinKind::Fours, 4), grade(WinKind::Threats, 4)),
            (1, 3, 4)
        );
        assert!(find(&board("h8h9"), &Signals::default()).is_none());
    }

    #[test]
    fn a_threatened_win_is_a_defence_problem_unless_the_side_wins_first() {
        let signals = Signals::default();
        // Black has an open three; White, to move, has nothing.
        let three = board("f8a1g8a3h8");
        let line = threatened_win(&three, &signals).expect("the three becomes a five");
        assert_eq!(line.len(), 3);
        // White can make five.
        let four = board("f8a1g8b1h8c1i8d1o15");
        assert!(four.side_to_move() == Side::White && threatened_win(&four, &signals).is_none());
        assert!(threatened_win(&board("h8h9"), &signals).is_none());
        // An end of the three holds; other moves are refuted.
        let three = board("h8g9g8h9f8");
        let mut engine = Engine::new(1 << 20);
        let mut judged = |p: &str| judge_defence(&mut engine, &three, point(p), &signals);
        assert_eq!(judged("e8"), Verdict::Solved);
        for wrong in ["d8", "j8", "o1"] {
            assert!(matches!(judged(wrong), Verdict::Wrong(Some(_))), "{wrong}");
        }
        assert_eq!(judged("f8"), Verdict::Wrong(None));
    }

    /// The twin tries every move and lets the opponent win by fours.
    #[test]
    fn a_lost_position_is_no_defence_problem() {
        let signals = Signals::default();
        for (stones, lost) in [
            // A four with two free ends, and one with a free end that White can stop.
            ("h8a12b15d12i8c9j8o1k8", true),
            ("h8g8i8b12j8d14k8", false),
            // An open three, which White can stop.
            ("f8a1g8a3h8", false),
            // A double three of fours: each is stopped by a different point.
            ("h8g8i8b12j8d14k8b2h4g4i4o9j4o12k4", true),
        ] {
            let board = board(stones);
            let holds = |p: Point| {
                let mut after = board.clone();
                after.play(p).is_ok()
                    && (after.outcome() != Outcome::Ongoing || vcf::prove(&after, 1_000).is_none())
            };
            assert_eq!(board.empty_points().all(|p| !holds(p)), lost, "{board}");
            assert_eq!(is_lost(&board, &signals), lost, "{board}");
            assert_eq!(threatened_win(&board, &signals).is_none(), lost, "{board}");
        }
        assert!(!is_lost(&board("h8h9"), &signals));
    }

    #[test]
    fn every_winning_answer_is_accepted() {
        let mut engine = Engine::new(1 << 20);
        let signals = Signals::default();
        let three = board("f8a1g8a3h8c1");
        let mut judged = |p: &str| judge(&mut engine, &three, point(p), &signals);
        // An open four either way.
        assert!(matches!(judged("i8"), Verdict::Right(_)), "i8");
        assert!(matches!(judged("e8"), Verdict::Right(_)), "e8");
        // White, who has the centre, blocks the only open end of the four.
        let four = board("f15h8g15i9h15h7i15e15");
        let missed = judge(&mut engine, &four, point("o1"), &signals);
        assert_eq!(missed, Verdict::Wrong(Some(point("j15"))));
        assert_eq!(judge(&mut engine, &four, point("j15"), &signals), Verdict::Solved);
        assert_eq!(judge(&mut engine, &four, point("f15"), &signals), Verdict::Wrong(None));
    }
}
