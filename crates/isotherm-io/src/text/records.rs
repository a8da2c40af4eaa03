//! Text into records: delimiters, quotes, line ends, and nothing else.
//!
//! A cell may be quoted with `"`, and then holds delimiters and line breaks; a
//! quote inside is written twice. LF, CRLF and CR end a line. Blank lines are
//! skipped. Memory is bounded by the longest record, which is bounded by
//! [`Limits`]; the line of every record is exact.
//!
//! The `csv` crate is not used here, because it refuses nothing: it reads text behind a
//! closing quote and a quote that is never closed as cells, it keeps a record of any length,
//! it counts lines by LF only, and it has no delimiter that is a run of white space. Each of
//! these is a refusal with its line here, or an edge list that could not be read.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use crate::progress::Progress;
use crate::source::input::Position;
use crate::text::dialect::Delimiter;

/// Bytes read at a time, and between two looks at the monitor.
const BUFFER: usize = 64 << 10;

/// One record: its cells, and the line it begins on.
#[derive(Debug, Default)]
pub(crate) struct Record {
    text: String,
    ends: Vec<usize>,
    line: u64,
}

impl Record {
    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The line it begins on, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The cells.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cell = self.text.get(start..end).unwrap_or_default();
            start = end;
            cell
        })
    }

    /// Cell `at`, or `""`.
    pub(crate) fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).and_then(|b| self.ends.get(b));
        let end = self.ends.get(at).copied().unwrap_or(0);
        self.text
            .get(start.copied().unwrap_or(0)..end)
            .unwrap_or_default()
    }
}

/// What becomes of a quote that the end of the input leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenQuote {
    Refuse,
    Accept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first byte of a record.
    Record,
    /// Before the first byte of a cell.
    Cell,
    Plain,
    Quoted,
    /// After a quote inside a quoted cell: its end, or half of a pair.
    Quote,
    Comment,
}

/// Reads records one after the other.
pub(crate) struct Records<R> {
    input: R,
    path: PathBuf,
    delimiter: Delimiter,
    comments: &'static [u8],
    limits: Limits,
    open_quote: OpenQuote,
    buffer: Vec<u8>,
    at: usize,
    /// Bytes taken from the input.
    offset: u64,
    /// How far the file is read, where the input knows better.
    position: Option<Position>,
    line: u64,
    after_cr: bool,
}

impl<'a> Records<&'a [u8]> {
    /// Records of the first bytes of a file, for guessing.
    pub(crate) fn from_sample(
        sample: &'a [u8],
        delimiter: Delimiter,
        comments: &'static [u8],
        limits: Limits,
    ) -> Self {
        let mut records = Self::new(sample, Path::new(""), delimiter, comments, limits);
        records.open_quote = OpenQuote::Accept;
        records
    }
}

impl<R: Read> Records<R> {
    /// Records of `input`; lines that begin with one of `comments` are skipped.
    pub(crate) fn new(
        input: R,
        path: &Path,
        delimiter: Delimiter,
        comments: &'static [u8],
        limits: Limits,
    ) -> Self {
        Self {
            input,
            path: path.to_owned(),
            delimiter,
            comments,
            limits,
            open_quote: OpenQuote::Refuse,
            buffer: Vec::new(),
            at: 0,
            offset: 0,
            position: None,
            line: 1,
            after_cr: false,
        }
    }

    /// The same, beginning on this line.
    pub(crate) fn on_line(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    /// The same, reporting progress in bytes of the file.
    pub(crate) fn reporting(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Bytes of the file read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.position.as_ref().map_or(self.offset, Position::get)
    }

    /// Bytes of the input that belong to the records read so far.
    pub(crate) fn consumed(&self) -> usize {
        self.offset as usize - (self.buffer.len() - self.at)
    }

    /// The line that the next byte stands on.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record; `false` at the end.
    pub(crate) fn next(
        &mut self,
        record: &mut Record,
        progress: &mut Progress<'_>,
    ) -> Result<bool> {
        self.read(record, Some(progress))
    }

    /// As [`Records::next`], without reporting progress.
    pub(crate) fn next_quietly(&mut self, record: &mut Record) -> Result<bool> {
        self.read(record, None)
    }

    fn read(
        &mut self,
        record: &mut Record,
        mut progress: Option<&mut Progress<'_>>,
    ) -> Result<bool> {
        let mut bytes = std::mem::take(&mut record.text).into_bytes();
        bytes.clear();
        record.ends.clear();
        let mut state = State::Record;
        loop {
            if self.at == self.buffer.len() && !self.refill(progress.as_deref_mut())? {
                return self.finish(state, bytes, record);
            }
            if self.run(&mut state, &mut bytes, record)? {
                return self.close(bytes, record);
            }
        }
    }

    /// Consumes the buffer up to its end or the end of a record.
    fn run(&mut self, state: &mut State, bytes: &mut Vec<u8>, record: &mut Record) -> Result<bool> {
        while let Some(&byte) = self.buffer.get(self.at) {
            if matches!(state, State::Plain | State::Quoted) {
                let quoted = *state == State::Quoted;
                let rest = &self.buffer[self.at..];
                let run = rest
                    .iter()
                    .position(|b| {
                        if quoted {
                            matches!(b, b'"' | b'\n' | b'\r' | 0)
                        } else {
                            self.ends_cell(*b)
                        }
                    })
                    .unwrap_or(rest.len());
                if run > 0 {
                    bytes.extend_from_slice(&rest[..run]);
                    self.check_length(bytes.len(), record)?;
                    self.after_cr = false;
                    self.at += run;
                    continue;
                }
            }
            self.at += 1;
            let ends_line = matches!(byte, b'\n' | b'\r');
            let second_half = byte == b'\n' && self.after_cr;
            self.after_cr = byte == b'\r';
            if ends_line && !second_half {
                self.line += 1;
            }
            if byte == 0 {
                return Err(Error::format_as(
                    "not-text",
                    &self.path,
                    Some(Place::Line(self.line)),
                    "there is a NUL byte, so this is not a text file in UTF-8",
                    "save the table as UTF-8 text; for UTF-16 without a mark pass --encoding utf-16le",
                ));
            }
            match *state {
                State::Comment if ends_line => *state = State::Record,
                State::Comment => {}
                State::Record if ends_line => {}
                State::Record if self.comments.contains(&byte) => *state = State::Comment,
                State::Record if self.is_space(byte) => {}
                State::Record => {
                    record.line = self.line;
                    *state = State::Cell;
                    self.at -= 1; // the same byte again, as the first of a cell
                }
                State::Cell if byte == b'"' && self.delimiter != Delimiter::Whitespace => {
                    *state = State::Quoted;
                }
                State::Cell if self.is_space(byte) => {}
                State::Cell if ends_line && self.delimiter == Delimiter::Whitespace => {
                    return Ok(true);
                }
                State::Cell | State::Plain if ends_line => {
                    self.end_cell(bytes, record)?;
                    return Ok(true);
                }
                State::Cell | State::Plain if self.ends_cell(byte) => {
                    self.end_cell(bytes, record)?;
                    *state = State::Cell;
                }
                State::Cell | State::Plain => {
                    bytes.push(byte);
                    *state = State::Plain;
                }
                State::Quoted if byte == b'"' => *state = State::Quote,
                State::Quoted => {
                    bytes.push(byte);
                    self.check_length(bytes.len(), record)?;
                }
                State::Quote if byte == b'"' => {
                    bytes.push(byte);
                    *state = State::Quoted;
                }
                State::Quote if ends_line => {
                    self.end_cell(bytes, record)?;
                    return Ok(true);
                }
                State::Quote if self.ends_cell(byte) => {
                    self.end_cell(bytes, record)?;
                    *state = State::Cell;
                }
                State::Quote => {
                    return Err(Error::format_as(
                        "quotes",
                        &self.path,
                        Some(Place::Line(self.line)),
                        "text follows a closing quote",
                        "write a quote inside a quoted cell twice, or name the delimiter",
                    ));
                }
            }
        }
        Ok(false)
    }

    /// The end of the input.
    fn finish(&mut self, state: State, bytes: Vec<u8>, record: &mut Record) -> Result<bool> {
        match state {
            State::Record | State::Comment => Ok(false),
            State::Cell if self.delimiter == Delimiter::Whitespace => self.close(bytes, record),
            State::Quoted if self.open_quote == OpenQuote::Refuse => Err(Error::format_as(
                "quotes",
                &self.path,
                Some(Place::Line(record.line)),
                "a quote is opened and never closed",
                "close the quote; a quote that is part of the text is written twice, in quotes",
            )),
            _ => {
                self.end_cell(&bytes, record)?;
                self.close(bytes, record)
            }
        }
    }

    fn end_cell(&self, bytes: &[u8], record: &mut Record) -> Result<()> {
        record.ends.push(bytes.len());
        if record.ends.len() > self.limits.columns {
            return Err(Error::limit(
                &self.path,
                Some(Place::Line(record.line)),
                "the number of columns",
                (record.ends.len() as u64, self.limits.columns as u64),
                "keep the columns you need, or store the table the other way round",
            ));
        }
        Ok(())
    }

    fn check_length(&self, length: usize, record: &Record) -> Result<()> {
        if length > self.limits.record {
            return Err(Error::limit(
                &self.path,
                Some(Place::Line(record.line)),
                "the length of a row in bytes",
                (length as u64, self.limits.record as u64),
                "look for a quote that is not closed, or split the row",
            ));
        }
        Ok(())
    }

    /// The record's bytes as text. Whole text and cuts between letters: every
    /// cell is UTF-8 by itself.
    fn close(&self, bytes: Vec<u8>, record: &mut Record) -> Result<bool> {
        let not_utf8 = |byte: Option<u8>| {
            let byte = byte.map(|b| format!(" (byte 0x{b:02X})"));
            Error::format_as(
                "not-utf8",
                &self.path,
                Some(Place::Line(record.line)),
                format!("the text is not UTF-8{}", byte.unwrap_or_default()),
                "pass --encoding latin1 if it is Western European text, or save the file as UTF-8",
            )
        };
        let text = String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            not_utf8(e.as_bytes().get(at).copied())
        })?;
        if !record.ends.iter().all(|&end| text.is_char_boundary(end)) {
            return Err(not_utf8(None));
        }
        record.text = text;
        Ok(true)
    }

    fn ends_cell(&self, byte: u8) -> bool {
        match self.delimiter {
            Delimiter::Comma => matches!(byte, b',' | b'\n' | b'\r' | 0),
            Delimiter::Semicolon => matches!(byte, b';' | b'\n' | b'\r' | 0),
            Delimiter::Tab => matches!(byte, b'\t' | b'\n' | b'\r' | 0),
            Delimiter::Bar => matches!(byte, b'|' | b'\n' | b'\r' | 0),
            Delimiter::Whitespace => matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0),
        }
    }

    fn is_space(&self, byte: u8) -> bool {
        self.delimiter == Delimiter::Whitespace && matches!(byte, b' ' | b'\t')
    }

    fn refill(&mut self, progress: Option<&mut Progress<'_>>) -> Result<bool> {
        if let Some(progress) = progress {
            progress.step(self.offset())?;
        }
        self.buffer.resize(BUFFER, 0);
        self.at = 0;
        let read = loop {
            match self.input.read(&mut self.buffer) {
                Ok(n) => break n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => {
                    self.buffer.clear();
                    return Err(Error::io(&self.path, "read", e));
                }
            }
        };
        self.buffer.truncate(read);
        self.offset += read as u64;
        Ok(read > 0)
    }
}
