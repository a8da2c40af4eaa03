//! A chunk of text into columns, fast: whole records, nothing out of order.
//!
//! [`super::records`] is the slow and obvious twin. Whatever is not plainly in
//! order here (a NUL, bytes that are not UTF-8, another number of cells, a
//! limit within reach) is `None`, and the twin reads the chunk again: it alone
//! decides what is refused and with which words.

use memchr::{memchr, memchr2, memchr3_iter};

use crate::table::cells::TextCells;
use crate::table::lines::Lines;
use crate::text::formulas::unguard;

/// The records of a chunk of text.
#[derive(Debug, Default)]
pub(crate) struct ParsedChunk {
    pub(crate) columns: Vec<TextCells>,
    /// Lines of its rows, the chunk's first being 0.
    pub(crate) lines: Lines,
    /// Line ends it holds.
    pub(crate) ends: u64,
}

impl ParsedChunk {
    /// No records; the room of those it held stays.
    fn clear(&mut self, width: usize, bytes: usize) {
        self.columns.resize(width, TextCells::default());
        for column in &mut self.columns {
            column.clear_for(bytes / width.max(1));
        }
        self.lines = Lines::default();
        self.ends = 0;
    }
}

/// Reads the records of `bytes`, or finds that something is not in order. A
/// chunk that is done with may be given for its room.
pub(crate) fn read(
    bytes: &[u8],
    delimiter: u8,
    width: usize,
    longest: usize,
    done: Option<ParsedChunk>,
) -> Option<ParsedChunk> {
    if memchr(0, bytes).is_some() {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut chunk = done.unwrap_or_default();
    chunk.clear(width, bytes.len());
    let ParsedChunk { columns, lines, .. } = &mut chunk;
    let mut line = 0_u64;
    // The record's first byte and line, the cell's first byte and column.
    let (mut record, mut begun) = (0, 0);
    let (mut from, mut column) = (0, 0);
    let mut base = 0;
    let mut hits = memchr3_iter(delimiter, b'\n', b'\r', bytes);
    while from < bytes.len() || column > 0 {
        let cells = columns.get_mut(column)?;
        let end = if bytes.get(from) == Some(&b'"') {
            let close = quoted(text, from, cells)?;
            line += line_ends(&bytes[from..close]);
            base = close + 1;
            hits = memchr3_iter(delimiter, b'\n', b'\r', bytes.get(base..)?);
            let end = hits.next().map_or(bytes.len(), |n| base + n);
            if end != base {
                return None; // text after a closing quote
            }
            end
        } else {
            let end = hits.next().map_or(bytes.len(), |n| base + n);
            if column == 0 && end == from {
                // A delimiter is a blank cell, a line end a blank line.
                if bytes[end] != delimiter {
                    line += 1;
                    from = after_line(bytes, end, &mut hits);
                    (record, begun) = (from, line);
                    continue;
                }
            }
            if !cells.push(unguard(text.get(from..end)?)) {
                return None;
            }
            end
        };
        column += 1;
        if bytes.get(end) == Some(&delimiter) {
            from = end + 1;
            continue;
        }
        if column != width || end - record > longest {
            return None;
        }
        lines.push(begun);
        column = 0;
        if end == bytes.len() {
            break;
        }
        line += 1;
        from = after_line(bytes, end, &mut hits);
        (record, begun) = (from, line);
    }
    chunk.ends = line;
    Some(chunk)
}

/// The byte after a line end; LF after CR is its other half.
fn after_line(bytes: &[u8], at: usize, hits: &mut impl Iterator<Item = usize>) -> usize {
    if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
        hits.next();
        return at + 2;
    }
    at + 1
}

/// Adds the quoted cell that begins at `open`; where its closing quote is.
fn quoted(text: &str, open: usize, cells: &mut TextCells) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = open + 1;
    if bytes.get(from) == Some(&b'\'') {
        return None; // perhaps a guarded cell, which has to be seen whole
    }
    loop {
        let at = from + memchr(b'"', bytes.get(from..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return cells.push(text.get(from..at)?).then_some(at);
        }
        // The first of a pair is a letter, the second is none.
        cells.lead(text.get(from..=at)?);
        from = at + 2;
    }
}

/// Line ends among bytes; CR and LF that follow each other are one.
fn line_ends(bytes: &[u8]) -> u64 {
    let Some(first) = memchr2(b'\n', b'\r', bytes) else {
        return 0; // nearly always
    };
    let mut count = 0;
    let mut after_cr = false;
    for &byte in &bytes[first..] {
        count += u64::from(byte == b'\r' || byte == b'\n' && !after_cr);
        after_cr = byte == b'\r';
    }
    count
}
