//! Where a table is read from: a file or standard input.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input, in any format: its first bytes tell.
    Stdin,
    /// A file.
    Path(PathBuf),
}

impl<P: Into<PathBuf>> From<P> for Source {
    /// `-` is standard input.
    fn from(path: P) -> Self {
        let path = path.into();
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::Path(path)
        }
    }
}

impl Source {
    /// The file's name as errors show it; `-` for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Path(path) => path,
        }
    }
}

/// Opens a file and measures it. A directory is refused here: reading one
/// fails later and says less.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
    let about = file.metadata().map_err(|e| Error::io(path, "open", e))?;
    if about.is_dir() {
        let source = std::io::Error::from(std::io::ErrorKind::IsADirectory);
        return Err(Error::io(path, "open", source));
    }
    Ok((file, about.len()))
}
