//! How sure a result is: pure arithmetic, each with its sources.

mod rating;
mod sprt;
mod stats;

pub use rating::{Rating, Ratings, rate};
pub use sprt::{Sprt, Verdict};
pub use stats::{Estimate, Pentanomial, Wdl};
