//! The clock of the drivers.

use std::time::Instant;

use kakugo_play_core::now::{Now, Time};
use time::UtcDateTime;

/// A clock. All times of a room must come from the same clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// Starts a clock.
    pub fn start() -> Clock {
        Clock { start: Instant::now() }
    }

    /// Returns the current time.
    pub fn now(self) -> Now {
        Now { time: Time::from_start(self.start.elapsed()), utc: UtcDateTime::now() }
    }

    /// Returns a time as the engine has it.
    pub fn instant(self, time: Time) -> Instant {
        self.start + time.since_start()
    }
}
