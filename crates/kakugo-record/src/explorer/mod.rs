//! Opening explorer: the moves played in a position, and the results of the games.
//!
//! Positions are stored under one key for the rule and all symmetries of the board. The next moves
//! from a position are the free points that lead to a stored position, so transpositions join. Most
//! positions of a collection occur once and take only a few bytes each.

mod counts;
mod keys;
mod kind;
mod seen;
mod walk;

#[cfg(test)]
mod tests;

pub use counts::{Explorer, Next};
pub use kind::Kind;
pub use seen::Record;
pub use walk::Walk;
