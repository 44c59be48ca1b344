//! The file of a long run, which one process at a time appends to and a later one goes on with.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::Path;

use anyhow::bail;

/// Open and lock a file, or make a new one; with all that is in it.
///
/// # Errors
/// It cannot be read or written, or another process writes to it.
pub fn open(path: &Path) -> anyhow::Result<(File, Vec<u8>)> {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    lock(&file)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

/// Have this process be the only one that writes to a file, until it is closed.
///
/// # Errors
/// Another process writes to it.
pub fn lock(file: &File) -> anyhow::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process writes to it"),
        // Where files cannot be locked the user must see to it that one process writes.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}
