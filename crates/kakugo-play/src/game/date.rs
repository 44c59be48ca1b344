//! The date, as records write it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today in Greenwich, `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86400)
}

/// The date so many days after 1970-01-01, by the civil calendar. Years are taken to begin in March,
/// so that the day that only leap years have comes last.
/// <https://howardhinnant.github.io/date_algorithms.html>
fn date(days: u64) -> String {
    let days = days + 719_468; // since 0000-03-01
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_days_and_turns_of_the_year_are_right() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (789, "1972-02-29"),
            (790, "1972-03-01"),
            (11_016, "2000-02-29"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
