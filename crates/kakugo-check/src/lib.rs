//! What will a tournament say of this brain?
//!
//! `pbrain-kakugo check ENGINE` runs an engine as the managers do that authors meet at tournaments, and says
//! what holds, what fails and what to do about it. The one idea: a check is one small [`Check`], with what
//! it asks, who wants that, what is judged and what to do where it fails; a manager is a [`Profile`], data
//! that says how it talks, what it tolerates and how long it waits.
//!
//! ```text
//! command ─► runner ─► catalogue ─► areas/* (the checks) ─► bench ─► trial (one process) ─► client
//!    └─► report, page                          │
//!                          positions, profile, verdict, item, system
//! ```
//!
//! | to add | do so in |
//! |---|---|
//! | a check | its area's file in `areas/`: one entry of `CHECKS`, and a fault of the toy in `tests/check/` that it sees |
//! | a manager | `profile.rs`: one entry of `PROFILES`; `areas/managers.rs`: the check that plays a game by it |

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod areas;
mod bench;
mod catalogue;
mod command;
mod item;
mod page;
mod positions;
mod profile;
mod report;
mod runner;
mod system;
mod transcript;
mod trial;
mod verdict;
mod zip;

pub use catalogue::checks;
pub use command::{CheckArgs, profile_words, run};
pub use item::{Area, Check};
pub use profile::Profile;
