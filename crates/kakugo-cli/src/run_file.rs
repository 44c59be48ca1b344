//! Output files of long runs: locked against other writers, and continued by a later run.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail, ensure};

/// Opens or creates a file for exclusive writing. Returns the file and its contents.
///
/// # Errors
/// Returns an error if the file cannot be opened or another process is writing to it.
pub fn open(path: &Path) -> anyhow::Result<(File, Vec<u8>)> {
    if path.exists() {
        ensure_regular(path)?;
    }
    let mut options = OpenOptions::new();
    let mut file =
        open_exclusive(options.read(true).write(true).create(true).truncate(false), path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

/// Reads a regular file.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a regular file: a pipe or device may never
/// end.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let context = || format!("reading {}", path.display());
    ensure_regular(path).with_context(context)?;
    std::fs::read(path).with_context(context)
}

fn ensure_regular(path: &Path) -> anyhow::Result<()> {
    ensure!(std::fs::metadata(path)?.is_file(), "not a regular file");
    Ok(())
}

/// Creates a new file for exclusive writing.
///
/// # Errors
/// Returns an error if the file exists or cannot be created.
pub fn create(path: &Path) -> anyhow::Result<File> {
    open_exclusive(OpenOptions::new().write(true).create_new(true), path)
}

/// Opens a file and locks it against other writers. Readers are not affected.
#[cfg(not(windows))]
fn open_exclusive(options: &mut OpenOptions, path: &Path) -> anyhow::Result<File> {
    use std::fs::TryLockError;

    let file = options.open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
        // Ignore file systems without locks.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// Opens a file without write sharing. A lock would also block readers, even in this process.
#[cfg(windows)]
fn open_exclusive(options: &mut OpenOptions, path: &Path) -> anyhow::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    match options.share_mode(FILE_SHARE_READ).open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
            bail!("another process is writing to it")
        }
        opened => Ok(opened?),
    }
}

/// Checks early that a file can be written at the end of a long run.
///
/// # Errors
/// Returns an error if the folder does not exist or the path is a folder.
pub fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let exists = folder.is_none_or(Path::is_dir);
    ensure!(exists, "cannot write {}: the folder does not exist", path.display());
    ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    Ok(())
}
