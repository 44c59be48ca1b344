//! The schedule: pairings and openings, determined before the first game.

mod games;
mod openings;

pub use games::{ScheduledGame, schedule};
pub use openings::{OpeningSource, arrange, balanced, read};
