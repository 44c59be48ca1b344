//! Kinds of problems, and how many of each are needed.

use kakugo::board::{Direction, Point, Rule};
use kakugo::pattern::{Shape, Threat};
use kakugo::position::Position;
use kakugo::{Board, Variant};
use kakugo_record::problems::{Problem, Step};

/// The rules of the pack, in its order.
pub(super) const RULES: [Rule; 2] = [Rule::Freestyle, Rule::Renju];

/// A kind of problems. Kinds are ordered as in the pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Kind {
    /// Index in [`RULES`].
    rule: usize,
    step: Step,
    /// The number of stones, or the double threat.
    variety: usize,
}

impl Kind {
    /// Returns the kind of a problem with this task; `stones` and `first` are the stones and the
    /// first move of its win.
    pub(super) fn new(board: &Board, step: Step, stones: usize, first: Point) -> Kind {
        let rule = board.variant().rule();
        let rule = RULES.iter().position(|&r| r == rule).unwrap_or(RULES.len());
        let variety = match step {
            Step::Double => double(board, first).map_or(0, |double| double as usize),
            _ => stones,
        };
        Kind { rule, step, variety }
    }

    pub(super) fn of(problem: &Problem) -> Kind {
        let board = problem.board();
        let first = problem.line.first().or(problem.right.first());
        let first = first.copied().unwrap_or_else(|| Point::from_index(0));
        Kind::new(&board, problem.step, problem.stones, first)
    }

    /// Returns the kind with another step.
    pub(super) fn with_step(self, step: Step) -> Kind {
        Kind { step, ..self }
    }

    /// Returns the index of the rule in [`RULES`], and the step.
    pub(super) fn rule_and_step(self) -> (usize, Step) {
        (self.rule, self.step)
    }

    /// Returns the largest number of problems of this kind in a run. The sum for a step is larger
    /// than the pack needs, because some kinds are rare.
    pub(super) fn wanted(self) -> usize {
        match (self.step, self.variety) {
            (Step::Five, _) => 40,
            (Step::StopFour, 1) => 24,
            (Step::StopFour, _) => 10,
            (Step::Double | Step::Defence, _) => 30,
            (Step::Fours, _) => 12,
            (Step::Threats, _) => 8,
        }
    }
}

/// A double threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Double {
    Fours,
    FourThree,
    Threes,
}

/// Returns the double threat that the side to move makes at `p`. In renju only a four and a three
/// count, because Black may make no other.
pub(super) fn double(board: &Board, p: Point) -> Option<Double> {
    let position = Position::new(board);
    let (threats, side) = (position.threats(), board.side_to_move());
    let is_four = |d: &Direction| threats.shape(p, side, *d) >= Shape::Four;
    let double = match threats.at(p, side) {
        Threat::FourThree => Double::FourThree,
        Threat::DoubleThree => Double::Threes,
        Threat::OpenFour if Direction::ALL.iter().filter(|d| is_four(d)).count() > 1 => {
            Double::Fours
        }
        _ => return None,
    };
    let counts = double == Double::FourThree || board.variant() != Variant::RENJU;
    counts.then_some(double)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_threats_are_told_apart() {
        let of = |variant, drawing: &str| {
            let (board, marks) = kakugo::board!(variant, drawing);
            double(&board, marks[0])
        };
        let fours = "
            . . . . . . . . .
            . O X X X * . . .
            . . . . . X . . .
            . . . . . X . . .
            . . . . . X . . .
            . . . . . O . . .
            . . . . . . . O .
            . O . . O . . . .
            . . . . . . O . .";
        let three = &fours.replace(
            ". . . . . X . . .\n            . . . . . O . . .",
            ". . . . . . . . .\n            . . . . . . . . .",
        );
        let threes = &three.replace("O X X X *", "O . X X *");
        let open_four = &fours.replace("O X X X *", ". X X X *").replace("X . . .\n", "O . . .\n");
        for (drawing, expected) in [
            (fours, Some(Double::Fours)),
            (three, Some(Double::FourThree)),
            (threes, Some(Double::Threes)),
            (open_four, None),
        ] {
            assert_eq!(of(Variant::FREESTYLE, drawing), expected, "{drawing}");
            let expected = expected.filter(|&double| double == Double::FourThree);
            assert_eq!(of(Variant::RENJU, drawing), expected, "{drawing}");
        }
    }
}
