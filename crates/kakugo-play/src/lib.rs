//! The board of Kakugo for people: in the browser and in the terminal.
//!
//! Both are drivers of [`kakugo_play_core`], where games, rooms and the order of searches are. Here
//! is what touches the world: threads, sockets, files, the terminal.
//!
//! | module | |
//! |---|---|
//! | `command` | the command line |
//! | `host` | all rooms of the server: performs their effects |
//! | `pool`, `engines` | search threads, engines other than Kakugo |
//! | `storage` | saved games, one file each |
//! | `server` | embedded files, WebSockets, uploads and downloads |
//! | `terminal` | the board in the terminal |
//! | `clock`, `lock`, `openings` | the clock, locking, files to explore |
//!
//! # Searches
//!
//! A pool of search threads runs the searches of all rooms: as many searches at the same time as
//! `--search-threads` allows (by default one per core), in the order that
//! [`scheduler`](kakugo_play_core::scheduler) describes. Each worker has one transposition table of
//! `--hash` MB and less than 16 MB per search thread besides, so the program needs at most
//!
//! ```text
//! 20 MB + workers × (hash + 16 MB × threads),   workers = max(1, search threads / threads)
//! ```
//!
//! however many tabs are open.

#![warn(clippy::print_stderr, clippy::print_stdout)]

mod clock;
mod command;
mod engines;
mod host;
mod lock;
mod openings;
mod pool;
mod server;
mod storage;
mod terminal;

pub use command::{PlayArgs, opening_words, run};
