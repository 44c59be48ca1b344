//! What the system tells of a process, as far as this is Linux.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Whether a thread of a process runs or waits for a processor at this moment; `None` where the system
/// does not tell.
pub(super) fn is_working(pid: u32) -> Option<bool> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut stats =
        tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
    Some(stats.any(|stat| state(&stat) == Some('R')))
}

/// The state in proc(5)'s stat file. The name before it stands in parentheses and may hold anything.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Let a process and its children sleep, or go on. False where the system does not offer it.
#[cfg(unix)]
pub(super) fn suspend(pid: u32, asleep: bool) -> bool {
    use kakugo_protocol::client::children;
    use rustix::process::{Pid, Signal, kill_process};
    let signal = if asleep { Signal::STOP } else { Signal::CONT };
    let numbered = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let done = numbered.is_some_and(|pid| kill_process(pid, signal).is_ok());
    for child in children(pid) {
        suspend(child, asleep);
    }
    done
}

#[cfg(not(unix))]
pub(super) fn suspend(_: u32, _: bool) -> bool {
    false
}

/// Whether a process lives; one that has ended and is only kept for its parent does not.
pub(super) fn is_alive(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    !matches!(state(&stat), None | Some('Z' | 'X'))
}

/// The files below a folder and their sizes, the largest number of them bounded.
pub(super) fn files(folder: &Path) -> Vec<(String, u64)> {
    const MOST: usize = 10_000;
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                open.push(entry.path());
            } else if found.len() < MOST {
                let size = entry.metadata().map_or(0, |data| data.len());
                found.push((entry.path().display().to_string(), size));
            }
        }
    }
    found.sort();
    found
}

/// The files of one folder, by their names, sizes and times of change.
pub(super) fn listing(folder: &Path) -> Vec<(String, u64, Option<SystemTime>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, data.len(), data.modified().ok()))
        })
        .collect();
    found.sort();
    found
}
