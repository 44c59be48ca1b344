//! The time of an event, which the driver passes in: the core reads no clock.

use std::ops::Add;
use std::time::Duration;

use time::UtcDateTime;

/// A point in time: the time since the driver started its clock, which never runs backwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Time(Duration);

impl Time {
    /// Returns the point in time this long after the start of the driver's clock.
    pub const fn from_start(elapsed: Duration) -> Time {
        Time(elapsed)
    }

    /// Returns the time since the start of the driver's clock.
    pub const fn since_start(self) -> Duration {
        self.0
    }

    /// Returns the time since `earlier`, or zero if that is later.
    pub const fn since(self, earlier: Time) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Time {
    type Output = Time;

    fn add(self, later: Duration) -> Time {
        Time(self.0.saturating_add(later))
    }
}

/// The time of an event, by a clock that measures and by the calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now {
    /// The running clock: for game clocks and time-outs.
    pub time: Time,
    /// The calendar: for the dates of games.
    pub utc: UtcDateTime,
}

impl Now {
    /// Returns the number of the day, counted in the Julian way.
    pub fn day(self) -> i32 {
        self.utc.date().to_julian_day()
    }

    /// Returns the date as game records write it, `YYYY-MM-DD`.
    pub fn date(self) -> String {
        let date = self.utc.date();
        format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
    }
}

/// The first moment of the driver's clock, at the start of 1970.
#[cfg(any(test, fuzzing))]
impl Default for Now {
    fn default() -> Now {
        Now { time: Time::default(), utc: UtcDateTime::UNIX_EPOCH }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_four_two_and_two_digits() {
        let date = |seconds| {
            let utc = UtcDateTime::from_unix_timestamp(seconds).unwrap();
            Now { utc, ..Now::default() }.date()
        };
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(4_107_542_399), "2100-02-28");
    }

    #[test]
    fn time_is_measured_forwards() {
        let at = |seconds| Time::from_start(Duration::from_secs(seconds));
        assert_eq!(at(5).since(at(3)), Duration::from_secs(2));
        assert_eq!(at(3).since(at(5)), Duration::ZERO);
        assert_eq!(at(3) + Duration::from_secs(2), at(5));
    }
}
