//! Processes as reported by Linux's `/proc`, see proc(5). Other systems have no such files.

use std::fs;

/// Returns the children of all threads of a process.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Returns the descendants of a process.
pub fn descendants(pid: u32) -> Vec<u32> {
    let (mut open, mut found) = (children(pid), Vec::new());
    while let Some(child) = open.pop() {
        if !found.contains(&child) {
            open.extend(children(child));
            found.push(child);
        }
    }
    found
}

/// Returns true if the process is alive. A zombie is not.
pub fn is_alive(pid: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(|stat| state(&stat));
    !matches!(state, None | Some('Z' | 'X'))
}

/// Returns true if a thread of the process is running or waiting for a CPU, or `None` if the system
/// does not report it.
pub fn is_running(pid: u32) -> Option<bool> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut stats =
        tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
    Some(stats.any(|stat| state(&stat) == Some('R')))
}

fn state(stat: &str) -> Option<char> {
    field(stat, 3)?.chars().next()
}

/// Returns a field of a `stat` file after the name, numbered from 1 as in proc(5).
pub(super) fn field(stat: &str, number: usize) -> Option<&str> {
    // The name (field 2) is in parentheses and may contain any characters.
    stat.rsplit_once(')')?.1.split_whitespace().nth(number.checked_sub(3)?)
}

/// Returns the value of a field in a `status` or `smaps` file, which is in kB, in bytes.
pub(super) fn bytes(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbered_after_the_name() {
        let stat = "12 (a) b) R 1 7 9\n";
        assert_eq!((state(stat), field(stat, 5)), (Some('R'), Some("7")));
        assert_eq!([field(stat, 2), field(stat, 9), field("12", 3)], [None; 3]);
    }

    #[test]
    fn kilobytes_are_converted_to_bytes() {
        let status = "Name:\tx\nVmHWM:\t    2204 kB\n";
        assert_eq!((bytes(status, "VmHWM:"), bytes(status, "VmPeak:")), (Some(2204 << 10), None));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_alive_and_running() {
        let id = std::process::id();
        assert!(is_alive(id) && is_running(id) == Some(true));
        assert!(!is_alive(u32::MAX) && is_running(u32::MAX).is_none());
        assert!(children(u32::MAX).is_empty());
    }
}
