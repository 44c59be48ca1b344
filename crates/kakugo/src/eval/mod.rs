//! From a position to a score.
//!
//! The classical value of a position is the sum of what each free point is worth to either colour, which
//! depends on who is to move, averaged with the same sum before the last stone, plus a number for the
//! strongest threats that both colours have. All of these numbers ([`weights`]) are tuned on games of
//! the engine against itself (`pbrain-kakugo tune`).
//!
//! Where a [`network`] serves a rule and size of board, its value is used instead; the classical one is
//! among its inputs. Moves are ordered by the classical numbers in any case.

mod evaluator;
pub mod kernel;
pub mod network;
pub mod weights;
mod worth;

pub use evaluator::{Evaluator, evaluate};
