//! `out.csv.run.json`: the provenance of a table that has no place for it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::provenance::Provenance;
use crate::provenance::hashing::FileHash;
use crate::write::atomic::{Overwrite, write_atomically};

/// What a sidecar's name ends in, after the table's.
pub const ENDING: &str = ".run.json";

/// A provenance beside its table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// The layout of this object; 1.
    pub schema: u32,
    /// The table, without its directory: what was written, so that a table
    /// that was changed since is found out.
    pub output: FileHash,
    /// Where it came from.
    pub provenance: Provenance,
}

/// The sidecar of a table.
pub fn path_of(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

/// The table of a sidecar, if this is the name of one.
pub fn table_of(sidecar: &Path) -> Option<PathBuf> {
    let name = sidecar.to_str()?.strip_suffix(ENDING)?;
    (!name.is_empty() && !name.ends_with('/')).then(|| name.into())
}

/// Writes the sidecar of a table, whole or not at all.
///
/// # Errors
/// As [`write_atomically`].
pub(crate) fn write(
    table: &Path,
    output: FileHash,
    provenance: &Provenance,
    overwrite: Overwrite,
) -> Result<()> {
    let path = path_of(table);
    let sidecar = Sidecar {
        schema: 1,
        output,
        provenance: provenance.clone(),
    };
    write_atomically(&path, overwrite, |out| {
        let failed = |e: std::io::Error| Error::io(&path, "write", e);
        serde_json::to_writer_pretty(&mut *out, &sidecar).map_err(|e| failed(e.into()))?;
        out.write_all(b"\n").map_err(failed)
    })
}
