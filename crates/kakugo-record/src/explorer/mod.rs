//! Opening explorer: the moves played in a position, and the results of the games.
//!
//! Positions are stored under one key for the rule and all symmetries of the board. The next moves
//! from a position are the free points that lead to a stored position, so transpositions join. Most
//! positions of a collection occur once and take eight bytes each.

mod counts;
mod keys;
mod ruleset;
mod stats;
mod stored;
mod table;
mod walk;
mod wanted;

#[cfg(test)]
mod tests;

pub use counts::{Explorer, NextMove};
pub use keys::Key;
pub use ruleset::Ruleset;
pub use stats::PositionStats;
pub use walk::Walk;
pub use wanted::WantedPosition;
