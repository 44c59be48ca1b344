//! Kakugo, a Gomoku and Renju engine.
//!
//! The modules, lowest first; each uses only those above it in this list (`tests/layers.rs` checks):
//!
//! | module | contents | start reading at |
//! |---|---|---|
//! | [`mod@board`] | the rules: stones, moves, undo, wins, forbidden points | [`board::Board`] |
//! | [`score`] | scores: units, bounds, distance to a win | [`score::Score`] |
//! | [`mod@checksum`] | CRC-32 of network files | [`checksum::crc32`] |
//! | [`pattern`] | line patterns, updated incrementally for every empty point | [`pattern::Shape`], [`pattern::threat`] |
//! | [`mod@position`] | a board with incrementally updated patterns and candidate points | [`position::Position`] |
//! | [`eval`] | static evaluation | [`eval::Evaluator`] |
//! | [`search`] | the search | [`search::Engine`] |
//! | [`promise`] | a quick rating of a point without search | [`promise::promise`] |
//! | [`level`] | strength levels | [`level::LEVELS`] |
//! | [`player`] | one turn of the engine, and its thinking thread | [`player::Player`] |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod board;
pub mod checksum;
pub mod clock;
pub mod eval;
pub mod level;
pub mod pattern;
pub mod player;
pub mod position;
pub mod promise;
mod random;
pub mod score;
pub mod search;
