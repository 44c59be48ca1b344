//! The bytes are what a page sends to its room, a message a line.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| kakugo_play::fuzzing::talk(&String::from_utf8_lossy(bytes)));
