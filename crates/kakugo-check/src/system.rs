//! Suspended processes, and the files of a folder.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Suspends or resumes a process and its children. Returns false if that is not possible.
#[cfg(unix)]
pub(super) fn suspend(pid: u32, suspended: bool) -> bool {
    use kakugo_protocol::client::children;
    use rustix::process::{Pid, Signal, kill_process};
    let signal = if suspended { Signal::STOP } else { Signal::CONT };
    let numbered = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let done = numbered.is_some_and(|pid| kill_process(pid, signal).is_ok());
    for child in children(pid) {
        suspend(child, suspended);
    }
    done
}

#[cfg(not(unix))]
pub(super) fn suspend(_: u32, _: bool) -> bool {
    false
}

/// Returns the files below a folder with their sizes, at most 10,000.
pub(super) fn files(folder: &Path) -> Vec<(String, u64)> {
    const MAX_FILES: usize = 10_000;
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                open.push(entry.path());
            } else if found.len() < MAX_FILES {
                let size = entry.metadata().map_or(0, |data| data.len());
                found.push((entry.path().display().to_string(), size));
            }
        }
    }
    found.sort();
    found
}

/// Returns the files of one folder with their sizes and modification times.
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
