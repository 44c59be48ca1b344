//! Kakugo, a Gomoku engine.
//!
//! The modules, lowest first; each uses only those above it in this list (`tests/layers.rs` checks):
//!
//! | module | what it is | start reading at |
//! |---|---|---|
//! | [`mod@board`] | the rules: stones, moves, undo, what wins, what is forbidden | [`board::Board`] |
//! | [`score`] | how good a position is, how far a forced win | [`score::Score`] |
//! | [`mod@checksum`] | whether a file is as it was written | [`checksum::crc32`] |
//! | [`units`] | times and amounts as people write them | [`units::Time`] |
//! | [`usage`] | mistakes in the command line | [`usage::UsageError`] |
//! | [`mod@ctrl_c`] | what asks a long job to end | [`ctrl_c::on_interrupt`] |
//! | [`mod@stderr`] | what is said there, whether anybody reads or not | [`stderr::note`] |
//! | [`run_file`] | files of long runs, to which one process at a time writes | [`run_file::open`] |
//! | [`html`] | text in pages | [`html::escape`] |
//! | [`text`] | what people are told, so that it can be said in their language | [`text::Text`] |
//! | [`record`] | games as data, and their text formats | [`record::Game`] |
//! | [`pattern`] | shapes on lines, kept up to date for every free point | [`pattern::Shape`], [`pattern::threat`] |
//! | [`mod@position`] | a board whose shapes and near points follow every move | [`position::Position`] |
//! | [`eval`] | from a position to a score | [`eval::Evaluator`] |
//! | [`search`] | finding the best move | [`search::Engine`] |
//! | [`analysis`] | threats and turning points, for people | [`analysis::threats`], [`analysis::review`] |
//! | [`level`] | the engine made weaker on purpose | [`level::LEVELS`] |
//! | [`player`] | what the engine does when it is its turn, and its thinking thread | [`player::Player`] |
//! | [`protocol`] | the language of managers and engines (`protocol.md`) | [`protocol::Command`], [`protocol::Reply`] |
//! | [`session`] | playing by the protocol | [`session::serve`] |
//! | [`client`] | an engine as a child process | [`client::ExternalEngine`] |
//! | [`arena`] | matches between engines, which it meets as child processes only | [`arena::run`] |
//! | [`mod@check`] | what a tournament will say of an engine | [`check::Check`] |
//! | [`tools`] | analyze, convert, explore, bench, perft, test positions, self-play, tuning, training | [`tools::bench`] |
//! | `play` (a feature) | the board for people: page and terminal | `play::game::live::LiveGame` |
//!
//! The program `pbrain-kakugo` (`src/main.rs`) only picks one of `session`, `arena`, `check`,
//! `tools` and `play`.

// They panic where nobody reads: see `stderr`.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
pub mod arena;
pub mod board;
pub mod check;
pub mod checksum;
pub mod client;
pub mod ctrl_c;
pub mod eval;
pub mod html;
pub mod level;
pub mod pattern;
#[cfg(feature = "play")]
pub mod play;
pub mod player;
pub mod position;
pub mod protocol;
pub mod record;
pub mod run_file;
pub mod score;
pub mod search;
pub mod session;
pub mod stderr;
pub mod text;
pub mod tools;
pub mod units;
pub mod usage;
