//! A handle that stops searches from elsewhere.

use std::sync::Arc;

use super::limits::Signals;

/// A handle that stops searches from another thread, or from a progress function.
///
/// Clones stop the same searches. Once stopped, a handle stays so: every later search that uses it
/// ends at once. Use a new handle for each search.
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
pub struct StopHandle(Arc<Signals>);

impl StopHandle {
    /// Returns a handle that has not been stopped.
    pub fn new() -> StopHandle {
        StopHandle::default()
    }

    /// Stops the searches that use this handle or a clone of it, at once and for good.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// The signals that the search checks.
    pub(crate) fn signals(&self) -> &Signals {
        &self.0
    }
}
