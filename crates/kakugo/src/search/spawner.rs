//! How a search starts its helper threads.

use std::thread::{Builder, scope};

/// Stack of a thread, in bytes. The search recurses once per ply.
const STACK_BYTES: usize = 16 << 20;

/// The work of a helper thread.
pub type Job<'env> = Box<dyn FnOnce() + Send + 'env>;

/// Starts a job on another thread. Returns `false` if no thread is available.
pub type Start<'a, 'env> = dyn FnMut(Job<'env>) -> bool + 'a;

/// A source of helper threads.
///
/// The default starts threads of the standard library. A program provides another one if it runs
/// where the standard library has no threads, such as in the workers of a browser.
pub trait Spawner: Sync {
    /// Calls `main` once on the current thread, with a function that starts jobs. Returns when all
    /// these jobs have ended.
    fn scope<'env>(&self, main: &mut dyn FnMut(&mut Start<'_, 'env>));
}

/// Threads of the standard library.
pub struct StdThreads;

impl Spawner for StdThreads {
    fn scope<'env>(&self, main: &mut dyn FnMut(&mut Start<'_, 'env>)) {
        scope(|scope| {
            let mut threads = Vec::new();
            main(&mut |job| {
                let name = format!("search {}", threads.len() + 1);
                let builder = Builder::new().name(name).stack_size(STACK_BYTES);
                match builder.spawn_scoped(scope, job) {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        log::warn!("a search thread cannot be started: {error}");
                        return false;
                    }
                }
                true
            });
            // The panic of a helper is not one of the search.
            threads.into_iter().for_each(|thread| _ = thread.join());
        });
    }
}
