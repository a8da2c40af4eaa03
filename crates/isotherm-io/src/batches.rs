//! Tables larger than memory, some rows at a time: Parquet and numpy arrays.
//!
//! Their types are known before their values, so a part is read like the whole. Text
//! files are not: what a column holds is known only at their end.

use std::path::{Path, PathBuf};

use isotherm::data::{Points, RowStream};
use isotherm::monitor::{Monitor, Quiet};

use crate::cells::Cells;
use crate::concat::check_columns;
use crate::error::{Error, Result};
use crate::features::Features;
use crate::input::Input;
use crate::npy::NpyFile;
use crate::parquet::ParquetFile;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, Source, open, spool};
use crate::stamp::Stamp;
use crate::survey::{Nature, Seen};
use crate::table::{Column, Origin, Table};

const PHASE: &str = "reading the table";

/// Bytes of cells in one part, about.
const PART: usize = 32 << 20;

/// Files whose rows are read in parts, as often as needed.
pub struct Batches {
    files: Vec<Opened>,
    /// The file that is being read.
    at: usize,
    /// The columns, without rows.
    header: Table,
    /// Columns that are read.
    width: usize,
    /// Rows of a part, where they were said.
    each: Option<u64>,
}

/// One of the files.
struct Opened {
    path: PathBuf,
    format: Format,
    file: File,
    stamp: Stamp,
    /// The columns, without rows.
    header: Table,
    /// Rows read.
    done: u64,
}

enum File {
    Parquet(ParquetFile),
    Npy(NpyFile),
}

impl File {
    fn read(&mut self, most: u64, progress: &mut Progress<'_>) -> Result<Vec<Column>> {
        match self {
            Self::Parquet(file) => file.read(most, progress),
            Self::Npy(file) => file.read(most, progress),
        }
    }
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

impl Opened {
    fn new(source: &Source, options: &ReadOptions, monitor: &mut dyn Monitor) -> Result<Self> {
        let path = source.path();
        let stamp = Stamp::of(source);
        let (format, open) = match source {
            Source::Path(path) => {
                let format = options.format.map_or_else(|| Format::of_input(path), Ok)?;
                (format, in_parts(format, path).and_then(|()| open(path))?)
            }
            Source::Stdin => {
                let mut input = Input::open(source, options.limits)?;
                let format = match options.format {
                    Some(format) => format,
                    None => Format::of_head(&input.head()?),
                };
                in_parts(format, path)?;
                (format, spool(&mut input, path, monitor)?)
            }
        };
        let mut file = match format {
            Format::Npy => File::Npy(NpyFile::of_file(open, path, options)?),
            _ => File::Parquet(ParquetFile::of_file(open, path, options)?),
        };
        let columns = file.read(0, &mut Progress::within(monitor, PHASE))?;
        Ok(Self {
            path: path.to_owned(),
            format,
            file,
            stamp,
            header: Table::new(columns, Origin::new(path, format))?,
            done: 0,
        })
    }

    fn rows(&self) -> u64 {
        match &self.file {
            File::Parquet(file) => file.rows(),
            File::Npy(file) => file.rows(),
        }
    }

    fn choose(&mut self, names: &[String]) -> Result<()> {
        let mut positions = Vec::with_capacity(names.len());
        for name in names {
            self.header.column(name)?;
            positions.extend(self.header.columns().iter().position(|c| c.name == *name));
        }
        match &mut self.file {
            File::Parquet(file) => file.choose(positions),
            File::Npy(file) => file.choose(positions),
        }
        Ok(())
    }

    fn rewind(&mut self) {
        self.done = 0;
        match &mut self.file {
            File::Parquet(file) => file.rewind(),
            File::Npy(file) => file.rewind(),
        }
    }

    fn next(&mut self, most: u64, monitor: &mut dyn Monitor) -> Result<Table> {
        let columns = self.file.read(most, &mut Progress::within(monitor, PHASE));
        // At the end of every pass, and whenever something is wrong.
        let columns = match columns {
            Ok(columns) if columns.iter().any(|c| !c.cells.is_empty()) => columns,
            other => self.stamp.after(other)?,
        };
        let mut origin = Origin::new(&self.path, self.format);
        origin.before = self.done;
        let table = Table::new(columns, origin)?;
        self.done += table.rows() as u64;
        Ok(table)
    }
}

/// Refuses formats whose rows cannot be read some at a time.
fn in_parts(format: Format, path: &Path) -> Result<()> {
    match format {
        Format::Parquet | Format::Npy => Ok(()),
        _ => Err(Error::format_as(
            "not-in-parts",
            path,
            None,
            "only Parquet files and numpy arrays are read in parts",
            "save the table as .parquet or .npy, or read it whole",
        )),
    }
}

impl Batches {
    /// Opens a Parquet file or a row-major numpy array; nothing is read but its header.
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
        let mut files: Vec<Opened> = Vec::with_capacity(sources.len());
        for source in sources {
            let mut file = Opened::new(source, options, monitor)?;
            if let Some(first) = files.first() {
                check_columns(&first.path, first.header.columns(), &file.header)?;
                file.choose(&first.header.names())?;
            }
            files.push(file);
        }
        let Some(first) = files.first() else {
            return Err(Error::Core(isotherm::Error::data(
                "there is no table",
                "name at least one file",
            )));
        };
        let (columns, mut origin) = first.header.clone().into_parts();
        if files.len() > 1 {
            // Rows of the whole are told with the file they stand in.
            let mut before = 0;
            for file in &files {
                let part = Origin::new(&file.path, file.format);
                origin.parts.push((before, part));
                before = before.saturating_add(usize::try_from(file.rows()).unwrap_or(usize::MAX));
            }
        }
        Ok(Self {
            width: columns.len(),
            header: Table::new(columns, origin)?,
            files,
            at: 0,
            each: None,
        })
    }

    /// The columns, without rows: what a choice of features is resolved on.
    pub fn header(&self) -> &Table {
        &self.header
    }

    /// The file, the first of several.
    pub fn path(&self) -> &Path {
        &self.header.origin().path
    }

    /// Rows of all files.
    pub fn rows(&self) -> u64 {
        self.files.iter().map(Opened::rows).sum()
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
        self.at = 0;
        for file in &mut self.files {
            file.rewind();
            file.stamp.check()?;
        }
        Ok(())
    }

    /// The next rows, all of one file; `None` after the last.
    ///
    /// # Errors
    /// As the readers; [`Error::Changed`] when a file changed meanwhile.
    pub fn next_part(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Table>> {
        let usual = (PART / (8 * self.width.max(1))).clamp(1024, 1 << 17) as u64;
        let most = self.each.unwrap_or(usual);
        while let Some(file) = self.files.get_mut(self.at) {
            let table = file.next(most, monitor)?;
            if table.rows() > 0 {
                return Ok(Some(table));
            }
            self.at += 1;
        }
        Ok(None)
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

/// Feature rows of files, in parts.
#[derive(Debug)]
pub struct FileRows {
    batches: Batches,
    plan: Plan,
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
        part.map(|table| Ok(self.plan.points(&table)?.0))
            .transpose()
    }
}
