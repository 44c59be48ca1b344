//! How long to think.
//!
//! A [`Plan`] has two times: after `optimum` no new iteration begins, at `maximum` the search stops
//! wherever it is. Both count from the arrival of the command. The margin kept free grows with the
//! [`Lag`] that was really seen between two looks at the clock, so that a loaded machine makes the
//! engine more careful by itself.
//!
//! A thread that thinks may yet have to wait long for a busy machine, while one that sleeps is woken
//! soon after its time. So the caller that waits for a search should answer for it, with what it has found
//! so far, once [`Limits::answer_by`] has passed.

use std::time::Duration;

use super::limits::Limits;
use super::params::*;
use crate::clock::Instant;

/// Lag expected before any was measured: a process that has just begun still waits for its memory.
const FIRST_LAG: Duration = Duration::from_millis(20);

/// Lag expected at least, however quiet the machine seemed.
const LEAST_LAG: Duration = Duration::from_millis(2);

/// A search shorter than this has not seen how busy the machine is.
const LAG_SEEN_AFTER: Duration = Duration::from_millis(5);

/// Moves that may still come and whose way to the manager and back must be paid for.
const MOVES_TO_COME: u32 = 100;

/// Most that such a way is expected to cost.
const WAY_MAX: Duration = Duration::from_millis(5);

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Begin no new iteration after this; `None`: no limit.
    pub optimum: Option<Duration>,
    /// Stop at this; `None`: no limit.
    pub maximum: Option<Duration>,
}

impl Plan {
    /// Divide the time that `limits` grant, on a machine that leaves us waiting for `lag`.
    pub fn new(limits: &Limits, lag: Duration) -> Plan {
        let turn =
            limits.turn.map(|turn| turn_answer_by(turn, lag).saturating_sub(lag.min(turn / 8)));
        let Some(left) = limits.left else { return Plan { optimum: turn, maximum: turn } };
        // One long wait must not cost all that is left.
        let left = left.saturating_sub(match_margin(lag.min((left / 8).max(FIRST_LAG))));
        let maximum = (left / MATCH_MAXIMUM_DIVISOR + limits.increment / 2).min(left);
        let optimum = (left / MATCH_OPTIMUM_DIVISOR + limits.increment / 2).min(left);
        let cap = |time: Duration| turn.map_or(time, |turn| turn.min(time));
        Plan { optimum: Some(cap(optimum)), maximum: Some(cap(maximum)) }
    }
}

internal! { impl Limits {
    /// Time from the start after which an answer must be given, though the search has not ended,
    /// on a machine that lets threads that think wait; `None`: no limit.
    pub fn answer_by(&self, lag: Lag) -> Option<Duration> {
        let turn = self.turn.map(|turn| turn_answer_by(turn, lag.expected()));
        let left =
            self.left.map(|left| left.saturating_sub(Duration::from_millis(ANSWER_MARGIN_MS)));
        turn.into_iter().chain(left).min()
    }
} }

/// What of the turn time may be used before the answer is on its way. Three sleepers have to be
/// woken: who reads the command, who answers, and the manager; the more others want the machine, the
/// longer each takes.
fn turn_answer_by(turn: Duration, lag: Duration) -> Duration {
    let waking = Duration::from_millis(TURN_MARGIN_MS).min(turn / 5);
    let margin = turn / TURN_MARGIN_DIVISOR + waking + lag.min(turn / 4);
    turn.saturating_sub(margin.min(Duration::from_millis(TURN_MARGIN_MAX_MS)))
}

/// Part of the match time that is not used: for this move as above, and for the waiting at moves
/// to come.
fn match_margin(lag: Duration) -> Duration {
    let later = (lag / 2).min(WAY_MAX) * MOVES_TO_COME;
    Duration::from_millis(MATCH_MARGIN_MS) + lag + lag / 2 + later
}

/// How settled a search is after an iteration.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Settled {
    /// Iterations since the best move last changed.
    pub stable: u32,
    /// How far the score lies below those of the iterations before, the latest of which count most;
    /// in score units, 0 where it has risen.
    pub fall: f64,
    /// Part of the iteration's nodes that the best move took, 0 to 1.
    pub effort: f64,
}

impl Settled {
    /// How much more than the usual time the search is worth, or less.
    ///
    /// Where the best move has stayed, its score has not fallen, and the other moves were refuted with
    /// few nodes, another iteration is unlikely to change it, and the time is better kept for later.
    pub fn time_scale(&self) -> f64 {
        let stable = MATCH_NEW_SCALE - MATCH_STABLE_SCALE * f64::from(self.stable);
        let fall = 1.0 + (self.fall / MATCH_FALL).clamp(0.0, MATCH_FALL_MOST);
        let effort = MATCH_EFFORT_SCALE - MATCH_EFFORT_SHARE * self.effort;
        stable.max(MATCH_STABLE_LEAST) * fall * effort
    }
}

/// How long the machine lets a thread wait that has work to do, as far as searches have seen.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lag {
    seen: Option<Duration>,
}

impl Lag {
    /// What to expect of the next search.
    pub fn expected(self) -> Duration {
        self.seen.map_or(FIRST_LAG, |seen| seen.max(LEAST_LAG))
    }

    /// Learn from a search that took `elapsed` and whose longest gap between two looks at the
    /// clock was `gap`. Lag fades slowly: a machine that was busy a moment ago may be so again.
    pub fn learn(&mut self, gap: Duration, elapsed: Duration) {
        let faded = self.seen.map(|seen| seen * 4 / 5);
        if faded.is_some() || elapsed >= LAG_SEEN_AFTER {
            self.seen = Some(faded.unwrap_or_default().max(gap));
        }
    }
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
    pub fn new(limits: &Limits, lag: Lag) -> Clock {
        let plan = Plan::new(limits, lag.expected());
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
    fn what_is_settled_takes_less_time() {
        let settled = Settled { stable: 9, fall: 0.0, effort: 1.0 };
        let scale = settled.time_scale();
        assert!(scale > 0.0, "an iteration is always worth something");
        assert!(Settled { stable: 0, ..settled }.time_scale() > scale);
        assert!(Settled { fall: 50.0, ..settled }.time_scale() > scale);
        assert!(Settled { effort: 0.3, ..settled }.time_scale() > scale);
        let risen = Settled { fall: -1e9, ..settled }.time_scale();
        assert_eq!(risen, scale, "a score that rises costs no time");
        let fallen = Settled { fall: 1e9, ..settled }.time_scale();
        assert_eq!(fallen, Settled { fall: 2.0 * MATCH_FALL, ..settled }.time_scale());
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
    fn the_way_to_the_manager_is_paid_for_on_a_busy_machine() {
        let (lag, way) = (Duration::from_millis(10), 5);
        for total in [2000, 10_000] {
            let mut left = Duration::from_millis(total);
            for ply in 0..100 {
                let limits = Limits { left: Some(left), ..Limits::default() };
                let cost = Plan::new(&limits, lag).maximum.unwrap() + Duration::from_millis(way);
                left = left.checked_sub(cost).unwrap_or_else(|| panic!("lost at {ply} of {total}"));
            }
        }
    }

    #[test]
    fn one_long_wait_leaves_time_to_think() {
        let limits = Limits { left: Some(Duration::from_secs(6)), ..Limits::default() };
        let maximum = |lag: u64| Plan::new(&limits, Duration::from_millis(lag)).maximum.unwrap();
        assert!(maximum(4_000) > maximum(2) / 2, "{:?}", maximum(4_000));
        assert!(maximum(4_000) < maximum(2));
    }

    #[test]
    fn the_first_search_is_careful_and_the_next_knows_better() {
        let maximum = |lag: Lag| {
            let turn = Some(Duration::from_millis(200));
            Plan::new(&Limits { turn, ..Limits::default() }, lag.expected()).maximum.unwrap()
        };
        let mut lag = Lag::default();
        assert!(maximum(lag) <= Duration::from_millis(155));
        lag.learn(Duration::ZERO, Duration::from_millis(1));
        assert!(maximum(lag) <= Duration::from_millis(155), "nothing was seen in so short a time");
        lag.learn(Duration::from_millis(1), Duration::from_millis(100));
        assert!(maximum(lag) >= Duration::from_millis(165));
        lag.learn(Duration::from_millis(30), Duration::from_millis(100));
        lag.learn(Duration::ZERO, Duration::from_millis(100));
        assert_eq!(lag.expected(), Duration::from_millis(24), "lag fades slowly");
    }

    #[test]
    fn a_lagging_machine_gets_a_wider_margin() {
        let limits = Limits { turn: Some(Duration::from_millis(400)), ..Limits::default() };
        let calm = Plan::new(&limits, Duration::ZERO).maximum.unwrap();
        let loaded = Plan::new(&limits, Duration::from_millis(40)).maximum.unwrap();
        assert_eq!(calm - loaded, Duration::from_millis(40));
    }

    #[test]
    fn the_search_ends_before_the_caller_must_answer() {
        for (turn, left) in [(Some(50), None), (None, Some(500)), (Some(300), Some(200))] {
            let ms = |time: Option<u64>| time.map(Duration::from_millis);
            let limits = Limits { turn: ms(turn), left: ms(left), ..Limits::default() };
            let by = limits.answer_by(Lag::default()).unwrap();
            assert!(Plan::new(&limits, Lag::default().expected()).maximum.unwrap() < by);
            assert!(turn.is_none_or(|turn| by < Duration::from_millis(turn)));
            assert!(left.is_none_or(|left| by < Duration::from_millis(left)));
        }
        assert_eq!(Limits::default().answer_by(Lag::default()), None);
    }
}
