//! A thread that runs searches, one job after the other.
//!
//! The thread owns a state that its jobs share, such as a [`Player`](super::Player). A job is a
//! function of the state and of the [`Signals`] that stop it. Its result is passed to a callback on
//! the thread. After a panic of a job, the state is created anew, and the next job runs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use crate::search::Signals;

/// Stack size of the thread, in bytes. The search recurses once per ply.
const STACK_BYTES: usize = 16 << 20;

/// A job. It receives the state, and a function that creates the state anew.
type Job<S> = Box<dyn FnOnce(&mut S, &dyn Fn() -> S) + Send>;

/// A handle of a thread with the state `S`. Dropping it stops the latest job; the thread ends soon
/// after.
pub struct Thread<S> {
    jobs: Sender<Job<S>>,
    /// The signals of the latest job.
    signals: Arc<Signals>,
}

impl<S: 'static> Thread<S> {
    /// Starts a thread with this name. `make` creates its state.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(name: &str, make: impl Fn() -> S + Send + 'static) -> io::Result<Thread<S>> {
        let (jobs, todo) = channel();
        thread::Builder::new()
            .name(name.to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(&todo, &make))?;
        Ok(Thread { jobs, signals: Arc::default() })
    }

    /// Runs `work` on the thread after all earlier jobs, which are not stopped. Then calls `done`
    /// with the result, or with the message of a panic.
    pub fn give<T>(
        &mut self,
        work: impl FnOnce(&mut S, &Signals) -> T + Send + 'static,
        done: impl FnOnce(Result<T, String>) + Send + 'static,
    ) {
        self.signals = Arc::default();
        let signals = Arc::clone(&self.signals);
        let job: Job<S> = Box::new(move |kept, make| {
            let result = catch_unwind(AssertUnwindSafe(|| work(kept, &signals)));
            done(result.map_err(|payload| {
                *kept = make();
                words(&*payload)
            }));
        });
        if self.jobs.send(job).is_err() {
            log::error!("the thinking thread is gone");
        }
    }

    /// Requests the latest job to return its result now.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Returns the signals of the latest job.
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }
}

/// Stops the latest job, because nobody waits for its result.
impl<S> Drop for Thread<S> {
    fn drop(&mut self) {
        self.signals.stop();
    }
}

fn work<S>(todo: &Receiver<Job<S>>, make: &dyn Fn() -> S) {
    let mut kept = make();
    while let Ok(job) = todo.recv() {
        job(&mut kept, make);
    }
}

/// Returns the message of a panic.
fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::RecvTimeoutError;
    use std::time::Duration;

    /// Longest wait for what must come. It says that something hangs, not that it is slow.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A thread that keeps the numbers of its jobs, and its results.
    struct Counting {
        thread: Thread<Vec<u32>>,
        sender: Sender<Result<Vec<u32>, String>>,
        results: Receiver<Result<Vec<u32>, String>>,
    }

    impl Counting {
        fn new() -> Counting {
            let (sender, results) = channel();
            Counting { thread: Thread::start("test", Vec::new).unwrap(), sender, results }
        }

        fn give(&mut self, number: u32, work: impl FnOnce(&Signals) + Send + 'static) {
            let sender = self.sender.clone();
            let job = move |kept: &mut Vec<u32>, signals: &Signals| {
                kept.push(number);
                work(signals);
                kept.clone()
            };
            self.thread.give(job, move |result| _ = sender.send(result));
        }

        fn result(&self) -> Result<Result<Vec<u32>, String>, RecvTimeoutError> {
            self.results.recv_timeout(PATIENCE)
        }
    }

    fn until_stopped(signals: &Signals) {
        while !signals.is_stopped() {
            thread::yield_now();
        }
    }

    #[test]
    fn jobs_are_done_in_order_and_each_is_stopped_by_itself() {
        let mut counting = Counting::new();
        counting.give(1, until_stopped);
        let first = Arc::clone(counting.thread.signals());
        counting.give(2, until_stopped);
        counting.thread.stop();
        assert!(!first.is_stopped(), "the first goes on");
        counting.give(3, |_| {});
        first.stop();
        let results: Vec<_> = (0..3).map(|_| counting.result()).collect();
        assert_eq!(results, [Ok(Ok(vec![1])), Ok(Ok(vec![1, 2])), Ok(Ok(vec![1, 2, 3]))]);
    }

    #[test]
    fn a_panic_costs_what_was_kept_and_no_more() {
        let mut counting = Counting::new();
        counting.give(1, |_| {});
        counting.give(2, |_| panic!("a {}", "mishap"));
        counting.give(3, |_| {});
        assert_eq!(counting.result(), Ok(Ok(vec![1])));
        assert_eq!(counting.result(), Ok(Err("a mishap".to_owned())));
        assert_eq!(counting.result(), Ok(Ok(vec![3])));
    }

    #[test]
    fn a_dropped_thread_stops_what_it_does() {
        let mut counting = Counting::new();
        counting.give(1, until_stopped);
        let Counting { thread, sender: _, results } = counting;
        drop(thread);
        assert_eq!(results.recv_timeout(PATIENCE), Ok(Ok(vec![1])));
    }
}
