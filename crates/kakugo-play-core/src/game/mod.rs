//! A game between two players: moves with undo and redo, openings, clocks, its end, its records.
//!
//! Both boards use it. It does not know who decides the moves.

pub mod annotations;
pub mod clocks;
pub mod end;
pub mod error;
pub mod live;
mod move_clock;
mod moves;
pub mod opening;
mod opening_record;
pub mod pairing;
pub mod records;
pub mod review_property;
pub mod setup;
pub mod setup_json;
pub mod status;
pub mod study;
mod turns;
pub mod wording;
