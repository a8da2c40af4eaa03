//! NumPy's arrays as the library's tables, and the library's matrices as NumPy's arrays.

#![allow(unsafe_code)]

use std::ops::Range;
use std::sync::Arc;

use isotherm::data::{Points, Table};
use isotherm::linalg::Mat;
use numpy::{
    Element, Ix1, Ix2, PyArray, PyArray1, PyArray2, PyArrayMethods as _,
    PyUntypedArrayMethods as _, ndarray::Dimension,
};
use pyo3::prelude::*;

use crate::errors::{Failure, wrong_type, wrong_value};
use crate::thread_pool::run;

/// A two-dimensional array of floats that Python holds, looked at in place: C or F order or
/// strided, writable or not, in memory or in a file that is mapped.
///
/// Whoever changes the numbers while they are looked at gets other numbers, never a fault:
/// nothing here is an index, a length or a promise.
pub(crate) struct Foreign<T: Element> {
    /// Keeps the memory where it is.
    _owner: Py<PyArray2<T>>,
    start: *const T,
    rows: usize,
    dim: usize,
    /// In elements.
    strides: [isize; 2],
}

// SAFETY: the pointer is only read, and the memory lives as long as the owner, whose count
// pyo3 lowers under the GIL whichever thread drops it.
unsafe impl<T: Element> Send for Foreign<T> {}
// SAFETY: as above; readers do not disturb each other.
unsafe impl<T: Element> Sync for Foreign<T> {}

impl<T: Element> std::fmt::Debug for Foreign<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Foreign({} × {})", self.rows, self.dim)
    }
}

impl<T: Element + Copy + Into<f64>> Foreign<T> {
    /// `None` for anything but such an array.
    fn new(object: &Bound<'_, PyAny>) -> Option<Self> {
        let array = aligned::<T, Ix2>(object)?;
        let size = size_of::<T>() as isize;
        let strides = array.strides();
        Some(Self {
            start: array.data(),
            rows: array.shape()[0],
            dim: array.shape()[1],
            strides: [strides[0] / size, strides[1] / size],
            _owner: array.unbind(),
        })
    }

    /// All of it, where rows follow each other.
    fn whole(&self) -> Option<&[T]> {
        let follows = self.strides[1] == 1 && self.strides[0] == self.dim as isize;
        // SAFETY: `rows × dim` elements lie in a row from `start`, in memory that NumPy keeps
        // for the owner; see the type for what happens if they are changed.
        follows.then(|| unsafe { std::slice::from_raw_parts(self.start, self.rows * self.dim) })
    }

    /// Rows `first …`, as many as there is room for.
    fn copy(&self, first: usize, out: &mut [f64]) {
        if let Some(all) = self.whole() {
            let from = &all[first * self.dim..][..out.len()];
            (out.iter_mut().zip(from)).for_each(|(o, v)| *o = (*v).into());
            return;
        }
        let count = out.len() / self.dim.max(1);
        assert!(first + count <= self.rows, "rows that do not exist");
        for j in 0..self.dim {
            for i in 0..count {
                let at = (first + i) as isize * self.strides[0] + j as isize * self.strides[1];
                // SAFETY: row and column are below the array's lengths, so the element is
                // one of the array's.
                out[i * self.dim + j] = unsafe { *self.start.offset(at) }.into();
            }
        }
    }
}

impl Table for Foreign<f64> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        self.whole()
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        self.copy(first, out);
    }
}

impl Table for Foreign<f32> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        self.copy(first, out);
    }
}

/// A table that Python holds, or sparse rows of ours.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    held: Held,
    blocks: Vec<Range<usize>>,
}

/// Where rows are.
#[derive(Debug, Clone)]
enum Held {
    Array(Arc<dyn Table>),
    Sparse(Points),
}

impl Rows {
    /// Any two-dimensional array of floats, [`PySparseRows`] or [`PyBlocks`]; `what` is the
    /// argument's name.
    pub(crate) fn new(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(known) = object.cast::<PyBlocks>() {
            return Ok(known.get().rows.clone());
        }
        if let Ok(sparse) = object.cast::<PySparseRows>() {
            return Ok(Self {
                held: Held::Sparse(sparse.get().points.clone()),
                blocks: Vec::new(),
            });
        }
        let table: Option<Arc<dyn Table>> = match Foreign::<f64>::new(object) {
            Some(wide) => Some(Arc::new(wide)),
            None => Foreign::<f32>::new(object).map(|narrow| Arc::new(narrow) as _),
        };
        let expected = "a two-dimensional array of float32 or float64";
        let table = table.ok_or_else(|| wrong_type(what, expected, object))?;
        Ok(Self {
            held: Held::Array(table),
            blocks: Vec::new(),
        })
    }

    /// Checked, and looked at in place.
    pub(crate) fn points(&self) -> Result<Points, Failure> {
        let points = match &self.held {
            Held::Array(table) => Points::shared(table.clone())?,
            Held::Sparse(points) => points.clone(),
        };
        Ok(points.with_blocks(self.blocks.clone()))
    }
}

/// Rows of which only the numbers that are not zero are kept.
#[pyclass(name = "SparseRows", module = "isotherm._core", frozen)]
pub(crate) struct PySparseRows {
    points: Points,
}

#[pymethods]
impl PySparseRows {
    #[new]
    fn new(
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        columns: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        dim: usize,
    ) -> PyResult<Self> {
        let starts: Vec<i64> = column("starts", starts)?;
        let columns: Vec<i64> = column("columns", columns)?;
        let values: Vec<f64> = column("values", values)?;
        run(py, None, None, move |_| {
            let refused = || {
                wrong_value(
                    "starts and columns are not those of one CSR matrix; pass a scipy.sparse \
                     matrix's indptr and indices",
                )
            };
            let starts = starts
                .into_iter()
                .map(usize::try_from)
                .collect::<Result<_, _>>();
            let columns = columns
                .into_iter()
                .map(u32::try_from)
                .collect::<Result<_, _>>();
            let (Ok(starts), Ok(columns)) = (starts, columns) else {
                return Err(Failure::Python(refused()));
            };
            let points = Points::sparse(starts, columns, values, dim)?;
            Ok(Self { points })
        })
    }
}

/// An array some of whose columns are one thing together, such as the topics of a text.
#[pyclass(name = "Blocks", module = "isotherm._core", frozen)]
pub(crate) struct PyBlocks {
    rows: Rows,
}

#[pymethods]
impl PyBlocks {
    #[new]
    fn new(data: &Bound<'_, PyAny>, blocks: Vec<(usize, usize)>) -> PyResult<Self> {
        let mut rows = Rows::new("data", data)?;
        rows.blocks = blocks.into_iter().map(|(start, end)| start..end).collect();
        Ok(Self { rows })
    }
}

/// Refuses a number that cannot be used, by the caller's number of its row and the name of its
/// column.
#[pyfunction]
#[pyo3(signature = (data, *, first=0, names=None))]
pub(crate) fn check_rows(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    first: usize,
    names: Option<Vec<String>>,
) -> PyResult<()> {
    let rows = Rows::new("data", data)?;
    run(py, None, None, |_| match rows.points() {
        Ok(_) => Ok(()),
        Err(Failure::Core(isotherm::Error::Value { row, column, value })) => {
            let row = row + first;
            let name = names.as_ref().and_then(|names| names.get(column));
            let text = isotherm::Error::Value { row, column, value }.to_string();
            let number = format!("column {column}");
            Err(Failure::Python(wrong_value(match name {
                Some(name) => text.replacen(&number, &format!("column \"{name}\""), 1),
                None => text,
            })))
        }
        Err(other) => Err(other),
    })
}

/// A matrix as an array in C order.
pub(crate) fn matrix<'py>(py: Python<'py>, from: &Mat<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, cols) = (from.nrows(), from.ncols());
    let mut values = Vec::with_capacity(rows * cols);
    for i in 0..rows {
        values.extend(from.row(i).iter());
    }
    PyArray1::from_vec(py, values).reshape([rows, cols])
}

/// Numbers as an array of so many columns, in C order.
pub(crate) fn table<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    cols: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = values.len().checked_div(cols).unwrap_or(0);
    PyArray1::from_vec(py, values).reshape([rows, cols])
}

/// An array of exactly this type and so many axes, its numbers where their type needs them:
/// itself, or a copy.
pub(crate) fn aligned<'py, T: Element, D: Dimension>(
    object: &Bound<'py, PyAny>,
) -> Option<Bound<'py, PyArray<T, D>>> {
    let array = object.cast::<PyArray<T, D>>().ok()?;
    let size = size_of::<T>() as isize;
    let sound = (array.data() as usize).is_multiple_of(align_of::<T>())
        && array.strides().iter().all(|s| s % size == 0);
    if sound {
        Some(array.clone())
    } else {
        array.call_method0("copy").ok()?.cast_into().ok()
    }
}

/// The numbers of a one-dimensional array of exactly this type.
pub(crate) fn column<T: Element + Copy>(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let expected = format!("a one-dimensional array of {}", std::any::type_name::<T>());
    let array = aligned::<T, Ix1>(object).ok_or_else(|| wrong_type(what, &expected, object))?;
    Ok(array.try_readonly()?.as_array().iter().copied().collect())
}

/// As [`column`], or `None`.
pub(crate) fn column_or_none<T: Element + Copy>(
    what: &str,
    object: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Vec<T>>> {
    object.map(|object| column(what, object)).transpose()
}
