//! Signals that end a long job: Ctrl-C, SIGTERM and SIGHUP.
//!
//! Signals that were ignored when the process started stay ignored. A job under `nohup` survives
//! the end of its terminal, and a script's background jobs ignore Ctrl-C.

use std::io;

pub use crate::interrupted::INTERRUPTED;

/// Calls `handler` for each signal, on a separate thread. Call this function once per process.
///
/// # Errors
/// Returns an error if the handler cannot be installed.
#[cfg(unix)]
pub fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| is_handled(signal));
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let wait = move || signals.forever().for_each(|_| handler());
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Returns true unless the signal was ignored when the process started. Only Linux reports this; on
/// other systems SIGHUP keeps its default action.
#[cfg(unix)]
fn is_handled(signal: i32) -> bool {
    match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => ignored(&status).is_none_or(|mask| mask >> (signal - 1) & 1 == 0),
        Err(_) => signal != signal_hook::consts::SIGHUP,
    }
}

/// Returns the mask of ignored signals in `/proc/PID/status`, see proc(5).
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Calls `handler` for each Ctrl-C, on a separate thread. Call this function once per process.
///
/// # Errors
/// Returns an error if the handler cannot be installed.
#[cfg(not(unix))]
pub fn on_interrupt(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_ignored_signals_are_read() {
        let status = "Name:\tx\nSigBlk:\t0000000000000004\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\tx\n"), None);
    }
}
