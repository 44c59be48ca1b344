//! Detection of a closed stdout.
//!
//! Writing to a closed pipe fails, but a search may run for a long time before it writes. On Unix,
//! `poll` reports at once that the other end of the pipe was closed.

/// Waits until the reader of stdout is gone, and returns true. Returns false at once if the system
/// does not report it.
#[cfg(unix)]
pub(crate) fn wait_for_closed_stdout() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdout = std::io::stdout();
    loop {
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) => return watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Waits until the reader of stdout is gone, and returns true. Returns false at once if the system
/// does not report it.
#[cfg(not(unix))]
pub(crate) fn wait_for_closed_stdout() -> bool {
    false
}
