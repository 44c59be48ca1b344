//! The start time of this process, when the time of its first move starts to run.
//!
//! Loading and linking a program takes one or two milliseconds, and many more on a busy machine,
//! all before `main`. Linux and Windows store the creation time of a process.

use std::time::{Duration, Instant};

/// Maximum age of the process. An older one was another program before, such as a shell, or was
/// stopped. Then its age is ignored.
const MAX_AGE: Duration = Duration::from_millis(250);

/// Returns the start time of this process, or the current time if it is unknown.
pub(crate) fn process_start() -> Instant {
    let now = Instant::now();
    let age = age().filter(|&age| age <= MAX_AGE);
    age.and_then(|age| now.checked_sub(age)).unwrap_or(now)
}

/// Returns the age of this process, rounded up by at most one clock tick.
#[cfg(target_os = "linux")]
fn age() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let ticks = start_ticks(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    let started = Duration::from_secs(ticks / per_second)
        + Duration::from_secs(ticks % per_second) / u32::try_from(per_second).ok()?;
    let now = Duration::try_from(clock_gettime(ClockId::Boottime)).ok()?;
    now.checked_sub(started)
}

/// Returns the age of this process.
#[cfg(windows)]
#[allow(unsafe_code)]
fn age() -> Option<Duration> {
    use std::time::SystemTime;
    use windows::Win32::Foundation::FILETIME;
    use windows::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};

    let mut times = [FILETIME::default(); 4];
    let [created, ended, kernel, user] = &mut times;
    // SAFETY: the handle is that of this process, and the four pointers are to local variables.
    unsafe { GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user) }.ok()?;
    let ticks = u64::from(created.dwHighDateTime) << 32 | u64::from(created.dwLowDateTime);
    SystemTime::now().duration_since(from_filetime(ticks)?).ok()
}

#[cfg(not(any(target_os = "linux", windows)))]
fn age() -> Option<Duration> {
    None
}

/// Converts a Windows file time, in units of 100 ns since the start of 1601.
#[cfg(any(windows, test))]
fn from_filetime(ticks: u64) -> Option<std::time::SystemTime> {
    /// Time from the start of 1601 to the start of 1970.
    const TO_1970: Duration = Duration::from_secs(11_644_473_600);
    let since =
        Duration::from_secs(ticks / 10_000_000) + Duration::from_nanos(ticks % 10_000_000 * 100);
    std::time::UNIX_EPOCH.checked_add(since.checked_sub(TO_1970)?)
}

/// Returns the start time in `/proc/ID/stat`, the 22nd field, in clock ticks after the system
/// start. The second field is a name in parentheses that may contain any characters.
#[cfg(any(target_os = "linux", test))]
fn start_ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_ticks_are_parsed_after_any_program_name() {
        let rest = "R 1 3 3 0 -1 4194304 5 6 7 8 9 10 11 12 20 0 1 0 8765 14 15";
        for name in ["pbrain", "a b) c", "((", "1 2 3 4 5"] {
            assert_eq!(start_ticks(&format!("42 ({name}) {rest}")), Some(8765), "{name}");
        }
        assert_eq!(start_ticks(""), None);
        assert_eq!(start_ticks("42 (pbrain) R 1 2"), None);
        assert_eq!(
            start_ticks("42 (pbrain) R 1 3 3 0 -1 4194304 5 6 7 8 9 10 11 12 20 0 1 0 x"),
            None
        );
    }

    #[test]
    fn file_times_count_from_1601() {
        use std::time::UNIX_EPOCH;
        let day = Duration::from_secs(24 * 60 * 60);
        assert_eq!(from_filetime(116_444_736_000_000_000), Some(UNIX_EPOCH));
        let (later, days) = (116_444_736_000_000_000 + 670 * 864_000_000_000 + 1, 670);
        let moment = UNIX_EPOCH + day * days + Duration::from_nanos(100);
        assert_eq!(from_filetime(later), Some(moment));
        assert_eq!(from_filetime(0), None);
    }

    #[test]
    #[cfg(any(target_os = "linux", windows))]
    fn process_age_grows() {
        let first = age();
        let is_available = cfg!(all(target_os = "linux", not(miri)));
        assert!(first.is_some() || !is_available, "Linux reports it to every process");
        let Some(first) = first else { return };
        std::thread::sleep(Duration::from_millis(50));
        let later = age().expect("it was available before");
        assert!(later - first >= Duration::from_millis(50), "{first:?} {later:?}");
    }
}
