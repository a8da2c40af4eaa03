//! Which temporary files are being written, for a process that has to leave at
//! once: destructors do not run then, and nothing should stay behind.

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

/// Makes a temporary file and lists it, in one step for whoever leaves meanwhile.
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

/// Removes every temporary file that is being written, and lets nobody begin
/// another: writers wait for ever. Only for who ends the process next.
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
