//! A line as a sequence of threats.

use crate::notation::name;
use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::pattern::Threat;
use kakugo::position::Position;

/// The threat made by a stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatKind {
    /// Five in a row, or the win length.
    Five,
    /// An open four.
    OpenFour,
    /// A four and an open three.
    FourThree,
    /// A four.
    Four,
    /// Two open threes.
    DoubleThree,
    /// An open three.
    OpenThree,
}

impl ThreatKind {
    /// All threats, strongest first.
    pub const ALL: [ThreatKind; 6] = [
        ThreatKind::Five,
        ThreatKind::OpenFour,
        ThreatKind::FourThree,
        ThreatKind::Four,
        ThreatKind::DoubleThree,
        ThreatKind::OpenThree,
    ];

    /// Returns the threat as a phrase.
    pub const fn words(self) -> &'static str {
        match self {
            ThreatKind::Five => "five",
            ThreatKind::OpenFour => "open four",
            ThreatKind::FourThree => "four and open three",
            ThreatKind::Four => "four",
            ThreatKind::DoubleThree => "two open threes",
            ThreatKind::OpenThree => "open three",
        }
    }

    /// Returns true if the opponent must answer at once.
    pub const fn is_four(self) -> bool {
        matches!(self, ThreatKind::OpenFour | ThreatKind::FourThree | ThreatKind::Four)
    }

    fn of(threat: Threat) -> Option<ThreatKind> {
        Some(match threat {
            Threat::Five => ThreatKind::Five,
            Threat::OpenFour => ThreatKind::OpenFour,
            Threat::FourThree => ThreatKind::FourThree,
            Threat::Four | Threat::FourPlus => ThreatKind::Four,
            Threat::DoubleThree => ThreatKind::DoubleThree,
            Threat::OpenThree | Threat::OpenThreePlus => ThreatKind::OpenThree,
            _ => return None,
        })
    }
}

/// A move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The point of the stone.
    pub point: Point,
    /// The side that moved.
    pub side: Side,
    /// The threat it makes, if any.
    pub makes: Option<ThreatKind>,
}

/// Returns the moves of a line with their threats, up to the first illegal move.
pub fn sequence(board: &Board, line: &[Point]) -> Vec<Step> {
    let mut board = board.clone();
    let mut steps = Vec::new();
    for &point in line {
        if board.outcome() != Outcome::Ongoing {
            break;
        }
        let side = board.side_to_move();
        let threat = Position::new(&board).threats().at(point, side);
        if board.play(point).is_err() {
            break;
        }
        let is_won = board.outcome() == Outcome::Win(side);
        let makes = if is_won { Some(ThreatKind::Five) } else { ThreatKind::of(threat) };
        steps.push(Step { point, side, makes });
    }
    steps
}

/// Returns a threat sequence as words: the attacker's stones with their threats, and the replies in
/// brackets, such as `i8 four (j8) g7 open three (g6)`.
pub fn words(steps: &[Step], attacker: Side, height: u8) -> String {
    let word = |step: &Step| {
        let point = name(step.point, height);
        match step.makes {
            Some(makes) if step.side == attacker => format!("{point} {}", makes.words()),
            _ if step.side == attacker => point,
            _ => format!("({point})"),
        }
    };
    steps.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pos::{self, RowOrder};
    use kakugo::board::Variant;

    fn points(text: &str) -> Vec<Point> {
        pos::read(text, 15, RowOrder::FromBottom).unwrap()
    }

    #[test]
    fn stones_of_a_win_are_classified() {
        let made = |stones: &str, line: &str| {
            let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
            points(stones).into_iter().for_each(|p| board.play(p).unwrap());
            let steps = sequence(&board, &points(line));
            steps.into_iter().map(|step| step.makes).collect::<Vec<_>>()
        };
        assert_eq!(
            made("f8a1g8a3h8c1", "i8e8j8"),
            [Some(ThreatKind::OpenFour), None, Some(ThreatKind::Five)]
        );
        assert_eq!(made("f8e8g8a3h8c1", "i8j8"), [Some(ThreatKind::Four), None]);
        assert_eq!(made("f8a1g8a3", "h8"), [Some(ThreatKind::OpenThree)]);
        assert_eq!(made("f8e8g8a3h8c1i7c3i6o1", "i8"), [Some(ThreatKind::FourThree)]);
    }

    #[test]
    fn sequences_end_before_illegal_moves() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        assert_eq!(sequence(&board, &points("h8h8h9")).len(), 1);
    }
}
