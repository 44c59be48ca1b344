//! Openings: what was played in a position, and how the games ended.
//!
//! Every position of the games is counted under one key for its rule and all its symmetries, so that the
//! next moves from a position are those free points that lead to a position known. Transpositions join
//! by themselves. Most positions of a collection come once: those take a few bytes each.

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
