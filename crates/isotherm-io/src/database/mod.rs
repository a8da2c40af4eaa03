//! Tables of databases: SQLite files.
//!
//! Without the cargo feature `sqlite` they are refused, and the refusal says how to get it.

#[cfg(not(feature = "sqlite"))]
#[path = "no_sqlite.rs"]
pub(crate) mod sqlite;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;

use std::path::Path;

use crate::error::Error;

/// A database that cannot be read.
fn unusable(path: &Path, problem: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::format_as("database", path, None, problem, hint)
}
