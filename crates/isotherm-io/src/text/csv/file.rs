//! A text table that is read in parts, as often as needed.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::reader::{By, CHUNK, Reader};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::ReadOptions;
use crate::source::input::Input;
use crate::table::cells::{Cells, TextCells};
use crate::table::lines::Lines;
use crate::table::{Column, Origin, Table};
use crate::text::blocks::BLOCK;
use crate::text::dialect::Decimal;

/// Where the bytes come from.
pub(crate) enum Bytes {
    /// A file and its length.
    File(File, u64),
    /// A stream, which is read once.
    Stream(Option<Input<'static>>),
}

/// A text table whose rows stay in the file. Cells are texts, so a part has the
/// types of the whole.
pub(crate) struct CsvFile {
    bytes: Bytes,
    path: PathBuf,
    options: ReadOptions,
    /// The decimal mark that several files agreed on.
    decimal: Option<Decimal>,
    /// Columns that are handed out; all of them unless some were chosen.
    chosen: Option<Vec<usize>>,
    /// The pass at hand.
    reader: Option<Reader<'static>>,
    /// Rows that were read, and how many of them were handed out.
    ready: Option<(Table, usize)>,
    /// Rows handed out in this pass.
    done: u64,
    /// Rows of the file, once it was read to its end.
    rows: Option<u64>,
}

impl CsvFile {
    /// Reads the first rows, and so the names of the columns.
    ///
    /// # Errors
    /// As [`super::read_csv`], as far as the first block tells.
    pub(crate) fn new(
        bytes: Bytes,
        path: &Path,
        options: &ReadOptions,
        progress: &mut Progress<'_>,
    ) -> Result<Self> {
        let mut file = Self {
            bytes,
            path: path.to_owned(),
            options: options.clone(),
            decimal: None,
            chosen: None,
            reader: None,
            ready: None,
            done: 0,
            rows: None,
        };
        file.fill(progress)?;
        Ok(file)
    }

    /// The columns, without rows.
    pub(crate) fn header(&self) -> Result<Table> {
        match &self.ready {
            Some((table, _)) => Table::new(
                (table.columns().iter())
                    .map(|c| Column {
                        name: c.name.clone(),
                        cells: Cells::Text(TextCells::default()),
                    })
                    .collect(),
                self.origin(table.origin(), Lines::default()),
            ),
            None => Err(Error::Empty {
                path: self.path.clone(),
            }),
        }
    }

    /// Rows of the file, where they are known.
    pub(crate) fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// Bytes of the file, where they are known, and how many were read in this pass.
    pub(crate) fn extent(&self) -> (Option<u64>, u64) {
        let length = match &self.bytes {
            Bytes::File(_, length) => Some(*length),
            Bytes::Stream(_) => None,
        };
        (length, self.reader.as_ref().map_or(0, Reader::position))
    }

    /// Reads all numbers with this decimal mark.
    pub(crate) fn agree_on(&mut self, decimal: Option<Decimal>) {
        self.decimal = decimal;
    }

    /// Hands out only these columns from here on.
    pub(crate) fn choose(&mut self, columns: Vec<usize>) {
        self.chosen = Some(columns);
    }

    /// Back to the first row.
    pub(crate) fn rewind(&mut self) {
        if std::mem::take(&mut self.done) > 0 {
            self.reader = None;
            self.ready = None;
        }
    }

    /// The next rows, at most so many; none at the end.
    ///
    /// # Errors
    /// As [`super::read_csv`]; [`Error::Format`] for a stream that is read again.
    pub(crate) fn read(&mut self, most: u64, progress: &mut Progress<'_>) -> Result<Table> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        self.fill(progress)?;
        let Some((table, handed)) = self.ready.take() else {
            return Table::new(Vec::new(), Origin::new(&self.path, crate::Format::Csv));
        };
        let left = table.rows() - handed;
        let taken = left.min(most);
        self.done += taken as u64;
        let lines = table.origin().lines.slice(handed, taken);
        let origin = self.origin(table.origin(), lines);
        let all: Vec<usize> = (0..table.columns().len()).collect();
        let chosen = self.chosen.as_ref().unwrap_or(&all);
        if handed == 0 && taken == left {
            let mut columns: Vec<Option<Column>> =
                table.into_parts().0.into_iter().map(Some).collect();
            let columns = chosen.iter().filter_map(|&at| columns.get_mut(at)?.take());
            return Table::new(columns.collect(), origin);
        }
        let columns = chosen.iter().filter_map(|&at| table.columns().get(at));
        let columns = columns.map(|column| Column {
            name: column.name.clone(),
            cells: match &column.cells {
                Cells::Text(cells) => Cells::Text(cells.slice(handed, taken)),
                other => other.clone(),
            },
        });
        let part = Table::new(columns.collect(), origin);
        self.ready = (taken < left).then_some((table, handed + taken));
        part
    }

    /// Reads until there are rows to hand out, or no more.
    fn fill(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let input = self.bytes.input(&self.path, &self.options)?;
                let by = By::Blocks(BLOCK, CHUNK);
                let reader = Reader::open(input, &self.path, &self.options, by)?;
                self.reader.insert(reader)
            }
        };
        while self.ready.is_none() {
            let more = reader.more(progress)?;
            let rows = reader.builder.rows();
            if !more && self.done == 0 {
                reader.builder.check(self.options.no_rows)?;
            }
            if rows > 0 || !more && self.done == 0 {
                self.ready = Some((reader.builder.hand_over()?, 0));
            }
            if !more {
                self.rows = Some(self.done + rows as u64);
                break;
            }
        }
        Ok(())
    }

    fn origin(&self, of: &Origin, lines: Lines) -> Origin {
        let mut origin = of.clone();
        origin.lines = lines;
        if let (Some(dialect), Some(decimal)) = (&mut origin.dialect, self.decimal) {
            dialect.decimal = Some(decimal);
        }
        origin
    }
}

impl Bytes {
    /// The bytes from the start.
    fn input(&mut self, path: &Path, options: &ReadOptions) -> Result<Input<'static>> {
        match self {
            Self::File(file, length) => {
                let failed = |e| Error::io(path, "read", e);
                let mut again = file.try_clone().map_err(failed)?;
                again.seek(SeekFrom::Start(0)).map_err(failed)?;
                Input::of_file(again, path, *length, options.limits)
            }
            Self::Stream(input) => input.take().ok_or_else(|| {
                Error::format_as(
                    "not-in-parts",
                    path,
                    None,
                    "a stream of text can be read only once",
                    "save it in a file first",
                )
            }),
        }
    }
}
