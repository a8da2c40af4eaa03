//! One pass over a text table, some rows at a time.

use std::io::Read;
use std::path::Path;

use rayon::prelude::*;

use super::TABLE;
use super::building::Building;
use crate::blocks::{Block, Blocks, Step};
use crate::dialect::Header;
use crate::error::Result;
use crate::input::{Input, Position};
use crate::pieces::{self, Piece};
use crate::progress::Progress;
use crate::records::{Record, Records};
use crate::source::ReadOptions;
use crate::text::Text;

/// Records that are read at a time where they are read one by one.
const RECORDS: usize = 1 << 14;

/// A pass over a text table.
pub(super) struct Reader<'a> {
    way: Way<'a>,
    /// What has been read and not been handed over.
    pub(super) building: Building,
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
    spare: Vec<Piece>,
}

/// How a text is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum By {
    /// Blocks of so many bytes in pieces of so many, side by side.
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
        let building = Building::new(&text, path, options);
        let position = text.position.clone();
        let way = match (by, text.delimiter.byte()) {
            (By::Blocks(block, piece), Some(delimiter)) => Way::Blocks(Pipeline {
                blocks: Blocks::new(text.bytes, path, delimiter, options.limits, (block, piece)),
                delimiter,
                next: None,
                behind: 0,
                spare: Vec::new(),
            }),
            _ => Way::Records(Box::new(text.records(path, options, &TABLE))),
        };
        Ok(Self {
            way,
            building,
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
                pipeline.more(&mut self.building, self.longest, &mut step)?
            }
            Way::Records(records) => by_record(records, &mut self.building, progress)?,
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
        building: &mut Building,
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
        let begin = building.first(&now)?;
        let parts = now.pieces(begin);
        // Each slot begins with the room of a piece that is done with.
        let mut read: Vec<Option<Piece>> = parts.iter().map(|_| spare.pop()).collect();
        let (delimiter, width) = (*delimiter, building.names().len());
        *behind = step.position.get();
        // The next block comes in while the workers read this one.
        let coming = rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let work = read.par_iter_mut().zip(&parts);
                work.for_each(|(read, part)| {
                    *read = pieces::read(part, delimiter, width, longest, read.take());
                });
            });
            blocks.next(step)
        });
        *spare = building.take(&parts, read)?;
        blocks.recycle(now);
        *next = Some(coming?);
        Ok(true)
    }
}

fn by_record<R: Read>(
    records: &mut Records<R>,
    building: &mut Building,
    progress: &mut Progress<'_>,
) -> Result<bool> {
    let mut record = Record::default();
    for at in 0..RECORDS {
        if !records.next(&mut record, progress)? {
            return Ok(at > 0);
        }
        let first = building.names().is_empty();
        if first && building.begin(&record)? == Header::Present {
            continue;
        }
        building.push(&record)?;
    }
    Ok(true)
}

impl Block {
    /// What lies between the cuts, from `begin` on.
    fn pieces(&self, begin: usize) -> Vec<&[u8]> {
        let mut from = begin;
        let mut pieces = Vec::with_capacity(self.cuts.len());
        for &cut in &self.cuts {
            if cut > from {
                pieces.push(&self.bytes[from..cut]);
                from = cut;
            }
        }
        pieces
    }
}
