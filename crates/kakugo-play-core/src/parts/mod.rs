//! The parts of a room. None of them knows the room or another part's owner: what a part needs is
//! passed to it, and what follows from a change is returned.

pub mod active_game;
pub mod board_search;
pub mod cards;
pub mod clients;
pub mod coach;
pub mod editor;
pub mod exploring;
pub mod hints;
pub mod level_history;
pub mod live_analysis;
pub mod markup;
pub mod opening_trainer;
pub mod player_rating;
pub mod practice;
pub mod reviews;
pub mod saving;
pub mod seats;
pub mod training;
