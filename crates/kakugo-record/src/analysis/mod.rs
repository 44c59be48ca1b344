//! What a position or a game is about, for people: threats, best lines, turning points.
//!
//! Everything here asks the shapes ([`kakugo::pattern`]) and the search and says what they found in
//! words that page, terminal and `analyze` share.

pub mod accuracy;
pub mod drawing;

pub mod puzzle;
pub mod review;
pub mod sequence;
pub mod threats;
pub mod win;
