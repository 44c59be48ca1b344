//! Helper threads in a browser: workers that share the memory of the module.
//!
//! The standard library cannot start threads in WebAssembly. JavaScript starts workers instead,
//! whose instances of the module have the same memory. Each joins the pool and waits for jobs of
//! the worker that searches. The memory is shared only in a module with the target feature
//! `atomics`; in other modules the pool has no helpers.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use kakugo::search::{Job, Spawner, Start};

/// The helpers of this module's memory.
pub static HELPERS: Helpers = Helpers::new();

/// A pool of helper threads.
pub struct Helpers {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Helpers that have joined.
    helpers: usize,
    /// Jobs that wait for a helper.
    jobs: VecDeque<Job<'static>>,
    /// Jobs that wait or run.
    unfinished: usize,
}

impl Helpers {
    const fn new() -> Helpers {
        let state = State { helpers: 0, jobs: VecDeque::new(), unfinished: 0 };
        Helpers { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Returns the number of helpers.
    pub fn count(&self) -> usize {
        self.lock().helpers
    }

    /// Adds the current thread to the helpers. It must call [`Helpers::work`] next.
    pub fn join(&self) {
        self.lock().helpers += 1;
    }

    /// Runs jobs forever.
    pub fn work(&self) -> ! {
        loop {
            let mut state = self.lock();
            let job = loop {
                match state.jobs.pop_front() {
                    Some(job) => break job,
                    None => state = self.wait(state),
                }
            };
            drop(state);
            // A panic ends a module, but not a native test.
            let _ = catch_unwind(AssertUnwindSafe(job));
            self.lock().unfinished -= 1;
            self.changed.notify_all();
        }
    }

    /// Passes a job to a helper. Returns false if none is free.
    fn submit(&self, job: Job<'static>) -> bool {
        let mut state = self.lock();
        if state.unfinished >= state.helpers {
            return false;
        }
        state.unfinished += 1;
        state.jobs.push_back(job);
        self.changed.notify_all();
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits, when it is dropped, until all jobs of a pool have ended.
struct UntilFinished<'a>(&'a Helpers);

impl Drop for UntilFinished<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        while state.unfinished > 0 {
            state = self.0.wait(state);
        }
    }
}

impl Spawner for Helpers {
    fn scope<'env>(&self, main: &mut dyn FnMut(&mut Start<'_, 'env>)) {
        let _until_finished = UntilFinished(self);
        main(&mut |job: Job<'env>| {
            // SAFETY: A job is dropped before it counts as finished, and `_until_finished` waits
            // for all jobs before this function returns or unwinds. So none outlives `'env`.
            #[allow(unsafe_code)]
            let job = unsafe { std::mem::transmute::<Job<'env>, Job<'static>>(job) };
            self.submit(job)
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Returns a pool with this many helpers, which end with the process.
    fn pool(helpers: usize) -> &'static Helpers {
        let pool: &'static Helpers = Box::leak(Box::new(Helpers::new()));
        for _ in 0..helpers {
            pool.join();
            thread::spawn(|| pool.work());
        }
        pool
    }

    #[test]
    fn jobs_end_before_their_scope() {
        let pool = pool(2);
        for round in 0..if cfg!(miri) { 20 } else { 200 } {
            let counts = [0, 0, 0].map(AtomicUsize::new);
            let mut started = 0;
            pool.scope(&mut |start| {
                for count in &counts {
                    let job = || _ = count.fetch_add(round + 1, Ordering::Relaxed);
                    started += usize::from(start(Box::new(job)));
                }
            });
            let sum: usize = counts.into_iter().map(AtomicUsize::into_inner).sum();
            assert!(started >= 2, "{started}");
            assert_eq!(sum, started * (round + 1));
        }
        assert_eq!(pool.count(), 2);
    }

    #[test]
    fn a_pool_without_helpers_starts_nothing() {
        pool(0).scope(&mut |start| assert!(!start(Box::new(|| panic!("nothing runs this")))));
    }

    #[test]
    fn panics_end_their_jobs_only() {
        let pool = pool(1);
        for _ in 0..3 {
            let ran = AtomicUsize::new(0);
            pool.scope(&mut |start| {
                assert!(start(Box::new(|| {
                    ran.fetch_add(1, Ordering::Relaxed);
                    std::panic::resume_unwind(Box::new("as expected"));
                })));
            });
            assert_eq!(ran.into_inner(), 1);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a search takes too long")]
    fn a_search_uses_the_helpers() {
        use kakugo::search::{Limits, Signals, Silent};
        use kakugo::{Board, Engine, Variant};

        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let limits = Limits::new().nodes(20_000);
        let mut engine = Engine::new(1 << 20);
        engine.set_spawner(pool(1));
        engine.set_threads(3);
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        assert!(answer.best.is_some() && answer.nodes >= 20_000, "{answer:?}");
    }
}
