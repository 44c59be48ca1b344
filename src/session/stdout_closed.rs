//! Noticing that stdout has no reader any more.
//!
//! Writing to a closed pipe fails, but a search may go on for long before it has something to
//! write. Unix can be asked to wake us when the other end of the pipe goes away.

/// Wait until the reader of stdout is gone: `true` then, `false` at once where that cannot be seen.
#[cfg(unix)]
pub(super) fn wait_for_closed_stdout() -> bool {
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

/// Wait until the reader of stdout is gone: `true` then, `false` at once where that cannot be seen.
#[cfg(not(unix))]
pub(super) fn wait_for_closed_stdout() -> bool {
    false
}
