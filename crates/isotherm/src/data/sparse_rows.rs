//! Tables most of whose numbers are zero: only the others are kept.

use super::table::Table;
use crate::error::{Error, Result};

/// Rows by their numbers that are not zero.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SparseRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    dim: usize,
}

impl SparseRows {
    /// Compressed rows: the numbers of row `i` are those from `starts[i]` to `starts[i + 1]`.
    /// Numbers of the same cell are added.
    ///
    /// # Errors
    /// [`Error::Shape`] when the starts do not ascend from 0 to the number of values, a column is
    /// not below `dim`, or there is not one column a value.
    pub(super) fn new(
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
        Ok(Self {
            starts,
            columns,
            values,
            dim,
        })
    }
}

impl Table for SparseRows {
    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        out.fill(0.0);
        for (i, row) in (first..).zip(out.chunks_exact_mut(self.dim.max(1))) {
            for at in self.starts[i]..self.starts[i + 1] {
                row[self.columns[at] as usize] += self.values[at];
            }
        }
    }
}
