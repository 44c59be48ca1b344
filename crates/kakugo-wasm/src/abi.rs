//! The interface between the module and JavaScript.
//!
//! A message goes into the module by `input(length)`, which returns where to write it, and comes
//! out at `output()`. It is one line of JSON; after a line feed, bytes may follow. The module
//! imports three functions of `kakugo`: `now()` (milliseconds), `stopped()` (0 or 1) and
//! `report(address, length)`, which takes a line of JSON during a search.
//!
//! A panic ends the module with a trap. Its message is reported before.

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code)]
#[link(wasm_import_module = "kakugo")]
unsafe extern "C" {
    #[link_name = "stopped"]
    safe fn host_stopped() -> i32;
    #[link_name = "report"]
    safe fn host_report(address: *const u8, length: usize);
}

/// Makes room for a message of this length, and returns its address.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Returns the address of the last reply.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Adds 64 random bits to the seeds of weak levels, and sets the hook for panics. To be called
/// once.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn start(random: u32, more: u32) {
    kakugo::random::add_to_seeds(u64::from(random) << 32 | u64::from(more));
    std::panic::set_hook(Box::new(|panic| {
        report(&serde_json::json!({ "panic": panic.to_string() }).to_string());
    }));
}

/// Takes the message in the input: its line, and the bytes after it.
pub fn take_input() -> (String, Vec<u8>) {
    let mut message = INPUT.take();
    let end = message.iter().position(|&byte| byte == b'\n').unwrap_or(message.len());
    let attachment = message.get(end + 1..).map(<[u8]>::to_vec).unwrap_or_default();
    message.truncate(end);
    (String::from_utf8_lossy(&message).into_owned(), attachment)
}

/// Sets the reply and returns its length.
pub fn set_output(reply: Vec<u8>) -> usize {
    let length = reply.len();
    OUTPUT.set(reply);
    length
}

/// Returns true if the host requests the search to stop.
pub fn stopped() -> bool {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return host_stopped() != 0;
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    false
}

/// Reports a line of JSON during a search.
pub fn report(line: &str) {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    host_report(line.as_ptr(), line.len());
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    let _ = line;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(message: &[u8]) -> (String, Vec<u8>) {
        INPUT.set(message.to_vec());
        take_input()
    }

    #[test]
    fn messages_are_a_line_and_bytes() {
        assert_eq!(given(b"{}"), ("{}".to_owned(), vec![]));
        assert_eq!(given(b"{}\n"), ("{}".to_owned(), vec![]));
        assert_eq!(given(b"{}\na\nb"), ("{}".to_owned(), b"a\nb".to_vec()));
        assert_eq!(given(b""), (String::new(), vec![]));
        assert_eq!(set_output(b"abc".to_vec()), 3);
    }
}
