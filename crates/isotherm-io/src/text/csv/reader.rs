//! One pass over a text table, some rows at a time.

use std::io::Read;
use std::path::Path;

use rayon::prelude::*;

use super::table_builder::{TABLE, TableBuilder};
use crate::error::Result;
use crate::progress::Progress;
use crate::source::ReadOptions;
use crate::source::input::{Input, Position};
use crate::text::blocks::{Block, Blocks, Step};
use crate::text::dialect::Header;
use crate::text::opening::Text;
use crate::text::plain_columns::{self, ParsedChunk};
use crate::text::records::{Record, Records};

/// Bytes of a chunk of a block, about.
pub(super) const CHUNK: usize = 512 << 10;

/// Records that are read at a time where they are read one by one.
const RECORDS: usize = 1 << 14;

/// A pass over a text table.
pub(super) struct Reader<'a> {
    way: Way<'a>,
    /// What has been read and not been handed over.
    pub(super) builder: TableBuilder,
    position: Position,
    /// Longest record.
    longest: usize,
}

enum Way<'a> {
    Blocks(Pipeline<'a>),
    Records(Box<Records<Box<dyn Read + 'a>>>),
    Ended,
}

/// A block is read while the next one comes in.
struct Pipeline<'a> {
    blocks: Blocks<Box<dyn Read + 'a>>,
    delimiter: u8,
    /// The block that is read next; the outer `None` is before the first.
    next: Option<Option<Block>>,
    /// Where in the file it begins.
    behind: u64,
    /// Pieces that are done with, for their room.
    spare: Vec<ParsedChunk>,
}

/// How a text is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    /// Blocks of so many bytes in chunks of so many, side by side.
    Blocks(usize, usize),
    /// One record after the other: the slow and obvious twin.
    Records,
}

impl<'a> Reader<'a> {
    /// Looks at the first bytes; nothing is read of the rows.
    pub(super) fn open(
        input: Input<'a>,
        path: &Path,
        options: &ReadOptions,
        by: By,
    ) -> Result<Self> {
        let text = Text::open(input, path, options, &TABLE)?;
        let builder = TableBuilder::new(&text, path, options);
        let position = text.position.clone();
        let way = match (by, text.delimiter.byte()) {
            (By::Blocks(block, chunk), Some(delimiter)) => Way::Blocks(Pipeline {
                blocks: Blocks::new(text.bytes, path, delimiter, options.limits, (block, chunk)),
                delimiter,
                next: None,
                behind: 0,
                spare: Vec::new(),
            }),
            _ => Way::Records(Box::new(text.records(path, options, &TABLE))),
        };
        Ok(Self {
            way,
            builder,
            position,
            longest: options.limits.record,
        })
    }

    /// How far the file has been read, in bytes.
    pub(super) fn position(&self) -> u64 {
        self.position.get()
    }

    /// The bytes of the file that hold the rows read so far.
    pub(super) fn behind(&self) -> u64 {
        match &self.way {
            Way::Blocks(pipeline) => pipeline.behind,
            Way::Records(_) | Way::Ended => self.position(),
        }
    }

    /// Reads some more rows; `false` when there were none left.
    pub(super) fn more(&mut self, progress: &mut Progress<'_>) -> Result<bool> {
        let more = match &mut self.way {
            Way::Blocks(pipeline) => {
                let mut step = Step {
                    progress,
                    position: self.position.clone(),
                };
                pipeline.more(&mut self.builder, self.longest, &mut step)?
            }
            Way::Records(records) => by_record(records, &mut self.builder, progress)?,
            Way::Ended => false,
        };
        if !more {
            self.way = Way::Ended;
        }
        Ok(more)
    }
}

impl Pipeline<'_> {
    fn more(
        &mut self,
        builder: &mut TableBuilder,
        longest: usize,
        step: &mut Step<'_, '_>,
    ) -> Result<bool> {
        let Self {
            blocks,
            delimiter,
            next,
            behind,
            spare,
        } = self;
        let now = match next.take() {
            Some(block) => block,
            None => blocks.next(step)?,
        };
        let Some(now) = now else { return Ok(false) };
        let begin = builder.first(&now)?;
        let parts = now.chunks(begin);
        // Each slot begins with the room of a chunk that is done with.
        let mut read: Vec<Option<ParsedChunk>> = parts.iter().map(|_| spare.pop()).collect();
        let (delimiter, width) = (*delimiter, builder.names().len());
        *behind = step.position.get();
        // The next block comes in while the workers read this one.
        let coming = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let work = read.par_iter_mut().zip(&parts);
                work.for_each(|(read, part)| {
                    *read = plain_columns::read(part, delimiter, width, longest, read.take());
                });
            });
            blocks.next(step)
        });
        *spare = builder.take(&parts, read)?;
        blocks.recycle(now);
        *next = Some(coming?);
        Ok(true)
    }
}

fn by_record<R: Read>(
    records: &mut Records<R>,
    builder: &mut TableBuilder,
    progress: &mut Progress<'_>,
) -> Result<bool> {
    let mut record = Record::default();
    for at in 0..RECORDS {
        if !records.next(&mut record, progress)? {
            return Ok(at > 0);
        }
        let first = builder.names().is_empty();
        if first && builder.begin(&record)? == Header::Present {
            continue;
        }
        builder.push(&record)?;
    }
    Ok(true)
}

impl Block {
    /// What lies between the cuts, from `begin` on.
    fn chunks(&self, begin: usize) -> Vec<&[u8]> {
        let mut from = begin;
        let mut chunks = Vec::with_capacity(self.cuts.len());
        for &cut in &self.cuts {
            if cut > from {
                chunks.push(&self.bytes[from..cut]);
                from = cut;
            }
        }
        chunks
    }
}
