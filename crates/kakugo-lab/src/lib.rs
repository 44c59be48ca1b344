//! Self-play, problems, tuning of the search, and checks. [`kakugo_train`] trains networks.
//!
//! | module | contents |
//! |---|---|
//! | [`ladder`] | chart of the results of all versions against one opponent |
//! | [`openings`] | even openings, confirmed by games |
//! | [`problems`] | problems from self-play games |
//! | [`reviews`] | check of the claims of reviews |
//! | [`selfplay`] | self-play games |
//! | `spsa` | tuning of the search (feature `tuning`) |

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod examples;
pub mod ladder;
pub mod openings;
pub mod problems;
pub mod reviews;
pub mod selfplay;
#[cfg(any(feature = "tuning", test))]
pub mod spsa;
