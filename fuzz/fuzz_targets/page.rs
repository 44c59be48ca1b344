//! The bytes are a script of events for a room: commands of browsers, one per line as JSON, and
//! lines such as `@job 0 1` for the rest of the world. The same script must have the same effects.

#![no_main]

use kakugo_play_core::simulation::{Simulation, settings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let script = String::from_utf8_lossy(bytes);
    let play = || Simulation::play(settings(), &script).trace;
    assert_eq!(play(), play());
});
