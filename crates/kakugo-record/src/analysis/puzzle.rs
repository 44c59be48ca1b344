//! Puzzles: positions that the side to move wins by force, and whether an answer to one is right.

use std::time::Duration;

use super::sequence::{Made, sequence};
use super::win::to_the_five;
use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::eval::Evaluator;
use kakugo::position::Position;
use kakugo::search::vct::Vct;
use kakugo::search::{Engine, Limits, Signals, Silent, vcf};

/// Attacker's moves that a search for a win by fours may try, and nodes of one for a win by threats.
const VCF_BUDGET: u32 = 20_000;
const VCT_BUDGET: u32 = 3_000;

/// Attacker's moves that the proof of an answer may try, and the time for one that is no proof yet.
const PROOF_BUDGET: u32 = 50_000;
const ANSWER_TIME: Duration = Duration::from_millis(1500);

/// What a win is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// One stone makes the row.
    Five,
    /// Fours, the last of them open.
    OpenFour,
    /// Fours, and a four with an open three.
    FourThree,
    /// Fours to the end, the last a double one.
    Fours,
    /// Open threes, too.
    Threats,
}

impl Kind {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Kind::Five => "five",
            Kind::OpenFour => "open four",
            Kind::FourThree => "four-three",
            Kind::Fours => "fours (VCF)",
            Kind::Threats => "threats (VCT)",
        }
    }

    /// What the win by this line, the winner's move first, is made of.
    pub fn of(board: &Board, line: &[Point]) -> Kind {
        let steps = sequence(board, line);
        let made: Vec<Option<Made>> = steps.iter().step_by(2).map(|step| step.makes).collect();
        let ends_in_five = made.last() == Some(&Some(Made::Five));
        let is_four =
            |made: &Option<Made>| made.is_some_and(|made| made.is_four() || made == Made::Five);
        if made.len() == 1 && ends_in_five {
            Kind::Five
        } else if !ends_in_five || !made.iter().all(is_four) {
            Kind::Threats
        } else if made.contains(&Some(Made::FourThree)) {
            Kind::FourThree
        } else if made.contains(&Some(Made::OpenFour)) {
            Kind::OpenFour
        } else {
            Kind::Fours
        }
    }
}

/// How hard a win of a kind is to find, 1 to 5, by the stones that the winner places.
pub fn grade(kind: Kind, stones: usize) -> u8 {
    let by_length = match stones {
        0..=2 => 1,
        3 => 2,
        4..=5 => 3,
        6..=8 => 4,
        _ => 5,
    };
    if kind == Kind::Threats { (by_length + 1).clamp(2, 5) } else { by_length }
}

/// How the side to move wins by force, as far as a quick look shows: the moves of both up to the five.
pub fn find(board: &Board, signals: &Signals) -> Option<Vec<Point>> {
    if board.outcome() != Outcome::Ongoing {
        return None;
    }
    if let Some(line) = vcf::prove(board, VCF_BUDGET) {
        return Some(line);
    }
    let mut position = Position::new(board);
    let evaluator = Evaluator::by(&position, None);
    let mut vct = Vct::default();
    vct.search(&mut position, &evaluator, VCT_BUDGET, || signals.is_stopped())?;
    Some(to_the_five(board, &vct.line(&mut position), board.side_to_move(), signals))
}

/// What an answer to a puzzle is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins at once.
    Solved,
    /// It wins by force; the other side replies so.
    Right(Point),
    /// It does not win by force; the other side may reply so.
    Wrong(Option<Point>),
}

/// Judge the answer `p`, a legal move, by search.
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

/// Where the side to move must stop a five of `attacker`'s, if it has no five of its own.
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
    fn kinds_and_grades_follow_from_the_line() {
        let kind = |stones: &str| {
            let board = board(stones);
            let line = find(&board, &Signals::default()).expect(stones);
            (Kind::of(&board, &line), line.len())
        };
        assert_eq!(kind("f8a1g8a3h8c1i8a5"), (Kind::Five, 1));
        assert_eq!(kind("f8a1g8a3h8c1"), (Kind::OpenFour, 3));
        assert_eq!(kind("f8e8g8a3h8c1i7c3i6o1").0, Kind::FourThree);
        // Two twos that meet.
        assert_eq!(kind("g8a1h8o1i6a15i7o15").0, Kind::Threats);
        assert_eq!(
            (grade(Kind::Five, 1), grade(Kind::Fours, 4), grade(Kind::Threats, 4)),
            (1, 3, 4)
        );
        assert!(find(&board("h8h9"), &Signals::default()).is_none());
    }

    #[test]
    fn every_winning_answer_is_right_and_others_are_not() {
        let mut engine = Engine::new(1 << 20);
        let signals = Signals::default();
        let three = board("f8a1g8a3h8c1");
        let mut judged = |p: &str| judge(&mut engine, &three, point(p), &signals);
        // An open four either way.
        assert!(matches!(judged("i8"), Verdict::Right(_)), "i8");
        assert!(matches!(judged("e8"), Verdict::Right(_)), "e8");
        // White, who has the middle of the board, stops the five at the one end that is left.
        let four = board("f15h8g15i9h15h7i15e15");
        let missed = judge(&mut engine, &four, point("o1"), &signals);
        assert_eq!(missed, Verdict::Wrong(Some(point("j15"))));
        assert_eq!(judge(&mut engine, &four, point("j15"), &signals), Verdict::Solved);
        assert_eq!(judge(&mut engine, &four, point("f15"), &signals), Verdict::Wrong(None));
    }
}
