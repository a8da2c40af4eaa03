//! The messages of a file or a stream, one after the other, each checked before
//! it is decoded.
//!
//! A file is a stream between two marks, with a footer that says where its
//! messages lie; dictionaries may stand behind the batches that need them, so
//! they are read first. A stream is read in its order.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, MessageHeader, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use crate::columnar::reading::Reading;
use crate::error::{Error, Result, clean};
use crate::source::Format;

/// Before and behind a file.
const MAGIC: &[u8] = b"ARROW1";
/// Before a message's length; older writers leave it out.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Longest description of a message, or of all of them, in bytes.
const LONGEST_HEADER: u64 = 64 << 20;

/// What is left to read.
pub(super) struct Messages {
    file: File,
    decoder: FileDecoder,
    schema: SchemaRef,
    /// Messages of a file, last first; `None` for a stream.
    listed: Option<Vec<Block>>,
    /// The next byte of a stream.
    offset: u64,
    /// Cells so far.
    cells: u64,
}

impl Messages {
    /// Opens a file or a stream and reads its schema.
    pub(super) fn open(mut file: File, reading: &Reading<'_>) -> Result<(Self, Format)> {
        if reading.length == 0 {
            return Err(Error::Empty {
                path: reading.path.to_owned(),
            });
        }
        let mut head = Vec::new();
        let io = |e| Error::io(reading.path, "read", e);
        (&mut file).take(8).read_to_end(&mut head).map_err(io)?;
        if head.starts_with(MAGIC) {
            Ok((Self::of_file(file, reading)?, Format::Arrow))
        } else {
            Ok((Self::of_stream(file, &head, reading)?, Format::ArrowStream))
        }
    }

    fn of_file(mut file: File, reading: &Reading<'_>) -> Result<Self> {
        let (start, bytes) = footer(&mut file, reading)?;
        let (schema, version, blocks) = reading.guard(|| {
            let footer = footer_of(&bytes)?;
            let Some(schema) = footer.schema() else {
                return Err(ArrowError::ParseError("its footer has no schema".into()));
            };
            let schema = try_fb_to_schema(schema)?;
            let dictionaries = footer.dictionaries().into_iter().flatten();
            let batches = footer.recordBatches().into_iter().flatten();
            let blocks: Vec<Block> = dictionaries.chain(batches).copied().collect();
            Ok((schema, footer.version(), blocks))
        })?;
        // Each message stands once, so that no file is more than it is long.
        let mut total = 0u64;
        for block in &blocks {
            let inside = u64::try_from(block.offset()).ok().and_then(|offset| {
                let header = u64::try_from(block.metaDataLength()).ok()?;
                let body = u64::try_from(block.bodyLength()).ok()?;
                let size = header.checked_add(body)?;
                total = total.checked_add(size)?;
                let end = offset.checked_add(size)?;
                (header >= 8 && end <= start && total <= start).then_some(())
            });
            inside.ok_or_else(|| reading.damaged("a message lies outside the file"))?;
        }
        let mut messages = Self::begin(file, schema.into(), version, reading)?;
        messages.listed = Some(blocks.into_iter().rev().collect());
        Ok(messages)
    }

    fn of_stream(mut file: File, head: &[u8], reading: &Reading<'_>) -> Result<Self> {
        if !head.starts_with(&CONTINUATION) {
            return Err(Error::format(
                reading.path,
                None,
                if head.starts_with(b"FEA1") {
                    "the file is Feather of version 1, which is not read"
                } else {
                    "the file is not Arrow: it begins like neither a file nor a stream"
                },
                "write it again as Feather version 2 or Parquet, or pass --format",
            ));
        }
        let first = find(&mut file, 0, reading)?;
        let Some((block, bytes)) = first else {
            return Err(reading.damaged("it has no schema"));
        };
        let (schema, version) = reading.guard(|| {
            let message = message_of(&bytes)?;
            let Some(schema) = message.header_as_schema() else {
                return Err(ArrowError::ParseError(
                    "it does not begin with a schema".into(),
                ));
            };
            Ok((try_fb_to_schema(schema)?, message.version()))
        })?;
        let mut messages = Self::begin(file, schema.into(), version, reading)?;
        messages.offset = end_of(&block);
        Ok(messages)
    }

    fn begin(
        file: File,
        schema: SchemaRef,
        version: MetadataVersion,
        reading: &Reading<'_>,
    ) -> Result<Self> {
        let width = schema.fields().len();
        if width == 0 {
            return Err(reading.damaged("it has no columns"));
        }
        reading.check_width(width)?;
        Ok(Self {
            file,
            decoder: FileDecoder::new(schema.clone(), version),
            schema,
            listed: None,
            offset: 0,
            cells: 0,
        })
    }

    /// The columns' names and types.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// How far the file has been read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next rows; `None` after the last.
    pub(super) fn next(&mut self, reading: &Reading<'_>) -> Result<Option<RecordBatch>> {
        loop {
            let (block, bytes) = match &mut self.listed {
                Some(blocks) => {
                    let Some(block) = blocks.pop() else {
                        return Ok(None);
                    };
                    let size = block.metaDataLength() as u64 + block.bodyLength() as u64;
                    let bytes = read_at(&mut self.file, block.offset() as u64, size, reading)?;
                    (block, bytes)
                }
                None => match find(&mut self.file, self.offset, reading)? {
                    Some(found) => found,
                    None => return Ok(None),
                },
            };
            self.offset = end_of(&block);
            let kind = self.check(&block, &bytes, reading)?;
            let buffer = Buffer::from_vec(bytes);
            let decoder = &mut self.decoder;
            let batch = reading.guard(|| match kind {
                MessageHeader::DictionaryBatch => {
                    decoder.read_dictionary(&block, &buffer).map(|()| None)
                }
                _ => decoder.read_record_batch(&block, &buffer),
            });
            if let Some(batch) = batch? {
                return Ok(Some(batch));
            }
        }
    }

    /// What a message claims, against the bytes that are there.
    fn check(
        &mut self,
        block: &Block,
        bytes: &[u8],
        reading: &Reading<'_>,
    ) -> Result<MessageHeader> {
        let header = usize::try_from(block.metaDataLength()).unwrap_or(usize::MAX);
        let Some((header, body)) = bytes.split_at_checked(header) else {
            return Err(reading.damaged("a message is shorter than it says"));
        };
        let (kind, rows, sizes) = reading.guard(|| {
            let message = message_of(header)?;
            let batch = match message.header_type() {
                MessageHeader::RecordBatch => message.header_as_record_batch(),
                MessageHeader::DictionaryBatch => {
                    message.header_as_dictionary_batch().and_then(|d| d.data())
                }
                other => {
                    let problem = format!("it holds a message of the kind {other:?}");
                    return Err(ArrowError::ParseError(problem));
                }
            };
            let Some(batch) = batch else {
                return Err(ArrowError::ParseError("a message is empty".into()));
            };
            let buffers = batch.buffers().into_iter().flatten();
            let buffers = buffers
                .map(|b| (b.offset(), b.length()))
                .collect::<Vec<_>>();
            let compressed = batch.compression().is_some();
            let nodes = batch.nodes().into_iter().flatten();
            let longest = nodes.map(arrow_ipc::FieldNode::length).max().unwrap_or(0);
            let rows = batch.length().max(longest);
            Ok((message.header_type(), rows, (compressed, buffers)))
        })?;
        let (compressed, buffers) = sizes;
        let mut expanded = 0u64;
        for (offset, length) in buffers {
            let range = usize::try_from(offset)
                .ok()
                .zip(usize::try_from(length).ok());
            let part = range.and_then(|(at, n)| body.get(at..at.checked_add(n)?));
            let Some(part) = part else {
                return Err(reading.damaged("a buffer lies outside its message"));
            };
            expanded = expanded.saturating_add(match (compressed, part.first_chunk::<8>()) {
                // The length once decompressed; −1 means it is not compressed.
                (true, Some(size)) => u64::try_from(i64::from_le_bytes(*size)).unwrap_or(0),
                _ => part.len() as u64,
            });
            reading.check_size("the decompressed size of a message in bytes", expanded)?;
        }
        let rows = u64::try_from(rows).map_err(|_| reading.damaged("a batch has negative rows"))?;
        let width = match kind {
            MessageHeader::DictionaryBatch => 1,
            _ => self.schema.fields().len() as u64,
        };
        let here = rows.saturating_mul(width);
        self.cells = self.cells.saturating_add(here);
        reading.check_size(
            "the size of the table in bytes",
            self.cells.saturating_mul(8),
        )?;
        Ok(kind)
    }
}

/// The footer of a file and where it begins.
fn footer(file: &mut File, reading: &Reading<'_>) -> Result<(u64, Vec<u8>)> {
    let cut = || reading.damaged("it does not end with ARROW1, so it was cut short");
    let end = reading.length.checked_sub(10).filter(|end| *end >= 8);
    let end = end.ok_or_else(cut)?;
    let tail = read_at(file, end, 10, reading)?;
    let (size, magic) = tail.split_at(4);
    if magic != MAGIC {
        return Err(cut());
    }
    let size = u64::from(u32::from_le_bytes([size[0], size[1], size[2], size[3]]));
    let start = end.checked_sub(size).filter(|start| *start >= 8);
    let start = start.ok_or_else(|| reading.damaged("its footer is longer than the file"))?;
    check_header(size, reading)?;
    Ok((start, read_at(file, start, size, reading)?))
}

fn footer_of(bytes: &[u8]) -> std::result::Result<arrow_ipc::Footer<'_>, ArrowError> {
    let bad = |e| ArrowError::ParseError(format!("its footer does not parse: {e}"));
    root_as_footer(bytes).map_err(bad)
}

/// What the footer of a file says under a key.
pub(super) fn key_value(
    file: &mut File,
    key: &str,
    reading: &Reading<'_>,
) -> Result<Option<String>> {
    let (_, bytes) = footer(file, reading)?;
    reading.guard(|| {
        let mut pairs = footer_of(&bytes)?.custom_metadata().into_iter().flatten();
        let pair = pairs.find(|pair| pair.key() == Some(key));
        Ok::<_, ArrowError>(pair.and_then(|pair| pair.value()).map(str::to_owned))
    })
}

fn end_of(block: &Block) -> u64 {
    let header = u64::try_from(block.metaDataLength()).unwrap_or(0);
    block.offset() as u64 + header + block.bodyLength() as u64
}

/// The message at an offset of a stream, with its bytes; `None` at the end.
fn find(file: &mut File, offset: u64, reading: &Reading<'_>) -> Result<Option<(Block, Vec<u8>)>> {
    let left = reading.length.saturating_sub(offset);
    if left < 8 {
        // A stream may end without saying so.
        return match left {
            0 => Ok(None),
            _ => Err(reading.damaged("it ends inside a message")),
        };
    }
    let head = read_at(file, offset, 8, reading)?;
    let word = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
    let (size, before) = if word(0) == CONTINUATION {
        (u32::from_le_bytes(word(4)), 8)
    } else {
        (u32::from_le_bytes(word(0)), 4)
    };
    let size = u64::from(size);
    if size == 0 {
        return Ok(None);
    }
    check_header(size, reading)?;
    let cut = || reading.damaged("it ends inside a message");
    if size + before > left {
        return Err(cut());
    }
    let header = read_at(file, offset, size + before, reading)?;
    let body = reading.guard(|| message_of(&header).map(|message| message.bodyLength()))?;
    let body = u64::try_from(body).map_err(|_| reading.damaged("a message has a negative size"))?;
    let total = body.checked_add(size + before).filter(|n| *n <= left);
    let bytes = read_at(file, offset, total.ok_or_else(cut)?, reading)?;
    let header = i32::try_from(size + before).map_err(|_| cut())?;
    let block = Block::new(offset as i64, header, body as i64);
    Ok(Some((block, bytes)))
}

/// The description in front of a message's body.
fn message_of(bytes: &[u8]) -> std::result::Result<arrow_ipc::Message<'_>, ArrowError> {
    let short = || ArrowError::ParseError("a message is too short".into());
    let before = if bytes.starts_with(&CONTINUATION) {
        8
    } else {
        4
    };
    let bytes = bytes.get(before..).ok_or_else(short)?;
    root_as_message(bytes)
        .map_err(|e| ArrowError::ParseError(clean(&format!("a message does not parse: {e}"), 200)))
}

fn check_header(size: u64, reading: &Reading<'_>) -> Result<()> {
    if size > LONGEST_HEADER {
        Err(Error::limit(
            reading.path,
            None,
            "the length of a description in bytes",
            (size, LONGEST_HEADER),
            "write the file with fewer columns or batches",
        ))
    } else {
        Ok(())
    }
}

/// So many bytes at an offset; the caller has compared both with the file.
fn read_at(file: &mut File, offset: u64, size: u64, reading: &Reading<'_>) -> Result<Vec<u8>> {
    let io = |e| Error::io(reading.path, "read", e);
    let size = usize::try_from(size).map_err(|_| reading.damaged("a message is too long"))?;
    let mut bytes = vec![0; size];
    file.seek(SeekFrom::Start(offset)).map_err(io)?;
    file.read_exact(&mut bytes).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => reading.damaged("it ends too early"),
        _ => io(e),
    })?;
    Ok(bytes)
}
