//! Analysis of positions and games: threats, forced wins, game review, puzzles.
//!
//! The modules combine the pattern tables ([`kakugo::pattern`]) and the search. Their results and
//! phrases are shared by the web board, the terminal board and `analyze`.

pub mod accuracy;
pub mod annotate;
pub mod drawing;
pub mod puzzle;
pub mod review;
pub mod sequence;
pub mod shortest;
pub mod summary;
pub mod threats;
