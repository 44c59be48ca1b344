//! What happens to a session, and when.
//!
//! The session waits in one place: for the next [`Event`], but not longer than until something is
//! due. Where events and the time come from is a [`Timeline`]: other threads and the system's clock
//! in the program, a script in tests, which so can say what happens at which moment without waiting
//! for it.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use super::input::InputLine;
use kakugo::player::Decision;
use kakugo::search::{Lag, Report};

/// What the session waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// A line came in.
    Line(InputLine),
    /// The input has ended.
    InputEnded,
    /// The search found something.
    Report(Report),
    /// The search is done, or has panicked with these words; and how long the machine let it wait.
    Decided(Result<Decision, String>, Lag),
}

/// Events and the time.
pub(super) trait Timeline {
    /// The time now.
    fn now(&self) -> Instant;

    /// Wait for the next event; `None` if none has come by `until`.
    fn next(&mut self, until: Option<Instant>) -> Option<Event>;
}

/// Events that other threads send, by the system's clock.
pub(super) struct Queue(pub(super) Receiver<Event>);

impl Timeline for Queue {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn next(&mut self, until: Option<Instant>) -> Option<Event> {
        let Some(until) = until else { return Some(self.0.recv().unwrap_or(Event::InputEnded)) };
        match self.0.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => None,
            event => Some(event.unwrap_or(Event::InputEnded)),
        }
    }
}
