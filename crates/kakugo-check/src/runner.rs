//! Running checks: those that can, side by side; then those that need the machine for themselves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::bench::Bench;
use super::item::{Area, Check};
use super::verdict::Verdict;

/// A check and what came of it.
pub(super) struct Outcome {
    pub(super) check: &'static Check,
    pub(super) verdict: Verdict,
    pub(super) took: Duration,
}

/// Run a check. Where it is about time and fails, it is run once more: on a busy machine nobody is in time.
fn judge(bench: &Bench<'_>, check: &Check) -> Verdict {
    let first = Verdict::from((check.run)(bench));
    let timed = check.alone || matches!(check.area, Area::Time | Area::Managers);
    match (&first, timed) {
        (Verdict::Fail(failure), true) => match Verdict::from((check.run)(bench)) {
            Verdict::Pass(note) => {
                Verdict::Pass(format!("{note}, at the second try; at the first {}", failure.came))
            }
            second => second,
        },
        _ => first,
    }
}

/// Run the checks, `jobs` at a time where they allow it; `done` is told of each as it ends. The outcomes are
/// in the order of the checks.
pub(super) fn run(
    bench: &Bench<'_>,
    checks: &[&'static Check],
    jobs: usize,
    done: impl Fn(&Outcome) + Sync,
) -> Vec<Outcome> {
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let numbered = || checks.iter().copied().enumerate();
    let work = |queue: &[(usize, &'static Check)], next: &AtomicUsize| {
        while let Some(&(number, check)) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let verdict = judge(bench, check);
            let outcome = Outcome { check, verdict, took: began.elapsed() };
            done(&outcome);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
        }
    };
    for (alone, workers) in [(false, jobs.max(1)), (true, 1)] {
        let queue: Vec<_> = numbered().filter(|(_, check)| check.alone == alone).collect();
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
