//! Means and variances of columns, part by part.

pub mod dates;
pub mod missing;
pub mod summary;

use super::scaling::is_rounding;
use super::{Points, Standardiser};
use crate::error::{Error, Refusal, Result};
use crate::linalg::rows::runs;

/// Rows read at a time.
const READ: usize = 256;

/// Means and squared deviations of columns.
///
/// T. F. Chan, G. H. Golub and R. J. LeVeque, *Updating formulae and a pairwise
/// algorithm for computing sample variances* (1982): a large offset costs no digits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Columns {
    /// Rows seen; while there is none, all else is empty.
    pub count: usize,
    /// The mean of each column.
    pub mean: Vec<f64>,
    /// The sum of squared deviations from it.
    pub squares: Vec<f64>,
    /// The smallest value, to tell a column with one value.
    pub least: Vec<f64>,
    /// The largest.
    pub most: Vec<f64>,
}

impl Columns {
    /// Those of some rows.
    pub fn of(rows: &Points) -> Self {
        let (dim, n) = (rows.dim(), rows.len() as f64);
        let mut found = Self {
            count: rows.len(),
            mean: vec![0.0; dim],
            squares: vec![0.0; dim],
            least: vec![f64::INFINITY; dim],
            most: vec![f64::NEG_INFINITY; dim],
        };
        for run in runs(rows.len(), READ) {
            for row in rows.tile(run).chunks_exact(dim) {
                for (j, x) in row.iter().enumerate() {
                    found.mean[j] += x / n;
                    found.least[j] = found.least[j].min(*x);
                    found.most[j] = found.most[j].max(*x);
                }
            }
        }
        let mut rounding = vec![0.0; dim];
        for run in runs(rows.len(), READ) {
            for row in rows.tile(run).chunks_exact(dim) {
                for (j, x) in row.iter().enumerate() {
                    let off = x - found.mean[j];
                    found.squares[j] += off * off;
                    rounding[j] += off / n;
                }
            }
        }
        (found.mean.iter_mut().zip(&rounding)).for_each(|(m, r)| *m += r);
        found
    }

    /// Takes in other rows of as many columns.
    pub fn merge(&mut self, other: &Self) {
        if self.count == 0 || other.count == 0 {
            if self.count == 0 {
                *self = other.clone();
            }
            return;
        }
        let (before, here) = (self.count as f64, other.count as f64);
        let all = before + here;
        for j in 0..self.mean.len() {
            let step = other.mean[j] - self.mean[j];
            self.squares[j] += other.squares[j] + step * step * (before * here / all);
            self.mean[j] += step * (here / all);
            self.least[j] = self.least[j].min(other.least[j]);
            self.most[j] = self.most[j].max(other.most[j]);
        }
        self.count += other.count;
    }

    /// Refuses numbers that rows cannot have.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn check(&self, dim: usize) -> Result<()> {
        let lengths = [&self.mean, &self.squares, &self.least, &self.most];
        let expected = if self.count == 0 { 0 } else { dim };
        let fits = lengths.iter().all(|l| l.len() == expected);
        let finite = lengths.iter().all(|l| l.iter().all(|v| v.is_finite()));
        let ordered = (self.least.iter().zip(&self.most)).all(|(a, b)| a <= b);
        if fits && finite && ordered && self.squares.iter().all(|s| *s >= 0.0) {
            Ok(())
        } else {
            Err(Error::refused(
                Refusal::Parts,
                "the moments of the columns are not those of any rows",
                "survey the rows again",
            ))
        }
    }

    /// What brings the columns to mean 0 and variance 1.
    ///
    /// # Errors
    /// As [`Standardiser::from_moments`].
    pub fn scaling(&self) -> Result<Standardiser> {
        let n = self.count as f64;
        let (mut mean, mut squares) = (self.mean.clone(), self.squares.clone());
        for j in self.constant() {
            (mean[j], squares[j]) = (self.least[j], 0.0);
        }
        let variance = squares.iter().map(|s| s / n).collect();
        Standardiser::from_moments(mean, variance)
    }

    /// The columns of the smallest and the largest standard deviation, constant ones
    /// aside, and the ratio of the two.
    pub fn scales(&self) -> Option<(usize, usize, f64)> {
        let constant = self.constant();
        let open = (0..self.squares.len()).filter(|j| !constant.contains(j));
        let open: Vec<usize> = open.filter(|&j| self.squares[j] > 0.0).collect();
        let by = |a: &&usize, b: &&usize| self.squares[**a].total_cmp(&self.squares[**b]);
        let (least, most) = (*open.iter().min_by(by)?, *open.iter().max_by(by)?);
        let ratio = (self.squares[most] / self.squares[least]).sqrt();
        Some((least, most, ratio))
    }

    /// Columns with one value only, up to rounding.
    pub fn constant(&self) -> Vec<usize> {
        let same = |&j: &usize| {
            let (low, high) = (self.least[j], self.most[j]);
            is_rounding(high - low, low.abs().max(high.abs()))
        };
        (0..self.least.len()).filter(same).collect()
    }
}
