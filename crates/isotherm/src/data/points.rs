//! Points: rows are samples, columns are features.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::table::Table;
use crate::error::{Error, Refusal, Result};
use crate::linalg::MatRef;
use crate::linalg::distance::normalise;
use crate::linalg::rows::sparse::SparseRows;
use crate::linalg::rows::{Rows, runs};

/// Numbers at least this large are refused: their squares, summed, overflow.
pub const LARGEST: f64 = 1e150;

/// Numbers read at a time where a table is gone through once: 256 KiB.
const TILE: usize = 1 << 15;

/// A table of finite numbers: rows are samples. A clone shares them.
///
/// The numbers are our own `f64`, or stay where somebody else holds them
/// ([`Points::shared`]), or are those of sparse rows that are not zero
/// ([`Points::sparse`]). Methods read tiles: borrowed where the table is
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
    Sparse(Arc<SparseRows>),
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
    /// They stay sparse: neighbours are searched for, kernels computed and rows stored by these
    /// numbers alone, and no table of all numbers is made. Rows of which more than a quarter of
    /// all numbers are not zero become an ordinary table.
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
        let points = Self::of_sparse(SparseRows::new(starts, columns, values, dim)?)?;
        let pays = points.as_sparse().is_some_and(SparseRows::pays);
        Ok(if pays { points } else { points.gathered() })
    }

    /// The same of rows that are sparse already.
    ///
    /// # Errors
    /// As [`Points::new`].
    pub(crate) fn of_sparse(rows: SparseRows) -> Result<Self> {
        some(rows.count(), rows.dim())?;
        if let Some(at) = rows.values().iter().position(|v| !usable(*v)) {
            return Err(Error::Value {
                row: rows.row_of(at),
                column: rows.columns()[at] as usize,
                value: rows.values()[at],
            });
        }
        Ok(Self {
            rows: rows.count(),
            dim: rows.dim(),
            store: Store::Sparse(Arc::new(rows)),
            blocks: Arc::default(),
        })
    }

    /// The numbers that are not zero, where only they are kept.
    pub(crate) fn as_sparse(&self) -> Option<&SparseRows> {
        match &self.store {
            Store::Sparse(rows) => Some(rows),
            Store::Own(_) | Store::Shared(_) => None,
        }
    }

    /// Whether only numbers that are not zero are kept.
    pub fn is_sparse(&self) -> bool {
        self.as_sparse().is_some()
    }

    /// Bytes that a copy of the rows takes.
    pub fn bytes(&self) -> u64 {
        match self.as_sparse() {
            Some(rows) => 12 * rows.values().len() as u64 + 8 * self.rows as u64,
            None => (self.rows as u64).saturating_mul(8 * self.dim as u64),
        }
    }

    /// Numbers that are not zero.
    pub(crate) fn numbers(&self) -> usize {
        if let Some(rows) = self.as_sparse() {
            return rows.values().len();
        }
        let tiles = runs(self.rows, TILE / self.dim).map(|rows| {
            let tile = self.tile(rows);
            tile.iter().filter(|v| **v != 0.0).count()
        });
        tiles.sum()
    }

    /// The same rows with only the numbers kept that are not zero.
    ///
    /// # Errors
    /// None for points, whose numbers were checked.
    pub(crate) fn made_sparse(self) -> Result<Self> {
        if self.is_sparse() {
            return Ok(self);
        }
        let mut sparse = SparseRows::empty(self.dim, 0);
        for rows in runs(self.rows, TILE / self.dim) {
            for row in self.tile(rows).chunks_exact(self.dim) {
                sparse.push((0_u32..).zip(row.iter().copied()));
            }
        }
        let mut made = Self::of_sparse(sparse)?;
        made.blocks = self.blocks;
        Ok(made)
    }

    /// Whether row `i` has only zeros.
    pub(crate) fn is_zero(&self, i: usize) -> bool {
        match self.as_sparse() {
            Some(rows) => rows.row(i).1.is_empty(),
            None => self.row(i).iter().all(|v| *v == 0.0),
        }
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
            Store::Sparse(rows) => rows.read(first, out),
        }
    }

    /// All samples, one after the other, where they lie so.
    pub fn contiguous(&self) -> Option<&[f64]> {
        match &self.store {
            Store::Own(values) => Some(values),
            Store::Shared(table) => table.contiguous(),
            Store::Sparse(_) => None,
        }
    }

    /// The same samples one after the other in memory: themselves, or a copy of 8 bytes
    /// a number where they do not lie so. Zeros of sparse rows are written out too.
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
            Store::Shared(_) | Store::Sparse(_) => self.copied(),
        }
    }

    /// Whether the numbers are our own and nobody else's.
    pub(crate) fn is_sole(&self) -> bool {
        match &self.store {
            Store::Own(values) => Arc::strong_count(values) == 1,
            Store::Shared(_) | Store::Sparse(_) => false,
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

    /// The same rows divided by their lengths, in a copy; a zero row stays, and sparse rows stay
    /// sparse.
    ///
    /// # Errors
    /// None for points, whose numbers were checked.
    pub fn of_unit_length(&self) -> Result<Self> {
        let mut scaled = match self.as_sparse() {
            Some(rows) => Self::of_sparse(rows.clone().of_unit_length())?,
            None => {
                let mut values = self.clone().into_values();
                values.chunks_exact_mut(self.dim).for_each(normalise);
                Self::new(values, self.rows, self.dim)?
            }
        };
        scaled.blocks = self.blocks.clone();
        Ok(scaled)
    }

    /// The chosen samples, in the order given, as a table of their own.
    ///
    /// # Errors
    /// [`Error::Refused`] when `index` is empty; [`Error::Shape`] when one is out of range.
    pub fn select(&self, index: &[usize]) -> Result<Self> {
        if let Some(i) = index.iter().find(|i| **i >= self.rows) {
            return Err(Error::Shape {
                what: "sample index, which must be below the number of rows",
                expected: self.rows,
                got: *i,
            });
        }
        if let Some(rows) = self.as_sparse() {
            let mut chosen = Self::of_sparse(rows.select(index.iter().copied()))?;
            chosen.blocks = self.blocks.clone();
            return Ok(chosen);
        }
        let mut values = vec![0.0; index.len() * self.dim];
        for (&i, row) in index.iter().zip(values.chunks_exact_mut(self.dim)) {
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

    fn sparse(&self) -> Option<(&[usize], &[u32], &[f64])> {
        self.as_sparse().map(SparseRows::compressed)
    }
}

/// Equal where every number is, wherever it is kept.
impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        if let (Some(own), Some(others)) = (self.as_sparse(), other.as_sparse()) {
            return own == others;
        }
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
