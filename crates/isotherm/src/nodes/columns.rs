//! What is spread over a graph, column by column: features with rows of length one, some
//! directions of them, or one column for each node.

use std::ops::Range;

use super::walk::{Row, WIDTH};
use crate::data::Points;
use crate::error::Result;
use crate::linalg::Block;
use crate::linalg::pairwise::normalise;
use crate::linalg::rows::runs;

/// Rows of features read at a time.
const READ: usize = 256;

/// X̂, column by column.
#[derive(Debug)]
pub(super) enum Columns {
    /// Most entries are zero.
    Sparse(SparseColumns),
    /// X̂ times some directions.
    Dense(Block),
}

impl Columns {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Sparse(sparse) => sparse.rows,
            Self::Dense(block) => block.rows(),
        }
    }

    /// How many columns there are.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Sparse(sparse) => sparse.count(),
            Self::Dense(block) => block.cols(),
        }
    }

    /// The columns in groups of at most so many.
    pub(super) fn groups(&self, most: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let count = self.count();
        (0..count)
            .step_by(most)
            .map(move |first| first..count.min(first + most))
    }

    /// These columns, at most [`WIDTH`], row by row; the rest of each row is zero.
    pub(super) fn panel(&self, columns: Range<usize>) -> Vec<Row> {
        let mut panel = vec![[0.0; WIDTH]; self.rows()];
        match self {
            Self::Sparse(sparse) => {
                for (c, j) in columns.enumerate() {
                    for at in sparse.starts[j]..sparse.starts[j + 1] {
                        panel[sparse.row[at] as usize][c] = sparse.value[at] as f32;
                    }
                }
            }
            Self::Dense(block) => {
                for (i, row) in panel.iter_mut().enumerate() {
                    let own = row.iter_mut().zip(&block.row(i)[columns.clone()]);
                    own.for_each(|(slot, v)| *slot = *v as f32);
                }
            }
        }
        panel
    }
}

/// The entries of X̂ that are not zero, column by column.
#[derive(Debug)]
pub(super) struct SparseColumns {
    rows: usize,
    starts: Vec<usize>,
    row: Vec<u32>,
    value: Vec<f64>,
}

impl SparseColumns {
    /// Features with rows of length one; zero rows stay.
    pub(super) fn of_features(features: &Points) -> Self {
        Self::collect(features.len(), features.dim(), |use_row| {
            for run in runs(features.len(), READ) {
                let start = run.start;
                let mut tile = features.tile(run).into_owned();
                for (k, row) in tile.chunks_exact_mut(features.dim()).enumerate() {
                    normalise(row);
                    use_row(start + k, row);
                }
            }
        })
    }

    /// How many columns there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// One column for each node.
    pub(super) fn of_nodes(nodes: usize) -> Self {
        Self {
            rows: nodes,
            starts: (0..=nodes).collect(),
            row: (0..nodes as u32).collect(),
            value: vec![1.0; nodes],
        }
    }

    /// Goes through the rows twice: to count entries, and to keep them.
    fn collect(
        rows: usize,
        dim: usize,
        mut each_row: impl FnMut(&mut dyn FnMut(usize, &[f64])),
    ) -> Self {
        let mut starts = vec![0_usize; dim + 1];
        each_row(&mut |_, row| {
            for (j, v) in row.iter().enumerate() {
                starts[j + 1] += usize::from(*v != 0.0);
            }
        });
        for j in 0..dim {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let (mut places, mut values) = (vec![0_u32; starts[dim]], vec![0.0; starts[dim]]);
        each_row(&mut |i, row| {
            for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                places[next[j]] = i as u32;
                values[next[j]] = *v;
                next[j] += 1;
            }
        });
        Self {
            rows,
            starts,
            row: places,
            value: values,
        }
    }

    /// `X̂ B`.
    pub(super) fn times(&self, b: &Block) -> Result<Block> {
        let mut out = Block::zeros(self.rows, b.cols())?;
        for j in 0..b.rows() {
            for at in self.starts[j]..self.starts[j + 1] {
                add(out.row_mut(self.row[at] as usize), self.value[at], b.row(j));
            }
        }
        Ok(out)
    }

    /// `X̂ᵀ B`.
    pub(super) fn transposed_times(&self, b: &Block) -> Result<Block> {
        let mut out = Block::zeros(self.starts.len() - 1, b.cols())?;
        for j in 0..out.rows() {
            for at in self.starts[j]..self.starts[j + 1] {
                add(out.row_mut(j), self.value[at], b.row(self.row[at] as usize));
            }
        }
        Ok(out)
    }
}

fn add(row: &mut [f64], factor: f64, other: &[f64]) {
    row.iter_mut()
        .zip(other)
        .for_each(|(v, o)| *v += factor * o);
}
