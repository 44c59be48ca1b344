//! Static evaluation: from a position to a score.
//!
//! The classical evaluation sums the values of all empty points for both sides, which depend on the
//! side to move. It averages this sum with the sum before the last stone, and adds a number for the
//! strongest threats of both sides. All numbers ([`weights`]) are tuned on self-play games.
//!
//! If there is a [`network`] for the rule and the board size, its evaluation is used instead. The
//! classical evaluation is one of its inputs. Move ordering always uses the classical numbers.

mod evaluator;
pub mod kernel;
pub mod network;
mod packed_value;
pub mod weights;

pub use evaluator::{Evaluator, evaluate};
