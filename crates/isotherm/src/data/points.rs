//! Points: rows are samples, columns are features.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::sparse_rows::SparseRows;
use super::table::Table;
use crate::error::{Error, Refusal, Result};
use crate::linalg::MatRef;
use crate::linalg::rows::{Rows, runs};

/// Numbers at least this large are refused: their squares, summed, overflow.
pub const LARGEST: f64 = 1e150;

/// Numbers read at a time where a table is gone through once: 256 KiB.
const TILE: usize = 1 << 15;

/// A table of finite numbers: rows are samples. A clone shares them.
///
/// The numbers are our own `f64`, or stay where somebody else holds them
/// ([`Points::shared`]). Whoever computes reads tiles: borrowed where the table is
/// row-major `f64`, else widened and turned into at most a few hundred rows of `f64`.
#[derive(Debug, Clone)]
pub struct Points {
    store: Store,
    rows: usize,
    dim: usize,
    /// Columns that are one thing together, such as the topics of a text.
    blocks: Arc<[Range<usize>]>,
}

#[derive(Debug, Clone)]
enum Store {
    Own(Arc<Vec<f64>>),
    Shared(Arc<dyn Table>),
}

impl Points {
    /// Takes `rows × dim` numbers, one row after the other.
    ///
    /// # Errors
    /// [`Error::Shape`] when the count is not `rows × dim`; [`Error::Refused`]
    /// when there is no row or no column; [`Error::Value`] naming the first
    /// cell that is NaN, infinite or at least 1e150 in size.
    pub fn new(values: Vec<f64>, rows: usize, dim: usize) -> Result<Self> {
        some(rows, dim)?;
        whole(values.len(), rows, dim)?;
        Self {
            store: Store::Own(Arc::new(values)),
            rows,
            dim,
            blocks: Arc::default(),
        }
        .checked()
    }

    /// As [`Points::new`], from `f32`, widened as a whole.
    ///
    /// # Errors
    /// As [`Points::new`].
    pub fn from_f32(values: &[f32], rows: usize, dim: usize) -> Result<Self> {
        Self::new(values.iter().copied().map(f64::from).collect(), rows, dim)
    }

    /// As [`Points::new`], from a matrix whose rows are samples; a copy.
    ///
    /// # Errors
    /// As [`Points::new`].
    pub fn from_mat(rows: MatRef<'_, f64>) -> Result<Self> {
        let cells = (0..rows.nrows()).flat_map(|i| rows.row(i).iter().copied());
        Self::new(cells.collect(), rows.nrows(), rows.ncols())
    }

    /// A table that somebody else holds, without a copy: it is read once, to see that
    /// its numbers can be used, and then a tile at a time.
    ///
    /// # Errors
    /// As [`Points::new`].
    pub fn shared(table: Arc<dyn Table>) -> Result<Self> {
        let (rows, dim) = (table.rows(), table.dim());
        some(rows, dim)?;
        if let Some(values) = table.contiguous() {
            whole(values.len(), rows, dim)?;
        }
        Self {
            store: Store::Shared(table),
            rows,
            dim,
            blocks: Arc::default(),
        }
        .checked()
    }

    /// Compressed rows, of which only numbers that are not zero are kept: those of row `i` are
    /// `values[starts[i]..starts[i + 1]]`, in the columns of the same places. Numbers of one cell
    /// are added.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::Points;
    ///
    /// // [0, 5, 0, 0] and [1, 0, 0, 2].
    /// let points = Points::sparse(vec![0, 1, 3], vec![1, 0, 3], vec![5.0, 1.0, 2.0], 4)?;
    /// assert_eq!(*points.row(1), [1.0, 0.0, 0.0, 2.0]);
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Points::new`]; [`Error::Shape`] when the arrays do not fit each other.
    pub fn sparse(
        starts: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
        dim: usize,
    ) -> Result<Self> {
        Self::shared(Arc::new(SparseRows::new(starts, columns, values, dim)?))
    }

    /// The points, unless a number cannot be used.
    fn checked(self) -> Result<Self> {
        let first = |rows: Range<usize>| {
            let start = rows.start;
            let tile = self.tile(rows);
            let at = tile.iter().position(|v| !usable(*v))?;
            Some(Error::Value {
                row: start + at / self.dim,
                column: at % self.dim,
                value: tile[at],
            })
        };
        let tiles: Vec<Range<usize>> = runs(self.rows, TILE / self.dim).collect();
        match tiles.into_par_iter().find_map_first(first) {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Names runs of columns that are one thing together, such as the topics of a text: where
    /// columns are scaled, those of a block keep their scales relative to each other, and a
    /// block counts as much as all columns outside of blocks. Blocks that reach beyond the
    /// last column are left out.
    #[must_use]
    pub fn with_blocks(mut self, blocks: Vec<Range<usize>>) -> Self {
        let fits = |b: &Range<usize>| b.start < b.end && b.end <= self.dim;
        self.blocks = blocks.into_iter().filter(fits).collect();
        self
    }

    /// The blocks of columns.
    pub fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Never true: a table without rows is refused.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Number of features.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Sample `i`. One by one is the slow way to read a shared table: see
    /// [`Points::tile`].
    pub fn row(&self, i: usize) -> Cow<'_, [f64]> {
        self.tile(i..i + 1)
    }

    /// Some samples, one after the other; borrowed where all of them lie so.
    ///
    /// # Panics
    /// When they are not all there: a bug in the caller.
    pub fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        match self.contiguous() {
            Some(values) => Cow::Borrowed(&values[rows.start * self.dim..rows.end * self.dim]),
            None => {
                assert!(rows.end <= self.rows, "rows of a tile that are not there");
                let mut tile = vec![0.0; rows.len() * self.dim];
                self.read(rows.start, &mut tile);
                Cow::Owned(tile)
            }
        }
    }

    /// Writes the samples from `first` on into `out`: as many as fill it.
    ///
    /// # Panics
    /// When they are not all there: a bug in the caller.
    pub fn read(&self, first: usize, out: &mut [f64]) {
        match &self.store {
            Store::Own(values) => {
                let from = first * self.dim;
                out.copy_from_slice(&values[from..from + out.len()]);
            }
            Store::Shared(table) => table.read(first, out),
        }
    }

    /// All samples, one after the other, where they lie so.
    pub fn contiguous(&self) -> Option<&[f64]> {
        match &self.store {
            Store::Own(values) => Some(values),
            Store::Shared(table) => table.contiguous(),
        }
    }

    /// The same samples one after the other in memory: themselves, or a copy of 8 bytes
    /// a number where they do not lie so.
    #[must_use]
    pub fn gathered(&self) -> Self {
        if self.contiguous().is_some() {
            return self.clone();
        }
        Self {
            store: Store::Own(Arc::new(self.copied())),
            rows: self.rows,
            dim: self.dim,
            blocks: self.blocks.clone(),
        }
    }

    /// All samples, one after the other, given away: a copy unless they are our own and
    /// nobody shares them.
    pub fn into_values(self) -> Vec<f64> {
        match self.store {
            Store::Own(values) => Arc::unwrap_or_clone(values),
            Store::Shared(_) => self.copied(),
        }
    }

    /// Whether the numbers are our own and nobody else's.
    pub(crate) fn is_sole(&self) -> bool {
        match &self.store {
            Store::Own(values) => Arc::strong_count(values) == 1,
            Store::Shared(_) => false,
        }
    }

    /// Whether the numbers are our own.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.store, Store::Own(_))
    }

    /// All samples, read by tiles.
    fn copied(&self) -> Vec<f64> {
        let each = (TILE / self.dim).max(1);
        let mut values = vec![0.0; self.rows * self.dim];
        values
            .par_chunks_mut(each * self.dim)
            .enumerate()
            .for_each(|(tile, out)| self.read(tile * each, out));
        values
    }

    /// The chosen samples, in the order given, as a table of their own.
    ///
    /// # Errors
    /// [`Error::Refused`] when `index` is empty; [`Error::Shape`] when one is out of range.
    pub fn select(&self, index: &[usize]) -> Result<Self> {
        let mut values = vec![0.0; index.len() * self.dim];
        for (&i, row) in index.iter().zip(values.chunks_exact_mut(self.dim)) {
            if i >= self.rows {
                return Err(Error::Shape {
                    what: "sample index, which must be below the number of rows",
                    expected: self.rows,
                    got: i,
                });
            }
            self.read(i, row);
        }
        let mut chosen = Self::new(values, index.len(), self.dim)?;
        chosen.blocks = self.blocks.clone();
        Ok(chosen)
    }
}

impl Rows for Points {
    fn count(&self) -> usize {
        self.rows
    }

    fn width(&self) -> usize {
        self.dim
    }

    fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        Self::tile(self, rows)
    }
}

/// Equal where every number is, wherever it is kept.
impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        let mut tiles = runs(self.rows, TILE / self.dim);
        (self.rows, self.dim) == (other.rows, other.dim)
            && tiles.all(|rows| self.tile(rows.clone()) == other.tile(rows))
    }
}

fn some(rows: usize, dim: usize) -> Result<()> {
    if rows == 0 || dim == 0 {
        return Err(Error::refused(
            Refusal::TooFewRows,
            format!("the table has {rows} rows and {dim} feature columns"),
            "give at least one row and one numeric column",
        ));
    }
    Ok(())
}

fn whole(got: usize, rows: usize, dim: usize) -> Result<()> {
    let expected = rows.saturating_mul(dim);
    if got == expected {
        return Ok(());
    }
    Err(Error::Shape {
        what: "numbers in the table",
        expected,
        got,
    })
}

/// Finite, and small enough to be squared and summed.
fn usable(v: f64) -> bool {
    v.abs() < LARGEST
}
