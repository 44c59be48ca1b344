//! Events of a session and their source.
//!
//! The session waits in one place, for the next [`Event`] or a deadline. A [`Timeline`] provides
//! events and the current time: from other threads and the system clock in the program, from a
//! script in tests. So tests control the exact timing without waiting.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use crate::input::InputLine;
use kakugo::player::Decision;
use kakugo::search::{Lag, Report};

/// An event that the session waits for.
#[derive(Debug)]
pub(crate) enum Event {
    /// An input line.
    Line(InputLine),
    /// The end of the input.
    InputEnded,
    /// A report of the search.
    Report(Report),
    /// The result of the search, or its panic message; with the scheduling lag of its thread.
    Decided(Result<Decision, String>, Lag),
}

/// A source of events and of the current time.
pub(crate) trait Timeline {
    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Waits for the next event. Returns `None` if there is none by `until`.
    fn next(&mut self, until: Option<Instant>) -> Option<Event>;
}

/// Events from other threads, with the system clock.
pub(crate) struct Queue(pub(crate) Receiver<Event>);

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
