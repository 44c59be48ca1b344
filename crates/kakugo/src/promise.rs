//! How promising a point looks: what a stone there would make and prevent, without any search.
//!
//! A plain table by threat, on purpose apart from the evaluation that is learnt: people see
//! fours and threes, and the weak strength levels must not change with every tuning.

use crate::board::{Direction, Point, Side};
use crate::pattern::Threat;
use crate::position::Position;

/// Worth of making each threat, weakest first.
const OWN: [f64; Threat::COUNT] =
    [0.0, 0.0, 20.0, 25.0, 60.0, 80.0, 140.0, 200.0, 900.0, 120.0, 240.0, 1500.0, 3000.0, 9000.0];

/// Worth of keeping the opponent from it.
const OTHER: [f64; Threat::COUNT] =
    [0.0, 0.0, 15.0, 20.0, 40.0, 60.0, 90.0, 130.0, 500.0, 60.0, 110.0, 700.0, 1200.0, 6000.0];

/// The value of the free point `p` to the side to move, 0 and up; an open three is worth 140.
pub fn promise(position: &Position, p: Point) -> f64 {
    let own = position.side_to_move();
    let of = |side: Side, worth: &[f64; Threat::COUNT]| {
        let threats = position.threats();
        let shapes = Direction::ALL.map(|d| f64::from(threats.shape(p, side, d) as u8));
        worth[threats.at(p, side) as usize] + shapes.iter().sum::<f64>()
    };
    of(own, &OWN) + of(own.opponent(), &OTHER)
}
