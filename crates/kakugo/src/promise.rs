//! A quick rating of a point without search, from the patterns that a stone there makes and
//! prevents.
//!
//! The table is independent of the tuned evaluation on purpose. It rates fours and threes as people
//! do, and weak strength levels must not change with every tuning.

use crate::board::{Direction, Point, Side};
use crate::pattern::Threat;
use crate::position::Position;

/// Value of making each threat, weakest first.
const OWN: [f64; Threat::COUNT] =
    [0.0, 0.0, 20.0, 25.0, 60.0, 80.0, 140.0, 200.0, 900.0, 120.0, 240.0, 1500.0, 3000.0, 9000.0];

/// Value of preventing each threat of the opponent.
const OTHER: [f64; Threat::COUNT] =
    [0.0, 0.0, 15.0, 20.0, 40.0, 60.0, 90.0, 130.0, 500.0, 60.0, 110.0, 700.0, 1200.0, 6000.0];

/// Returns the rating of the free point `p` for the side to move, at least 0. An open three counts
/// 140.
pub fn promise(position: &Position, p: Point) -> f64 {
    let own = position.side_to_move();
    let of = |side: Side, worth: &[f64; Threat::COUNT]| {
        let threats = position.threats();
        let shapes = Direction::ALL.map(|d| f64::from(threats.shape(p, side, d) as u8));
        worth[threats.at(p, side) as usize] + shapes.iter().sum::<f64>()
    };
    of(own, &OWN) + of(own.opponent(), &OTHER)
}
