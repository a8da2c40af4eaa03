//! Text that is not UTF-8, decoded while it is read.
//!
//! UTF-16 is known by its byte order mark. Every other encoding has to be
//! given: bytes do not say which of a hundred alphabets they are.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{Decoder, DecoderResult, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::{Error, Place};

/// Bytes decoded at a time.
const STEP: usize = 64 << 10;

/// How letters are written as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8, which needs no telling.
    pub const UTF_8: Self = Self(UTF_8);

    /// The encoding of a name that the web knows: `latin1`, `windows-1252`,
    /// `iso-8859-2`, `shift_jis`, `gbk`, `utf-16le`, …
    ///
    /// As on the web, `latin1` is windows-1252, which holds it.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = encoding_rs::Encoding::for_label_no_replacement(name.trim().as_bytes());
        known.map(Self)
    }

    /// Its name: `UTF-8`, `windows-1252`, …
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What the options say, unless a mark says which UTF-16 it is; what a mark
    /// tells; UTF-8.
    pub(crate) fn choose(given: Option<Self>, head: &[u8]) -> Self {
        let mark = Self::of_mark(head);
        let wide = |e: Self| e.0 == UTF_16LE || e.0 == UTF_16BE;
        match (given, mark) {
            (Some(given), Some(mark)) if wide(given) && wide(mark) => mark,
            (Some(given), _) => given,
            (None, mark) => mark.unwrap_or(Self::UTF_8),
        }
    }

    /// The encoding that a byte order mark at the beginning tells.
    fn of_mark(head: &[u8]) -> Option<Self> {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Some(Self(UTF_8)),
            [0xFF, 0xFE, ..] => Some(Self(UTF_16LE)),
            [0xFE, 0xFF, ..] => Some(Self(UTF_16BE)),
            _ => None,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bytes in some encoding as bytes in UTF-8. What the encoding cannot mean is
/// an error with its line, never a replacement character.
pub(crate) struct Decoded<R> {
    bytes: R,
    path: PathBuf,
    encoding: Encoding,
    decoder: Decoder,
    raw: Vec<u8>,
    /// How much of `raw` has been decoded.
    at: usize,
    ended: bool,
    text: Vec<u8>,
    /// How much of `text` has been handed out.
    read: usize,
    /// Line ends that came out, for errors.
    lines: u64,
    after_cr: bool,
}

impl<R: Read> Decoded<R> {
    /// Decodes `bytes`; a byte order mark of the encoding is taken off.
    pub(crate) fn new(bytes: R, path: &Path, encoding: Encoding) -> Self {
        Self {
            bytes,
            path: path.to_owned(),
            encoding,
            decoder: encoding.0.new_decoder_with_bom_removal(),
            raw: Vec::new(),
            at: 0,
            ended: false,
            text: Vec::new(),
            read: 0,
            lines: 0,
            after_cr: false,
        }
    }

    /// Decodes the next bytes; an empty text is the end.
    fn advance(&mut self) -> io::Result<()> {
        self.read = 0;
        self.text.clear();
        while self.text.is_empty() && !(self.ended && self.at == self.raw.len()) {
            if self.at == self.raw.len() {
                self.raw.resize(STEP, 0);
                self.at = 0;
                let read = self.bytes.read(&mut self.raw);
                self.raw.truncate(*read.as_ref().unwrap_or(&0));
                self.ended = read? == 0;
            }
            self.decode()?;
        }
        Ok(())
    }

    fn decode(&mut self) -> io::Result<()> {
        self.text.resize(4 * STEP, 0);
        let raw = &self.raw[self.at..];
        let (result, read, written) =
            self.decoder
                .decode_to_utf8_without_replacement(raw, &mut self.text, self.ended);
        self.at += read;
        self.text.truncate(written);
        for &byte in &self.text {
            let second_half = byte == b'\n' && self.after_cr;
            self.lines += u64::from(matches!(byte, b'\n' | b'\r') && !second_half);
            self.after_cr = byte == b'\r';
        }
        match result {
            DecoderResult::Malformed(..) => Err(io::Error::other(Error::format_as(
                "not-utf8",
                &self.path,
                Some(Place::Line(self.lines + 1)),
                format!("the text is not {}", self.encoding),
                "name another encoding with --encoding, or save the file as UTF-8",
            ))),
            DecoderResult::InputEmpty | DecoderResult::OutputFull => Ok(()),
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            match self.advance() {
                Err(e) if e.kind() == ErrorKind::Interrupted => return Err(e),
                other => other?,
            }
        }
        let rest = &self.text[self.read..];
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        self.read += n;
        Ok(n)
    }
}
