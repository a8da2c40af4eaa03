//! How much a reader accepts before it refuses by name.

use std::path::Path;

use crate::error::{Error, Result, shown};

/// How much a reader accepts. The defaults suit files made in good faith; a
/// service that opens strangers' files lowers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest record of a text file, in bytes: 64 MiB.
    pub record: usize,
    /// Most columns of a table: 100,000.
    pub columns: usize,
    /// Bytes that any file may take once decompressed and decoded: 1 GiB.
    pub floor: u64,
    /// Beyond the floor, bytes in memory per byte of a compressed file: 1,000.
    pub ratio: u64,
    /// Bytes that a table may take once it is decompressed and read whole, whatever its
    /// format: no limit. Who reads in parts does not keep what was read.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: 64 << 20,
            columns: 100_000,
            floor: 1 << 30,
            ratio: 1_000,
            memory: u64::MAX,
        }
    }
}

impl Limits {
    /// Bytes that a compressed file of this length may take in memory.
    pub fn expanded(&self, file_length: u64) -> u64 {
        self.ratio
            .saturating_mul(file_length)
            .saturating_add(self.floor)
    }

    /// Refuses a file that takes more bytes in memory than [`Self::memory`].
    pub(crate) fn check_memory(&self, path: &Path, needed: u64, hint: &str) -> Result<()> {
        if needed <= self.memory {
            return Ok(());
        }
        Err(Error::Core(isotherm::Error::Memory {
            what: format!("reading {} whole", shown(path)),
            needed,
            limit: Some(self.memory),
            hint: hint.to_owned(),
        }))
    }
}

/// What to do with a table that does not fit into memory.
pub(crate) const READ_IN_PARTS: &str =
    "fit --stream and predict --stream read it in parts; or free some memory, or raise --memory";
