//! The clocks of a game.

use std::time::Duration;

use super::live::LiveGame;
use super::setup::ByoYomi;
use crate::now::Time;

/// The longest time of a step that is read from a file: sums of times cannot overflow.
pub(super) const LONGEST_STEP: Duration = Duration::from_secs(366 * 24 * 3600);

/// The byo-yomi of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overtime {
    /// Length of a period.
    pub period: Duration,
    /// Periods left when the current move began.
    pub periods: u32,
    /// Time spent on the current move since the time per game ran out.
    pub spent: Duration,
}

impl Overtime {
    /// Returns the number of periods left, of which the first is running.
    pub fn periods_left(&self) -> u32 {
        self.periods.saturating_sub(full_periods(self.spent, self.period))
    }

    /// Returns the time left in the first period that is left.
    pub fn period_left(&self) -> Duration {
        let full = self.period.saturating_mul(full_periods(self.spent, self.period));
        if self.periods_left() == 0 { Duration::ZERO } else { self.period - (self.spent - full) }
    }

    /// Returns the time left in all periods.
    fn left(&self) -> Duration {
        self.period.saturating_mul(self.periods).saturating_sub(self.spent)
    }
}

/// Returns the number of periods that a time fills.
fn full_periods(time: Duration, period: Duration) -> u32 {
    let periods = time.as_nanos().checked_div(period.as_nanos()).unwrap_or(0);
    u32::try_from(periods).unwrap_or(u32::MAX)
}

impl LiveGame {
    /// Runs or stops the clock. It runs only while the game goes on: not while earlier moves are
    /// looked at, and not in variations of a game that has ended.
    pub fn run_clock(&mut self, runs: bool, now: Time) {
        let goes_on = || !self.can_redo() && self.end().is_none() && self.main_end().is_none();
        if runs && goes_on() { self.clock.run(now) } else { self.clock.hold(now) }
    }

    /// Returns true if the clock runs.
    pub fn clock_runs(&self) -> bool {
        self.clock.is_running()
    }

    /// Returns the time that a seat has used for finished steps, and their number.
    fn used(&self, seat: usize) -> (Duration, u32) {
        let own = self.played().filter(|step| step.seat == seat);
        own.fold((Duration::ZERO, 0), |(time, n), step| (time + step.spent, n + 1))
    }

    /// Returns the total time used by a seat.
    pub fn used_by(&self, seat: usize, now: Time) -> Duration {
        self.used(seat).0 + self.running(seat, now)
    }

    /// Returns the time left to a seat for the game and for the move; `None` without a limit.
    ///
    /// With byo-yomi the game goes on without time for the game: see [`LiveGame::overtime`].
    pub fn left(&self, seat: usize, now: Time) -> (Option<Duration>, Option<Duration>) {
        let running = self.running(seat, now);
        let time = &self.setup.time;
        let game = match time.byoyomi {
            Some(byoyomi) => Some(self.main_and_periods(seat, byoyomi).0.saturating_sub(running)),
            None => {
                let (used, steps) = self.used(seat);
                let gained = time.increment * steps;
                time.game.map(|time| (time + gained).saturating_sub(used + running))
            }
        };
        (game, time.turn.map(|turn| turn.saturating_sub(running)))
    }

    /// Returns the byo-yomi of a seat, if the game has it.
    pub fn overtime(&self, seat: usize, now: Time) -> Option<Overtime> {
        let byoyomi = self.setup.time.byoyomi?;
        let (main, periods) = self.main_and_periods(seat, byoyomi);
        let spent = self.running(seat, now).saturating_sub(main);
        Some(Overtime { period: byoyomi.period, periods, spent })
    }

    /// Returns the time spent on the current move, if it is that of a seat.
    fn running(&self, seat: usize, now: Time) -> Duration {
        if self.turn() == seat { self.clock.spent(now) } else { Duration::ZERO }
    }

    /// Returns the time per game and the number of periods left to a seat after its finished steps.
    fn main_and_periods(&self, seat: usize, byoyomi: ByoYomi) -> (Duration, u32) {
        let time = &self.setup.time;
        let first = (time.game.unwrap_or_default(), byoyomi.periods);
        let own = self.played().filter(|step| step.seat == seat);
        own.fold(first, |(main, periods), step| {
            let over = step.spent.saturating_sub(main);
            let main = main.saturating_sub(step.spent) + time.increment;
            (main, periods.saturating_sub(full_periods(over, byoyomi.period)))
        })
    }

    /// Returns the time after which a seat has lost on time if it does not move; `None` without a
    /// limit.
    pub fn time_left(&self, seat: usize, now: Time) -> Option<Duration> {
        let (game, turn) = self.left(seat, now);
        let game = match self.overtime(seat, now) {
            Some(overtime) => Some(game.unwrap_or_default() + overtime.left()),
            None => game,
        };
        [game, turn].into_iter().flatten().min()
    }

    /// Returns the time at which the time of the player to move runs out, if the clock runs and is
    /// limited.
    pub fn flag_at(&self, now: Time) -> Option<Time> {
        let left = self.time_left(self.turn(), now);
        left.filter(|_| self.clock_runs()).map(|left| now + left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::end::{End, Forfeit};
    use crate::game::moves::tests::{at, setup};
    use crate::game::setup::TimeControl;
    use kakugo::board::Side;
    use kakugo_record::tree::NodeId;

    #[test]
    fn undone_moves_give_their_time_back() {
        let start = Time::default();
        let after = |seconds| start + Duration::from_secs(seconds);
        let time = TimeControl {
            game: Some(Duration::from_secs(100)),
            increment: Duration::from_secs(2),
            ..TimeControl::default()
        };
        let mut game = LiveGame::new(setup(|setup| setup.time = time));
        game.run_clock(true, start);
        game.play(at(7, 7), after(10)).unwrap();
        assert_eq!(game.left(0, after(10)).0, Some(Duration::from_secs(92)));
        game.play(at(7, 8), after(13)).unwrap();
        assert_eq!(game.left(1, after(13)).0, Some(Duration::from_secs(99)));
        assert_eq!(game.left(0, after(33)).0, Some(Duration::from_secs(72)));
        game.undo(2, after(33)).unwrap();
        assert_eq!(game.left(0, after(33)).0, Some(Duration::from_secs(100)));
        game.run_clock(true, after(33));
        game.play(at(9, 9), after(50)).unwrap();
        assert_eq!(game.left(0, after(50)).0, Some(Duration::from_secs(102)));
        game.run_clock(true, after(50));
        assert!(!game.check_flag(after(149)));
        assert!(game.check_flag(after(151)));
        assert_eq!(game.end(), Some(End::Forfeit(Side::White, Forfeit::Time)));
    }

    #[test]
    fn looking_back_holds_the_clock_and_gives_no_time_back() {
        let start = Time::default();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut game =
            LiveGame::new(setup(|setup| setup.time.turn = Some(Duration::from_secs(10))));
        game.run_clock(true, start);
        game.play(at(7, 7), after(1)).unwrap();
        let live = game.node();
        type Way = fn(&mut LiveGame, Time);
        let ways: [Way; 3] = [
            |game, now| _ = game.undo(1, now),
            |game, now| game.go_to(0, now),
            |game, now| _ = game.go_to_node(NodeId::ROOT, now),
        ];
        for (n, back) in (0..).zip(ways) {
            // Three seconds are spent between two looks of twenty.
            let now = 1 + 23 * n;
            game.run_clock(true, after(now));
            back(&mut game, after(now + 3));
            game.run_clock(true, after(now + 3));
            assert!(!game.clock_runs() && !game.check_flag(after(now + 23)));
            game.go_to_node(live, after(now + 23)).unwrap();
            let left = Some(Duration::from_secs(10 - 3 * (n + 1)));
            assert_eq!(game.left(1, after(now + 23)).1, left);
        }
        game.run_clock(true, after(70));
        assert!(!game.check_flag(after(70)) && game.check_flag(after(71)));
    }

    #[test]
    fn no_clock_runs_in_variations_of_a_game_that_has_ended() {
        let start = Time::default();
        let later = start + Duration::from_secs(100);
        let turn = Some(Duration::from_secs(5));
        let mut game = LiveGame::new(setup(|setup| setup.time.turn = turn));
        game.play(at(7, 7), start).unwrap();
        game.play(at(7, 8), start).unwrap();
        game.forfeit(0, Forfeit::Resigned, start).unwrap();
        game.undo(1, start).unwrap();
        game.play(at(0, 0), start).unwrap();
        game.run_clock(true, start);
        assert!(!game.clock_runs() && !game.check_flag(later));
        // If the end is played over, the game goes on.
        game.undo(1, later).unwrap();
        game.play(at(7, 8), later).unwrap();
        assert_eq!((game.end(), game.main_end()), (None, None));
        game.run_clock(true, later);
        assert!(game.clock_runs());
    }

    /// A clock that is told of every tenth of a second.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct SlowClock {
        main: u32,
        periods: u32,
        /// Tenths of a second that the current period has run.
        in_period: u32,
    }

    impl SlowClock {
        fn tenth_passes(&mut self, period: u32) {
            if self.main > 0 {
                self.main -= 1;
            } else if self.periods > 0 {
                self.in_period += 1;
                if self.in_period == period {
                    (self.periods, self.in_period) = (self.periods - 1, 0);
                }
            }
        }

        fn move_is_made(&mut self, increment: u32) {
            self.main += increment;
            self.in_period = 0;
        }

        fn has_run_out(&self) -> bool {
            (self.main, self.periods) == (0, 0)
        }
    }

    proptest::proptest! {
        /// Games with random times agree with a clock that counts tenths of seconds, at all times.
        #[test]
        fn byoyomi_agrees_with_a_slow_clock(
            main in 0..80_u32,
            periods in 1..4_u32,
            period in 1..30_u32,
            increment in 0..12_u32,
            moves in proptest::collection::vec(0..60_u32, 1..12),
        ) {
            let tenths = |n: u32| Duration::from_millis(100 * u64::from(n));
            let mut now = Time::default();
            let time = TimeControl {
                game: (main > 0).then(|| tenths(main)),
                increment: tenths(increment),
                byoyomi: Some(ByoYomi { periods, period: tenths(period) }),
                turn: None,
            };
            let mut game = LiveGame::new(setup(|setup| setup.time = time));
            let mut clocks = [SlowClock { main, periods, in_period: 0 }; 2];
            'game: for (number, spent) in (0..).zip(moves) {
                let seat = game.turn();
                game.run_clock(true, now);
                for _ in 0..spent {
                    now = now + tenths(1);
                    clocks[seat].tenth_passes(period);
                    let slow = clocks[seat];
                    let overtime = game.overtime(seat, now).unwrap();
                    proptest::prop_assert_eq!(game.left(seat, now).0, Some(tenths(slow.main)));
                    proptest::prop_assert_eq!(overtime.periods_left(), slow.periods);
                    if slow.periods > 0 {
                        let left = tenths(period - slow.in_period);
                        proptest::prop_assert_eq!(overtime.period_left(), left);
                    }
                    let is_out = slow.has_run_out();
                    proptest::prop_assert_eq!(game.flag_at(now) == Some(now), is_out);
                    proptest::prop_assert_eq!(game.check_flag(now), is_out);
                    if is_out {
                        break 'game;
                    }
                }
                game.play(at(number % 15, 2 * (number / 15)), now).unwrap();
                clocks[seat].move_is_made(increment);
            }
        }
    }

    #[test]
    fn a_held_clock_does_not_run_out() {
        let start = Time::default();
        let later = start + Duration::from_secs(100);
        let turn = Some(Duration::from_secs(5));
        let mut game = LiveGame::new(setup(|setup| setup.time.turn = turn));
        game.run_clock(true, start);
        game.run_clock(false, start + Duration::from_secs(3));
        assert!(!game.check_flag(later));
        game.run_clock(true, later);
        assert!(game.check_flag(later + Duration::from_secs(2)));
    }
}
