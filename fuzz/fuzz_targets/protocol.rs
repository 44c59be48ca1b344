//! The bytes are what a manager sends. Whatever they are, only proper lines may come back, and the
//! session must be ready for more at their end or have ended itself.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/conversation/mod.rs"]
mod conversation;

use conversation::{Conversation, check_line};

/// Settings that keep a session small and fast.
const SMALL: &str = "INFO max_memory 1\nINFO max_node 20\nINFO timeout_turn 60000\n";

fuzz_target!(|bytes: &[u8]| {
    let conversation = Conversation::start();
    conversation.send(SMALL);
    let (said, _) = conversation.feed(bytes);
    said.iter().for_each(|line| check_line(line));
});
