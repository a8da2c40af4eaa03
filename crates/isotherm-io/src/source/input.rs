//! Bytes in: opened, counted, and decompressed where they were compressed.
//!
//! Gzip (any number of members) and zstd (any number of frames) are known by
//! their first bytes, whatever the name says. What comes out is bounded by
//! [`Limits`]; a stream that ends early or is damaged is an error, never a
//! shorter table.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::bufread::GzDecoder;

use crate::error::{Error, Result};
use crate::limits::{Limits, READ_IN_PARTS};
use crate::source::{Source, open};

/// Bytes looked at to know what the rest is.
const HEAD: usize = 16;

/// How far the file itself has been read, for progress: of a compressed file,
/// compressed bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position(Rc<Cell<u64>>);

impl Position {
    pub(crate) fn get(&self) -> u64 {
        self.0.get()
    }
}

/// How a stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Whether a file that begins like this is decompressed.
pub(crate) fn is_compressed(head: &[u8]) -> bool {
    Compression::of(head).is_some()
}

/// The bytes of a file or stream, decompressed.
pub(crate) struct Input<'a> {
    bytes: Box<dyn Read + 'a>,
    path: PathBuf,
    limits: Limits,
    compression: Option<Compression>,
    position: Position,
    /// Whether an error came from the system and not from the decompressor.
    failed: Rc<Cell<bool>>,
    /// Bytes that came out.
    out: u64,
    /// Bytes of the file, where they are known.
    length: Option<u64>,
}

impl Input<'static> {
    /// Opens a file or standard input.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Format`] for a damaged beginning.
    pub(crate) fn open(source: &Source, limits: Limits) -> Result<Self> {
        match source {
            Source::Stdin => Self::new(io::stdin(), source.path(), None, limits),
            Source::Path(path) => {
                let (file, length) = open(path)?;
                Self::of_file(file, path, length, limits)
            }
        }
    }

    /// A file that is open already; pipes among files have no length.
    pub(crate) fn of_file(file: File, path: &Path, length: u64, limits: Limits) -> Result<Self> {
        Self::new(file, path, Some(length).filter(|n| *n > 0), limits)
    }
}

impl<'a> Input<'a> {
    /// Looks at the first bytes and decompresses if they say so.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Format`] for a damaged beginning.
    pub(crate) fn new(
        bytes: impl Read + 'a,
        path: &Path,
        length: Option<u64>,
        limits: Limits,
    ) -> Result<Self> {
        let position = Position::default();
        let failed = Rc::new(Cell::new(false));
        let mut counted = Counted {
            bytes,
            position: position.clone(),
            failed: failed.clone(),
        };
        let (head, _) = fill(&mut counted, HEAD).map_err(|e| Error::io(path, "read", e))?;
        let compression = Compression::of(&head);
        let whole = Cursor::new(head).chain(counted);
        let bytes: Box<dyn Read + 'a> = match compression {
            None => Box::new(whole),
            Some(Compression::Gzip) => Box::new(Members::new(BufReader::new(whole))),
            Some(Compression::Zstd) => Box::new(
                zstd::stream::read::Decoder::new(whole).map_err(|e| Error::io(path, "read", e))?,
            ),
        };
        Ok(Self {
            bytes,
            path: path.to_owned(),
            limits,
            compression,
            position,
            failed,
            out: 0,
            length,
        })
    }

    /// How far the file has been read.
    pub(crate) fn position(&self) -> Position {
        self.position.clone()
    }

    /// Bytes of the file as it is stored, where they are known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Reads the first bytes, fewer only at the end of the input, and puts
    /// them back in front.
    ///
    /// # Errors
    /// [`Error::Io`], and what the decompressor refuses.
    pub(crate) fn head(&mut self) -> Result<Vec<u8>> {
        let before = self.out;
        let (head, _) = fill(self, HEAD).map_err(|e| Error::io(&self.path, "read", e))?;
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(head.clone()).chain(rest));
        self.out = before; // it will be counted when it is read again
        Ok(head)
    }

    /// What the decompressor's complaint means.
    fn damaged(&self, compression: Compression, error: io::Error) -> io::Error {
        let name = compression.name();
        let inner = error.get_ref();
        let trailing = inner.is_some_and(<dyn std::error::Error + Send + Sync>::is::<Trailing>);
        let problem = match error.kind() {
            ErrorKind::UnexpectedEof => format!("the {name} stream ends too early"),
            _ if trailing => error.to_string(),
            _ => format!("the {name} stream is damaged: {error}"),
        };
        let hint = if trailing {
            "if they are padding, decompress it with `gzip -dc`, which ignores them"
        } else {
            "copy the file again, or compress it again"
        };
        io::Error::other(Error::format_as(
            "compressed",
            &self.path,
            None,
            problem,
            hint,
        ))
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match (self.bytes.read(buffer), self.compression) {
            (Ok(n), _) => n,
            (Err(e), Some(compression))
                if e.kind() != ErrorKind::Interrupted && !self.failed.get() =>
            {
                return Err(self.damaged(compression, e));
            }
            (Err(e), _) => return Err(e),
        };
        self.out = self.out.saturating_add(read as u64);
        (self.limits)
            .check_memory(&self.path, self.out, READ_IN_PARTS)
            .map_err(io::Error::other)?;
        if self.compression.is_none() {
            return Ok(read);
        }
        let limit = self.limits.expanded(self.position.get());
        if self.out > limit {
            return Err(io::Error::other(Error::limit(
                &self.path,
                None,
                "the decompressed size in bytes",
                (self.out, limit),
                "decompress the file yourself if you trust it",
            )));
        }
        Ok(read)
    }
}

/// Bytes after the last gzip member that begin none.
#[derive(Debug, thiserror::Error)]
#[error("bytes that are not gzip follow the gzip stream")]
struct Trailing;

/// Gzip members, one after the other.
struct Members<R: BufRead> {
    /// `None` after the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    fn new(bytes: R) -> Self {
        Self {
            member: Some(GzDecoder::new(bytes)),
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match member.get_mut().fill_buf()?.first() {
                None => self.member = None,
                Some(0x1F) => {
                    let rest = self.member.take().map(GzDecoder::into_inner);
                    self.member = rest.map(GzDecoder::new);
                }
                Some(_) => return Err(io::Error::other(Trailing)),
            }
        }
        Ok(0)
    }
}

/// Reads until there are `wanted` bytes; `true` when the input ended before.
pub(crate) fn fill(input: &mut impl Read, wanted: usize) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    loop {
        let missing = (wanted - bytes.len()) as u64;
        match input.by_ref().take(missing).read_to_end(&mut bytes) {
            Ok(_) => {
                let ended = bytes.len() < wanted;
                return Ok((bytes, ended));
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Counts what is read, and remembers whether reading failed.
struct Counted<R> {
    bytes: R,
    position: Position,
    failed: Rc<Cell<bool>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.bytes.read(buffer) {
            Ok(n) => {
                self.position.0.set(self.position.get() + n as u64);
                Ok(n)
            }
            Err(e) => {
                self.failed.set(e.kind() != ErrorKind::Interrupted);
                Err(e)
            }
        }
    }
}
