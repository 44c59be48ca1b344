//! Locks of saved games: several programs may save games in one folder, and two that wrote the same
//! game would lose moves.

use std::fs::{self, File, OpenOptions};
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
        file.try_lock().ok()?;
        Some(GameLock { _file: file, path: path.to_owned() })
    }
}

impl Drop for GameLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
