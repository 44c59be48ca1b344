//! The clock of the current move.
//!
//! The times of finished moves are part of the game, so that undo gives them back. This clock has
//! only the time of the current move, which can be stopped and resumed.

use std::time::Duration;

use crate::now::Time;

/// Time spent on the current move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveClock {
    before: Duration,
    since: Option<Time>,
}

impl MoveClock {
    /// Starts the clock if it does not run.
    pub(super) fn run(&mut self, now: Time) {
        self.since.get_or_insert(now);
    }

    /// Stops the clock. The time spent stays.
    pub(super) fn hold(&mut self, now: Time) {
        self.before = self.spent(now);
        self.since = None;
    }

    /// Returns true if it runs.
    pub(super) const fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// Returns the time spent.
    pub(super) fn spent(&self, now: Time) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// Returns the time spent and resets it. The clock goes on if it runs.
    pub(super) fn take(&mut self, now: Time) -> Duration {
        let spent = self.spent(now);
        *self = MoveClock { before: Duration::ZERO, since: self.since.map(|_| now) };
        spent
    }

    /// Sets the time that was spent on the move before.
    pub(super) fn resume(&mut self, before: Duration) {
        self.before = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_running_time_counts() {
        let start = Time::default();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut clock = MoveClock::default();
        assert_eq!(clock.spent(at(5)), Duration::ZERO);
        clock.run(at(5));
        clock.run(at(6));
        clock.hold(at(8));
        assert_eq!(clock.spent(at(100)), Duration::from_secs(3));
        clock.run(at(100));
        assert_eq!(clock.take(at(101)), Duration::from_secs(4));
        assert!(clock.is_running());
        assert_eq!(clock.spent(at(103)), Duration::from_secs(2));
        clock.take(at(103));
        clock.resume(Duration::from_secs(7));
        assert_eq!(clock.spent(at(104)), Duration::from_secs(8));
    }
}
