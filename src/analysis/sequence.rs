//! A line of play as a sequence of threats: what each stone of the side that attacks makes.

use crate::board::{Board, Outcome, Point, Side};
use crate::pattern::Threat;
use crate::position::Position;

/// A move of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub point: Point,
    /// Who.
    pub side: Side,
    /// What it makes, in words; `None` if no threat.
    pub makes: Option<&'static str>,
}

/// The moves of a line from `board` on, each with what it makes. It ends before a move that cannot be
/// played.
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
        let makes = if board.outcome() == Outcome::Win(side) { Some("five") } else { name(threat) };
        steps.push(Step { point, side, makes });
    }
    steps
}

fn name(threat: Threat) -> Option<&'static str> {
    Some(match threat {
        Threat::Five => "five",
        Threat::OpenFour => "open four",
        Threat::FourThree => "four and open three",
        Threat::Four | Threat::FourPlus => "four",
        Threat::DoubleThree => "two open threes",
        Threat::OpenThree | Threat::OpenThreePlus => "open three",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::record::pos::{self, RowOrder};

    fn points(text: &str) -> Vec<Point> {
        pos::read(text, 15, RowOrder::FromBottom).unwrap()
    }

    #[test]
    fn each_stone_of_a_win_is_called_by_what_it_makes() {
        let made = |stones: &str, line: &str| {
            let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
            points(stones).into_iter().for_each(|p| board.play(p).unwrap());
            let steps = sequence(&board, &points(line));
            steps.into_iter().map(|step| step.makes).collect::<Vec<_>>()
        };
        assert_eq!(made("f8a1g8a3h8c1", "i8e8j8"), [Some("open four"), None, Some("five")]);
        assert_eq!(made("f8e8g8a3h8c1", "i8j8"), [Some("four"), None]);
        assert_eq!(made("f8a1g8a3", "h8"), [Some("open three")]);
        assert_eq!(made("f8e8g8a3h8c1i7c3i6o1", "i8"), [Some("four and open three")]);
    }

    #[test]
    fn a_line_ends_where_it_cannot_be_played() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        assert_eq!(sequence(&board, &points("h8h8h9")).len(), 1);
    }
}
