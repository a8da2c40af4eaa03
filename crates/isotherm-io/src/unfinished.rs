//! Which temporary files are being written, for a process that has to leave at
//! once: destructors do not run then, and nothing should stay behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static FINISHED: AtomicUsize = AtomicUsize::new(0);

/// A temporary file that is being written; off the list when this is dropped.
pub(crate) struct Listed(PathBuf);

/// Lists a temporary file.
pub(crate) fn list(path: &Path) -> Listed {
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
    Listed(path.to_owned())
}

impl Listed {
    /// The file has taken its final name.
    pub(crate) fn finished(self) {
        FINISHED.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Ok(mut paths) = UNFINISHED.lock() {
            paths.retain(|p| *p != self.0);
        }
    }
}

/// Removes every temporary file that is being written; to be called by who ends
/// the process next. Writers that go on meanwhile fail.
pub fn abandon() {
    if let Ok(paths) = UNFINISHED.lock() {
        for path in paths.iter() {
            // One that was just renamed is a whole file, and not there any more.
            let _ = fs::remove_file(path);
        }
    }
}

/// How many files this process has written whole.
pub fn finished() -> usize {
    FINISHED.load(Ordering::Relaxed)
}
