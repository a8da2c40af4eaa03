//! What stands for SQLite in a program that was built without the feature `sqlite`.

use std::fs::File;
use std::path::Path;

use isotherm::monitor::Monitor;

use super::unusable;
use crate::error::Result;
use crate::source::ReadOptions;
use crate::table::Table;

/// Refuses.
pub(crate) fn read_sqlite(path: &Path, _: &ReadOptions, _: &mut dyn Monitor) -> Result<Table> {
    Err(unusable(
        path,
        "this isotherm was built without SQLite",
        "build it with the cargo feature sqlite, or save the table as .csv",
    ))
}

/// Refuses.
pub(crate) fn table_of(
    _: (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    read_sqlite(path, options, monitor)
}
