//! The temporary files that are being written. A process that exits at once removes them
//! with [`abandon`], because destructors do not run then.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static FINISHED: AtomicUsize = AtomicUsize::new(0);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of names is whole at any moment.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file that is being written; off the list when this is dropped.
pub(crate) struct Listed(PathBuf);

/// Makes a temporary file and lists it under one lock, so that [`abandon`] misses none.
pub(crate) fn create(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<(NamedTempFile, Listed)> {
    let mut paths = unfinished();
    let file = make()?;
    paths.push(file.path().to_owned());
    let listed = Listed(file.path().to_owned());
    Ok((file, listed))
}

impl Listed {
    /// The file has taken its final name.
    pub(crate) fn finished(self) {
        FINISHED.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().retain(|p| *p != self.0);
    }
}

/// Removes every temporary file that is being written. Writers that come later wait for
/// ever, so the caller must end the process next.
pub fn abandon() {
    let paths = unfinished();
    for path in paths.iter() {
        // One that was just renamed is a whole file, and not there any more.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(paths);
}

/// How many files this process has written whole.
pub fn finished() -> usize {
    FINISHED.load(Ordering::Relaxed)
}
