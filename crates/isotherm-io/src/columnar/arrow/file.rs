//! An Arrow file or stream that is read in parts, as often as needed.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::column::{Building, is_doubtful};
use super::messages::Messages;
use crate::columnar::reading::Reading;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::{Format, ReadOptions};
use crate::table::Column;

/// An Arrow table whose rows stay in the file; at most one of its batches is in memory.
pub(crate) struct ArrowFile {
    file: File,
    length: u64,
    path: PathBuf,
    options: ReadOptions,
    messages: Messages,
    format: Format,
    /// Where the columns of the table stand in the file.
    columns: Vec<usize>,
    /// Columns that are not wanted and cannot be read.
    unread: Vec<String>,
    /// Where those stand that are read.
    chosen: Vec<usize>,
    /// The batch at hand, and how many of its rows were read.
    batch: Option<(RecordBatch, usize)>,
    /// Rows read in this pass, and whether those were all.
    done: u64,
    ended: bool,
    /// Rows of the file, once it was read to its end.
    rows: Option<u64>,
}

impl ArrowFile {
    /// Reads the columns' names and types.
    ///
    /// # Errors
    /// As [`super::read_arrow`], as far as the schema tells.
    pub(crate) fn of_file(
        (file, length): (File, u64),
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Self> {
        let (messages, format) = begin(&file, length, path, options)?;
        let reading = Reading {
            path,
            options,
            length,
            format: Format::Arrow,
        };
        let (mut columns, mut unread) = (Vec::new(), Vec::new());
        for (at, field) in messages.schema().fields().iter().enumerate() {
            match Building::new(field, &reading) {
                Ok(_) => columns.push(at),
                Err(e) => reading.leave_out(field.name(), e, &mut unread)?,
            }
        }
        Ok(Self {
            file,
            length,
            path: path.to_owned(),
            options: options.clone(),
            messages,
            format,
            chosen: columns.clone(),
            columns,
            unread,
            batch: None,
            done: 0,
            ended: false,
            rows: None,
        })
    }

    /// Whether it is a file or a stream.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Rows of the file, where they are known.
    pub(crate) fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// Bytes of the file, and how many were read in this pass.
    pub(crate) fn extent(&self) -> (u64, u64) {
        if self.ended {
            (self.length, self.length)
        } else {
            (self.length, self.messages.offset())
        }
    }

    /// Columns that are not wanted and cannot be read.
    pub(crate) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Reads only these columns from here on.
    pub(crate) fn choose(&mut self, columns: Vec<usize>) {
        let place = |at: &usize| self.columns.get(*at).copied();
        self.chosen = columns.iter().filter_map(place).collect();
    }

    /// Leaves out the columns that are not wanted and have a value that cannot be read.
    /// Cost: those that could have one are read once.
    ///
    /// # Errors
    /// As [`super::read_arrow`].
    pub(crate) fn settle(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        let fields = self.messages.schema().fields().clone();
        for at in self.columns.clone() {
            let field = &fields[at];
            if !self.options.unwanted(field.name()) || !is_doubtful(field.data_type()) {
                continue;
            }
            self.chosen = vec![at];
            loop {
                match self.read(u64::MAX, progress) {
                    Ok(part) if part.iter().all(|c| c.cells.is_empty()) => break,
                    Ok(_) => {}
                    Err(Error::Cell { .. }) => {
                        self.columns.retain(|column| *column != at);
                        self.unread.push(field.name().clone());
                        break;
                    }
                    Err(e) => return Err(e),
                }
            }
            self.restart()?;
        }
        self.chosen = self.columns.clone();
        Ok(())
    }

    /// Back to the first row.
    ///
    /// # Errors
    /// As [`ArrowFile::of_file`].
    pub(crate) fn rewind(&mut self) -> Result<()> {
        self.ended = false;
        if self.done > 0 {
            self.restart()
        } else {
            Ok(())
        }
    }

    fn restart(&mut self) -> Result<()> {
        (self.messages, self.format) = begin(&self.file, self.length, &self.path, &self.options)?;
        (self.batch, self.done, self.ended) = (None, 0, false);
        Ok(())
    }

    /// The next rows, at most so many; none at the end.
    ///
    /// # Errors
    /// As [`super::read_arrow`].
    pub(crate) fn read(&mut self, most: u64, progress: &mut Progress<'_>) -> Result<Vec<Column>> {
        let reading = Reading {
            path: &self.path,
            options: &self.options,
            length: self.length,
            format: self.format,
        };
        let fields = self.messages.schema().fields().clone();
        let chosen = &self.chosen;
        let mut columns = Vec::with_capacity(chosen.len());
        for field in chosen.iter().filter_map(|&at| fields.get(at)) {
            columns.push(Building::new(field, &reading)?);
        }
        while most > 0 && self.batch.is_none() {
            progress.step(self.messages.offset())?;
            match self.messages.next(&reading)? {
                Some(batch) if batch.num_rows() == 0 => {}
                Some(batch) => self.batch = Some((batch, 0)),
                None => {
                    self.rows = Some(self.done);
                    self.ended = true;
                    break;
                }
            }
        }
        if let Some((batch, read)) = self.batch.take_if(|_| most > 0) {
            let left = batch.num_rows() - read;
            let taken = left.min(usize::try_from(most).unwrap_or(usize::MAX));
            let mut bytes = 0;
            for (column, &at) in columns.iter_mut().zip(chosen) {
                let array = batch.column(at).slice(read, taken);
                reading.guard(|| {
                    Ok::<_, ArrowError>(column.add(&array, self.done, &mut bytes, &reading))
                })??;
                progress.step(self.messages.offset())?;
            }
            self.done += taken as u64;
            self.batch = (taken < left).then_some((batch, read + taken));
        }
        Ok(columns
            .into_iter()
            .map(|c| Column {
                name: c.name,
                cells: c.cells,
            })
            .collect())
    }
}

fn begin(
    file: &File,
    length: u64,
    path: &Path,
    options: &ReadOptions,
) -> Result<(Messages, Format)> {
    let failed = |e| Error::io(path, "read", e);
    let mut again = file.try_clone().map_err(failed)?;
    again.seek(SeekFrom::Start(0)).map_err(failed)?;
    let reading = Reading {
        path,
        options,
        length,
        format: Format::Arrow,
    };
    Messages::open(again, &reading)
}
