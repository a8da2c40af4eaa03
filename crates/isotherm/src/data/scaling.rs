//! Standardising columns: mean zero, variance one, remembered for new rows.

mod ranks;
pub mod rescaling;

use std::sync::Arc;

use super::{Points, Table};
use crate::error::{Error, Result};
use crate::linalg::rows::runs;
use crate::linalg::rows::sparse::SparseRows;
use crate::linalg::tiles;
use crate::monitor::Monitor;

const PHASE: &str = "scaling columns";

/// Rows in one tile.
const TILE: usize = 4096;

/// Foreign tables of so many bytes as `f64` are scaled once: that costs little memory
/// beside what any method needs, and searches read rows thousands of times.
pub(crate) const COPIED_UP_TO: usize = 1 << 25;

/// Rows of a tile that are read at a time.
const READ: usize = 256;

/// The shift and scale of each column, learned from all rows, labelled or not.
///
/// `x ← (x − mean) / scale`. A constant column has scale 1 and becomes zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Standardiser {
    mean: Vec<f64>,
    scale: Vec<f64>,
}

/// Whether a column that spreads so little around numbers of this size is constant up to rounding:
/// by a part of 10⁻¹³, or by less than 10⁻³⁰ where the numbers themselves are what rounding left.
pub(crate) fn is_rounding(spread: f64, size: f64) -> bool {
    spread <= 1e-13 * size.abs() || spread < 1e-30
}

impl Standardiser {
    /// Learns the columns' means and standard deviations (divisor n).
    ///
    /// Three passes by tiles, O(nd): the second takes the rounding out of the
    /// mean, the third subtracts the mean before squaring, so a large offset
    /// costs no digits.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the monitor breaks.
    pub fn learn(points: &Points, monitor: &mut dyn Monitor) -> Result<Self> {
        let zero = vec![0.0; points.dim()];
        let mut mean = column_means(points, monitor, |x, _| x, &zero)?;
        let rounding = column_means(points, monitor, |x, m| x - m, &mean)?;
        mean.iter_mut().zip(&rounding).for_each(|(m, r)| *m += r);
        let variance = Self::variances(points, &mean, monitor)?;
        let mut found = Self::from_moments(mean, variance.clone())?;
        found.scale_blocks(points, &variance);
        Ok(found)
    }

    /// One scale for all columns of a block, so that the variances of a block sum up to those
    /// of the scaled columns outside of blocks, or to 1 where there is none.
    pub(super) fn scale_blocks(&mut self, points: &Points, variance: &[f64]) {
        let inside = |j: &usize| points.blocks().iter().any(|block| block.contains(j));
        let outside = (0..variance.len()).filter(|j| !inside(j));
        let scaled = |j: usize| variance[j] / (self.scale[j] * self.scale[j]);
        let others: f64 = outside.map(scaled).sum();
        for block in points.blocks() {
            let own: f64 = variance[block.clone()].iter().sum();
            if own > 0.0 {
                let scale = (own / if others > 0.0 { others } else { 1.0 }).sqrt();
                self.scale[block.clone()].fill(scale);
            }
        }
    }

    /// The columns' variances.
    fn variances(points: &Points, mean: &[f64], monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        column_means(points, monitor, |x, m| (x - m) * (x - m), mean)
    }

    /// From columns' means and variances; a constant column keeps its scale.
    ///
    /// # Errors
    /// As [`Standardiser::from_parts`].
    pub fn from_moments(mean: Vec<f64>, variance: Vec<f64>) -> Result<Self> {
        let mut scale = variance;
        for (s, m) in scale.iter_mut().zip(&mean) {
            *s = s.sqrt();
            if is_rounding(*s, *m) {
                *s = 1.0;
            }
        }
        Self::from_parts(mean, scale)
    }

    /// Scales that make the largest number of each column 1 in size, without shifts, which would
    /// fill sparse rows; an empty column keeps its scale.
    fn of_largest(rows: &SparseRows) -> Self {
        let mut scale = vec![0.0_f64; rows.dim()];
        for (column, value) in rows.columns().iter().zip(rows.values()) {
            let largest = &mut scale[*column as usize];
            *largest = largest.max(value.abs());
        }
        for s in scale.iter_mut().filter(|s| **s == 0.0) {
            *s = 1.0;
        }
        Self {
            mean: vec![0.0; rows.dim()],
            scale,
        }
    }

    /// From stored columns.
    ///
    /// # Errors
    /// [`Error::Shape`] when the two differ in length, [`Error::Parameter`]
    /// when a number cannot be a mean or a scale.
    pub fn from_parts(mean: Vec<f64>, scale: Vec<f64>) -> Result<Self> {
        if mean.len() != scale.len() {
            return Err(Error::Shape {
                what: "scales of the columns",
                expected: mean.len(),
                got: scale.len(),
            });
        }
        if let Some(bad) = mean.iter().find(|m| !m.is_finite()) {
            return Err(Error::parameter("column mean", "finite", bad));
        }
        if let Some(bad) = scale.iter().find(|s| !(**s > 0.0 && s.is_finite())) {
            return Err(Error::parameter("column scale", "positive", bad));
        }
        Ok(Self { mean, scale })
    }

    /// The same to seven digits: scales of 24 bits, and means that are multiples of 2⁻²⁴
    /// scales. Means and variances that agree but for rounding, whatever order they were
    /// summed in, give one scaling.
    ///
    /// # Errors
    /// As [`Standardiser::from_parts`].
    pub fn rounded(&self) -> Result<Self> {
        let cut = 0.5_f64.powi(24);
        let scale: Vec<f64> = self.scale.iter().map(|s| bits(*s, 24)).collect();
        let mean = self.mean.iter().zip(&scale).map(|(m, s)| {
            let grid = s * cut;
            let near = (m / grid).round() * grid;
            if near.is_finite() { near } else { *m }
        });
        Self::from_parts(mean.collect(), scale)
    }

    /// Columns' means.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Columns' scales.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The rows with each column shifted and scaled.
    ///
    /// Our own rows are scaled in place, or in a copy where they have another holder. A
    /// table that somebody else holds is left alone: up to `COPIED_UP_TO` bytes of `f64`
    /// it is scaled once, into a copy, a larger one whenever it is read
    /// ([`Standardiser::view`]).
    ///
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs; [`Error::Value`]
    /// when a scaled number leaves the usable range; [`Error::Cancelled`].
    pub fn apply(&self, points: Points, monitor: &mut dyn Monitor) -> Result<Points> {
        if points.is_sparse() {
            return self.view(&points);
        }
        let bytes = points.len().saturating_mul(8 * points.dim());
        if !points.is_own() && bytes > COPIED_UP_TO {
            return self.view(&points);
        }
        let (rows, d) = (points.len(), self.mean.len());
        self.fits(&points)?;
        let mut values = points.into_values();
        let work = values.chunks_mut(TILE * d).collect();
        tiles::sweep(PHASE, work, monitor, |tile: &mut [f64]| {
            self.scale_rows(tile);
            Ok(())
        })?;
        Points::new(values, rows, d)
    }

    /// The rows with each column shifted and scaled whenever they are read: no copy. Sparse
    /// rows whose columns are not shifted are scaled at once and stay sparse.
    ///
    /// # Errors
    /// As [`Standardiser::apply`].
    pub fn view(&self, points: &Points) -> Result<Points> {
        self.fits(points)?;
        if let Some(rows) = points.as_sparse()
            && self.mean.iter().all(|m| *m == 0.0)
        {
            return Points::of_sparse(rows.clone().divided_by(&self.scale));
        }
        Points::shared(Arc::new(View {
            points: points.clone(),
            scaling: self.clone(),
        }))
    }

    fn fits(&self, points: &Points) -> Result<()> {
        if points.dim() == self.mean.len() {
            return Ok(());
        }
        Err(Error::Shape {
            what: "feature columns of the new rows",
            expected: self.mean.len(),
            got: points.dim(),
        })
    }

    fn scale_rows(&self, rows: &mut [f64]) {
        for row in rows.chunks_exact_mut(self.mean.len()) {
            for ((x, m), s) in row.iter_mut().zip(&self.mean).zip(&self.scale) {
                *x = (*x - m) / s;
            }
        }
    }
}

/// Rows that are scaled while they are read.
#[derive(Debug)]
struct View {
    points: Points,
    scaling: Standardiser,
}

impl Table for View {
    fn rows(&self) -> usize {
        self.points.len()
    }

    fn dim(&self) -> usize {
        self.points.dim()
    }

    fn contiguous(&self) -> Option<&[f64]> {
        None
    }

    fn read(&self, first: usize, out: &mut [f64]) {
        self.points.read(first, out);
        self.scaling.scale_rows(out);
    }
}

/// The nearest number of so many significant bits.
fn bits(value: f64, count: u32) -> f64 {
    let drop = 53 - count;
    let half = 1_u64 << (drop - 1);
    let rounded = f64::from_bits(value.to_bits().wrapping_add(half) >> drop << drop);
    if rounded.is_finite() && rounded > 0.0 {
        rounded
    } else {
        value
    }
}

/// The mean over rows of `f(x, about)` in each column, summed in tile order.
fn column_means(
    points: &Points,
    monitor: &mut dyn Monitor,
    f: impl Fn(f64, f64) -> f64 + Sync,
    about: &[f64],
) -> Result<Vec<f64>> {
    let (n, d) = (points.len() as f64, points.dim());
    let mut means = vec![0.0; d];
    let part = |tile: usize| {
        let first = tile * TILE;
        let mut sums = vec![0.0; d];
        for run in runs(TILE.min(points.len() - first), READ) {
            for row in (points.tile(first + run.start..first + run.end)).chunks_exact(d) {
                for ((s, x), m) in sums.iter_mut().zip(row).zip(about) {
                    *s += f(*x, *m) / n;
                }
            }
        }
        Ok(sums)
    };
    let count = points.len().div_ceil(TILE);
    tiles::map_fold(PHASE, count, monitor, part, |sums: Vec<f64>| {
        for (m, s) in means.iter_mut().zip(sums) {
            *m += s;
        }
        Ok(())
    })?;
    Ok(means)
}

/// Columns whose values are all equal up to rounding, zeros of sparse rows included: they carry
/// nothing.
pub(crate) fn constant_columns(points: &Points) -> Vec<usize> {
    let mut range = vec![(f64::INFINITY, f64::NEG_INFINITY); points.dim()];
    let same = |(low, high): (f64, f64)| is_rounding(high - low, low.abs().max(high.abs()));
    if let Some(rows) = points.as_sparse() {
        let mut count = vec![0; points.dim()];
        for (column, x) in rows.columns().iter().zip(rows.values()) {
            let (low, high) = &mut range[*column as usize];
            (*low, *high) = (low.min(*x), high.max(*x));
            count[*column as usize] += 1;
        }
        for ((low, high), count) in range.iter_mut().zip(count) {
            if count < rows.count() {
                (*low, *high) = (low.min(0.0), high.max(0.0));
            }
        }
        return (0..points.dim()).filter(|&j| same(range[j])).collect();
    }
    for run in runs(points.len(), READ) {
        for row in points.tile(run).chunks_exact(points.dim()) {
            for ((low, high), x) in range.iter_mut().zip(row) {
                (*low, *high) = (low.min(*x), high.max(*x));
            }
        }
    }
    (0..points.dim()).filter(|&j| same(range[j])).collect()
}
