//! The built-in problems: 300 positions from self-play, in six steps from "find the five" to "the
//! only defence", for freestyle and renju.
//!
//! All right moves of a problem are known ([`Problem::right`]). If the side to move is to win, they
//! are proven to win, and a long search found no other move that does. If it is to defend, every
//! other move is proven to lose. `docs/training.md` describes how the problems were made.
//!
//! ```
//! use kakugo_record::problems::{self, Step};
//!
//! let problem = &problems::pack()[0];
//! assert_eq!((problem.step, problem.right.len()), (Step::Five, 1));
//! let mut board = problem.board();
//! board.play(problem.right[0])?;
//! assert_eq!(board.outcome(), kakugo::Outcome::Win(problem.side_to_move()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Format
//!
//! A problem is one line of text with six fields, separated by spaces:
//!
//! | field | contents | example |
//! |---|---|---|
//! | rule | name of the rule | `renju` |
//! | step | 1 to 6 | `3` |
//! | moves | the game so far, Black first | `h8h9i9` |
//! | right | the right moves | `g7` |
//! | stones | stones of the winner up to the five | `3` |
//! | line | the shortest win, see [`Problem::line`] | `g7f6e5d4i9` |
//!
//! Points are named as by [`Board::name`], on a board of 15x15. `Display` and `FromStr` write and
//! read a line.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::pos::{self, RowOrder};
use kakugo::board::{Board, Outcome, Point, Rule, Side, Variant};

/// Columns and rows of the board of every problem.
pub const SIZE: u8 = 15;

/// Problems of one step and rule in the pack.
pub const PER_STEP: usize = 25;

static PACK: LazyLock<Vec<Problem>> = LazyLock::new(|| {
    // A test parses every line.
    include_str!("problems.txt").lines().filter_map(|line| line.parse().ok()).collect()
});

/// Returns the built-in problems: freestyle, then renju, each from the first step to the last, and
/// from short wins to long ones in a step.
pub fn pack() -> &'static [Problem] {
    &PACK
}

/// The task of a problem, from easy to hard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Make five. Only a five counts, even if another move wins later.
    Five,
    /// Stop a four, or a three that would become an open four.
    StopFour,
    /// Make a double threat: two fours, a four and a three, or two threes; in renju a four and a
    /// three. The win takes two or three moves.
    Double,
    /// Win by fours only (VCF), in three to nine moves.
    Fours,
    /// Win by fours and open threes (VCT), in three to nine moves. No win by fours
    /// alone exists.
    Threats,
    /// Find the only move that does not lose.
    Defence,
}

impl Step {
    /// All steps, easiest first.
    pub const ALL: [Step; 6] =
        [Step::Five, Step::StopFour, Step::Double, Step::Fours, Step::Threats, Step::Defence];

    /// Returns the number of the step, 1 to 6.
    pub const fn number(self) -> usize {
        self as usize + 1
    }

    /// Returns the step with this number, from 1; `None` if there is none.
    pub fn of_number(number: usize) -> Option<Step> {
        Step::ALL.get(number.checked_sub(1)?).copied()
    }

    /// Returns the task as a phrase.
    pub const fn words(self) -> &'static str {
        match self {
            Step::Five => "find the five",
            Step::StopFour => "stop the four",
            Step::Double => "make a double threat",
            Step::Fours => "win by fours",
            Step::Threats => "win by threats",
            Step::Defence => "find the only defence",
        }
    }

    /// Returns true if the side to move defends.
    pub const fn is_defence(self) -> bool {
        matches!(self, Step::StopFour | Step::Defence)
    }
}

/// A position with a task for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The rule.
    pub rule: Rule,
    /// The task.
    pub step: Step,
    /// The moves of the game that led to the position, Black first.
    pub moves: Vec<Point>,
    /// The right moves, at least one: all that win, or all that do not lose.
    pub right: Vec<Point>,
    /// Number of the winner's stones in [`Problem::line`]: the moves to win.
    pub stones: usize,
    /// A win of the fewest moves by fours and open threes, up to the five, against a defence that
    /// lasts longest. The winner moves first: the side to move, or in a defence the opponent, as if
    /// the side to move passed.
    pub line: Vec<Point>,
}

impl Problem {
    /// Returns the rule with its win length.
    pub const fn variant(&self) -> Variant {
        Variant::five(self.rule)
    }

    /// Returns the position.
    pub fn board(&self) -> Board {
        self.replay().unwrap_or_else(|_| empty(self.variant()))
    }

    /// Returns the side that has the task.
    pub const fn side_to_move(&self) -> Side {
        Side::to_move_after(self.moves.len())
    }

    /// Returns the side that wins in [`Problem::line`].
    pub const fn winner(&self) -> Side {
        let side = self.side_to_move();
        if self.step.is_defence() { side.opponent() } else { side }
    }

    /// Returns true if `p` solves the problem.
    pub fn is_right(&self, p: Point) -> bool {
        self.right.contains(&p)
    }

    fn replay(&self) -> Result<Board, InvalidProblem> {
        let mut board = empty(self.variant());
        for &p in &self.moves {
            play(&mut board, p)?;
        }
        Ok(board)
    }

    /// Checks that the moves can be played and that the line wins.
    fn check(&self) -> Result<(), InvalidProblem> {
        let board = self.replay()?;
        if board.outcome() != Outcome::Ongoing {
            return Err(InvalidProblem::new("the game is over"));
        }
        if self.right.is_empty() {
            return Err(InvalidProblem::new("expected a right move"));
        }
        if let Some(&p) = self.right.iter().find(|&&p| !board.is_legal(p)) {
            return Err(InvalidProblem::new(format!("illegal right move {}", board.name(p))));
        }
        let mut end = board;
        end.set_side_to_move(self.winner());
        for &p in &self.line {
            play(&mut end, p)?;
        }
        if end.outcome() != Outcome::Win(self.winner()) {
            return Err(InvalidProblem::new("the line does not win"));
        }
        if self.stones != self.line.len().div_ceil(2) {
            let stones = self.line.len().div_ceil(2);
            return Err(InvalidProblem::new(format!("expected {stones} stones for this line")));
        }
        Ok(())
    }
}

fn empty(variant: Variant) -> Board {
    Board::new(SIZE, SIZE, variant).expect("a supported size")
}

fn play(board: &mut Board, p: Point) -> Result<(), InvalidProblem> {
    if board.outcome() != Outcome::Ongoing || !board.is_legal(p) {
        return Err(InvalidProblem::new(format!("illegal move {}", board.name(p))));
    }
    board.play(p).map_err(|error| InvalidProblem::new(error.to_string()))
}

/// A line of text that is not a problem: the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidProblem(String);

impl InvalidProblem {
    fn new(reason: impl Into<String>) -> InvalidProblem {
        InvalidProblem(reason.into())
    }
}

impl fmt::Display for InvalidProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid problem: {}", self.0)
    }
}

impl Error for InvalidProblem {}

/// One line of the format above.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points =
            |points: &[Point]| pos::write(points.iter().copied(), SIZE, RowOrder::FromBottom);
        let (rule, step) = (self.rule.word(), self.step.number());
        let [moves, right, line] = [&self.moves, &self.right, &self.line].map(|list| points(list));
        write!(f, "{rule} {step} {moves} {right} {} {line}", self.stones)
    }
}

impl FromStr for Problem {
    type Err = InvalidProblem;

    fn from_str(line: &str) -> Result<Problem, InvalidProblem> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [rule, step, moves, right, stones, line] = fields[..] else {
            let found = fields.len();
            return Err(InvalidProblem::new(format!("expected 6 fields, found {found}")));
        };
        let invalid = |error: &dyn fmt::Display| InvalidProblem::new(error.to_string());
        let points = |text: &str| {
            pos::read(text, SIZE, RowOrder::FromBottom).map_err(|error| invalid(&error))
        };
        let step = step.parse().ok().and_then(Step::of_number);
        let problem = Problem {
            rule: rule.parse().map_err(|error| invalid(&error))?,
            step: step.ok_or_else(|| InvalidProblem::new("expected a step from 1 to 6"))?,
            moves: points(moves)?,
            right: points(right)?,
            stones: stones.parse().map_err(|_| InvalidProblem::new("expected a number"))?,
            line: points(line)?,
        };
        problem.check()?;
        Ok(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black has four in a row; White has one move to stop it, or wins.
    const FIVE: &str = "freestyle 1 h8a1i8a2j8a3k8a4 g8l8 1 g8";
    const STOP: &str = "renju 2 h8a1i8g8j8a3k8 l8 1 l8";

    #[test]
    fn writing_and_reading_are_inverse() {
        for text in [FIVE, STOP] {
            let problem: Problem = text.parse().unwrap();
            assert_eq!(problem.to_string(), text);
        }
        let stop: Problem = STOP.parse().unwrap();
        assert_eq!((stop.side_to_move(), stop.winner()), (Side::White, Side::Black));
        assert!(stop.is_right(stop.line[0]) && !stop.is_right(stop.moves[0]));
    }

    #[test]
    fn invalid_lines_are_explained() {
        let fails = |text: &str| text.parse::<Problem>().unwrap_err().to_string();
        assert_eq!(fails(""), "invalid problem: expected 6 fields, found 0");
        for (from, to, reason) in [
            ("freestyle", "go", "invalid rule 'go'"),
            (" 1 h8", " 7 h8", "expected a step from 1 to 6"),
            ("a4", "a3", "illegal move a3"),
            ("a4", "a16", "invalid point 'a16'"),
            ("a4", "p4", "illegal move p4"),
            ("g8l8", "h8", "illegal right move h8"),
            ("l8 1", "l8 2", "expected 1 stones"),
            ("l8 1", "l8 x", "expected a number"),
            (" 1 g8", " 1 g9", "the line does not win"),
            (" 1 g8", " 2 g8a5b5", "illegal move a5"),
            ("k8a4", "k8a4l8b9", "illegal move b9"),
            ("k8a4", "k8a4l8", "the game is over"),
        ] {
            let text = FIVE.replacen(from, to, 1);
            assert!(fails(&text).contains(reason), "{text}: {}", fails(&text));
        }
    }

    #[test]
    fn steps_have_numbers() {
        for (i, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!((step.number(), Step::of_number(i + 1)), (i + 1, Some(step)));
        }
        assert_eq!((Step::of_number(0), Step::of_number(7)), (None, None));
    }
}
