//! One light pass over a stream: how many rows, their scale, and some to keep.

use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::stream::RowStream;
use super::{Points, Standardiser};
use crate::error::{Error, Result};
use crate::linalg::rows::runs;
use crate::linalg::tiles;
use crate::monitor::{Monitor, Within};

const PHASE: &str = "looking through the rows";

/// Rows of a part that are read at a time.
const READ: usize = 256;

/// What a pass over a stream has found.
#[derive(Debug, Clone)]
pub struct Survey {
    /// n, the rows there are.
    pub count: usize,
    /// Rows drawn without replacement, each alike, in the stream's order.
    pub sample: Points,
    /// The rows that were asked for; the first if none was.
    pub kept: Points,
    /// Which rows those are, ascending.
    pub index: Vec<usize>,
    /// Mean and standard deviation of each column over all rows.
    pub scaling: Standardiser,
    /// Columns with one value only.
    pub constant: Vec<usize>,
}

impl Survey {
    /// Reads the stream once, keeping `size` rows at random and those in `keep`.
    ///
    /// Memory: the rows kept. Cost: O(nd).
    ///
    /// # Errors
    /// [`Error::Data`] when there is no row; [`Error::Shape`] when a row to keep does
    /// not exist; [`Error::Cancelled`]; whatever the stream says.
    pub fn take<S: RowStream>(
        stream: &mut S,
        size: usize,
        keep: &[usize],
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> std::result::Result<Self, S::Error> {
        let dim = stream.dim();
        // Something to look at is always kept.
        let mut index = if keep.is_empty() {
            vec![0]
        } else {
            keep.to_vec()
        };
        index.sort_unstable();
        index.dedup();
        let mut columns = Columns::default();
        let mut reservoir = Reservoir::new(size.max(1), seed);
        let mut kept = Vec::with_capacity(index.len() * dim);
        let mut next = 0;
        stream.rewind()?;
        tiles::announce(PHASE, None, monitor)?;
        while let Some(part) = stream.next(&mut Within(monitor))? {
            if part.dim() != dim {
                return Err(Error::Shape {
                    what: "columns of the stream",
                    expected: dim,
                    got: part.dim(),
                }
                .into());
            }
            let before = columns.count;
            while let Some(&row) = index.get(next).filter(|r| **r < before + part.len()) {
                kept.extend_from_slice(&part.row(row - before));
                next += 1;
            }
            for run in runs(part.len(), READ) {
                let tile = part.tile(run.clone());
                for (i, row) in run.zip(tile.chunks_exact(dim)) {
                    reservoir.offer(before + i, row);
                }
            }
            columns.add(&part);
            tiles::tick(PHASE, monitor)?;
        }
        if columns.count == 0 {
            return Err(Error::data("the stream has no rows", "give at least one").into());
        }
        if let Some(&missing) = index.get(next) {
            return Err(Error::Shape {
                what: "row to keep, which must be below the number of rows",
                expected: columns.count,
                got: missing,
            }
            .into());
        }
        let scaling = columns.scaling()?;
        Ok(Self {
            count: columns.count,
            sample: reservoir.finish(dim)?,
            kept: Points::new(kept, index.len(), dim)?,
            index,
            scaling,
            constant: columns.constant(),
        })
    }

    /// The survey of the stream whose columns are scaled so.
    ///
    /// # Errors
    /// As [`Standardiser::apply`].
    pub fn scaled(self, by: &Standardiser, monitor: &mut dyn Monitor) -> Result<Self> {
        Ok(Self {
            sample: by.apply(self.sample, monitor)?,
            kept: by.apply(self.kept, monitor)?,
            ..self
        })
    }

    /// The rows of the given numbers among those kept.
    ///
    /// # Errors
    /// [`Error::Data`] when one was not kept.
    pub fn select(&self, rows: &[usize]) -> Result<Points> {
        let place = |row: &usize| {
            self.index.binary_search(row).map_err(|_| {
                Error::data(
                    format!("row {row} was read in passing and not kept"),
                    "name the labelled rows before the rows are streamed",
                )
            })
        };
        let places: Result<Vec<usize>> = rows.iter().map(place).collect();
        self.kept.select(&places?)
    }
}

/// Means and squared deviations of columns, part by part.
///
/// T. F. Chan, G. H. Golub and R. J. LeVeque, *Updating formulae and a pairwise
/// algorithm for computing sample variances* (1982): a large offset costs no digits.
#[derive(Default)]
struct Columns {
    count: usize,
    mean: Vec<f64>,
    squares: Vec<f64>,
    first: Vec<f64>,
    differs: Vec<bool>,
}

impl Columns {
    fn add(&mut self, part: &Points) {
        let dim = part.dim();
        if self.count == 0 {
            self.mean = vec![0.0; dim];
            self.squares = vec![0.0; dim];
            self.first = part.row(0).to_vec();
            self.differs = vec![false; dim];
        }
        let here = part.len() as f64;
        let mut mean = vec![0.0; dim];
        for run in runs(part.len(), READ) {
            for row in part.tile(run).chunks_exact(dim) {
                mean.iter_mut().zip(row).for_each(|(m, x)| *m += x / here);
            }
        }
        let (mut squares, mut rounding) = (vec![0.0; dim], vec![0.0; dim]);
        for run in runs(part.len(), READ) {
            for row in part.tile(run).chunks_exact(dim) {
                for j in 0..dim {
                    let off = row[j] - mean[j];
                    squares[j] += off * off;
                    rounding[j] += off / here;
                    self.differs[j] |= row[j] != self.first[j];
                }
            }
        }
        let before = self.count as f64;
        let all = before + here;
        for j in 0..dim {
            let step = mean[j] + rounding[j] - self.mean[j];
            self.squares[j] += squares[j] + step * step * (before * here / all);
            self.mean[j] += step * (here / all);
        }
        self.count += part.len();
    }

    fn scaling(&self) -> Result<Standardiser> {
        let n = self.count as f64;
        let variance = self.squares.iter().map(|s| s / n).collect();
        Standardiser::from_moments(self.mean.clone(), variance)
    }

    fn constant(&self) -> Vec<usize> {
        (0..self.differs.len())
            .filter(|&j| !self.differs[j])
            .collect()
    }
}

/// A uniform sample of rows that pass by.
///
/// J. S. Vitter, *Random sampling with a reservoir*, ACM TOMS 11 (1985), Algorithm R.
struct Reservoir {
    size: usize,
    rng: ChaCha8Rng,
    rows: Vec<(usize, Vec<f64>)>,
}

impl Reservoir {
    fn new(size: usize, seed: u64) -> Self {
        Self {
            size,
            rng: ChaCha8Rng::seed_from_u64(seed),
            rows: Vec::new(),
        }
    }

    fn offer(&mut self, number: usize, row: &[f64]) {
        if self.rows.len() < self.size {
            self.rows.push((number, row.to_vec()));
            return;
        }
        let at = self.rng.random_range(0..=number);
        if let Some(slot) = self.rows.get_mut(at) {
            slot.0 = number;
            slot.1.copy_from_slice(row);
        }
    }

    fn finish(mut self, dim: usize) -> Result<Points> {
        self.rows.sort_unstable_by_key(|(number, _)| *number);
        let count = self.rows.len();
        let values = self.rows.into_iter().flat_map(|(_, row)| row).collect();
        Points::new(values, count, dim)
    }
}
