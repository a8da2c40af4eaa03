//! Files that are there whole or not at all.
//!
//! The bytes go to a temporary file beside the destination, reach the disk,
//! and only then take the destination's name. On any failure the temporary
//! file is removed and what was there before is untouched; a kill in between
//! leaves at most a hidden `.isotherm-*.tmp`. Who writes one holds a lock on it,
//! so the next run that writes into the directory knows which were left behind,
//! and removes those that are more than an hour old.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};
use crate::write::temporary_files;

/// What to do when the destination exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// [`Error::Exists`], also when it appears while the bytes are written.
    #[default]
    Refuse,
    /// The new file takes its place, with its permissions.
    Replace,
}

/// Whether `path` could be written: to be asked before hours of computing.
///
/// # Errors
/// [`Error::Exists`]; [`Error::Io`] when it is a directory or its directory
/// does not exist.
pub fn check_destination(path: &Path, overwrite: Overwrite) -> Result<()> {
    let exists = fs::symlink_metadata(path).is_ok();
    if let Ok(about) = fs::metadata(path) {
        if about.is_dir() {
            let source = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(Error::io(path, "write", source));
        }
        if !about.is_file() {
            return Ok(()); // a device or a pipe: nothing to lose
        }
    }
    if exists && overwrite == Overwrite::Refuse {
        return Err(Error::Exists {
            path: path.to_owned(),
        });
    }
    let directory = directory_of(path);
    match fs::metadata(&directory) {
        // Asking the directory is the only sure way to learn what it allows.
        Ok(about) if about.is_dir() => match temporary_files::create(|| temporary(&directory)) {
            Ok(_) => Ok(()),
            Err(e) => Err(Error::io(path, "write", e)),
        },
        Ok(_) => {
            let source = std::io::Error::from(std::io::ErrorKind::NotADirectory);
            Err(Error::io(&directory, "write into", source))
        }
        Err(e) => Err(Error::io(&directory, "write into", e)),
    }
}

/// Writes a file through `fill`, whole or not at all.
///
/// A symbolic link is followed, so the file it points to is replaced. A device
/// or a pipe is written directly: there is nothing to replace.
///
/// # Errors
/// [`Error::Exists`] under [`Overwrite::Refuse`]; [`Error::Io`] when the
/// directory cannot be written, the disk is full, and so on;
/// [`Error::BrokenPipe`]; whatever `fill` returns.
pub fn write_atomically<E: From<Error>>(
    path: &Path,
    overwrite: Overwrite,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    check_destination(path, overwrite)?;
    let failed = |e| Error::io(path, "write", e);
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|about| !about.is_file()) {
        let file = fs::OpenOptions::new().write(true).open(path);
        let mut out = BufWriter::new(file.map_err(failed)?);
        fill(&mut out)?;
        return Ok(out.flush().map_err(failed)?);
    }
    let target = match old {
        Some(_) => fs::canonicalize(path).map_err(failed)?,
        None => path.to_owned(),
    };
    let directory = directory_of(&target);
    sweep(&directory);
    let (file, listed) = temporary_files::create(|| temporary(&directory)).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    fill(&mut out)?;
    out.flush().map_err(failed)?;
    let file = out.into_inner().map_err(|e| failed(e.into_error()))?;
    if let Some(old) = old {
        file.as_file()
            .set_permissions(old.permissions())
            .map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    let persisted = match overwrite {
        Overwrite::Replace => file.persist(&target),
        Overwrite::Refuse => file.persist_noclobber(&target),
    };
    // Dropping the error's file removes it.
    persisted.map_err(|e| match e.error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::Exists {
            path: path.to_owned(),
        },
        _ => failed(e.error),
    })?;
    listed.finished();
    Ok(sync_directory(&directory).map_err(failed)?)
}

const PREFIX: &str = ".isotherm-";
const SUFFIX: &str = ".tmp";

fn temporary(directory: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the process's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(directory)?;
    // It goes with the process, however that ends. Where there are no locks,
    // nobody can take one either, and nothing is swept.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Temporary files younger than this are left alone: their writer may be about
/// to lock them.
const OLD: Duration = Duration::from_secs(3600);
/// Names looked at: a directory of millions is not read for the sake of order.
const LOOKED_AT: usize = 10_000;

/// Removes what killed runs left behind. Whatever does not work is left for the
/// next run: nothing depends on it.
fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.take(LOOKED_AT).flatten() {
        let name = entry.file_name();
        let ours = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
        if !name.to_str().is_some_and(ours) || !entry.file_type().is_ok_and(|t| t.is_file()) {
            continue;
        }
        let Ok(file) = fs::OpenOptions::new().write(true).open(entry.path()) else {
            continue;
        };
        let written = file.metadata().and_then(|about| about.modified());
        let age = written.map(|then| SystemTime::now().duration_since(then));
        let old = matches!(age, Ok(Ok(age)) if age > OLD);
        if old && file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Makes the new name itself durable. File systems that cannot say so.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> std::io::Result<()> {
    use std::io::ErrorKind;
    match fs::File::open(directory).and_then(|d| d.sync_all()) {
        Err(e)
            if !matches!(
                e.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Err(e)
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> std::io::Result<()> {
    Ok(())
}
