//! Whether a file is still the file it was.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, Result};
use crate::source::Source;

/// What a file looked like before it was read: its length, the time of its
/// last change, and which file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileVersion {
    path: PathBuf,
    /// `None` for what is not a regular file: pipes change by being read.
    seen: Option<Seen>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    length: u64,
    changed: Option<SystemTime>,
    which: (u64, u64),
}

impl FileVersion {
    /// Looks at a source; standard input and what cannot be looked at are
    /// always as they were.
    pub(crate) fn of(source: &Source) -> Self {
        Self {
            path: source.path().to_owned(),
            seen: match source {
                Source::Stdin => None,
                Source::Path(path) => look(path),
            },
        }
    }

    /// Refuses a file that has changed since.
    ///
    /// # Errors
    /// [`Error::Changed`].
    pub(crate) fn check(&self) -> Result<()> {
        match &self.seen {
            Some(seen) if look(&self.path).as_ref() != Some(seen) => Err(Error::Changed {
                path: self.path.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// What reading gave, unless the file changed meanwhile: then that is the
    /// reason for whatever went wrong.
    ///
    /// # Errors
    /// [`Error::Changed`], or what reading refused.
    pub(crate) fn after<T>(&self, read: Result<T>) -> Result<T> {
        match read {
            Err(Error::Cancelled { phase }) => Err(Error::Cancelled { phase }),
            other => self.check().and(other),
        }
    }
}

fn look(path: &Path) -> Option<Seen> {
    let about = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
    Some(Seen {
        length: about.len(),
        changed: about.modified().ok(),
        which: which(&about),
    })
}

#[cfg(unix)]
fn which(about: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (about.dev(), about.ino())
}

#[cfg(not(unix))]
fn which(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
