//! Tables, figures and what is to be said of them, written from the rows.

use std::path::Path;

use anyhow::Result;

/// Writes every folder.
///
/// # Errors
/// When a file cannot be read or written.
pub fn write(_out: &Path, _data: &Path) -> Result<()> {
    Ok(())
}
