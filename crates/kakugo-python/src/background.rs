//! Searches without the global interpreter lock.
//!
//! A search runs on a thread of its own. The calling thread waits without the lock, and looks for
//! signals such as Ctrl-C twenty times a second.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use kakugo::StopHandle;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between two looks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Stack of a searching thread: the search is recursive.
pub const STACK_BYTES: usize = 8 << 20;

/// Waits for a message without the lock, until it is time to look for signals.
pub fn receive<T: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<T>>,
) -> Result<T, RecvTimeoutError> {
    py.detach(|| {
        let receiver = receiver.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        receiver.recv_timeout(SIGNAL_INTERVAL)
    })
}

/// Runs a search and returns its result. A signal whose handler raises an exception stops it.
pub fn search<T: Send>(
    py: Python<'_>,
    stop: &StopHandle,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let searching = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, move || sender.send(work()));
        let searching = searching.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let receiver = Mutex::new(receiver);
        let mut raised = None;
        loop {
            match receive(py, &receiver) {
                Ok(result) => return raised.map_or(Ok(result), Err),
                Err(RecvTimeoutError::Disconnected) => {
                    // The scope would repeat a panic of a thread that is not joined.
                    let _ = searching.join();
                    return Err(PyRuntimeError::new_err("the search failed"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stop.stop();
                        raised = Some(error);
                    }
                }
            }
        }
    })
}
