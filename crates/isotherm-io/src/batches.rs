//! Tables larger than memory, some rows at a time: Parquet and numpy arrays.
//!
//! Their types are known before their values, so a part is read like the whole. Text
//! files are not: what a column holds is known only at their end.

use std::path::{Path, PathBuf};

use isotherm::data::{Points, RowStream};
use isotherm::monitor::{Monitor, Quiet};

use crate::cells::Cells;
use crate::error::{Error, Result};
use crate::features::Features;
use crate::npy::NpyFile;
use crate::parquet::ParquetFile;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, Source};
use crate::survey::{Nature, Seen};
use crate::table::{Origin, Table};

const PHASE: &str = "reading the table";

/// Bytes of cells in one part, about.
const PART: usize = 32 << 20;

/// A file whose rows are read in parts, as often as needed.
pub struct Batches {
    path: PathBuf,
    format: Format,
    file: File,
    /// The columns, without rows.
    header: Table,
    /// Columns that are read.
    width: usize,
    /// Rows read.
    done: u64,
    /// Rows of a part, where they were said.
    each: Option<u64>,
}

enum File {
    Parquet(ParquetFile),
    Npy(NpyFile),
}

impl std::fmt::Debug for Batches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batches")
            .field("path", &self.path)
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

impl Batches {
    /// Opens a Parquet file or a row-major numpy array; nothing is read but its header.
    ///
    /// # Errors
    /// [`Error::Format`] for other formats; as the readers.
    pub fn open(source: &Source, options: &ReadOptions, monitor: &mut dyn Monitor) -> Result<Self> {
        let path = source.path();
        let format = match (options.format, source) {
            (Some(format), _) => format,
            (None, Source::Stdin) => Format::Csv,
            (None, Source::Path(path)) => Format::from_path(path)?,
        };
        let mut file = match (format, source) {
            (Format::Parquet, Source::Path(path)) => {
                File::Parquet(ParquetFile::open(path, options)?)
            }
            (Format::Npy, Source::Path(path)) => File::Npy(NpyFile::open(path, options)?),
            _ => {
                return Err(Error::format_as(
                    "not-in-parts",
                    path,
                    None,
                    "only Parquet files and numpy arrays are read in parts",
                    "save the table as .parquet or .npy, or read it whole",
                ));
            }
        };
        let mut progress = Progress::within(monitor, PHASE);
        let columns = match &mut file {
            File::Parquet(file) => file.read(0, &mut progress)?,
            File::Npy(file) => file.read(0, &mut progress)?,
        };
        let header = Table::new(columns, Origin::new(path, format))?;
        Ok(Self {
            path: path.to_owned(),
            format,
            file,
            width: header.columns().len(),
            header,
            done: 0,
            each: None,
        })
    }

    /// The columns, without rows: what a choice of features is resolved on.
    pub fn header(&self) -> &Table {
        &self.header
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rows of the file.
    pub fn rows(&self) -> u64 {
        match &self.file {
            File::Parquet(file) => file.rows(),
            File::Npy(file) => file.rows(),
        }
    }

    /// Reads only the columns of these names from here on, from the first row.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no such column.
    pub fn choose(&mut self, names: &[String]) -> Result<()> {
        let mut positions = Vec::with_capacity(names.len());
        for name in names {
            self.header.column(name)?;
            positions.extend(self.header.columns().iter().position(|c| c.name == *name));
        }
        self.width = positions.len();
        match &mut self.file {
            File::Parquet(file) => file.choose(positions),
            File::Npy(file) => file.choose(positions),
        }
        self.rewind();
        Ok(())
    }

    /// Reads so many rows at a time, instead of about 32 MB.
    #[must_use]
    pub fn in_parts_of(mut self, rows: std::num::NonZeroUsize) -> Self {
        self.each = Some(rows.get() as u64);
        self
    }

    /// Back to the first row.
    pub fn rewind(&mut self) {
        self.done = 0;
        match &mut self.file {
            File::Parquet(file) => file.rewind(),
            File::Npy(file) => file.rewind(),
        }
    }

    /// The next rows; `None` after the last.
    ///
    /// # Errors
    /// As the readers.
    pub fn next_part(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Table>> {
        let usual = (PART / (8 * self.width.max(1))).clamp(1024, 1 << 17) as u64;
        let most = self.each.unwrap_or(usual);
        let mut progress = Progress::within(monitor, PHASE);
        let columns = match &mut self.file {
            File::Parquet(file) => file.read(most, &mut progress)?,
            File::Npy(file) => file.read(most, &mut progress)?,
        };
        let mut origin = Origin::new(&self.path, self.format);
        origin.before = self.done;
        let table = Table::new(columns, origin)?;
        self.done += table.rows() as u64;
        Ok((table.rows() > 0).then_some(table))
    }

    /// Which features there are. Columns of words are read once for it, and
    /// columns of lists up to the first list.
    ///
    /// # Errors
    /// As [`Features::plan`] and the readers.
    pub fn plan(&mut self, choice: &Features, monitor: &mut dyn Monitor) -> Result<Plan> {
        let (texts, lists) = choice.to_be_seen(&self.header)?;
        let mut seen = vec![Seen::default(); self.header.columns().len()];
        let each = self.each;
        for (columns, whole) in [(texts, true), (lists, false)] {
            if columns.is_empty() {
                continue;
            }
            let name = |at: &usize| self.header.columns()[*at].name.clone();
            let names: Vec<String> = columns.iter().map(name).collect();
            self.choose(&names)?;
            self.each = if whole { each } else { Some(1) };
            while let Some(part) = self.next_part(monitor)? {
                for (&at, column) in columns.iter().zip(part.columns()) {
                    seen[at].add(&column.cells);
                }
                if !whole && columns.iter().all(|&at| seen[at].has_length()) {
                    break;
                }
            }
        }
        self.each = each;
        let all = self.header.names();
        self.choose(&all)?;
        let columns = self.header.columns();
        choice.plan_with(
            &self.header,
            |at| match columns[at].cells {
                Cells::Text(_) | Cells::List(_) => seen[at].clone().nature(),
                _ => Nature::Numbers,
            },
            |at| seen[at].clone().words(),
        )
    }

    /// The features of a plan as a stream of rows.
    ///
    /// # Errors
    /// [`Error::Core`] when the plan has no feature; [`Error::Column`] when a
    /// column is not there.
    pub fn into_planned_rows(mut self, plan: Plan) -> Result<FileRows> {
        if plan.is_empty() {
            return Err(Error::Core(isotherm::Error::refusal(
                "no-features",
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

/// Feature rows of a file, in parts.
#[derive(Debug)]
pub struct FileRows {
    batches: Batches,
    plan: Plan,
}

impl FileRows {
    /// All columns of the file, without rows.
    pub fn header(&self) -> &Table {
        self.batches.header()
    }

    /// The features' names.
    pub fn names(&self) -> &[String] {
        self.plan.names()
    }
}

impl RowStream for FileRows {
    type Error = Error;

    fn dim(&self) -> usize {
        self.plan.len()
    }

    fn rewind(&mut self) -> Result<()> {
        self.batches.rewind();
        Ok(())
    }

    fn next(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Points>> {
        let part = self.batches.next_part(monitor)?;
        part.map(|table| Ok(self.plan.points(&table)?.0))
            .transpose()
    }
}
