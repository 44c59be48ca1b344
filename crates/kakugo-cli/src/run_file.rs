//! Output files: written in one piece, or locked against other writers and continued by a later
//! run.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

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
    fs::read(path).with_context(context)
}

fn ensure_regular(path: &Path) -> anyhow::Result<()> {
    ensure!(fs::metadata(path)?.is_file(), "not a regular file");
    Ok(())
}

/// Creates a new file for exclusive writing.
///
/// # Errors
/// Returns an error if the file exists or cannot be created.
pub fn create(path: &Path) -> anyhow::Result<File> {
    open_exclusive(OpenOptions::new().write(true).create_new(true), path)
}

/// Returns the error of a file that could not be created. It names a missing folder as such.
fn name_missing_folder(path: &Path, error: io::Error) -> io::Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let is_missing = folder.is_some_and(|folder| !folder.is_dir());
    if is_missing && error.kind() == io::ErrorKind::NotFound {
        return io::Error::new(error.kind(), "the folder does not exist");
    }
    error
}

/// Opens a file and locks it against other writers. Readers are not affected.
#[cfg(not(windows))]
fn open_exclusive(options: &mut OpenOptions, path: &Path) -> anyhow::Result<File> {
    use std::fs::TryLockError;

    let file = options.open(path).map_err(|error| name_missing_folder(path, error))?;
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
        opened => Ok(opened.map_err(|error| name_missing_folder(path, error))?),
    }
}

/// Writes a file beside its place and renames it. Readers find it as it was before or as it is now,
/// and a failed write leaves the old one. Pipes and devices are written directly.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link keeps pointing to the file.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Opening it shows whether it may be written.
    let permissions = match OpenOptions::new().write(true).open(&target) {
        Ok(mut old) => {
            let metadata = old.metadata()?;
            if !metadata.is_file() {
                return old.write_all(bytes);
            }
            Some(metadata.permissions())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let new = temporary(&target);
    let written = write_new(&new, bytes, permissions).and_then(|()| fs::rename(&new, &target));
    if written.is_err() {
        _ = fs::remove_file(&new);
    }
    match written {
        // In a folder that only lets existing files be written, or in a sticky one (`/tmp`) with
        // another user's file.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => fs::write(&target, bytes),
        written => written,
    }
}

/// Returns the path of a temporary file beside this one.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".new-{}", std::process::id()));
    path.with_file_name(name)
}

/// Writes a new file completely.
fn write_new(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let mut file = File::create(path).map_err(|error| name_missing_folder(path, error))?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(bytes)
}

/// Checks early that a file can be written at the end of a long run.
///
/// # Errors
/// Returns an error if the folder does not exist, if the path is a folder or `-` (stdout), or if
/// the file cannot be opened or created.
pub fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    ensure!(path != Path::new("-"), "cannot write to stdout ('-'): expected the name of a file");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let exists = folder.is_none_or(Path::is_dir);
    ensure!(exists, "cannot write {}: the folder does not exist", path.display());
    ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    let tried = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => OpenOptions::new().write(true).open(path).map(drop),
        // Opening a pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => {
            let new = temporary(path);
            File::create(&new).map(|file| {
                drop(file);
                _ = fs::remove_file(&new);
            })
        }
    };
    tried.with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn stdout_is_not_a_file() {
        let error = ensure_writable(Path::new("-")).unwrap_err().to_string();
        assert!(error.contains("expected the name of a file"), "{error}");
    }

    #[test]
    fn files_that_cannot_be_written_are_found_early() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("page.html");
        ensure_writable(&path).unwrap();
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "nothing is left");
        fs::write(&path, "old").unwrap();
        ensure_writable(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        ensure_writable(Path::new("/dev/null")).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o400)).unwrap();
        // The superuser may write it nevertheless.
        let may_write = OpenOptions::new().write(true).open(&path).is_ok();
        assert_eq!(ensure_writable(&path).is_ok(), may_write);
        if cfg!(target_os = "linux") {
            // Nobody can create files there.
            let error = ensure_writable(Path::new("/proc/page.html")).unwrap_err().to_string();
            assert_eq!(error, "cannot write /proc/page.html");
        }
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = Path::new("/no/such/folder/file");
        let errors =
            [replace(path, b"").unwrap_err().to_string(), create(path).unwrap_err().to_string()];
        assert_eq!(errors, ["the folder does not exist"; 2]);
    }

    #[test]
    fn files_are_replaced_in_one_piece() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (path, link) = (folder.join("a.sgf"), folder.join("link.sgf"));
        replace(&path, b"first").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        // Whoever has the old file open still reads it.
        let mut before = File::open(&path).unwrap();
        replace(&link, b"second").unwrap();
        let mut old = String::new();
        before.read_to_string(&mut old).unwrap();
        assert_eq!((&*old, fs::read(&path).unwrap()), ("first", b"second".to_vec()));
        assert!(link.is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
        assert!(replace(folder, b"").is_err());
        replace(Path::new("/dev/null"), b"text").unwrap();
    }
}
