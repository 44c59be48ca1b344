//! Threats of a position: points that make fours and open threes, and wins by fours.

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::pattern::Threat;
use kakugo::position::Position;
use kakugo::promise::promise;
use kakugo::search::vcf;

/// Attacker moves in a VCF search.
const VCF_BUDGET: u32 = 20_000;

/// Threats of one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    /// Points that make five.
    pub fives: Vec<Point>,
    /// Points that make an open four, or two fours at once.
    pub open_fours: Vec<Point>,
    /// Points that make a four.
    pub fours: Vec<Point>,
    /// Points that make an open three.
    pub open_threes: Vec<Point>,
    /// A win by continuous fours if this side is to move: the moves of both sides up to the five.
    /// Empty if none was found.
    pub vcf: Vec<Point>,
}

/// Returns the threats of Black and White, each as if it were to move.
pub fn of(board: &Board) -> [Threats; 2] {
    if board.outcome() != Outcome::Ongoing {
        return Default::default();
    }
    Side::BOTH.map(|side| of_side(board, side))
}

fn of_side(board: &Board, side: Side) -> Threats {
    let mut turned = board.clone();
    turned.set_side_to_move(side);
    let position = Position::new(&turned);
    let shapes = position.threats();
    let mut threats = Threats::default();
    for p in shapes.fours(side).union(shapes.threes(side)).iter().filter(|&p| position.is_legal(p))
    {
        match shapes.at(p, side) {
            Threat::Five => threats.fives.push(p),
            Threat::OpenFour => threats.open_fours.push(p),
            Threat::Four | Threat::FourPlus | Threat::FourThree => threats.fours.push(p),
            _ => threats.open_threes.push(p),
        }
    }
    threats.vcf = vcf::prove(&turned, VCF_BUDGET).unwrap_or_default();
    threats
}

/// Returns the free points near the stones with a static rating from 0 to 1, best first. Points
/// that make or prevent a five come first.
pub fn candidates(board: &Board) -> Vec<(Point, f64)> {
    let position = Position::new(board);
    let near = position.near();
    let legal = board.empty_points().filter(|&p| near.contains(p) && position.is_legal(p));
    let mut points: Vec<(Point, f64)> = legal.map(|p| (p, promise(&position, p))).collect();
    // A logarithmic scale keeps small ratings visible: they range from tens to thousands.
    let log = |value: f64| (1.0 + value.max(0.0) / 20.0).ln();
    let most = points.iter().map(|&(_, value)| log(value)).fold(1.0, f64::max);
    for (_, value) in &mut points {
        *value = log(*value) / most;
    }
    points.sort_by(|a, b| b.1.total_cmp(&a.1));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn threats_are_classified() {
        let (board, marks) = kakugo::board!(
            Variant::FREESTYLE,
            ". . . . . . . . . .
             . . * X X X . . . .
             . . . . . . . . . .
             . . O O O O * . . .
             . . . . . . . . . .
             . . . . . . . O . .
             . . . . . . . . . X
             . . . . . . . . . .
             . . . . . . . . . .
             . . . . . . . . . X"
        );
        let [black, white] = of(&board);
        assert!(black.open_fours.contains(&marks[0]));
        assert!(black.fives.is_empty());
        assert!(white.fives.contains(&marks[1]));
        assert_eq!(white.vcf.len(), 1);
        assert_eq!(of(&Board::new(15, 15, Variant::RENJU).unwrap())[0], Threats::default());
    }

    #[test]
    fn vcf_lines_end_with_a_five() {
        let (mut board, _) = kakugo::board!(
            Variant::FREESTYLE,
            ". . . . . . . . . . .
             . O X X X . . . . . .
             . . . . . . . . . . .
             . . . . . . X . . . .
             . . . . . . X . . . .
             . . . . . . X . . . .
             . . . . . . O . . . .
             . . . O O . . . . . .
             . . . . . . . . O . .
             . . . . . . . . . . .
             . . . . . . . . . O ."
        );
        board.set_side_to_move(Side::Black);
        let line = of(&board)[0].vcf.clone();
        assert!(line.len() >= 3 && line.len() % 2 == 1, "{line:?}");
        for p in line {
            assert_eq!(board.outcome(), Outcome::Ongoing);
            board.play(p).unwrap();
        }
        assert_eq!(board.outcome(), Outcome::Win(Side::Black));
    }

    #[test]
    fn the_only_defence_is_rated_highest() {
        let (board, marks) = kakugo::board!(
            Variant::FREESTYLE,
            ". . . . . . . .
             O X X X X * . .
             . . . . . . . .
             . . . O O . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . O .
             . . . . . . . ."
        );
        let mut board = board;
        board.set_side_to_move(Side::White);
        assert_eq!(candidates(&board)[0].0, marks[0]);
    }
}
