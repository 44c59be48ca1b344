//! The clock of an engine, as kept by its manager.

use std::time::Duration;

use super::config::EngineConfig;

/// The time of one engine in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveClock {
    turn: Option<Duration>,
    left: Option<Duration>,
    /// Time used beyond the limit. The tolerance applies to the whole game, so it is not reset by a
    /// move.
    overrun: Duration,
    increment: Duration,
    tolerance: Duration,
    patience: Duration,
}

impl MoveClock {
    /// Creates the clock at the start of a game.
    pub fn new(config: &EngineConfig) -> MoveClock {
        MoveClock {
            turn: config.turn.map(|t| t.0),
            left: config.game.map(|t| t.0),
            overrun: Duration::ZERO,
            increment: config.increment.0,
            tolerance: config.tolerance.0,
            patience: config.patience.0,
        }
    }

    /// Returns the time left for the game, or `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Returns the time to wait for the next move: the smaller limit plus tolerance.
    pub fn wait(&self) -> Duration {
        let turn = self.turn.map(|turn| turn.saturating_add(self.tolerance));
        let left =
            self.left.map(|left| left.saturating_add(self.tolerance).saturating_sub(self.overrun));
        match (turn, left) {
            (Some(turn), Some(left)) => turn.min(left),
            (limit, None) | (None, limit) => limit.unwrap_or(self.patience),
        }
    }

    /// Subtracts the time of a move and adds the increment.
    pub fn charge(&mut self, elapsed: Duration) {
        if let Some(left) = &mut self.left {
            let had = left.saturating_add(self.increment);
            let used = self.overrun.saturating_add(elapsed);
            (*left, self.overrun) = (had.saturating_sub(used), used.saturating_sub(had));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn: Option<u64>, left: Option<u64>, increment: u64) -> MoveClock {
        MoveClock {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            overrun: Duration::ZERO,
            increment: Duration::from_millis(increment),
            tolerance: Duration::from_millis(10),
            patience: Duration::from_millis(99),
        }
    }

    #[test]
    fn the_smaller_limit_applies() {
        let wait = |c: &MoveClock| c.wait().as_millis();
        assert_eq!(wait(&clock(Some(50), Some(100), 0)), 60);
        assert_eq!(wait(&clock(Some(50), Some(20), 0)), 30);
        assert_eq!(wait(&clock(None, Some(20), 0)), 30);
        assert_eq!(wait(&clock(None, None, 0)), 99);
    }

    #[test]
    fn the_clock_subtracts_moves_and_adds_increments() {
        let mut c = clock(Some(50), Some(100), 5);
        c.charge(Duration::from_millis(40));
        assert_eq!(c.left(), Some(Duration::from_millis(65)));
        // 68 ms are 3 ms more than the clock shows; the increment leaves 2 ms.
        c.charge(Duration::from_millis(68));
        assert_eq!(
            (c.left(), c.wait()),
            (Some(Duration::from_millis(2)), Duration::from_millis(12))
        );
        c.charge(Duration::from_millis(11));
        assert_eq!((c.left(), c.wait()), (Some(Duration::ZERO), Duration::from_millis(6)));
        // The tolerance is available once per game, not per move.
        c.charge(Duration::from_millis(6));
        assert_eq!((c.left(), c.wait()), (Some(Duration::ZERO), Duration::from_millis(5)));
        let mut endless = clock(Some(50), Some(100), 5);
        (endless.turn, endless.left) = (Some(Duration::MAX), Some(Duration::MAX));
        endless.charge(Duration::from_millis(40));
        assert_eq!(endless.left(), Some(Duration::MAX - Duration::from_millis(40)));
        assert_eq!(endless.wait(), Duration::MAX - Duration::from_millis(30));
        let mut unlimited = clock(Some(50), None, 5);
        unlimited.charge(Duration::from_millis(60));
        assert_eq!(unlimited.left(), None);
    }
}
