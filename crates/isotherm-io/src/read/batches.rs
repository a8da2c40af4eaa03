//! Tables larger than memory, some rows at a time: Parquet, Arrow, numpy arrays and
//! delimited text.
//!
//! What the cells of a column are is known before they are read, so a part is read like
//! the whole. Of JSON lines it is not: what a key holds is known only at their end.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use isotherm::data::{Points, RowStream};
use isotherm::monitor::{Monitor, Quiet};

use crate::error::{Error, Result};
use crate::features::FeaturePlan;
use crate::features::Features;
use crate::progress::Progress;
use crate::read::opened_file::{File, OpenedFile, PHASE, Passes, check_types};
use crate::source::{ReadOptions, Source};
use crate::table::cells::Cells;
use crate::table::concat::{agree_on_decimal, check_columns, concat};
use crate::table::{Column, Table};

/// Bytes of cells in one part, about.
const PART: usize = 32 << 20;

/// Rows of the first part where there are lists, and of the others until one was seen.
const FIRST: usize = 64;
const UNSEEN: usize = 1024;

/// Bytes of cells that features are learned from at most, about.
const SAMPLE: usize = 64 << 20;

/// Files whose rows are read in parts, as often as needed.
pub struct Batches {
    files: Vec<OpenedFile>,
    /// The file that is being read.
    at: usize,
    /// The columns, without rows.
    header: Table,
    /// Columns that are read, and whether lists are among them.
    width: usize,
    lists: bool,
    /// Rows of a part, where they were said.
    each: Option<u64>,
    /// Parts read in this pass, and the numbers in the longest lists of a row.
    parts: usize,
    longest: Option<usize>,
}

impl std::fmt::Debug for Batches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let paths: Vec<&PathBuf> = self.files.iter().map(|f| &f.path).collect();
        f.debug_struct("Batches")
            .field("paths", &paths)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Numbers in the longest lists of a row, of all its columns together.
fn longest(table: &Table) -> Option<usize> {
    let lists = table.columns().iter().filter_map(|c| match &c.cells {
        Cells::List(c) => c.longest(),
        _ => None,
    });
    lists.reduce(usize::saturating_add)
}

/// The rows of a part whose places, counted from `first`, are multiples of `step`.
fn every(part: &Table, first: usize, step: usize) -> Result<Option<Table>> {
    if step == 1 {
        return Ok(Some(part.clone()));
    }
    let skip = first.next_multiple_of(step) - first;
    let rows: Vec<Option<usize>> = (skip..part.rows()).step_by(step).map(Some).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let columns = part.columns().iter().map(|column| Column {
        name: column.name.clone(),
        cells: column.cells.pick(&rows),
    });
    Table::new(columns.collect(), part.origin().clone()).map(Some)
}

/// Bytes of the cells of a table, about.
fn footprint(table: &Table) -> usize {
    let bytes = |column: &Column| match &column.cells {
        Cells::Text(c) => (0..c.len())
            .map(|row| 5 + c.get(row).map_or(0, str::len))
            .sum(),
        Cells::List(c) => 8 * c.len().saturating_mul(c.longest().unwrap_or(0)),
        Cells::Bool(c) => c.len(),
        typed => 8 * typed.len(),
    };
    table.columns().iter().map(bytes).sum()
}

impl Batches {
    /// Opens a file of delimited text, a Parquet or Arrow file or a row-major numpy array;
    /// nothing is read but its header and, of text, its first rows.
    ///
    /// # Errors
    /// [`Error::Format`] for other formats; as the readers.
    pub fn open(source: &Source, options: &ReadOptions, monitor: &mut dyn Monitor) -> Result<Self> {
        Self::open_all(std::slice::from_ref(source), options, monitor)
    }

    /// Opens several files as one table: rows one file after the other, columns
    /// by name in the order of the first.
    ///
    /// # Errors
    /// As [`Batches::open`]; [`Error::Column`] naming file and column where
    /// columns differ.
    pub fn open_all(
        sources: &[Source],
        options: &ReadOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        Self::opened(sources, options, Passes::Any, monitor)
    }

    /// As [`Batches::open_all`], for one pass: text from standard input or a pipe is then
    /// read as it comes, and not kept.
    ///
    /// # Errors
    /// As [`Batches::open_all`]; such a stream cannot be rewound.
    pub fn open_once(
        sources: &[Source],
        options: &ReadOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        Self::opened(sources, options, Passes::One, monitor)
    }

    fn opened(
        sources: &[Source],
        options: &ReadOptions,
        passes: Passes,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let mut files: Vec<OpenedFile> = Vec::with_capacity(sources.len());
        for source in sources {
            let mut file = OpenedFile::new(source, options, passes, monitor)?;
            if let Some(first) = files.first() {
                check_columns(&first.path, first.header.columns(), &file.header)?;
                check_types(first, &file)?;
                file.choose(&first.header.names())?;
            }
            files.push(file);
        }
        let decimal = agree_on_decimal(files.iter().map(|f| &f.header))?;
        for file in &mut files {
            if let File::Csv(text) = &mut file.file {
                text.agree_on(decimal);
            }
        }
        let Some(first) = files.first() else {
            return Err(Error::Core(isotherm::Error::data(
                "there is no table",
                "name at least one file",
            )));
        };
        let (columns, mut origin) = first.header.clone().into_parts();
        if let Some(dialect) = &mut origin.dialect {
            dialect.decimal = decimal;
        }
        let mut batches = Self {
            width: columns.len(),
            lists: columns.iter().any(|c| matches!(c.cells, Cells::List(_))),
            header: Table::new(columns, origin)?,
            files,
            at: 0,
            each: None,
            parts: 0,
            longest: None,
        };
        batches.locate_rows();
        Ok(batches)
    }

    /// Records which rows come from which file, where there are several files and their numbers
    /// of rows are known.
    fn locate_rows(&mut self) {
        if self.files.len() < 2 || self.rows().is_none() {
            return;
        }
        let mut before: usize = 0;
        let mut parts = Vec::with_capacity(self.files.len());
        for file in &self.files {
            parts.push((before, file.header.origin().clone()));
            let rows = file.rows().and_then(|rows| usize::try_from(rows).ok());
            before = before.saturating_add(rows.unwrap_or(usize::MAX));
        }
        self.header.set_parts(parts);
    }

    /// The columns, without rows: what a choice of features is resolved on.
    pub fn header(&self) -> &Table {
        &self.header
    }

    /// The file, the first of several.
    pub fn path(&self) -> &Path {
        &self.header.origin().path
    }

    /// Rows of all files; of text and Arrow they are known once all was read.
    pub fn rows(&self) -> Option<u64> {
        self.files.iter().map(OpenedFile::rows).sum()
    }

    /// How much there is to read and how much of it was read in this pass, for telling
    /// progress: rows where they are known, otherwise about the bytes of the files. The
    /// first is `None` for a stream.
    pub fn extent(&self) -> (Option<u64>, u64) {
        let known = |file: &OpenedFile| matches!(file.file, File::Parquet(_) | File::Npy(_));
        if self.files.iter().all(known) {
            (self.rows(), self.files.iter().map(|f| f.done).sum())
        } else {
            (
                self.files.iter().map(|f| f.extent().0).sum(),
                self.files.iter().map(|f| f.extent().1).sum(),
            )
        }
    }

    /// Reads only the columns of these names from here on, from the first row.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column; as [`Batches::rewind`].
    pub fn choose(&mut self, names: &[String]) -> Result<()> {
        for file in &mut self.files {
            file.choose(names)?;
        }
        self.width = names.len();
        let mut chosen = names.iter().filter_map(|n| self.header.column(n).ok());
        self.lists = chosen.any(|c| matches!(c.cells, Cells::List(_)));
        self.rewind()
    }

    /// Reads so many rows at a time, instead of about 32 MB.
    #[must_use]
    pub fn in_parts_of(mut self, rows: std::num::NonZeroUsize) -> Self {
        self.each = Some(rows.get() as u64);
        self
    }

    /// Back to the first row.
    ///
    /// # Errors
    /// [`Error::Changed`] when a file is no longer what it was when it was opened.
    pub fn rewind(&mut self) -> Result<()> {
        // Every pass comes in the same parts.
        (self.at, self.parts, self.longest) = (0, 0, None);
        self.files.iter_mut().try_for_each(OpenedFile::rewind)
    }

    /// The next rows, all of one file; `None` after the last.
    ///
    /// # Errors
    /// As the readers; [`Error::Changed`] when a file changed meanwhile.
    pub fn next_part(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Table>> {
        let most = self.each.unwrap_or_else(|| self.rows_of_part());
        while let Some(file) = self.files.get_mut(self.at) {
            let table = file.next(most, monitor)?;
            if table.rows() > 0 {
                self.parts += 1;
                self.longest = self.longest.max(longest(&table));
                return Ok(Some(table));
            }
            self.at += 1;
        }
        self.locate_rows();
        Ok(None)
    }

    /// Rows of about [`PART`] bytes. How long lists are shows when some were read.
    fn rows_of_part(&self) -> u64 {
        let usual = (PART / (8 * self.width.max(1))).clamp(1024, 1 << 17);
        let rows = match (self.lists, self.longest) {
            (false, _) => usual,
            (true, None) if self.parts == 0 => FIRST,
            (true, None) => UNSEEN,
            (true, Some(entries)) => {
                let row = self.width.saturating_add(entries).max(1);
                (PART / 8 / row).clamp(1, usual)
            }
        };
        rows as u64
    }

    /// One column of all rows, with where each of them stands; then back to the first row
    /// and all columns.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column; as the readers;
    /// [`Error::Limit`] for more than 4 GiB of text.
    pub fn whole_column(&mut self, name: &str, monitor: &mut dyn Monitor) -> Result<Table> {
        self.choose(&[name.to_owned()])?;
        let (length, _) = self.extent();
        let mut progress = Progress::begin(monitor, PHASE, length)?;
        let mut parts = Vec::new();
        while let Some(part) = self.next_part(progress.inside())? {
            parts.push(part);
            progress.step(self.extent().1)?;
        }
        let all = self.header.names();
        self.choose(&all)?;
        if parts.is_empty() {
            let column = self.header.column(name)?.clone();
            Table::new(vec![column], self.header.origin().clone())
        } else {
            concat(parts)
        }
    }

    /// Which features there are, learned from a sample of the rows: from all of them where
    /// they fit into about 64 MB, otherwise from every second, every fourth, and so on.
    ///
    /// # Errors
    /// As [`Features::plan`] and the readers.
    pub fn plan(&mut self, choice: &Features, monitor: &mut dyn Monitor) -> Result<FeaturePlan> {
        if choice.is_of_model() {
            return choice.plan_watched(&self.header, monitor);
        }
        let columns = choice.candidates(&self.header)?;
        let sample = if columns.is_empty() {
            None
        } else {
            self.choose(&columns)?;
            self.sample(monitor)?
        };
        let all = self.header.names();
        self.choose(&all)?;
        match sample {
            None => choice.plan_watched(&self.header, monitor),
            Some(sample) => choice.plan_watched(&self.beside_header(sample)?, monitor),
        }
    }

    /// Every 2ᵏ-th row, with the smallest k for which they fit.
    fn sample(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Table>> {
        let (length, _) = self.extent();
        let mut progress = Progress::begin(monitor, PHASE, length)?;
        let mut kept: Vec<(usize, Table)> = Vec::new();
        let (mut row, mut step, mut bytes) = (0_usize, 1_usize, 0_usize);
        while let Some(part) = self.next_part(progress.inside())? {
            let first = row;
            row += part.rows();
            if let Some(thinned) = every(&part, first, step)? {
                bytes += footprint(&thinned);
                kept.push((first.next_multiple_of(step), thinned));
            }
            while bytes > SAMPLE && row > step {
                (step, bytes) = (2 * step, 0);
                let mut fewer = Vec::with_capacity(kept.len());
                for (first, table) in kept {
                    // The rows of a kept part are half a step apart.
                    let skip = usize::from(!first.is_multiple_of(step));
                    if let Some(thinned) = every(&table, skip, 2)? {
                        bytes += footprint(&thinned);
                        fewer.push((first.next_multiple_of(step), thinned));
                    }
                }
                kept = fewer;
            }
            progress.step(self.extent().1)?;
        }
        let tables: Vec<Table> = kept.into_iter().map(|(_, table)| table).collect();
        if tables.is_empty() {
            return Ok(None);
        }
        concat(tables).map(Some)
    }

    /// A table of all columns: those that were not read have no value.
    fn beside_header(&self, sample: Table) -> Result<Table> {
        let rows = sample.rows();
        let (read, origin) = sample.into_parts();
        let mut read: HashMap<String, Cells> =
            read.into_iter().map(|c| (c.name, c.cells)).collect();
        let columns = self.header.columns().iter().map(|column| Column {
            name: column.name.clone(),
            cells: match read.remove(&column.name) {
                Some(cells) => cells,
                None => column.cells.pick(&vec![None; rows]),
            },
        });
        Table::new(columns.collect(), origin)
    }

    /// The features of a plan as a stream of rows.
    ///
    /// # Errors
    /// [`Error::Core`] when the plan has no feature; [`Error::Column`] when a
    /// column is not there.
    pub fn into_planned_rows(mut self, plan: FeaturePlan) -> Result<FileRows> {
        if plan.is_empty() {
            return Err(Error::Core(isotherm::Error::refused(
                isotherm::error::Refusal::NoFeatures,
                format!("none of the {} columns is a feature", self.width),
                "name the feature columns; by default they are the numeric ones",
            )));
        }
        self.choose(&plan.columns())?;
        Ok(FileRows {
            plan,
            batches: self,
        })
    }

    /// The chosen columns as a stream of rows.
    ///
    /// # Errors
    /// As [`Batches::plan`] and [`Batches::into_planned_rows`].
    pub fn into_rows(mut self, choice: &Features) -> Result<FileRows> {
        let plan = self.plan(choice, &mut Quiet)?;
        self.into_planned_rows(plan)
    }
}

/// Feature rows of files, in parts.
#[derive(Debug)]
pub struct FileRows {
    batches: Batches,
    plan: FeaturePlan,
}

impl FileRows {
    /// All columns of the files, without rows.
    pub fn header(&self) -> &Table {
        self.batches.header()
    }

    /// The features' names.
    pub fn names(&self) -> &[String] {
        self.plan.names()
    }

    /// What a model keeps for new rows, beside the features' names.
    pub fn encoding(&self) -> isotherm::model::Encoding {
        self.plan.encoding()
    }
}

impl RowStream for FileRows {
    type Error = Error;

    fn dim(&self) -> usize {
        self.plan.len()
    }

    fn rewind(&mut self) -> Result<()> {
        self.batches.rewind()
    }

    fn next(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Points>> {
        let part = self.batches.next_part(monitor)?;
        part.map(|table| Ok(self.plan.points_watched(&table, monitor)?.0))
            .transpose()
    }
}
