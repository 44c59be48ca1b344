//! Who has a game open: several programs may keep their games in one folder, and two that wrote the
//! same game would lose moves.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

/// A game that is open here and nowhere else, until this is dropped.
#[derive(Debug)]
pub struct Claim {
    /// Locked; the system unlocks it even if the program is killed.
    _file: File,
    path: PathBuf,
}

impl Claim {
    /// Claim the game by this file beside it; `None` if it is claimed already.
    pub(super) fn take(path: &Path) -> Option<Claim> {
        let file = OpenOptions::new().create(true).append(true).open(path).ok()?;
        file.try_lock().ok()?;
        Some(Claim { _file: file, path: path.to_owned() })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
