//! The runner: the start first, then concurrent checks, then those that must run alone.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::areas::start;
use super::check::{Area, Check};
use super::context::CheckContext;
use super::verdict::{Failure, Verdict};

/// A check with its verdict.
pub(super) struct Outcome {
    pub(super) check: &'static Check,
    pub(super) verdict: Verdict,
    pub(super) elapsed: Duration,
}

/// Runs a check, and retries it once if that may help.
fn judge(context: &CheckContext<'_>, check: &Check) -> Verdict {
    match Verdict::from((check.run)(context)) {
        Verdict::Fail(first) if may_retry(check, &first) => {
            retried(first, Verdict::from((check.run)(context)))
        }
        verdict => verdict,
    }
}

/// Returns true if a failed check is retried: a busy machine can delay any engine, but it does not
/// crash one.
fn may_retry(check: &Check, failure: &Failure) -> bool {
    let timed = check.exclusive || matches!(check.area, Area::Time | Area::Managers);
    timed && !failure.crashed
}

/// Returns the verdict after a failure and a second attempt.
fn retried(first: Failure, second: Verdict) -> Verdict {
    match second {
        Verdict::Pass(note) => {
            Verdict::Pass(format!("{note} (second attempt; first: {})", first.actual))
        }
        Verdict::Fail(second) => Verdict::Fail(second),
        // A check that could not be repeated does not cancel the failure.
        Verdict::Unsupported(_) | Verdict::Skipped(_) => Verdict::Fail(first),
    }
}

/// The order in which checks run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Start,
    Concurrent,
    Exclusive,
}

/// The check of the start, which runs first.
const START: &str = "start.ok";

/// Returns true if the check needs an engine that replies to `START`.
fn needs_start(check: &Check) -> bool {
    check.area != Area::Zip && check.id != "start.silent"
}

/// Runs the checks, up to `jobs` of them concurrently, and calls `done` after each one. The
/// outcomes are in the order of `checks`.
///
/// `start.ok` runs first. If the engine does not start, the checks that need it are skipped:
/// otherwise each of them would wait for the same reply.
pub(super) fn run(
    context: &CheckContext<'_>,
    checks: &[&'static Check],
    jobs: usize,
    done: impl Fn(&Outcome) + Sync,
) -> Vec<Outcome> {
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let numbered = || checks.iter().copied().enumerate();
    // For the profile, and for every manager: the checks of managers read as these do.
    let (is_dead, is_mute) = (AtomicBool::new(false), AtomicBool::new(false));
    let work = |queue: &[(usize, &'static Check)], next: &AtomicUsize| {
        while let Some(&(number, check)) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let fails = if check.area == Area::Managers { &is_mute } else { &is_dead };
            let verdict = match fails.load(Ordering::Relaxed) && needs_start(check) {
                true => Verdict::Skipped(format!("the engine does not start (see {START})")),
                false => judge(context, check),
            };
            if check.id == START && matches!(verdict, Verdict::Fail(_)) {
                let dead = !start::starts(context);
                is_dead.store(dead, Ordering::Relaxed);
                let mute = dead && !start::starts_for_some_manager(context);
                is_mute.store(mute, Ordering::Relaxed);
            }
            let outcome = Outcome { check, verdict, elapsed: began.elapsed() };
            done(&outcome);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
        }
    };
    let phase = |check: &Check| match check.id == START {
        true => Phase::Start,
        false if check.exclusive => Phase::Exclusive,
        false => Phase::Concurrent,
    };
    for (now, workers) in
        [(Phase::Start, 1), (Phase::Concurrent, jobs.max(1)), (Phase::Exclusive, 1)]
    {
        let queue: Vec<_> = numbered().filter(|(_, check)| phase(check) == now).collect();
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| work(&queue, &next));
            }
        });
    }
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(actual: &str) -> Failure {
        Failure {
            transcript: Vec::new(),
            actual: actual.to_owned(),
            expected: String::new(),
            advice: None,
            crashed: false,
        }
    }

    #[test]
    fn crashes_are_not_retried() {
        let alone = Check {
            id: "end.test",
            area: Area::End,
            requirement: "",
            source: "",
            managers: &[],
            advice: "",
            exclusive: true,
            run: |_| Ok(String::new()),
        };
        assert!(may_retry(&alone, &failure("late")));
        assert!(!may_retry(&alone, &Failure { crashed: true, ..failure("process ended") }));
        let concurrent = Check { exclusive: false, ..alone };
        assert!(!may_retry(&concurrent, &failure("late")));
    }

    #[test]
    fn only_a_pass_cancels_a_failure() {
        let after = |second| retried(failure("late"), second);
        let passed = Verdict::Pass("5 ms (second attempt; first: late)".to_owned());
        assert_eq!(after(Verdict::Pass("5 ms".to_owned())), passed);
        assert_eq!(after(Verdict::Fail(failure("later"))), Verdict::Fail(failure("later")));
        let moved = "the engine moves early".to_owned();
        assert_eq!(after(Verdict::Skipped(moved.clone())), Verdict::Fail(failure("late")));
        assert_eq!(after(Verdict::Unsupported(moved)), Verdict::Fail(failure("late")));
    }
}
