//! Practice of problems in the terminal: a collection of positions, and the first move of each to
//! find.
//!
//! | module | |
//! |---|---|
//! | `collection` | the problems of the built-in pack, or of files |
//! | `progress` | the results so far, one file for each collection |
//! | `judge` | which first moves are right, and why others are not |
//! | `session` | the orders and their output |

pub mod collection;
mod judge;
pub mod progress;
mod session;

pub use judge::Judge;
pub use session::{PracticeSettings, run};
