//! How long to think.
//!
//! A [`Plan`] has two times: after `optimum` no new iteration begins, at `maximum` the search stops
//! wherever it is. Both count from the arrival of the command. The margin kept free grows with the
//! lag that was really seen between two looks at the clock, so that a loaded machine makes the
//! engine more careful by itself.

use std::time::{Duration, Instant};

use super::Limits;
use super::params::{
    MATCH_MARGIN_MS, MATCH_MAXIMUM_DIVISOR, MATCH_OPTIMUM_DIVISOR, TURN_MARGIN_DIVISOR,
    TURN_MARGIN_MAX_MS, TURN_MARGIN_MIN_MS,
};

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Begin no new iteration after this; `None`: no limit.
    pub optimum: Option<Duration>,
    /// Stop at this; `None`: no limit.
    pub maximum: Option<Duration>,
}

impl Plan {
    /// Divide the time that `limits` grant, on a machine whose clock showed gaps of up to `lag`.
    pub fn new(limits: &Limits, lag: Duration) -> Plan {
        let turn = limits.turn.map(|turn| turn.saturating_sub(turn_margin(turn, lag)));
        let Some(left) = limits.left else { return Plan { optimum: turn, maximum: turn } };
        let margin = Duration::from_millis(MATCH_MARGIN_MS) + lag;
        let left = left.saturating_sub(margin);
        let maximum = (left / MATCH_MAXIMUM_DIVISOR + limits.increment / 2).min(left);
        let optimum = (left / MATCH_OPTIMUM_DIVISOR + limits.increment / 2).min(left);
        let cap = |time: Duration| turn.map_or(time, |turn| turn.min(time));
        Plan { optimum: Some(cap(optimum)), maximum: Some(cap(maximum)) }
    }
}

/// Part of the turn time that is not used.
fn turn_margin(turn: Duration, lag: Duration) -> Duration {
    let fixed = (turn / TURN_MARGIN_DIVISOR).clamp(
        Duration::from_millis(TURN_MARGIN_MIN_MS),
        Duration::from_millis(TURN_MARGIN_MAX_MS),
    );
    fixed + lag.min(turn / 4)
}

/// Watches the clock for one search.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    plan: Plan,
    last_look: Instant,
    lag: Duration,
}

impl Clock {
    /// A clock for a search under `limits`; `lag` is what earlier searches saw.
    pub fn new(limits: &Limits, lag: Duration) -> Clock {
        let plan = Plan::new(limits, lag);
        Clock { start: limits.start, plan, last_look: Instant::now(), lag: Duration::ZERO }
    }

    /// Time since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Look at the clock: is the time up?
    pub fn is_up(&mut self) -> bool {
        let now = Instant::now();
        self.lag = self.lag.max(now - self.last_look);
        self.last_look = now;
        self.plan.maximum.is_some_and(|maximum| now - self.start >= maximum)
    }

    /// Whether no new iteration should begin, given how settled the search is: `scale` above 1 asks
    /// for more than the usual time.
    pub fn is_enough(&self, scale: f64) -> bool {
        let Some(optimum) = self.plan.optimum else { return false };
        let wanted = optimum.mul_f64(scale);
        self.elapsed() >= self.plan.maximum.map_or(wanted, |maximum| wanted.min(maximum))
    }

    /// The longest gap between two looks, which should lie well under a millisecond apart.
    pub fn lag(&self) -> Duration {
        self.lag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(turn: Option<u64>, left: Option<u64>) -> Plan {
        let limits = Limits {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..Limits::default()
        };
        Plan::new(&limits, Duration::ZERO)
    }

    #[test]
    fn without_limits_there_is_no_end() {
        assert_eq!(plan(None, None), Plan { optimum: None, maximum: None });
    }

    #[test]
    fn some_time_is_always_kept_back() {
        for turn in [1, 5, 20, 100, 1000, 30_000] {
            let Plan { optimum, maximum } = plan(Some(turn), None);
            assert!(maximum.unwrap() < Duration::from_millis(turn), "{turn}");
            assert!(optimum <= maximum);
            assert!(maximum.unwrap() >= Duration::from_millis(turn * 6 / 10), "{turn}");
        }
        assert_eq!(plan(Some(0), None).maximum, Some(Duration::ZERO));
        assert_eq!(plan(None, Some(0)).maximum, Some(Duration::ZERO));
    }

    #[test]
    fn a_hundred_moves_fit_in_any_match_time() {
        for total in [200, 1000, 10_000, 180_000] {
            let mut left = Duration::from_millis(total);
            for _ in 0..100 {
                let Plan { maximum, .. } = plan(None, Some(left.as_millis() as u64));
                left = left.checked_sub(maximum.unwrap()).expect("time left");
            }
        }
    }

    #[test]
    fn a_lagging_machine_gets_a_wider_margin() {
        let limits = Limits { turn: Some(Duration::from_millis(400)), ..Limits::default() };
        let calm = Plan::new(&limits, Duration::ZERO).maximum.unwrap();
        let loaded = Plan::new(&limits, Duration::from_millis(40)).maximum.unwrap();
        assert_eq!(calm - loaded, Duration::from_millis(40));
    }
}
