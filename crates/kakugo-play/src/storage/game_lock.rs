//! Locks of saved games: several programs may save games in one folder, and two that wrote the same
//! game would lose moves.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// A lock of a saved game, until it is dropped.
#[derive(Debug)]
pub struct GameLock {
    /// Locked; the system unlocks it even if the program is killed.
    _file: File,
    path: PathBuf,
}

impl GameLock {
    /// Locks a game by this file beside it, or returns `None` if it is locked already.
    pub(super) fn acquire(path: &Path) -> Option<GameLock> {
        let file = OpenOptions::new().create(true).append(true).open(path).ok()?;
        if is_taken(&file.try_lock()) {
            return None;
        }
        Some(GameLock { _file: file, path: path.to_owned() })
    }
}

/// Returns true if another holder has the lock. Some file systems have no locks: there, two
/// programs may save the same game.
fn is_taken(tried: &Result<(), TryLockError>) -> bool {
    matches!(tried, Err(TryLockError::WouldBlock))
}

impl Drop for GameLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_file_system_without_locks_has_no_locked_games() {
        assert!(is_taken(&Err(TryLockError::WouldBlock)));
        let unsupported = io::Error::from(io::ErrorKind::Unsupported);
        assert!(!is_taken(&Err(TryLockError::Error(unsupported))) && !is_taken(&Ok(())));
    }
}
