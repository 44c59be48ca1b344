//! The running clock of the move in hand.
//!
//! What finished moves took is written beside them in the game, so that undo gives the time back by
//! itself; this keeps only the time of the current move, which may be held and resumed.

use std::time::{Duration, Instant};

/// Time spent on the current move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveClock {
    before: Duration,
    since: Option<Instant>,
}

impl MoveClock {
    /// Run from `now` on, if it does not run yet.
    pub(super) fn run(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Stop running; what was spent stays.
    pub(super) fn hold(&mut self, now: Instant) {
        self.before = self.spent(now);
        self.since = None;
    }

    /// Whether it runs.
    pub(super) const fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// Time spent until `now`.
    pub(super) fn spent(&self, now: Instant) -> Duration {
        self.before
            + self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Time spent until `now`; starts again from nothing, running if it ran.
    pub(super) fn take(&mut self, now: Instant) -> Duration {
        let spent = self.spent(now);
        *self = MoveClock { before: Duration::ZERO, since: self.since.map(|_| now) };
        spent
    }

    /// This much was spent on the move in hand before.
    pub(super) fn resume(&mut self, before: Duration) {
        self.before = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_running_time_counts() {
        let start = Instant::now();
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
