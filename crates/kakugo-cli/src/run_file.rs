//! Files of long runs: one process at a time writes to them, and a later one goes on with them.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail, ensure};

/// Open a file, or make a new one, to which no other process may write meanwhile; with all that is in it.
///
/// # Errors
/// It cannot be read or written, or another process writes to it.
pub fn open(path: &Path) -> anyhow::Result<(File, Vec<u8>)> {
    if path.exists() {
        ensure_file(path)?;
    }
    let mut options = OpenOptions::new();
    let mut file = alone(options.read(true).write(true).create(true).truncate(false), path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

/// All that is in a file.
///
/// # Errors
/// It cannot be read, or is none: a folder, or a pipe or device, which may never end.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let reading = || format!("reading {}", path.display());
    ensure_file(path).with_context(reading)?;
    std::fs::read(path).with_context(reading)
}

fn ensure_file(path: &Path) -> anyhow::Result<()> {
    ensure!(std::fs::metadata(path)?.is_file(), "it is no file");
    Ok(())
}

/// Make a new file to which no other process may write until it is closed.
///
/// # Errors
/// It exists, or cannot be written.
pub fn create(path: &Path) -> anyhow::Result<File> {
    alone(OpenOptions::new().write(true).create_new(true), path)
}

/// Open a file so that no other process may write to it until it is closed; others may read it.
#[cfg(not(windows))]
fn alone(options: &mut OpenOptions, path: &Path) -> anyhow::Result<File> {
    use std::fs::TryLockError;

    let file = options.open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process writes to it"),
        // Where files cannot be locked the user must see to it that one process writes.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// The same. A lock would keep others from reading, too, and this process by another handle.
#[cfg(windows)]
fn alone(options: &mut OpenOptions, path: &Path) -> anyhow::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    match options.share_mode(FILE_SHARE_READ).open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
            bail!("another process writes to it")
        }
        opened => Ok(opened?),
    }
}

/// What cannot be written at the end of a long run is told at its beginning.
///
/// # Errors
/// There is no folder for this file, or it is one itself.
pub fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let exists = folder.is_none_or(Path::is_dir);
    ensure!(exists, "writing {}: there is no such folder", path.display());
    ensure!(!path.is_dir(), "writing {}: it is a folder", path.display());
    Ok(())
}
