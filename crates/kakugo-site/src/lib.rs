//! The browser board as a static site, without a server.
//!
//! It is the page of `play` with two kinds of web workers. One module, this crate, serves both:
//!
//! ```text
//!  page ──MessagePort── core worker ──────────── search workers
//!                       room, scheduler, games   one engine each
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`driver`] | the driver of the room: what `host` and `pool` of `kakugo-play` do on a server |
//! | [`messages`] | messages between the driver and the core worker's script |
//! | [`search`] | a search worker: runs one job after the other |
//! | [`wire`] | jobs, their progress and their results as JSON |
//!
//! The scripts in `assets` move messages, own the workers and keep the games in IndexedDB. The
//! program `kakugo-site` (`src/main.rs`) packs everything into a folder; `.ci/site` calls it.

#![cfg(feature = "workers")]

pub mod driver;
pub mod messages;
pub mod search;
pub mod wire;

use std::cell::RefCell;

use kakugo_wasm::abi;
#[cfg(target_feature = "atomics")]
use kakugo_wasm::helpers::HELPERS;

use crate::driver::Driver;
use crate::search::Searcher;

thread_local! {
    static DRIVER: RefCell<Driver> = RefCell::default();
}

/// Handles an input of the core worker, and returns the length of the outputs.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn core_handle() -> usize {
    let (input, attachment) = abi::take_input();
    abi::set_output(DRIVER.with_borrow_mut(|driver| driver.answer(&input, attachment)))
}

/// Runs the job in the input, and returns the length of its result.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn search_run() -> usize {
    let (task, _) = abi::take_input();
    abi::set_output(Searcher::with(|searcher| searcher.run(&task)).into_bytes())
}

/// Uses the packed network in the input for its rule, and returns the length of an error.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn search_network() -> usize {
    let (_, network) = abi::take_input();
    abi::set_output(Searcher::with(|searcher| searcher.use_network(&network)).into_bytes())
}

/// Adds this worker to the helpers of a search. It must call [`help`] next.
#[cfg(target_feature = "atomics")]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn help_join() {
    HELPERS.join();
}

/// Runs jobs of searches until the worker is ended.
#[cfg(target_feature = "atomics")]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn help() {
    HELPERS.work();
}
