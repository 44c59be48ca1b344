//! Ending engines with all of their descendants.
//!
//! Killing a process group misses a child that started its own session. On Linux, this process can
//! become the *subreaper* of its descendants (prctl(2)). Processes that lose their parent then
//! become its children, and any child that it did not start is an orphan to be killed.

use std::io;
use std::sync::{Mutex, PoisonError};

use process_wrap::std::ChildWrapper;

use super::proc::children;

/// Running children of this process. The lock also ensures that a new child is registered before it
/// can be mistaken for an orphan.
static STARTED: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Starts a process and registers it.
pub(super) fn spawn_registered(
    spawn: impl FnOnce() -> io::Result<Box<dyn ChildWrapper>>,
) -> io::Result<Box<dyn ChildWrapper>> {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let child = spawn()?;
    started.push(child.id());
    Ok(child)
}

/// Kills a process, its group and its descendants, and waits for its exit.
pub(super) fn kill_with_descendants(child: &mut dyn ChildWrapper) {
    let descendants = linux::descendants(child.id());
    let _ = child.start_kill();
    linux::kill_all(&descendants);
    let _ = child.wait();
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    started.retain(|&id| id != child.id());
    linux::reap_orphans(&started);
}

/// Kills all engines with their descendants and prevents new ones, before this program exits. On
/// Windows processes can only be ended by their handles, so engines just see the end of their
/// input.
pub fn kill_engines() {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    for &id in started.iter() {
        let descendants = linux::descendants(id);
        #[cfg(unix)]
        if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        linux::kill_all(&descendants);
    }
    std::mem::forget(started);
}

/// Returns the descendants of engines that became children of this process after [`adopt_orphans`].
/// Wine's own processes are excluded. Always empty if the system is not Linux.
pub fn adopted() -> Vec<u32> {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_adopted = |child: &u32| !started.contains(child) && !linux::belongs_to_wine(*child);
    children(std::process::id()).into_iter().filter(is_adopted).collect()
}

/// Makes orphaned descendants children of this process. Call it once, in a program whose children
/// are all engines.
pub fn adopt_orphans() {
    linux::adopt_orphans();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::str::FromStr;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
    };

    use super::super::proc::{self, children};

    static ADOPTING: AtomicBool = AtomicBool::new(false);

    pub fn adopt_orphans() {
        let adopted = set_child_subreaper(Some(getpid())).is_ok();
        ADOPTING.store(adopted, Ordering::Relaxed);
    }

    /// A process identified by PID and start time, because PIDs are reused.
    pub struct Identity {
        pid: u32,
        start: u64,
    }

    fn stat_field<T: FromStr>(pid: u32, number: usize) -> Option<T> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        proc::field(&stat, number)?.parse().ok()
    }

    fn start_time(pid: u32) -> Option<u64> {
        stat_field(pid, 22)
    }

    fn process_group(pid: u32) -> Option<u32> {
        stat_field(pid, 5)
    }

    pub fn descendants(pid: u32) -> Vec<Identity> {
        let identity = |pid| Some(Identity { pid, start: start_time(pid)? });
        proc::descendants(pid).into_iter().filter_map(identity).collect()
    }

    fn rustix_pid(pid: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(pid).ok()?)
    }

    fn kill_pid(pid: u32) {
        if let Some(pid) = rustix_pid(pid) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    pub fn kill_all(processes: &[Identity]) {
        for process in processes {
            if start_time(process.pid) == Some(process.start) {
                kill_pid(process.pid);
            }
        }
    }

    /// Returns true for Wine's own processes, which all Windows programs of a user share: the
    /// server and system programs.
    pub fn belongs_to_wine(pid: u32) -> bool {
        let Ok(line) = fs::read(format!("/proc/{pid}/cmdline")) else { return false };
        let program = line.split(|&byte| byte == 0).next().unwrap_or_default().to_ascii_lowercase();
        let name = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        name.starts_with(b"wineserver") || program.starts_with(br"c:\windows\")
    }

    /// Kills and reaps children that are neither in `started` nor in one of their process groups,
    /// except Wine's own processes. The caller holds the lock on `started`.
    pub fn reap_orphans(started: &[u32]) {
        if !ADOPTING.load(Ordering::Relaxed) {
            return;
        }
        for pid in children(std::process::id()) {
            let owned = |pid| started.contains(&pid);
            if !owned(pid) && !process_group(pid).is_some_and(owned) && !belongs_to_wine(pid) {
                let descendants = descendants(pid);
                kill_pid(pid);
                kill_all(&descendants);
                let _ = waitpid(rustix_pid(pid), WaitOptions::empty());
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    pub struct Identity;
    pub fn adopt_orphans() {}
    pub fn belongs_to_wine(_: u32) -> bool {
        false
    }
    pub fn descendants(_: u32) -> Vec<Identity> {
        Vec::new()
    }
    pub fn kill_all(_: &[Identity]) {}
    pub fn reap_orphans(_: &[u32]) {}
}
