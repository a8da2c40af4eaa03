//! A stream copied to a temporary file, for formats that are not read front to back.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use isotherm::monitor::Monitor;

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::input::Input;

/// Everything a stream holds, in a file that has no name and goes away by
/// itself; memory stays small, and the disk is the bound.
pub(crate) fn spool(
    input: &mut Input<'_>,
    path: &Path,
    monitor: &mut dyn Monitor,
) -> Result<(File, u64)> {
    let mut progress = Progress::begin(monitor, "reading the stream", None)?;
    let failed = |e| Error::io(path, "read", e);
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut buffer = vec![0; 1 << 20];
    let mut length = 0;
    loop {
        progress.step(length)?;
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                file.write_all(&buffer[..n]).map_err(failed)?;
                length += n as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
    }
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok((file, length))
}
