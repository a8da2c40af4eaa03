//! A tall orthonormal basis, stored by runs of rows.
//!
//! Products with it run over the runs in parallel and are summed in their
//! order; the runs depend on the number of rows alone.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Block, Mat, MatMut, MatRef, eigen, tiles};
use crate::monitor::Monitor;

pub(super) const PHASE: &str = "leading eigenpairs";

/// Runs at most, and rows of a run at least: the partial sums of a projection
/// are that many small matrices.
const RUNS: usize = 64;
const ROWS: usize = 512;

/// Directions this much shorter than their block's longest wait for the second
/// pass of the orthogonalisation; what is still short then is rounding.
const SHORT: f64 = 1e-7;

pub(super) struct Basis {
    runs: Vec<Mat<f64>>,
    rows: usize,
    height: usize,
    /// Columns in use.
    pub(super) len: usize,
    capacity: usize,
}

impl Basis {
    pub(super) fn new(rows: usize, capacity: usize) -> Result<Self> {
        let height = rows.div_ceil(RUNS).max(ROWS);
        let mut runs = Vec::new();
        for first in (0..rows).step_by(height) {
            let height = height.min(rows - first);
            let mut run = Mat::new();
            run.try_reserve(height, capacity).map_err(|_| {
                Error::no_memory(
                    format!("a basis of {rows} rows and {capacity} columns"),
                    (rows as u64).saturating_mul(capacity as u64 * 8),
                )
            })?;
            run.resize_with(height, capacity, |_, _| 0.0);
            runs.push(run);
        }
        Ok(Self {
            runs,
            rows,
            height,
            len: 0,
            capacity,
        })
    }

    /// Columns that fit in all.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Columns that still fit.
    pub(super) fn room(&self) -> usize {
        self.capacity - self.len
    }

    /// Appends the columns of `w`.
    pub(super) fn push(&mut self, w: &Block) {
        for (r, run) in self.runs.iter_mut().enumerate() {
            let rows = w.as_mat().subrows(r * self.height, run.nrows());
            run.as_mut().subcols_mut(self.len, w.cols()).copy_from(rows);
        }
        self.len += w.cols();
    }

    /// Columns `first..first + cols` as a block.
    pub(super) fn take(&self, first: usize, cols: usize) -> Result<Block> {
        let mut out = Block::zeros(self.rows, cols)?;
        for (run, mut rows) in self.runs.iter().zip(strips(out.as_mat_mut(), self.height)) {
            rows.copy_from(run.as_ref().subcols(first, cols));
        }
        Ok(out)
    }

    /// The first `count` columns as a matrix.
    pub(super) fn to_mat(&self, count: usize) -> Mat<f64> {
        let mut out = Mat::zeros(self.rows, count);
        for (run, mut rows) in self.runs.iter().zip(strips(out.as_mut(), self.height)) {
            rows.copy_from(run.as_ref().subcols(0, count));
        }
        out
    }

    /// `VᵀW` for the first `cols` columns.
    pub(super) fn project(
        &self,
        cols: usize,
        w: &Block,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let left = |r: usize| self.runs[r].as_ref().subcols(0, cols);
        self.sum_over_runs(cols, w, left, monitor)
    }

    /// `WᵀW`.
    pub(super) fn gram(&self, w: &Block, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let left = |r: usize| w.as_mat().subrows(r * self.height, self.runs[r].nrows());
        self.sum_over_runs(w.cols(), w, left, monitor)
    }

    /// `Σ L_rᵀ W_r` over the runs, in their order.
    fn sum_over_runs<'m>(
        &self,
        rows: usize,
        w: &Block,
        left: impl Fn(usize) -> MatRef<'m, f64> + Sync,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let mut parts: Vec<Mat<f64>> = (self.runs.iter())
            .map(|_| Mat::zeros(rows, w.cols()))
            .collect();
        let tiles = parts.iter_mut().enumerate().collect();
        tiles::sweep(
            PHASE,
            tiles,
            monitor,
            |(r, part): (usize, &mut Mat<f64>)| {
                let right = w.as_mat().subrows(r * self.height, self.runs[r].nrows());
                gemm::product(
                    part.as_mut(),
                    Write::Replace,
                    left(r).transpose(),
                    right,
                    1.0,
                );
                Ok(())
            },
        )?;
        let mut sum = Mat::zeros(rows, w.cols());
        for part in parts {
            sum += part;
        }
        Ok(sum)
    }

    /// `W ← W − V C` for the first columns of the basis, as many as `C` has rows.
    fn subtract(&self, w: &mut Block, c: &Mat<f64>, monitor: &mut dyn Monitor) -> Result<()> {
        let tiles = (self.runs.iter())
            .zip(strips(w.as_mat_mut(), self.height))
            .collect();
        tiles::sweep(PHASE, tiles, monitor, |(run, rows)| {
            let basis = run.as_ref().subcols(0, c.nrows());
            gemm::product(rows, Write::Add, basis, c.as_ref(), -1.0);
            Ok(())
        })
    }

    /// `W ← W B`.
    fn recombine(&self, w: &mut Block, b: &Mat<f64>, monitor: &mut dyn Monitor) -> Result<()> {
        let tiles = strips(w.as_mat_mut(), self.height);
        tiles::sweep(PHASE, tiles, monitor, |rows| {
            let before = rows.as_ref().to_owned();
            gemm::product(rows, Write::Replace, before.as_ref(), b.as_ref(), 1.0);
            Ok(())
        })
    }

    /// `V ← V Y`: keeps as many columns as `Y` has; a copy of one run at a time
    /// and thread.
    pub(super) fn rotate(&mut self, y: &Mat<f64>, monitor: &mut dyn Monitor) -> Result<()> {
        let tiles = self.runs.iter_mut().collect();
        tiles::sweep(PHASE, tiles, monitor, |run: &mut Mat<f64>| {
            let before = run.as_ref().subcols(0, y.nrows()).to_owned();
            let out = run.as_mut().subcols_mut(0, y.ncols());
            gemm::product(out, Write::Replace, before.as_ref(), y.as_ref(), 1.0);
            Ok(())
        })?;
        self.len = y.ncols();
        Ok(())
    }

    /// Splits `W = V C + Q R` with `Q` orthonormal and orthogonal to the basis;
    /// `Q` replaces `W`. Directions of `W` that the basis already holds are
    /// replaced by random ones, whose rows of `R` are zero.
    ///
    /// Twice is enough (classical Gram–Schmidt); inside the block by the
    /// eigenvectors of `WᵀW`. A. Stathopoulos and K. Wu, *A block
    /// orthogonalization procedure with constant synchronization requirements*,
    /// SIAM J. Sci. Comput. 23 (2002).
    pub(super) fn orthonormalise(
        &self,
        w: &mut Block,
        rng: &mut ChaCha8Rng,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, Mat<f64>)> {
        let b = w.cols();
        let start = w.dots(w).into_iter().fold(0.0, f64::max).sqrt();
        let mut c = Mat::<f64>::zeros(self.len, b);
        let mut r = Mat::<f64>::identity(b, b);
        // Each replacement asks for two more passes; they do not fail twice.
        let mut passes = 2;
        let mut pass = 0;
        while pass < passes && pass < 12 {
            let part = self.project(self.len, w, monitor)?;
            self.subtract(w, &part, monitor)?;
            c += times(part.as_ref(), r.as_ref());
            let gram = eigen::symmetric(self.gram(w, monitor)?.as_ref())?;
            let longest = gram.values.last().map_or(0.0, |v| v.max(0.0).sqrt());
            let rounding = 64.0 * f64::EPSILON * start;
            let mut random = Vec::new();
            let scales: Vec<f64> = (gram.values.iter().enumerate())
                .map(|(j, value)| {
                    let length = value.max(0.0).sqrt();
                    if longest <= rounding || (pass > 0 && length < SHORT) {
                        random.push(j);
                        1.0
                    } else {
                        if pass > 0 && length < 0.5 {
                            passes = passes.max(pass + 2);
                        }
                        length.max(SHORT * longest)
                    }
                })
                .collect();
            let basis = Mat::from_fn(b, b, |i, j| gram.vectors[(i, j)] / scales[j]);
            self.recombine(w, &basis, monitor)?;
            let back = Mat::from_fn(b, b, |i, j| gram.vectors[(j, i)] * scales[i]);
            r = times(back.as_ref(), r.as_ref());
            for &j in &random {
                fill(w, j, rng);
                (0..b).for_each(|k| r[(j, k)] = 0.0);
            }
            if !random.is_empty() {
                passes = pass + 3;
            }
            pass += 1;
        }
        Ok((c, r))
    }
}

/// `AB`, small, on the calling thread.
pub(super) fn times(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut c = Mat::zeros(a.nrows(), b.ncols());
    gemm::product(c.as_mut(), Write::Replace, a, b, 1.0);
    c
}

/// A random direction of about unit length in one column.
pub(super) fn fill(w: &mut Block, column: usize, rng: &mut ChaCha8Rng) {
    let scale = (3.0 / w.rows() as f64).sqrt();
    for i in 0..w.rows() {
        w.row_mut(i)[column] = rng.random_range(-scale..scale);
    }
}

/// The matrix cut into strips of at most `height` rows.
fn strips(mut rest: MatMut<'_, f64>, height: usize) -> Vec<MatMut<'_, f64>> {
    let mut strips = Vec::new();
    while rest.nrows() > 0 {
        let height = height.min(rest.nrows());
        let (strip, below) = rest.split_at_row_mut(height);
        strips.push(strip);
        rest = below;
    }
    strips
}
