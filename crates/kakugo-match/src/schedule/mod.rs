//! Who plays whom, from which opening: all of it known before the first game.

mod games;
mod openings;

pub use games::{ScheduledGame, Shard, schedule};
pub use openings::{Source, arrange, balanced, read};
