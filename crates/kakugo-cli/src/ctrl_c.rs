//! What asks a long job to end: Ctrl-C, a polite kill, the end of the terminal.
//!
//! What the process was started to ignore it goes on ignoring: `nohup` keeps a job alive when its
//! terminal is gone, and a script's jobs in the background are not for Ctrl-C.

use std::io;

/// Exit code of a job that was interrupted: what shells use for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Call `handler` each time that this process is asked to end, from a thread of its own. To be called
/// once in a process.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
pub fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| is_heeded(signal));
    let mut signals = signal_hook::iterator::Signals::new(heeded)?;
    let wait = move || signals.forever().for_each(|_| handler());
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Whether a signal is not one that the process was started to ignore. Only Linux tells; elsewhere
/// a hang-up does what the system does with it.
#[cfg(unix)]
fn is_heeded(signal: i32) -> bool {
    match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => ignored(&status).is_none_or(|mask| mask >> (signal - 1) & 1 == 0),
        Err(_) => signal != signal_hook::consts::SIGHUP,
    }
}

/// The mask of the ignored signals in a process's status, see proc(5).
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Call `handler` each time that this process is asked to end, from a thread of its own. To be called
/// once in a process.
///
/// # Errors
/// The system refuses.
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
