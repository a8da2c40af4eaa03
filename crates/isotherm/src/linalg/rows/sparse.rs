//! Rows most of whose numbers are zero: only the others are kept.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::linalg::distance::normalise;

/// Above this share of numbers that are not zero a product of whole rows is faster.
const SPARSE_UP_TO: f64 = 0.25;

/// Where each row begins and the last ends, the columns of numbers and the numbers, row by row.
pub(crate) type Compressed<'a> = (&'a [usize], &'a [u32], &'a [f64]);

/// Rows by their numbers that are not zero, in the order of their columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SparseRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    dim: usize,
}

impl SparseRows {
    /// Compressed rows: the numbers of row `i` are those from `starts[i]` to `starts[i + 1]`.
    /// Numbers of the same cell are added, in the order given.
    ///
    /// # Errors
    /// [`Error::Shape`] when the starts do not ascend from 0 to the number of values, a column is
    /// not below `dim`, or columns and values differ in number.
    pub(crate) fn new(
        starts: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
        dim: usize,
    ) -> Result<Self> {
        let shape = |what, expected, got| Error::Shape {
            what,
            expected,
            got,
        };
        if columns.len() != values.len() {
            let what = "columns of sparse rows, one for each number";
            return Err(shape(what, values.len(), columns.len()));
        }
        let ends = starts.last().copied().unwrap_or(usize::MAX);
        if ends != values.len() || starts[0] != 0 || starts.windows(2).any(|s| s[1] < s[0]) {
            let what = "numbers of sparse rows, which their starts must divide in order";
            return Err(shape(what, values.len(), ends));
        }
        if let Some(column) = columns.iter().find(|c| **c as usize >= dim) {
            let what = "columns that sparse rows have, more than any they name";
            return Err(shape(what, *column as usize + 1, dim));
        }
        let given = Self {
            starts,
            columns,
            values,
            dim,
        };
        Ok(given.in_order())
    }

    /// Each row in the order of its columns, one number a cell, no zeros.
    fn in_order(self) -> Self {
        let sorted = (0..self.count()).all(|i| {
            let (columns, values) = self.row(i);
            columns.windows(2).all(|c| c[0] < c[1]) && values.iter().all(|v| *v != 0.0)
        });
        if sorted {
            return self;
        }
        let mut ordered = Self::empty(self.dim, self.values.len());
        for i in 0..self.count() {
            let (columns, values) = self.row(i);
            let mut cells: Vec<(u32, f64)> = columns.iter().copied().zip(values.to_vec()).collect();
            cells.sort_by_key(|(column, _)| *column);
            let sums = cells.chunk_by(|a, b| a.0 == b.0).map(|same| {
                let sum: f64 = same.iter().map(|(_, v)| v).sum();
                (same[0].0, sum)
            });
            ordered.push(sums);
        }
        ordered
    }

    /// No row yet, with room for so many numbers.
    pub(crate) fn empty(dim: usize, numbers: usize) -> Self {
        Self {
            starts: vec![0],
            columns: Vec::with_capacity(numbers),
            values: Vec::with_capacity(numbers),
            dim,
        }
    }

    /// Adds a row of numbers in the order of their columns, of which each occurs once; zeros are
    /// left out.
    pub(crate) fn push(&mut self, cells: impl Iterator<Item = (u32, f64)>) {
        for (column, value) in cells.filter(|(_, value)| *value != 0.0) {
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.push(self.values.len());
    }

    /// Rows whose numbers lie one after the other.
    pub(crate) fn of_dense(rows: &[f64], dim: usize) -> Self {
        let mut sparse = Self::empty(dim, 0);
        for row in rows.chunks_exact(dim.max(1)) {
            sparse.push((0_u32..).zip(row.iter().copied()));
        }
        sparse
    }

    /// Whether so few numbers are not zero that rows are compared faster by these alone.
    pub(crate) fn pays(&self) -> bool {
        pays(self.compressed(), self.dim)
    }

    /// The same as plain slices.
    pub(crate) fn compressed(&self) -> Compressed<'_> {
        (&self.starts, &self.columns, &self.values)
    }

    /// A copy of some rows.
    pub(crate) fn some_of(all: Compressed<'_>, dim: usize, rows: Range<usize>) -> Self {
        let (starts, columns, values) = all;
        let first = starts[rows.start];
        let cells = first..starts[rows.end];
        let own = &starts[rows.start..=rows.end];
        Self {
            starts: own.iter().map(|start| start - first).collect(),
            columns: columns[cells.clone()].to_vec(),
            values: values[cells].to_vec(),
            dim,
        }
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Numbers in a row, zeros among them.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The columns and the numbers of row `i`.
    pub(crate) fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let own = self.starts[i]..self.starts[i + 1];
        (&self.columns[own.clone()], &self.values[own])
    }

    /// All numbers that are kept, row after row.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their columns.
    pub(crate) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Where each row begins, and the end of the last.
    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The row that the number at this place belongs to.
    pub(crate) fn row_of(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start <= place) - 1
    }

    /// Writes the rows from `first` on into `out`, zeros among them: as many as fill it.
    pub(crate) fn read(&self, first: usize, out: &mut [f64]) {
        out.fill(0.0);
        for (i, out) in (first..).zip(out.chunks_exact_mut(self.dim.max(1))) {
            let (columns, values) = self.row(i);
            for (column, value) in columns.iter().zip(values) {
                out[*column as usize] = *value;
            }
        }
    }

    /// The chosen rows, in the order given.
    pub(crate) fn select(&self, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let numbers = rows.clone().map(|i| self.starts[i + 1] - self.starts[i]);
        let mut chosen = Self::empty(self.dim, numbers.sum());
        for i in rows {
            let (columns, values) = self.row(i);
            chosen.push(columns.iter().copied().zip(values.iter().copied()));
        }
        chosen
    }

    /// Rows of length 1; a zero row stays.
    pub(crate) fn of_unit_length(mut self) -> Self {
        for i in 0..self.count() {
            normalise(&mut self.values[self.starts[i]..self.starts[i + 1]]);
        }
        // What is divided by the largest number may vanish.
        self.in_order()
    }

    /// Each column divided by a number that is not zero.
    pub(crate) fn divided_by(mut self, scale: &[f64]) -> Self {
        for (value, column) in self.values.iter_mut().zip(&self.columns) {
            *value /= scale[*column as usize];
        }
        self.in_order()
    }

    /// Σ f(xₐ, zₐ) over the columns in which one of two rows has a number, in their order.
    pub(crate) fn over_cells(&self, i: usize, j: usize, f: impl Fn(f64, f64) -> f64) -> f64 {
        over_cells(self.row(i), self.row(j), f)
    }
}

/// Whether so few numbers are not zero that rows are compared faster by these alone.
pub(crate) fn pays((starts, _, values): Compressed<'_>, dim: usize) -> bool {
    let rows = starts.len().saturating_sub(1);
    values.len() as f64 <= SPARSE_UP_TO * rows as f64 * dim as f64
}

/// Σ f(xₐ, zₐ) over the columns in which one of two rows has a number, in their order.
pub(crate) fn over_cells(
    x: (&[u32], &[f64]),
    z: (&[u32], &[f64]),
    f: impl Fn(f64, f64) -> f64,
) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < x.0.len() || j < z.0.len() {
        let a = x.0.get(i).copied().unwrap_or(u32::MAX);
        let b = z.0.get(j).copied().unwrap_or(u32::MAX);
        // A column that both have ends neither row: no column is the largest number there is.
        sum += match a.cmp(&b) {
            std::cmp::Ordering::Less => f(x.1[i], 0.0),
            std::cmp::Ordering::Greater => f(0.0, z.1[j]),
            std::cmp::Ordering::Equal => f(x.1[i], z.1[j]),
        };
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    sum
}

/// Some rows column by column: for each column that has numbers, the rows they are in.
#[derive(Debug, Clone)]
pub(crate) struct ByColumn {
    columns: Vec<u32>,
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl ByColumn {
    /// Takes some of the rows, numbered from 0.
    pub(crate) fn new(all: &SparseRows, part: Range<usize>) -> Self {
        let first = part.start;
        let mut cells: Vec<(u32, u32, f64)> = Vec::new();
        for i in part {
            let (columns, values) = all.row(i);
            let cell = |(column, value): (&u32, &f64)| (*column, (i - first) as u32, *value);
            cells.extend(columns.iter().zip(values).map(cell));
        }
        cells.sort_unstable_by_key(|(column, row, _)| (*column, *row));
        let mut found = Self {
            columns: Vec::new(),
            starts: Vec::new(),
            rows: cells.iter().map(|(_, row, _)| *row).collect(),
            values: cells.iter().map(|(.., value)| *value).collect(),
        };
        for (at, (column, ..)) in (0_u32..).zip(&cells) {
            if found.columns.last() != Some(column) {
                found.columns.push(*column);
                found.starts.push(at);
            }
        }
        found.starts.push(cells.len() as u32);
        found
    }

    fn column(&self, at: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let own = self.starts[at] as usize..self.starts[at + 1] as usize;
        let rows = self.rows[own.clone()].iter().map(|row| *row as usize);
        rows.zip(self.values[own].iter().copied())
    }

    /// `tile[i·width + j] = Σ f(xᵢ, zⱼ)` over the columns in which both row `i` of these and row
    /// `j` of the others have a number, in the order of the columns.
    pub(crate) fn sums_over_shared(
        &self,
        others: &Self,
        tile: &mut [f64],
        width: usize,
        f: impl Fn(f64, f64) -> f64,
    ) {
        tile.fill(0.0);
        let (mut own, mut other) = (0, 0);
        while own < self.columns.len() && other < others.columns.len() {
            let (a, b) = (self.columns[own], others.columns[other]);
            if a == b {
                for (i, x) in self.column(own) {
                    let strip = &mut tile[i * width..(i + 1) * width];
                    for (j, z) in others.column(other) {
                        strip[j] += f(x, z);
                    }
                }
            }
            own += usize::from(a <= b);
            other += usize::from(b <= a);
        }
    }
}
