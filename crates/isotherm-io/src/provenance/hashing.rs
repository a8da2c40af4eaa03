//! SHA-256 of files: beside the reading, and while writing.

use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// What a file held: its length and its SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileHash {
    /// The file, as it was named; `-` is standard input.
    pub path: String,
    /// Its length; none where the bytes could be read only once.
    pub bytes: Option<u64>,
    /// SHA-256, 64 lower-case hexadecimal digits; none as for `bytes`.
    pub sha256: Option<String>,
}

impl FileHash {
    /// A stream that was read once and not kept: nothing is known of it.
    pub fn unknown(path: &Path) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            bytes: None,
            sha256: None,
        }
    }

    /// Reads a file from end to end.
    ///
    /// # Errors
    /// [`Error::Io`], also for what is no regular file.
    pub fn of(path: &Path) -> Result<Self> {
        let (file, _) = regular(path).map_err(|e| Error::io(path, "open", e))?;
        hash(file, path)
    }
}

/// Opens a regular file. Nothing else is touched: to open a pipe waits for its
/// writer, and takes it from its reader.
fn regular(path: &Path) -> std::io::Result<(File, Metadata)> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no regular file"));
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    Ok((file, about))
}

/// Bytes read at once: large enough that the system's calls cost nothing.
const BLOCK: usize = 1 << 18;

fn hash(mut file: File, path: &Path) -> Result<FileHash> {
    let mut state = Sha256::new();
    let mut block = vec![0; BLOCK];
    let mut bytes = 0;
    loop {
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(n) => {
                state.update(&block[..n]);
                bytes += n as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(path, "read", e)),
        }
    }
    Ok(FileHash {
        path: path.to_string_lossy().into_owned(),
        bytes: Some(bytes),
        sha256: Some(hexadecimal(state)),
    })
}

fn hexadecimal(state: Sha256) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(64);
    for byte in state.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Files being hashed by a thread of their own, while they are read.
///
/// A file is opened when it is announced and its state compared when the hashes
/// are asked for, so a file that is changed or replaced in between is found out.
#[derive(Debug, Default)]
pub struct Hashing {
    worker: Option<Worker>,
    waiting: Vec<Announced>,
}

#[derive(Debug)]
struct Worker {
    files: Sender<(File, PathBuf)>,
    hashes: Receiver<Result<FileHash>>,
}

#[derive(Debug)]
enum Announced {
    Known(FileHash),
    Hashed { path: PathBuf, before: Metadata },
}

impl Hashing {
    /// Announces a file that is about to be read. One that cannot be opened, or
    /// is no regular file, is left to its reader, and its hash is unknown.
    pub fn announce(&mut self, path: &Path) {
        let (file, before) = match regular(path) {
            Ok(opened) if path.as_os_str() != "-" => opened,
            _ => {
                let unknown = FileHash::unknown(path);
                self.waiting.push(Announced::Known(unknown));
                return;
            }
        };
        let worker = self.worker.get_or_insert_with(Worker::start);
        // A worker that has gone is found out at the end.
        let _ = worker.files.send((file, path.to_owned()));
        self.waiting.push(Announced::Hashed {
            path: path.to_owned(),
            before,
        });
    }

    /// The hashes of all files announced, in that order; waits for them.
    ///
    /// `stopped` is asked twenty times a second whether to give up.
    ///
    /// # Errors
    /// [`Error::Changed`] when a file is not the one that was announced;
    /// [`Error::Io`]; [`Error::Cancelled`].
    pub fn finish(mut self, stopped: &dyn Fn() -> bool) -> Result<Vec<FileHash>> {
        let mut hashes = match self.worker.take() {
            Some(worker) => worker.end(stopped)?,
            None => Vec::new(),
        }
        .into_iter();
        let mut out = Vec::with_capacity(self.waiting.len());
        for announced in self.waiting {
            out.push(match announced {
                Announced::Known(hash) => hash,
                Announced::Hashed { path, before } => {
                    let ended = std::io::Error::other("the hashing ended early");
                    let hash = hashes
                        .next()
                        .unwrap_or_else(|| Err(Error::io(&path, "hash", ended)))?;
                    let after = std::fs::metadata(&path);
                    if after.is_ok_and(|after| same(&before, &after)) {
                        hash
                    } else {
                        return Err(Error::Changed { path });
                    }
                }
            });
        }
        Ok(out)
    }
}

impl Worker {
    fn start() -> Self {
        let (files, queue) = channel::<(File, PathBuf)>();
        let (send, hashes) = channel();
        // It ends with its queue, or with the process.
        std::thread::spawn(move || {
            for (file, path) in queue {
                if send.send(hash(file, &path)).is_err() {
                    break;
                }
            }
        });
        Self { files, hashes }
    }

    /// Takes no more files, and waits for those that were sent.
    fn end(self, stopped: &dyn Fn() -> bool) -> Result<Vec<Result<FileHash>>> {
        drop(self.files);
        let mut all = Vec::new();
        loop {
            match self.hashes.recv_timeout(Duration::from_millis(50)) {
                Ok(hash) => all.push(hash),
                Err(RecvTimeoutError::Disconnected) => return Ok(all),
                Err(RecvTimeoutError::Timeout) if stopped() => {
                    let phase = "hashing the inputs";
                    return Err(Error::Cancelled { phase });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Whether two looks saw the same file in the same state.
fn same(before: &Metadata, after: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (after.dev(), after.ino()) {
            return false;
        }
    }
    before.len() == after.len() && before.modified().ok() == after.modified().ok()
}

/// Passes bytes on and hashes them.
pub(crate) struct HashedWriter<W> {
    out: W,
    state: Sha256,
    bytes: u64,
}

impl<W: Write> HashedWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            state: Sha256::new(),
            bytes: 0,
        }
    }

    /// What was written, as the file of this name.
    pub(crate) fn finish(self, name: String) -> FileHash {
        FileHash {
            path: name,
            bytes: Some(self.bytes),
            sha256: Some(hexadecimal(self.state)),
        }
    }
}

impl<W: Write> Write for HashedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.state.update(&bytes[..n]);
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
