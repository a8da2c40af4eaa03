//! Numpy arrays: `.npy` with one or two axes.
//!
//! Floats of 2, 4 and 8 bytes, integers of 1 to 8, truth values, and fixed-width
//! text; either byte order, either storage order. An array of Python objects
//! is a pickle, and is refused: nothing is ever unpickled. The header's claim
//! is compared with the file's length before anything is allocated.

use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;
use npyz::{Endianness, TypeChar, TypeStr};

use crate::arrays::npy_header::{Header, header_text};
use crate::error::{Error, Place, Result, clean};
use crate::progress::Progress;
use crate::source::{Format, ReadOptions, open};
use crate::table::cells::{Cells, Nullable, TextCells};
use crate::table::numbers;
use crate::table::{Column, Origin, Table, finish};

/// An array with its shape, row-major whatever the file's order was.
#[derive(Debug, Clone, PartialEq)]
pub struct NpyArray {
    /// Lengths of its one or two axes.
    pub shape: Vec<usize>,
    /// The elements.
    pub cells: Cells,
}

/// Reads an array.
///
/// # Errors
/// [`Error::Format`] for anything that is not such an array, for a length that
/// does not match the header, and for pickles; [`Error::Io`];
/// [`Error::Cancelled`].
pub fn read_npy(path: impl AsRef<Path>, monitor: &mut dyn Monitor) -> Result<NpyArray> {
    let path = path.as_ref();
    array_of(open(path)?, path, monitor)
}

fn array_of(
    (file, length): (File, u64),
    path: &Path,
    monitor: &mut dyn Monitor,
) -> Result<NpyArray> {
    let mut progress = Progress::begin(monitor, "reading the array", Some(length))?;
    let mut input = std::io::BufReader::with_capacity(1 << 18, file);
    let array = read_array(&mut input, length, path, "the array", &mut progress)?;
    progress.end(length)?;
    Ok(array)
}

/// Reads an array as a table: its columns are called `x0`, `x1`, …
///
/// # Errors
/// As [`read_npy`]; [`Error::HeaderOnly`]; [`Error::Limit`].
pub fn read_npy_table(
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    table_of(open(path)?, path, options, monitor)
}

/// As [`read_npy_table`], from a file that is open already.
pub(crate) fn table_of(
    file: (File, u64),
    path: &Path,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let array = array_of(file, path, monitor)?;
    let columns = columns(array, "x", path, options.limits.columns)?;
    finish(columns, Origin::new(path, Format::Npy), options)
}

/// The array's columns, named by prefix and number.
pub(crate) fn columns(
    array: NpyArray,
    prefix: &str,
    path: &Path,
    most: usize,
) -> Result<Vec<Column>> {
    let width = array.shape.get(1).copied().unwrap_or(1);
    check_width(width, path, most)?;
    fn every<T: Copy + Default>(c: &Nullable<T>, j: usize, width: usize) -> Nullable<T> {
        let values = c.values().iter().skip(j).step_by(width);
        Nullable::full(values.copied().collect())
    }
    let column = |j: usize| match &array.cells {
        Cells::Float(c) => Cells::Float(every(c, j, width)),
        Cells::Integer(c) => Cells::Integer(every(c, j, width)),
        Cells::Bool(c) => Cells::Bool(every(c, j, width)),
        Cells::Text(c) => (j..c.len()).step_by(width).map(|at| c.get(at)).collect(),
        // No array holds lists.
        Cells::List(c) => Cells::List(c.clone()),
    };
    Ok((0..width)
        .map(|j| Column {
            name: format!("{prefix}{j}"),
            cells: column(j),
        })
        .collect())
}

fn check_width(width: usize, path: &Path, most: usize) -> Result<()> {
    if width > most {
        return Err(Error::limit(
            path,
            None,
            "the number of columns",
            (width as u64, most as u64),
            "keep the columns you need, or store the array the other way round",
        ));
    }
    if width == 0 {
        return Err(Error::format_as(
            "numpy",
            path,
            None,
            "the array has no columns",
            "give an array with one row per sample and one column per feature",
        ));
    }
    Ok(())
}

/// What the header of an array says, checked against the file's length.
struct Layout {
    element: Element,
    shape: Vec<usize>,
    fortran: bool,
    /// Where the numbers begin.
    start: u64,
}

impl Layout {
    fn read(input: &mut dyn Read, length: u64, path: &Path, what: &str) -> Result<Self> {
        let refuse = |problem: String, hint: &str| {
            Error::format_as("numpy", path, None, format!("{what} {problem}"), hint)
        };
        let damaged =
            |problem: &str| refuse(problem.into(), "save the array again with numpy.save");
        let (header, start) = header_text(input, length, path, what)?;
        let header =
            Header::parse(&header).ok_or_else(|| damaged("has a header that does not parse"))?;
        let Some(descr) = header.descr else {
            return Err(refuse(
                "has a structured type".into(),
                "save each field as an array of its own",
            ));
        };
        let unknown = || {
            refuse(
                format!("has the type \"{}\", which is not read", clean(&descr, 20)),
                "convert it first, for instance with .astype(\"float64\")",
            )
        };
        let element: Element = match descr.parse::<TypeStr>() {
            Ok(t) if t.uses_pickled_array() => {
                return Err(refuse(
                    "holds Python objects, which are never unpickled".into(),
                    "convert it first, for instance with .astype(\"float64\") or .astype(str)",
                ));
            }
            Ok(t) => Element::of(&t).ok_or_else(unknown)?,
            Err(_) => return Err(unknown()),
        };
        if header.shape.is_empty() || header.shape.len() > 2 {
            return Err(refuse(
                format!("has {} axes", header.shape.len()),
                "reshape it to one row per sample and one column per feature",
            ));
        }
        // Its rows would take no room in the file, however many there are.
        if matches!(header.shape.as_slice(), [rows, 0] if *rows > 0) {
            return Err(refuse(
                "has no columns".into(),
                "give an array with one row per sample and one column per feature",
            ));
        }
        let count = header.shape.iter().try_fold(1u64, |n, s| n.checked_mul(*s));
        let needed = count.and_then(|n| n.checked_mul(element.width as u64));
        let there = length.saturating_sub(start);
        if needed != Some(there) {
            let needed = needed.map_or("too many".into(), |n| n.to_string());
            return Err(damaged(&format!(
                "needs {needed} bytes for its shape, {there} are there"
            )));
        }
        Ok(Self {
            element,
            shape: header.shape.iter().map(|s| *s as usize).collect(),
            fortran: header.fortran,
            start,
        })
    }

    /// Reads `count` elements, of which `before` came before, into cells.
    fn cells(
        &self,
        input: &mut dyn Read,
        (before, count): (usize, usize),
        path: &Path,
        what: &str,
        progress: &mut Progress<'_>,
    ) -> Result<Cells> {
        let element = &self.element;
        let mut cells = element.empty();
        let room = element.width.saturating_mul(8192).clamp(1, 1 << 20);
        let mut buffer = vec![0; room.max(element.width)];
        let step = buffer.len() / element.width;
        let mut done = 0;
        while done < count {
            let n = step.min(count - done);
            let bytes = &mut buffer[..n * element.width];
            input.read_exact(bytes).map_err(|e| match e.kind() {
                std::io::ErrorKind::UnexpectedEof => Error::format_as(
                    "numpy",
                    path,
                    None,
                    format!("{what} ends too early"),
                    "save the array again with numpy.save",
                ),
                _ => Error::io(path, "read", e),
            })?;
            for (i, bytes) in bytes.chunks_exact(element.width).enumerate() {
                if let Err(value) = element.push(bytes, &mut cells) {
                    return Err(Error::Cell {
                        path: path.to_owned(),
                        place: Place::Row((before + done + i) as u64 + 1),
                        column: what.to_owned(),
                        problem: format!("{value} cannot be used").into(),
                        value,
                        hint: "integers must fit 63 bits, texts must be at most 4 GiB of UTF-8"
                            .into(),
                    });
                }
            }
            done += n;
            progress.step(self.start + ((before + done) * element.width) as u64)?;
        }
        Ok(cells)
    }
}

/// Reads one array of `length` bytes, header included. `what` is how messages
/// call it.
pub(crate) fn read_array(
    input: &mut dyn Read,
    length: u64,
    path: &Path,
    what: &str,
    progress: &mut Progress<'_>,
) -> Result<NpyArray> {
    let layout = Layout::read(input, length, path, what)?;
    let count = layout.shape.iter().product();
    let cells = layout.cells(input, (0, count), path, what, progress)?;
    let shape = layout.shape;
    let cells = match (layout.fortran, shape.as_slice()) {
        (true, [rows, columns]) => transposed(cells, *rows, *columns),
        _ => cells,
    };
    Ok(NpyArray { shape, cells })
}

/// A row-major array that is read some rows at a time.
pub(crate) struct NpyFile {
    path: PathBuf,
    input: BufReader<File>,
    layout: Layout,
    columns: usize,
    /// Columns that are read.
    chosen: Vec<usize>,
    /// Rows read.
    done: usize,
}

impl NpyFile {
    /// Checks the header of an array.
    pub(crate) fn of_file(
        (file, length): (File, u64),
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Self> {
        let mut input = BufReader::with_capacity(1 << 18, file);
        let layout = Layout::read(&mut input, length, path, "the array")?;
        let width = layout.shape.get(1).copied().unwrap_or(1);
        if layout.fortran && width > 1 {
            return Err(Error::format_as(
                "not-in-parts",
                path,
                None,
                "the array is stored column by column, so its rows cannot be read in parts",
                "save it with numpy.save(file, numpy.ascontiguousarray(array)), or read it whole",
            ));
        }
        check_width(width, path, options.limits.columns)?;
        Ok(Self {
            path: path.to_owned(),
            input,
            layout,
            columns: width,
            chosen: (0..width).collect(),
            done: 0,
        })
    }

    /// Rows of the array.
    pub(crate) fn rows(&self) -> u64 {
        self.layout.shape.first().copied().unwrap_or(0) as u64
    }

    /// Values of the array.
    pub(crate) fn values(&self) -> u64 {
        self.rows().saturating_mul(self.columns as u64)
    }

    /// Tells only these columns from here on, from the first row.
    pub(crate) fn choose(&mut self, columns: Vec<usize>) {
        self.chosen = columns;
        self.rewind();
    }

    /// Back to the first row.
    pub(crate) fn rewind(&mut self) {
        self.done = 0;
    }

    /// Up to so many of the next rows; columns without cells after the last.
    pub(crate) fn read(&mut self, most: u64, progress: &mut Progress<'_>) -> Result<Vec<Column>> {
        let left = self.rows() as usize - self.done;
        let rows = usize::try_from(most).unwrap_or(left).min(left);
        let before = self.done * self.columns;
        let at = self.layout.start + (before * self.layout.element.width) as u64;
        let moved = self.input.seek(SeekFrom::Start(at));
        moved.map_err(|e| Error::io(&self.path, "read", e))?;
        let range = (before, rows * self.columns);
        let (path, layout) = (&self.path, &self.layout);
        let cells = layout.cells(&mut self.input, range, path, "the array", progress)?;
        self.done += rows;
        let shape = vec![rows, self.columns];
        let all = columns(NpyArray { shape, cells }, "x", &self.path, self.columns)?;
        let mut all: Vec<Option<Column>> = all.into_iter().map(Some).collect();
        let chosen = self.chosen.iter().filter_map(|&at| all[at].take());
        Ok(chosen.collect())
    }
}

/// Column-major into row-major.
fn transposed(cells: Cells, rows: usize, columns: usize) -> Cells {
    let order = || (0..rows).flat_map(move |i| (0..columns).map(move |j| j * rows + i));
    match cells {
        Cells::Float(c) => order().map(|at| c.get(at)).collect::<Nullable<_>>().into(),
        Cells::Integer(c) => order().map(|at| c.get(at)).collect::<Nullable<_>>().into(),
        Cells::Bool(c) => order().map(|at| c.get(at)).collect::<Nullable<_>>().into(),
        Cells::Text(c) => order().map(|at| c.get(at)).collect(),
        Cells::List(c) => Cells::List(c),
    }
}

/// How one element is stored.
struct Element {
    kind: TypeChar,
    width: usize,
    big: bool,
}

impl Element {
    fn of(t: &TypeStr) -> Option<Self> {
        let width = t.num_bytes()?;
        let known = match t.type_char() {
            TypeChar::Bool => width == 1,
            TypeChar::Float => matches!(width, 2 | 4 | 8),
            TypeChar::Int | TypeChar::Uint => matches!(width, 1 | 2 | 4 | 8),
            // A text of more than a mebibyte per cell is not a label.
            TypeChar::UnicodeStr => width % 4 == 0 && (1..=1 << 20).contains(&width),
            TypeChar::ByteStr => (1..=1 << 20).contains(&width),
            _ => false,
        };
        known.then_some(Self {
            kind: t.type_char(),
            width,
            big: t.endianness() == Endianness::Big,
        })
    }

    fn empty(&self) -> Cells {
        match self.kind {
            TypeChar::Bool => Cells::Bool(Nullable::default()),
            TypeChar::Float => Cells::Float(Nullable::default()),
            TypeChar::UnicodeStr | TypeChar::ByteStr => Cells::Text(TextCells::default()),
            _ => Cells::Integer(Nullable::default()),
        }
    }

    /// Adds one element; on refusal, what it was.
    fn push(&self, bytes: &[u8], cells: &mut Cells) -> std::result::Result<(), String> {
        match cells {
            Cells::Bool(c) => c.push(Some(bytes.first() != Some(&0))),
            Cells::Float(c) => c.push(Some(match self.width {
                2 => numbers::half(self.unsigned(bytes) as u16),
                4 => f64::from(f32::from_bits(self.unsigned(bytes) as u32)),
                _ => f64::from_bits(self.unsigned(bytes)),
            })),
            Cells::Integer(c) => c.push(Some(self.integer(bytes)?)),
            Cells::Text(c) => {
                let text = self.text(bytes)?;
                if !c.push(&text) {
                    return Err("a text".into());
                }
            }
            Cells::List(_) => return Err("a list".into()),
        }
        Ok(())
    }

    fn unsigned(&self, bytes: &[u8]) -> u64 {
        let shift = |n: u64, b: &u8| (n << 8) | u64::from(*b);
        if self.big {
            bytes.iter().fold(0, shift)
        } else {
            bytes.iter().rev().fold(0, shift)
        }
    }

    fn integer(&self, bytes: &[u8]) -> std::result::Result<i64, String> {
        let raw = self.unsigned(bytes);
        match self.kind {
            TypeChar::Uint => i64::try_from(raw).map_err(|_| raw.to_string()),
            _ => {
                let unused = 64 - 8 * self.width as u32;
                Ok(((raw << unused) as i64) >> unused)
            }
        }
    }

    /// Fixed-width text, padded with zeros at its end.
    fn text(&self, bytes: &[u8]) -> std::result::Result<String, String> {
        let text = match self.kind {
            TypeChar::ByteStr => std::str::from_utf8(bytes)
                .map_err(|_| "a text that is not UTF-8".to_owned())?
                .to_owned(),
            _ => bytes
                .chunks_exact(4)
                .map(|c| char::from_u32(self.unsigned(c) as u32))
                .collect::<Option<String>>()
                .ok_or_else(|| "a text that is not Unicode".to_owned())?,
        };
        Ok(text.trim_end_matches('\0').to_owned())
    }
}
