//! The runner: concurrent checks first, then those that must run alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::check::{Area, Check};
use super::context::CheckContext;
use super::verdict::Verdict;

/// A check with its verdict.
pub(super) struct Outcome {
    pub(super) check: &'static Check,
    pub(super) verdict: Verdict,
    pub(super) elapsed: Duration,
}

/// Runs a check. Failed timing checks are retried once, because a busy machine can delay any
/// engine.
fn judge(context: &CheckContext<'_>, check: &Check) -> Verdict {
    let first = Verdict::from((check.run)(context));
    let timed = check.exclusive || matches!(check.area, Area::Time | Area::Managers);
    match (&first, timed) {
        (Verdict::Fail(failure), true) => match Verdict::from((check.run)(context)) {
            Verdict::Pass(note) => {
                Verdict::Pass(format!("{note} (second attempt; first: {})", failure.actual))
            }
            second => second,
        },
        _ => first,
    }
}

/// Runs the checks, up to `jobs` of them concurrently, and calls `done` after each one. The
/// outcomes are in the order of `checks`.
pub(super) fn run(
    context: &CheckContext<'_>,
    checks: &[&'static Check],
    jobs: usize,
    done: impl Fn(&Outcome) + Sync,
) -> Vec<Outcome> {
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let numbered = || checks.iter().copied().enumerate();
    let work = |queue: &[(usize, &'static Check)], next: &AtomicUsize| {
        while let Some(&(number, check)) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let verdict = judge(context, check);
            let outcome = Outcome { check, verdict, elapsed: began.elapsed() };
            done(&outcome);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
        }
    };
    for (exclusive, workers) in [(false, jobs.max(1)), (true, 1)] {
        let queue: Vec<_> = numbered().filter(|(_, check)| check.exclusive == exclusive).collect();
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
