//! Ending engines with all of their descendants.
//!
//! Killing a process group misses a child that started its own session. On Linux, this process can
//! become the *subreaper* of its descendants (prctl(2)). Processes that lose their parent then
//! become its children, and any child that it did not start is an orphan. Orphans are killed with
//! their own engine, which an environment variable identifies.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use process_wrap::std::ChildWrapper;

/// Environment variable that marks the descendants of an engine. Its value is the PID of this
/// process and a number.
const MARK: &str = "KAKUGO_ENGINE";

/// The number of marks.
static MARKS: AtomicU64 = AtomicU64::new(0);

/// Running children of this process. The lock also ensures that a new child is registered before it
/// can be mistaken for an orphan.
static STARTED: Mutex<Vec<Started>> = Mutex::new(Vec::new());

/// A running child of this process.
struct Started {
    pid: u32,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux finds orphans"))]
    mark: Mark,
}

/// The mark of an engine: a unique value of [`MARK`] in the environment of its process, which all
/// of its descendants inherit.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Mark {
        let number = MARKS.fetch_add(1, Ordering::Relaxed);
        Mark(format!("{}{number}", Mark::prefix()))
    }

    /// Returns the name and the value of the environment variable.
    pub(super) fn variable(&self) -> (&'static str, &str) {
        (MARK, &self.0)
    }

    /// Returns the beginning of all marks of this process.
    fn prefix() -> String {
        format!("{}.", std::process::id())
    }
}

/// Starts a process with this mark in its environment and registers it.
pub(super) fn spawn_registered(
    mark: Mark,
    spawn: impl FnOnce() -> io::Result<Box<dyn ChildWrapper>>,
) -> io::Result<Box<dyn ChildWrapper>> {
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let child = spawn()?;
    started.push(Started { pid: child.id(), mark });
    Ok(child)
}

/// Kills a process, its group and its descendants, and waits for its exit.
pub(super) fn kill_with_descendants(child: &mut dyn ChildWrapper) {
    let descendants = linux::descendants(child.id());
    let _ = child.start_kill();
    linux::kill_all(&descendants);
    let _ = child.wait();
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    started.retain(|other| other.pid != child.id());
    linux::reap_orphans(&started);
}

/// Kills all engines with their descendants and prevents new ones, before this program exits. On
/// Windows processes can only be ended by their handles, so engines just see the end of their
/// input.
pub fn kill_engines() {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    for &Started { pid, .. } in started.iter() {
        let descendants = linux::descendants(pid);
        #[cfg(unix)]
        if let Some(group) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        linux::kill_all(&descendants);
    }
    std::mem::forget(started);
}

/// Returns the descendants of an engine that became children of this process after
/// [`adopt_orphans`]. Wine's own processes are excluded. Always empty if the system is not Linux.
pub fn adopted(engine: u32) -> Vec<u32> {
    let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    linux::adopted(&started, engine)
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
    use super::{MARK, Mark, Started};

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
    fn belongs_to_wine(pid: u32) -> bool {
        let Ok(line) = fs::read(format!("/proc/{pid}/cmdline")) else { return false };
        let program = line.split(|&byte| byte == 0).next().unwrap_or_default().to_ascii_lowercase();
        let name = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        name.starts_with(b"wineserver") || program.starts_with(br"c:\windows\")
    }

    /// A child of this process that it did not start.
    struct Orphan {
        pid: u32,
        owner: Owner,
    }

    /// The engine from which a process descends.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Owner {
        /// An engine that is running, by PID.
        Running(u32),
        /// An engine that has ended.
        Ended,
        /// The process has no mark.
        Unknown,
    }

    impl Owner {
        /// Returns the owner of a process in this group, with this environment.
        pub(super) fn new(started: &[Started], group: Option<u32>, environment: &[u8]) -> Owner {
            let name = [MARK.as_bytes(), b"="].concat();
            let mut variables = environment.split(|&byte| byte == 0);
            let mark = variables.find_map(|variable| variable.strip_prefix(&*name));
            let running = started
                .iter()
                .find(|engine| group == Some(engine.pid) || mark == Some(engine.mark.0.as_bytes()));
            match running {
                Some(engine) => Owner::Running(engine.pid),
                None if mark.is_some_and(|mark| mark.starts_with(Mark::prefix().as_bytes())) => {
                    Owner::Ended
                }
                None => Owner::Unknown,
            }
        }
    }

    /// Returns the children of this process that it did not start, except Wine's own processes.
    fn orphans(started: &[Started]) -> Vec<Orphan> {
        let is_engine = |pid: u32| started.iter().any(|engine| engine.pid == pid);
        children(std::process::id())
            .into_iter()
            .filter(|&pid| !is_engine(pid) && !belongs_to_wine(pid))
            .map(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                Orphan { pid, owner: Owner::new(started, process_group(pid), &environment) }
            })
            .collect()
    }

    pub fn adopted(started: &[Started], engine: u32) -> Vec<u32> {
        let is_its = |orphan: &Orphan| match orphan.owner {
            Owner::Running(owner) => owner == engine,
            Owner::Ended => false,
            Owner::Unknown => started.iter().all(|other| other.pid == engine),
        };
        orphans(started).into_iter().filter(is_its).map(|orphan| orphan.pid).collect()
    }

    /// Kills and reaps the orphans of engines that have ended. Orphans without a mark may belong to
    /// any engine, and are spared while one is running. The caller holds the lock on `started`.
    pub fn reap_orphans(started: &[Started]) {
        if !ADOPTING.load(Ordering::Relaxed) {
            return;
        }
        for Orphan { pid, owner } in orphans(started) {
            let is_spared = match owner {
                Owner::Running(_) => true,
                Owner::Ended => false,
                Owner::Unknown => !started.is_empty(),
            };
            if !is_spared {
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
    use super::Started;

    pub struct Identity;
    pub fn adopt_orphans() {}
    pub fn descendants(_: u32) -> Vec<Identity> {
        Vec::new()
    }
    pub fn kill_all(_: &[Identity]) {}
    pub fn adopted(_: &[Started], _: u32) -> Vec<u32> {
        Vec::new()
    }
    pub fn reap_orphans(_: &[Started]) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::super::options::EngineOptions;
    use super::super::process::{Process, Received};
    use super::super::{children, is_alive};
    use super::linux::Owner;
    use super::*;

    /// Starts an engine with a helper that leaves its process group and loses its parent. Returns
    /// the engine and the PID of the helper.
    fn with_helper() -> (Process, u32) {
        let script = "(setsid sleep 600 >&- 2>&- & echo $!); read -r line";
        let mut config =
            EngineOptions::from_words(&["sh"]).unwrap().resolve(Path::new("self")).unwrap();
        config.command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let process = Process::spawn(&config).unwrap();
        let received = process.receive(Instant::now() + Duration::from_secs(60));
        let Received::Line(line) = received else { panic!("{received:?}") };
        let helper = line.text.parse().unwrap();
        // While it executes another program, a process has no environment to read.
        let is_asleep = || {
            let line = std::fs::read(format!("/proc/{helper}/cmdline")).unwrap_or_default();
            line.starts_with(b"sleep") && children(std::process::id()).contains(&helper)
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_asleep() && Instant::now() < deadline {
            std::thread::yield_now();
        }
        (process, helper)
    }

    #[test]
    fn helpers_end_with_their_own_engine() {
        adopt_orphans();
        let (one, its_helper) = with_helper();
        let (other, other_helper) = with_helper();
        assert_eq!(adopted(one.id()), [its_helper]);
        drop(other);
        assert_eq!([its_helper, other_helper].map(is_alive), [true, false]);
        drop(one);
        assert!(!is_alive(its_helper));
    }

    #[test]
    fn owners_are_found_by_group_or_mark() {
        let started = [3, 5].map(|pid| Started { pid, mark: Mark::new() });
        let owner = |group, environment: &str| {
            Owner::new(&started, group, environment.replace(' ', "\0").as_bytes())
        };
        let marked = |mark: &Mark| format!("A=1 {MARK}={} B=2", mark.0);
        assert_eq!(owner(Some(3), ""), Owner::Running(3));
        assert_eq!(owner(Some(9), &marked(&started[1].mark)), Owner::Running(5));
        assert_eq!(owner(None, &marked(&Mark::new())), Owner::Ended);
        // A match of another program.
        assert_eq!(owner(Some(9), "KAKUGO_ENGINE=0.1"), Owner::Unknown);
        assert_eq!(owner(Some(9), "A=1"), Owner::Unknown);
    }
}
