//! When this process began, which is when its first move's time began to run.
//!
//! Loading and linking a program takes a millisecond or two on an idle machine and many on a busy
//! one, all of it before `main`. Linux and Windows remember when a process was made.

use std::time::{Duration, Instant};

/// A process that is older than this was something else before, a shell perhaps, or has been
/// stopped: then that time is not counted.
const OLDEST: Duration = Duration::from_millis(250);

/// When this process was made: now, where that cannot be known.
pub(super) fn process_start() -> Instant {
    let now = Instant::now();
    let age = age().filter(|&age| age <= OLDEST);
    age.and_then(|age| now.checked_sub(age)).unwrap_or(now)
}

/// Time since this process was made, up to a clock tick more than it was.
#[cfg(target_os = "linux")]
fn age() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let made = made_in_ticks(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    let made = Duration::from_secs(made / per_second)
        + Duration::from_secs(made % per_second) / u32::try_from(per_second).ok()?;
    let now = Duration::try_from(clock_gettime(ClockId::Boottime)).ok()?;
    now.checked_sub(made)
}

/// Time since this process was made.
#[cfg(windows)]
#[allow(unsafe_code)]
fn age() -> Option<Duration> {
    use std::time::SystemTime;
    use windows::Win32::Foundation::FILETIME;
    use windows::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};

    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: the handle stands for this very process, and the four places are ours to write to.
    unsafe { GetProcessTimes(GetCurrentProcess(), made, ended, kernel, user) }.ok()?;
    let made = u64::from(made.dwHighDateTime) << 32 | u64::from(made.dwLowDateTime);
    SystemTime::now().duration_since(since_1601(made)?).ok()
}

#[cfg(not(any(target_os = "linux", windows)))]
fn age() -> Option<Duration> {
    None
}

/// A moment as Windows counts it: in 100 ns since the beginning of 1601.
#[cfg(any(windows, test))]
fn since_1601(ticks: u64) -> Option<std::time::SystemTime> {
    /// From there to the beginning of 1970.
    const TO_1970: Duration = Duration::from_secs(11_644_473_600);
    let since =
        Duration::from_secs(ticks / 10_000_000) + Duration::from_nanos(ticks % 10_000_000 * 100);
    std::time::UNIX_EPOCH.checked_add(since.checked_sub(TO_1970)?)
}

/// When a process was made, in clock ticks after the system was started, from its `/proc/ID/stat`:
/// the 22nd field. The second field is a name in parentheses that may hold anything.
#[cfg(any(target_os = "linux", test))]
fn made_in_ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_does_not_matter() {
        let rest = "R 1 3 3 0 -1 4194304 5 6 7 8 9 10 11 12 20 0 1 0 8765 14 15";
        for name in ["pbrain", "a b) c", "((", "1 2 3 4 5"] {
            assert_eq!(made_in_ticks(&format!("42 ({name}) {rest}")), Some(8765), "{name}");
        }
        assert_eq!(made_in_ticks(""), None);
        assert_eq!(made_in_ticks("42 (pbrain) R 1 2"), None);
        assert_eq!(
            made_in_ticks("42 (pbrain) R 1 3 3 0 -1 4194304 5 6 7 8 9 10 11 12 20 0 1 0 x"),
            None
        );
    }

    #[test]
    fn windows_counts_from_1601() {
        use std::time::UNIX_EPOCH;
        let day = Duration::from_secs(24 * 60 * 60);
        assert_eq!(since_1601(116_444_736_000_000_000), Some(UNIX_EPOCH));
        let (later, nights) = (116_444_736_000_000_000 + 670 * 864_000_000_000 + 1, 670);
        let moment = UNIX_EPOCH + day * nights + Duration::from_nanos(100);
        assert_eq!(since_1601(later), Some(moment));
        assert_eq!(since_1601(0), None);
    }

    #[test]
    #[cfg(any(target_os = "linux", windows))]
    fn the_age_of_a_process_grows() {
        let first = age();
        let is_told = cfg!(all(target_os = "linux", not(miri)));
        assert!(first.is_some() || !is_told, "Linux tells it to everybody");
        let Some(first) = first else { return };
        std::thread::sleep(Duration::from_millis(50));
        let later = age().expect("it was known a moment ago");
        assert!(later - first >= Duration::from_millis(50), "{first:?} {later:?}");
    }

    #[test]
    fn the_beginning_is_neither_in_the_future_nor_long_ago() {
        let (began, now) = (process_start(), Instant::now());
        assert!(began <= now && now - began < OLDEST + Duration::from_secs(60));
    }
}
