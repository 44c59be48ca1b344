//! The games that pages look at: each room has a game, its analysis and those who watch.
//!
//! A page sends `messages`, a `room` obeys them and tells all its pages what follows, in the
//! words of `view`.

mod findings;
mod keeping;
mod kept;
mod known;
pub mod messages;
mod moves;
mod note;
pub mod openings;
mod practice;
mod puzzles;
pub mod registry;
mod requests;
mod review;
mod reviewing;
pub mod room;
pub mod sent;
pub mod taking;
mod thinking;
mod trial;
mod view;
mod work;
