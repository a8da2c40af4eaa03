//! Several numpy arrays in one zip archive: `.npz`, in and out.
//!
//! An entry's declared size is compared with the limits before it is read, and
//! with what comes out while it is read: a small file cannot become a large
//! one unless [`Limits`] allow it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use isotherm::monitor::Monitor;
use zip::ZipArchive;

use crate::arrays::npy::{NpyArray, columns, read_array};
use crate::error::{ColumnProblem, Error, Result, clean};
use crate::limits::Limits;
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, open};
use crate::spelling::closest_name;
use crate::table::cells::Cells;
use crate::table::lists::ListCells;
use crate::table::{Column, Origin, Table, finish};

pub(crate) use write::write_npz;

mod write;

/// Most arrays in an archive.
const MOST_ENTRIES: usize = 10_000;

/// What to do with an archive that does not fit into memory.
const SAVED_OTHERWISE: &str = "save the table as .npy, .parquet or .csv, which fit --stream and \
     predict --stream read in parts; or free some memory, or raise --memory";

/// An open archive: the names are known, the arrays are read one by one.
pub struct Npz {
    archive: ZipArchive<BufReader<File>>,
    path: std::path::PathBuf,
    /// Array name and position in the archive, in its order.
    names: Vec<(String, usize)>,
    limits: Limits,
    length: u64,
    /// Bytes that came out so far.
    read: u64,
}

impl Npz {
    /// Opens an archive and reads its directory.
    ///
    /// # Errors
    /// [`Error::Format`] for a file that is not an archive of arrays;
    /// [`Error::Limit`] for too many entries; [`Error::Io`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        Self::of_file(open(path)?, path, limits)
    }

    fn of_file((file, length): (File, u64), path: &Path, limits: Limits) -> Result<Self> {
        if length == 0 {
            return Err(Error::Empty {
                path: path.to_owned(),
            });
        }
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|e| refuse(path, e))?;
        if archive.len() > MOST_ENTRIES {
            return Err(Error::limit(
                path,
                None,
                "the number of arrays",
                (archive.len() as u64, MOST_ENTRIES as u64),
                "save fewer arrays",
            ));
        }
        let mut names = Vec::new();
        for at in 0..archive.len() {
            let name = match archive.name_for_index(at) {
                Some(name) => name.map_err(|e| refuse(path, e))?.into_owned(),
                None => continue,
            };
            match name.strip_suffix(".npy") {
                Some(name) => names.push((name.to_owned(), at)),
                None => {
                    return Err(Error::format_as(
                        "numpy",
                        path,
                        None,
                        format!("entry \"{}\" is not a numpy array", clean(&name, 60)),
                        "save the arrays with numpy.savez",
                    ));
                }
            }
        }
        Ok(Self {
            archive,
            path: path.to_owned(),
            names,
            limits,
            length,
            read: 0,
        })
    }

    /// The arrays' names, in the archive's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Reads one array.
    ///
    /// # Errors
    /// [`Error::Column`] when there is no array of that name; [`Error::Limit`] and
    /// [`isotherm::Error::Memory`] when it is too large; otherwise as [`crate::arrays::npy::read_npy`].
    pub fn read(&mut self, name: &str, monitor: &mut dyn Monitor) -> Result<NpyArray> {
        let Some((_, at)) = self.names.iter().find(|(n, _)| n == name) else {
            return Err(Error::Column {
                path: self.path.clone(),
                name: name.to_owned(),
                problem: ColumnProblem::Missing {
                    near: closest_name(name, self.names()),
                },
                columns: self.names().map(str::to_owned).collect(),
            });
        };
        let path = &self.path;
        let mut entry = self.archive.by_index(*at).map_err(|e| refuse(path, e))?;
        let size = entry.size();
        let what = format!("array \"{}\"", clean(name, 60));
        let total = self.read.saturating_add(size);
        let limit = self.limits.expanded(self.length);
        if total > limit {
            return Err(Error::limit(
                path,
                None,
                format!("the decompressed size in bytes, up to {what},"),
                (total, limit),
                "raise the limit if you trust the file, or save the arrays uncompressed",
            ));
        }
        self.limits.check_memory(path, total, SAVED_OTHERWISE)?;
        let mut progress = Progress::begin(monitor, "reading the arrays", Some(size))?;
        let array = read_array(&mut entry, size, path, &what, &mut progress)?;
        // The end also is where the archive's own checksum is compared.
        match entry.read(&mut [0]) {
            Ok(0) => {}
            Ok(_) => {
                return Err(Error::format_as(
                    "numpy",
                    path,
                    None,
                    format!("{what} is longer than the archive says"),
                    "save the arrays again with numpy.savez",
                ));
            }
            Err(e) => {
                return Err(Error::format_as(
                    "numpy",
                    path,
                    None,
                    format!("{what} is damaged: {e}"),
                    "copy the file again, or save the arrays again",
                ));
            }
        }
        progress.end(size)?;
        self.read = total;
        Ok(array)
    }
}

/// Reads all arrays.
///
/// # Errors
/// As [`Npz::open`] and [`Npz::read`].
pub fn read_npz(
    path: impl AsRef<Path>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<BTreeMap<String, NpyArray>> {
    let mut archive = Npz::open(path, limits)?;
    let names: Vec<String> = archive.names().map(str::to_owned).collect();
    names
        .into_iter()
        .map(|name| archive.read(&name, monitor).map(|array| (name, array)))
        .collect()
}

/// Reads an archive as a table.
///
/// An array `X` with two axes gives the columns `x0`, `x1`, …; every array with
/// one axis gives a column of its own name, and another array of numbers with two
/// axes a column of lists, in the archive's order.
///
/// # Errors
/// As [`read_npz`]; [`Error::Format`] for another array of texts with two axes and
/// for arrays of different lengths; [`Error::HeaderOnly`].
pub fn read_npz_table(
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    table_of(open(path)?, path, options, monitor)
}

/// As [`read_npz_table`], from a file that is open already.
pub(crate) fn table_of(
    file: (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let mut archive = Npz::of_file(file, path, options.limits)?;
    let mut names: Vec<String> = archive.names().map(str::to_owned).collect();
    names.sort_by_key(|name| name != "X");
    let mut table: Vec<Column> = Vec::new();
    let mut first: Option<(String, usize)> = None;
    for name in names {
        let array = archive.read(&name, monitor)?;
        let rows = array.shape.first().copied().unwrap_or(0);
        let (other, expected) = first.get_or_insert_with(|| (name.clone(), rows));
        if rows != *expected {
            return Err(Error::format_as(
                "numpy",
                path,
                None,
                format!("array \"{name}\" has {rows} rows, array \"{other}\" has {expected}"),
                "save arrays with one entry per sample",
            ));
        }
        match array.shape.len() {
            1 => table.push(Column {
                name,
                cells: array.cells,
            }),
            _ if name == "X" => table.extend(columns(array, "x", path, options.limits.columns)?),
            _ => {
                let Some(cells) = lists_of(&array) else {
                    return Err(Error::format_as(
                        "numpy",
                        path,
                        None,
                        format!("array \"{name}\" has two axes and holds no floats"),
                        "save each column of texts or integers as an array with one axis, or lists as floats",
                    ));
                };
                table.push(Column {
                    name,
                    cells: Cells::List(cells),
                });
            }
        }
    }
    if table.is_empty() {
        return Err(Error::format_as(
            "numpy",
            path,
            None,
            "the archive holds no arrays",
            "save the arrays with numpy.savez",
        ));
    }
    finish(table, Origin::new(path, Format::Npz), options)
}

/// The rows of an array of floats.
fn lists_of(array: &NpyArray) -> Option<ListCells> {
    let (Cells::Float(values), [rows, width]) = (&array.cells, array.shape.as_slice()) else {
        return None;
    };
    let mut out = ListCells::default();
    for row in 0..*rows {
        out.push(values.values().get(row * width..(row + 1) * width)?);
    }
    Some(out)
}

fn refuse(path: &Path, e: zip::result::ZipError) -> Error {
    match e {
        zip::result::ZipError::Io(e) if e.kind() != std::io::ErrorKind::UnexpectedEof => {
            Error::io(path, "read", e)
        }
        other => Error::format_as(
            "numpy",
            path,
            None,
            format!("the archive cannot be opened: {other}"),
            "save the arrays again with numpy.savez or numpy.savez_compressed",
        ),
    }
}
