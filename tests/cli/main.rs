//! End-to-end tests of the program `pbrain-kakugo`: the protocol and the command line.
//!
//! One test binary links the program's crates once. `cargo test --test cli protocol` runs the tests
//! of one module.

mod analyze;
#[cfg(unix)]
mod completions;
#[path = "../conversation/mod.rs"]
mod conversation;
#[cfg(target_os = "linux")]
mod endurance;
mod errors;
mod fresh;
#[path = "../process/mod.rs"]
mod process;
mod protocol;
mod records;
mod run;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod solve;
mod streams;
mod version;
