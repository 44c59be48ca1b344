//! Locking where a panic elsewhere must not spread.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock, whatever happened to another holder.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
