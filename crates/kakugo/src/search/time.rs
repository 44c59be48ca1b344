//! Time management.
//!
//! A [`TimePlan`] has two times: no iteration begins after `optimum`, and the search stops at
//! `maximum`. Both count from the arrival of the command. The safety margin grows with the observed
//! [`Lag`] between two polls of the clock, so the engine is more careful on a loaded machine.
//!
//! A searching thread may still have to wait long for a busy machine, while a sleeping thread is
//! woken soon after its time. So the caller should answer with the best move found so far once
//! [`Limits::answer_by`] has passed.

use std::time::Duration;

use super::limits::Limits;
use crate::clock::Instant;

/// Expected lag before any was observed: a new process still waits for its memory.
const INITIAL_LAG: Duration = Duration::from_millis(20);

/// Minimum expected lag.
const MIN_LAG: Duration = Duration::from_millis(2);

/// Shorter searches do not observe the lag of the machine.
const MIN_OBSERVATION: Duration = Duration::from_millis(5);

/// Maximum number of moves to come. The transmission of each to the manager costs time.
const MOVES_TO_COME: u32 = 100;

/// Maximum expected cost of a transmission.
const TRANSMISSION_MAX: Duration = Duration::from_millis(5);

/// Share of a turn that is never used: one part in this.
const TURN_MARGIN_DIVISOR: u32 = 40;
/// Additional margin of a turn, for waking the threads involved.
const TURN_MARGIN: Duration = Duration::from_millis(10);
/// Maximum margin of a turn, including lag.
const TURN_MARGIN_MAX: Duration = Duration::from_millis(40);
/// Time before the end of the match time at which an answer is forced.
const ANSWER_MARGIN: Duration = Duration::from_millis(30);
/// Margin of the match time.
const MATCH_MARGIN: Duration = Duration::from_millis(60);
/// Maximum time of a move: one part in this of the time left.
const MATCH_MAXIMUM_DIVISOR: u32 = 5;
/// Optimum time of a move: one part in this of the time left.
const MATCH_OPTIMUM_DIVISOR: u32 = 14;

/// Time factor of a best move that has just changed.
const STABILITY_MAX: f64 = 1.3;
/// Decrease of this factor with each iteration without a change.
const STABILITY_STEP: f64 = 0.08;
/// Minimum of this factor.
const STABILITY_MIN: f64 = 0.6;
/// Fall of the score that doubles the time, in score units.
const FALL_UNIT: f64 = 100.0;
/// Maximum fall, in these units.
const FALL_MAX: f64 = 2.0;
/// Time factor of a best move that took none of the nodes.
const EFFORT_MAX: f64 = 1.5;
/// Decrease of this factor if the best move took all nodes.
const EFFORT_RANGE: f64 = 1.0;

/// Times at which a search stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePlan {
    /// No iteration begins after this; `None`: no limit.
    pub optimum: Option<Duration>,
    /// The search stops at this; `None`: no limit.
    pub maximum: Option<Duration>,
}

impl TimePlan {
    /// Allocates time for a move under these limits, given the expected lag of the machine.
    pub fn new(limits: &Limits, lag: Duration) -> TimePlan {
        let turn =
            limits.turn.map(|turn| turn_answer_by(turn, lag).saturating_sub(lag.min(turn / 8)));
        let Some(left) = limits.left else { return TimePlan { optimum: turn, maximum: turn } };
        // A single long lag must not cost all remaining time.
        let left = left.saturating_sub(match_margin(lag.min((left / 8).max(INITIAL_LAG))));
        let maximum = (left / MATCH_MAXIMUM_DIVISOR + limits.increment / 2).min(left);
        let optimum = (left / MATCH_OPTIMUM_DIVISOR + limits.increment / 2).min(left);
        // The optimum is scaled before it is compared with the maximum. So a stable move does not
        // save match time if the turn is much shorter than the match allows.
        let maximum = turn.map_or(maximum, |turn| turn.min(maximum));
        TimePlan { optimum: Some(optimum), maximum: Some(maximum) }
    }
}

internal! { impl Limits {
    /// Returns the time from the start after which an answer must be given even if the search has
    /// not ended; `None`: no limit.
    pub fn answer_by(&self, lag: Lag) -> Option<Duration> {
        let turn = self.turn.map(|turn| turn_answer_by(turn, lag.expected()));
        let left = self.left.map(|left| left.saturating_sub(ANSWER_MARGIN));
        turn.into_iter().chain(left).min()
    }
} }

/// Returns the part of the turn time after which the answer must be sent. Three threads have to be
/// woken: the reader of commands, the one that answers, and the manager's. Each takes longer on a
/// busy machine.
fn turn_answer_by(turn: Duration, lag: Duration) -> Duration {
    let waking = TURN_MARGIN.min(turn / 5);
    let margin = turn / TURN_MARGIN_DIVISOR + waking + lag.min(turn / 4);
    turn.saturating_sub(margin.min(TURN_MARGIN_MAX))
}

/// Returns the part of the match time that is not used: for the lag of this move and of moves to
/// come.
fn match_margin(lag: Duration) -> Duration {
    let later = (lag / 2).min(TRANSMISSION_MAX) * MOVES_TO_COME;
    MATCH_MARGIN + lag + lag / 2 + later
}

/// Stability of a search after an iteration.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Stability {
    /// Iterations since the best move last changed.
    pub iterations: u32,
    /// Fall of the score below the weighted mean of earlier iterations, in score units; 0 if it
    /// rises.
    pub fall: f64,
    /// Share of the iteration's nodes spent on the best move, 0 to 1.
    pub effort: f64,
}

impl Stability {
    /// Returns the factor of the optimum time (best-move stability, falling eval and effort, as in
    /// Stockfish).
    ///
    /// If the best move is unchanged, its score has not fallen, and the other moves were refuted
    /// with few nodes, another iteration is unlikely to change it.
    pub fn time_scale(&self) -> f64 {
        let stability = STABILITY_MAX - STABILITY_STEP * f64::from(self.iterations);
        let fall = 1.0 + (self.fall / FALL_UNIT).clamp(0.0, FALL_MAX);
        let effort = EFFORT_MAX - EFFORT_RANGE * self.effort;
        stability.max(STABILITY_MIN) * fall * effort
    }
}

/// Returns the time multiplied by a factor that is not negative, at most [`Duration::MAX`].
fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// Observed scheduling lag: how long the machine suspends a thread that has work to do.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lag {
    observed: Option<Duration>,
}

impl Lag {
    /// Returns the expected lag of the next search.
    pub fn expected(self) -> Duration {
        self.observed.map_or(INITIAL_LAG, |observed| observed.max(MIN_LAG))
    }

    /// Records a search that took `elapsed` and whose longest gap between two polls of the clock
    /// was `gap`. Lag decays slowly, because a machine that was busy may be busy again.
    pub fn observe(&mut self, gap: Duration, elapsed: Duration) {
        let decayed = self.observed.map(|observed| observed * 4 / 5);
        if decayed.is_some() || elapsed >= MIN_OBSERVATION {
            self.observed = Some(decayed.unwrap_or_default().max(gap));
        }
    }
}

/// The clock of one search.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    plan: TimePlan,
    last_poll: Instant,
    lag: Duration,
}

impl Clock {
    /// Creates a clock for a search under `limits`, given the lag of earlier searches.
    pub fn new(limits: &Limits, lag: Lag) -> Clock {
        let plan = TimePlan::new(limits, lag.expected());
        Clock { start: limits.start, plan, last_poll: Instant::now(), lag: Duration::ZERO }
    }

    /// Returns the time since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Polls the clock. Returns `true` after the maximum time.
    pub fn is_past_maximum(&mut self) -> bool {
        let now = Instant::now();
        self.lag = self.lag.max(now - self.last_poll);
        self.last_poll = now;
        self.plan.maximum.is_some_and(|maximum| now - self.start >= maximum)
    }

    /// Returns `true` if no new iteration should begin. `scale` multiplies the optimum time.
    pub fn is_past_optimum(&self, scale: f64) -> bool {
        let Some(optimum) = self.plan.optimum else { return false };
        let optimum = scaled(optimum, scale);
        self.elapsed() >= self.plan.maximum.map_or(optimum, |maximum| optimum.min(maximum))
    }

    /// Returns the longest gap between two polls, which should be well under a millisecond.
    pub fn lag(&self) -> Duration {
        self.lag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(turn: Option<u64>, left: Option<u64>) -> TimePlan {
        let limits = Limits {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..Limits::default()
        };
        TimePlan::new(&limits, Duration::ZERO)
    }

    #[test]
    fn searches_without_limits_do_not_end() {
        assert_eq!(plan(None, None), TimePlan { optimum: None, maximum: None });
    }

    #[test]
    fn the_longest_times_can_be_scaled() {
        for (turn, left) in [(Some(Duration::MAX), None), (None, Some(Duration::MAX))] {
            let increment = left.unwrap_or_default();
            let limits = Limits { turn, left, increment, ..Limits::default() };
            let clock = Clock::new(&limits, Lag::default());
            for scale in [0.3, 1.0, 5.85] {
                assert!(!clock.is_past_optimum(scale), "{turn:?} {left:?} {scale}");
            }
        }
        assert_eq!(scaled(Duration::from_secs(4), 0.25), Duration::from_secs(1));
        assert_eq!(scaled(Duration::MAX, 2.0), Duration::MAX);
    }

    #[test]
    fn a_margin_is_always_reserved() {
        for turn in [1, 5, 20, 100, 1000, 30_000] {
            let TimePlan { optimum, maximum } = plan(Some(turn), None);
            assert!(maximum.unwrap() < Duration::from_millis(turn), "{turn}");
            assert!(optimum <= maximum);
            assert!(maximum.unwrap() >= Duration::from_millis(turn * 6 / 10), "{turn}");
        }
        assert_eq!(plan(Some(0), None).maximum, Some(Duration::ZERO));
        assert_eq!(plan(None, Some(0)).maximum, Some(Duration::ZERO));
    }

    #[test]
    fn stable_searches_take_less_time() {
        let stable = Stability { iterations: 9, fall: 0.0, effort: 1.0 };
        let scale = stable.time_scale();
        assert!(scale > 0.0, "there is always some time");
        assert!(Stability { iterations: 0, ..stable }.time_scale() > scale);
        assert!(Stability { fall: 50.0, ..stable }.time_scale() > scale);
        assert!(Stability { effort: 0.3, ..stable }.time_scale() > scale);
        let risen = Stability { fall: -1e9, ..stable }.time_scale();
        assert_eq!(risen, scale, "a rising score costs no time");
        let fallen = Stability { fall: 1e9, ..stable }.time_scale();
        assert_eq!(fallen, Stability { fall: 2.0 * FALL_UNIT, ..stable }.time_scale());
    }

    #[test]
    fn stable_searches_use_the_turn_if_the_match_time_allows_it() {
        let stable = Stability { iterations: 9, fall: 0.0, effort: 1.0 }.time_scale();
        let used = |turn: Option<u64>, left: u64| {
            let TimePlan { optimum, maximum } = plan(turn, Some(left));
            scaled(optimum.unwrap(), stable).min(maximum.unwrap())
        };
        let turn = Duration::from_millis(200);
        assert!(used(Some(200), 60_000) > turn * 4 / 5);
        assert!(used(Some(200), 3_000) < turn / 2);
        assert_eq!(used(Some(200), 1_000), used(None, 1_000));
    }

    #[test]
    fn a_hundred_moves_fit_in_any_match_time() {
        for total in [200, 1000, 10_000, 180_000] {
            let mut left = Duration::from_millis(total);
            for _ in 0..100 {
                let TimePlan { maximum, .. } = plan(None, Some(left.as_millis() as u64));
                left = left.checked_sub(maximum.unwrap()).expect("time left");
            }
        }
    }

    #[test]
    fn transmissions_fit_in_the_match_time_on_a_busy_machine() {
        let (lag, transmission) = (Duration::from_millis(10), 5);
        for total in [2000, 10_000] {
            let mut left = Duration::from_millis(total);
            for ply in 0..100 {
                let limits = Limits { left: Some(left), ..Limits::default() };
                let cost = TimePlan::new(&limits, lag).maximum.unwrap()
                    + Duration::from_millis(transmission);
                left = left.checked_sub(cost).unwrap_or_else(|| panic!("lost at {ply} of {total}"));
            }
        }
    }

    #[test]
    fn one_long_lag_leaves_time_to_search() {
        let limits = Limits { left: Some(Duration::from_secs(6)), ..Limits::default() };
        let maximum =
            |lag: u64| TimePlan::new(&limits, Duration::from_millis(lag)).maximum.unwrap();
        assert!(maximum(4_000) > maximum(2) / 2, "{:?}", maximum(4_000));
        assert!(maximum(4_000) < maximum(2));
    }

    #[test]
    fn the_first_search_is_careful_and_the_next_uses_the_observed_lag() {
        let maximum = |lag: Lag| {
            let turn = Some(Duration::from_millis(200));
            TimePlan::new(&Limits { turn, ..Limits::default() }, lag.expected()).maximum.unwrap()
        };
        let mut lag = Lag::default();
        assert!(maximum(lag) <= Duration::from_millis(155));
        lag.observe(Duration::ZERO, Duration::from_millis(1));
        assert!(maximum(lag) <= Duration::from_millis(155), "too short to observe anything");
        lag.observe(Duration::from_millis(1), Duration::from_millis(100));
        assert!(maximum(lag) >= Duration::from_millis(165));
        lag.observe(Duration::from_millis(30), Duration::from_millis(100));
        lag.observe(Duration::ZERO, Duration::from_millis(100));
        assert_eq!(lag.expected(), Duration::from_millis(24), "lag decays slowly");
    }

    #[test]
    fn a_lagging_machine_gets_a_wider_margin() {
        let limits = Limits { turn: Some(Duration::from_millis(400)), ..Limits::default() };
        let calm = TimePlan::new(&limits, Duration::ZERO).maximum.unwrap();
        let loaded = TimePlan::new(&limits, Duration::from_millis(40)).maximum.unwrap();
        // The answer is due 20 ms earlier (the maximum margin); the search ends 40 ms before it.
        assert_eq!(calm - loaded, Duration::from_millis(20 + 40));
    }

    #[test]
    fn the_search_ends_before_the_caller_must_answer() {
        for (turn, left) in [(Some(50), None), (None, Some(500)), (Some(300), Some(200))] {
            let ms = |time: Option<u64>| time.map(Duration::from_millis);
            let limits = Limits { turn: ms(turn), left: ms(left), ..Limits::default() };
            let by = limits.answer_by(Lag::default()).unwrap();
            assert!(TimePlan::new(&limits, Lag::default().expected()).maximum.unwrap() < by);
            assert!(turn.is_none_or(|turn| by < Duration::from_millis(turn)));
            assert!(left.is_none_or(|left| by < Duration::from_millis(left)));
        }
        assert_eq!(Limits::default().answer_by(Lag::default()), None);
    }
}
