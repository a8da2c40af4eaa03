//! Text in large blocks that end where records end.
//!
//! A quote opens a cell only at its beginning; anywhere else it is a letter.
//! So which line ends are inside quotes follows from the quotes alone, and is
//! found by jumping from quote to quote; nothing else is looked at.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr2, memrchr2};

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::progress::Progress;

/// Bytes of a block, unless a record is longer.
pub(crate) const BLOCK: usize = 16 << 20;
/// Bytes between two looks at the monitor.
const STEP: usize = 1 << 20;

/// A block of whole records.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// Where the block is cut, after a record each; the last is its end.
    pub(crate) cuts: Vec<usize>,
}

/// Reads blocks one after the other.
pub(crate) struct Blocks<R> {
    input: R,
    path: PathBuf,
    delimiter: u8,
    /// Bytes of a block and of the chunks it is cut into.
    sizes: (usize, usize),
    /// Beyond this a record breaks a limit, whatever it holds.
    longest: usize,
    /// What was read and belongs to the next block.
    rest: Vec<u8>,
    /// A block that is done with: room for the next but one.
    spare: Vec<u8>,
    /// The block before ended in CR: an LF in front is its other half.
    after_cr: bool,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    /// Blocks of `sizes.0` bytes, cut about every `sizes.1` bytes.
    pub(crate) fn new(
        input: R,
        path: &Path,
        delimiter: u8,
        limits: Limits,
        sizes: (usize, usize),
    ) -> Self {
        // A cell's letter takes at most two bytes, a cell three more.
        let longest = limits.record.saturating_mul(2);
        let longest = longest.saturating_add(limits.columns.saturating_mul(4));
        Self {
            input,
            path: path.to_owned(),
            delimiter,
            sizes,
            longest: longest.saturating_add(64),
            rest: Vec::new(),
            spare: Vec::new(),
            after_cr: false,
            ended: false,
        }
    }

    /// The next block; `None` at the end. A record that is too long for any
    /// limit is a block by itself, cut short, for the reader to refuse.
    pub(crate) fn next(&mut self, progress: &mut Step<'_, '_>) -> Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut wanted = self.sizes.0.max(bytes.len());
        loop {
            self.fill(&mut bytes, wanted, progress)?;
            let cuts = cuts(&bytes, self.delimiter, self.sizes.1, self.ended);
            let end = cuts.last().copied().unwrap_or(0);
            if end == 0 && !self.ended && bytes.len() <= self.longest {
                wanted = wanted.saturating_mul(2);
                continue;
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            let (end, cuts) = match end {
                0 => (bytes.len(), vec![bytes.len()]),
                end => (end, cuts),
            };
            self.rest = std::mem::take(&mut self.spare);
            self.rest.clear();
            self.rest.extend_from_slice(&bytes[end..]);
            bytes.truncate(end);
            self.after_cr = bytes.last() == Some(&b'\r');
            return Ok(Some(Block { bytes, cuts }));
        }
    }

    /// Takes back a block that is done with: its room is used again.
    pub(crate) fn recycle(&mut self, block: Block) {
        self.spare = block.bytes;
    }

    fn fill(
        &mut self,
        bytes: &mut Vec<u8>,
        wanted: usize,
        progress: &mut Step<'_, '_>,
    ) -> Result<()> {
        while bytes.len() < wanted && !self.ended {
            progress.report()?;
            let before = bytes.len();
            let most = (wanted - before).min(STEP);
            bytes.resize(before + most, 0);
            let read = self.input.read(&mut bytes[before..]);
            bytes.truncate(before + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(n) => self.ended = n == 0,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io(&self.path, "read", e)),
            }
            if self.after_cr && !bytes.is_empty() {
                self.after_cr = false;
                if bytes.first() == Some(&b'\n') {
                    bytes.remove(0);
                }
            }
        }
        Ok(())
    }
}

/// Reports how far reading has come, between two reads.
pub(crate) struct Step<'p, 'm> {
    pub(crate) progress: &'p mut Progress<'m>,
    pub(crate) position: crate::source::input::Position,
}

impl Step<'_, '_> {
    fn report(&mut self) -> Result<()> {
        self.progress.step(self.position.get())
    }
}

/// Ends of records, about `every` bytes apart; the last is the last there is.
/// The bytes begin with a record; at the end of the input they end with one.
fn cuts(bytes: &[u8], delimiter: u8, every: usize, ended: bool) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut target = every;
    let mut last = 0;
    let mut from = 0;
    while from < bytes.len() {
        // Up to the next quote nothing is quoted.
        let quote = memchr(b'"', &bytes[from..]).map(|n| from + n);
        let to = quote.unwrap_or(bytes.len());
        while let Some(end) = line_end(bytes, from.max(target), to) {
            cuts.push(end);
            target = end + every;
            last = end;
        }
        if let Some(n) = memrchr2(b'\n', b'\r', &bytes[from.min(to)..to]) {
            last = last.max(from + n + 1);
        }
        let Some(quote) = quote else { break };
        let opens = quote
            .checked_sub(1)
            .is_none_or(|b| bytes[b] == delimiter || matches!(bytes[b], b'\n' | b'\r'));
        from = if opens {
            match closing(bytes, quote) {
                Some(close) => close + 1,
                None => break,
            }
        } else {
            quote + 1
        };
    }
    if ended {
        last = bytes.len();
    }
    if last > cuts.last().copied().unwrap_or(0) {
        cuts.push(last);
    }
    cuts
}

/// After the first line end in `from..to`; CR and LF that follow each other
/// are one.
fn line_end(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    let at = from + memchr2(b'\n', b'\r', bytes.get(from..to)?)?;
    match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(at + 2),
        _ => Some(at + 1),
    }
}

/// The quote that closes the one at `open`.
pub(crate) fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut from = open + 1;
    loop {
        let at = from + memchr(b'"', bytes.get(from..)?)?;
        match bytes.get(at + 1) {
            Some(b'"') => from = at + 2,
            _ => return Some(at),
        }
    }
}
