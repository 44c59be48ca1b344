//! The compliance checker: tests an engine against tournament managers (`pbrain-kakugo check`).
//!
//! The checker runs an engine as each manager runs it, and reports which requirements it meets. A
//! requirement is a [`Check`]: a statement, its source, a test, and advice for the author. A
//! manager is a [`Profile`]: its commands, its timeouts, and how it parses replies.
//!
//! ```text
//! command ─► runner ─► catalogue ─► areas/* (checks) ─► context ─► session (one process) ─► client
//!    └─► report, html                   │
//!                     positions, profile, verdict, check, system
//! ```
//!
//! | to add | edit |
//! |---|---|
//! | a check | `CHECKS` in its file of `areas/`; a fault in `tests/check/toy.rs` |
//! | a manager | `PROFILES` in `profile.rs`; a check in `areas/managers.rs` |

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod areas;
mod catalogue;
mod check;
mod command;
mod context;
mod html;
mod positions;
mod profile;
mod reply_form;
mod report;
mod runner;
mod session;
mod system;
mod transcript;
mod verdict;
mod zip;

pub use catalogue::checks;
pub use check::{Area, Check};
pub use command::{CheckArgs, profile_words, run};
pub use profile::Profile;
