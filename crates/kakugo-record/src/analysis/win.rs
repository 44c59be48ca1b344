//! Completes lines of forced wins to the five.

pub use kakugo::proof::{to_the_five, with_its_end};
