//! Signals to a running search from other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Signals between a running search and other threads.
#[derive(Default, Debug)]
pub struct Signals {
    /// Shared with the [`StopHandle`] that the signals come from.
    stop: Arc<AtomicBool>,
    pub(super) nodes: AtomicU64,
    /// Asked besides `stop`.
    poll: Option<fn() -> bool>,
}

impl Signals {
    /// Returns signals that also stop a search once `poll` returns `true`. The search calls it
    /// often: after a few hundred nodes each time. It replaces other threads on systems that have
    /// none.
    pub fn polling(poll: fn() -> bool) -> Signals {
        Signals { poll: Some(poll), ..Signals::default() }
    }

    /// Requests the search to stop and to return the best move it has found.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the search was requested to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.poll.is_some_and(|poll| poll())
    }

    /// Returns the nodes of the current or last search, except for the latest few hundred.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// A handle that stops searches from another thread, or from a progress function.
///
/// Clones stop the same searches. A stopped handle stays stopped: every later search with it ends
/// at once. Use a new handle for each search.
///
/// ```
/// use kakugo::{Board, Engine, Limits, StopHandle, Variant};
///
/// let stop = StopHandle::new();
/// let other = stop.clone();
/// std::thread::spawn(move || other.stop());
///
/// let board = Board::new(15, 15, Variant::FREESTYLE)?;
/// // Without other limits the search runs until it is stopped.
/// let best = Engine::default().best_move(&board, &Limits::new().stop(&stop));
/// assert!(best.is_some());
/// # Ok::<(), kakugo::UnsupportedSize>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct StopHandle {
    stop: Arc<AtomicBool>,
    /// Asked besides `stop`.
    poll: Option<fn() -> bool>,
}

impl StopHandle {
    /// Returns a handle that has not been stopped.
    pub fn new() -> StopHandle {
        StopHandle::default()
    }

    /// Returns a handle that also stops a search once `poll` returns `true`. The search calls it
    /// often: after a few hundred nodes each time. It replaces other threads on systems that have
    /// none.
    pub fn polling(poll: fn() -> bool) -> StopHandle {
        StopHandle { poll: Some(poll), ..StopHandle::default() }
    }

    /// Stops all current and later searches that use this handle or a clone of it.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if [`StopHandle::stop`] was called, or the function of
    /// [`StopHandle::polling`] requests it.
    pub fn is_stopped(&self) -> bool {
        self.signals().is_stopped()
    }
}

internal! { impl StopHandle {
    /// Returns the signals of one search, which this handle stops. Each search counts its own
    /// nodes.
    pub fn signals(&self) -> Signals {
        Signals { stop: Arc::clone(&self.stop), poll: self.poll, ..Signals::default() }
    }
} }
