//! Elo, SPRT and ratings: pure arithmetic, with sources.

mod rating;
mod sprt;
mod stats;

pub use rating::{Rating, Ratings, rate};
pub use sprt::{Sprt, SprtDecision};
pub use stats::{Estimate, Pentanomial, Wdl};
