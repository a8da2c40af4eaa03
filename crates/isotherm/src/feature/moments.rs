//! The moments Σ̂, L̂ and the mean of a basis over rows, in one pass.  [KLAP Eq 8, Alg. 1]
//!
//! `n·T*Σ̂T = ΦᵀΦ` and `n·T*L̂T = Σₗ⟨∇φᵢ(xₗ), ∇φⱼ(xₗ)⟩` are sums over rows: they can be
//! added to, tile by tile, and merged, part by part, so rows may come from memory, a
//! file or several machines. O(np² + npd) for landmarks and waves, whatever d.
//!
//! A panel of rows is evaluated in parallel by rows, then multiplied in parallel by
//! blocks of the p×p sums: the thread count changes no bit.

use std::sync::Arc;

use super::{Features, Form, ROWS, check};
use crate::data::Points;
use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatMut, MatRef, tiles};
use crate::monitor::Monitor;

const PHASE: &str = "moments of the basis";

/// Rows multiplied together.
const PANEL: usize = 1024;

/// The side of a block of the sums that one task adds to.
const BLOCK: usize = 128;

/// What is to be summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// L̂ and the mean: enough where Σ̂ is over the labels.
    Energy,
    /// L̂, the mean and Σ̂.
    Both,
}

/// Sums over the rows seen so far.
#[derive(Debug, Clone)]
pub struct Moments {
    features: Arc<dyn Features>,
    wanted: Wanted,
    count: usize,
    mean: Vec<f64>,
    /// `ΦᵀΦ`, lower triangle.
    covariance: Mat<f64>,
    /// `gᵀg` (or `ZᵀZ`), lower triangle.
    first: Mat<f64>,
    /// `(g∘R)ᵀg`, all of it.
    second: Mat<f64>,
}

/// Means over rows: what Algorithm 1 calls `T*Σ̂T` and `T*L̂T`.
#[derive(Debug, Clone)]
pub struct Averages {
    /// n, the rows seen.
    pub count: usize,
    /// The mean of φ.
    pub mean: Vec<f64>,
    /// `T*Σ̂T`, when it was wanted.
    pub covariance: Option<Mat<f64>>,
    /// `T*L̂T`.
    pub energy: Mat<f64>,
}

impl Moments {
    /// Nothing seen yet. Memory: up to three p×p matrices.
    pub fn new(features: Arc<dyn Features>, wanted: Wanted) -> Self {
        let p = features.len();
        let square = |yes: bool| Mat::zeros(if yes { p } else { 0 }, if yes { p } else { 0 });
        Self {
            count: 0,
            mean: vec![0.0; p],
            covariance: square(wanted == Wanted::Both),
            first: square(true),
            second: square(matches!(features.form(), Form::Distances(_))),
            features,
            wanted,
        }
    }

    /// Bytes that summing over a basis of p functions takes beside the rows.
    pub fn memory(functions: usize) -> u64 {
        let (p, panel) = (functions as u64, PANEL as u64);
        8 * (3 * p * p + 3 * panel * p)
    }

    /// Rows seen.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes in some rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows have other columns; [`Error::NotFinite`] when a
    /// sum overflows; [`Error::Cancelled`], after which the sums are not to be used.
    pub fn add(&mut self, rows: &Points, monitor: &mut dyn Monitor) -> Result<()> {
        check(self.features.dim(), rows)?;
        let d = rows.dim();
        let panels = rows.len().div_ceil(PANEL);
        tiles::announce(PHASE, Some(panels), monitor)?;
        for (done, panel) in rows.as_slice().chunks(PANEL * d).enumerate() {
            match self.features.form() {
                Form::Explicit => self.explicit(panel, monitor)?,
                form => self.factored(panel, form.tables(), monitor)?,
            }
            let event = crate::monitor::Event::Step { done: done + 1 };
            if monitor.on(event).is_break() {
                return Err(Error::Cancelled { phase: PHASE });
            }
        }
        self.count += rows.len();
        Ok(())
    }

    /// One panel by the tables of the form.
    fn factored(&mut self, rows: &[f64], tables: usize, monitor: &mut dyn Monitor) -> Result<()> {
        let (p, d) = (self.features.len(), self.features.dim());
        let count = rows.len() / d;
        let mut values = vec![0.0; count * p];
        let mut first = vec![0.0; count * p];
        let mut second = vec![0.0; if tables > 1 { count * p } else { 0 }];
        let side = (ROWS * p).max(1);
        let mut seconds = second.chunks_mut(side);
        let parts: Vec<Part<'_>> = (rows.chunks(ROWS * d))
            .zip(values.chunks_mut(side))
            .zip(first.chunks_mut(side))
            .map(|((rows, values), first)| Part {
                rows,
                values,
                first,
                second: seconds.next().unwrap_or_default(),
            })
            .collect();
        let features = &self.features;
        tiles::sweep(PHASE, parts, monitor, |part| {
            features.factors(part.rows, part.values, part.first, part.second);
            Ok(())
        })?;
        let table = |of: &[f64]| -> Result<()> {
            match of.iter().all(|v| v.is_finite()) {
                true => Ok(()),
                false => Err(overflow()),
            }
        };
        table(&values)?;
        table(&first)?;
        for row in values.chunks_exact(p.max(1)) {
            self.mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
        }
        let whole = |of| MatRef::from_row_major_slice(of, count, p);
        let mut work = Vec::new();
        if self.wanted == Wanted::Both {
            let (a, b) = (whole(&values), whole(&values));
            work.extend(blocks(self.covariance.as_mut(), true).map(|at| Task { at, a, b }));
        }
        let (a, b) = (whole(&first), whole(&first));
        work.extend(blocks(self.first.as_mut(), true).map(|at| Task { at, a, b }));
        if tables > 1 {
            let (a, b) = (whole(&second), whole(&first));
            work.extend(blocks(self.second.as_mut(), false).map(|at| Task { at, a, b }));
        }
        tiles::sweep(PHASE, work, monitor, Task::run)
    }

    /// One panel with its gradients written out.
    fn explicit(&mut self, rows: &[f64], monitor: &mut dyn Monitor) -> Result<()> {
        let (p, d) = (self.features.len(), self.features.dim());
        // A panel of gradients of at most 64 MB at a time.
        let each = ((1 << 23) / (d * p).max(1)).clamp(1, ROWS);
        for rows in rows.chunks(each * d) {
            let count = rows.len() / d;
            let (mut values, mut panel) = (vec![0.0; count * p], vec![0.0; count * d * p]);
            self.features.values(rows, &mut values);
            self.features.gradients(rows, &mut panel);
            for row in values.chunks_exact(p.max(1)) {
                self.mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
            }
            let mut work = Vec::new();
            if self.wanted == Wanted::Both {
                let a = MatRef::from_row_major_slice(&values, count, p);
                let at = blocks(self.covariance.as_mut(), true);
                work.extend(at.map(|at| Task { at, a, b: a }));
            }
            let a = MatRef::from_row_major_slice(&panel, count * d, p);
            let at = blocks(self.first.as_mut(), true);
            work.extend(at.map(|at| Task { at, a, b: a }));
            tiles::sweep(PHASE, work, monitor, Task::run)?;
        }
        Ok(())
    }

    /// Takes in what another pass over other rows has summed.
    ///
    /// # Errors
    /// [`Error::Data`] when the other sums are of another basis or of other moments.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if !Arc::ptr_eq(&self.features, &other.features) || self.wanted != other.wanted {
            return Err(Error::data(
                "moments of different bases cannot be merged",
                "start both parts with one basis and the same moments",
            ));
        }
        self.count += other.count;
        (self.mean.iter_mut().zip(&other.mean)).for_each(|(a, b)| *a += b);
        self.covariance += &other.covariance;
        self.first += &other.first;
        self.second += &other.second;
        Ok(())
    }

    /// The means over all rows seen.
    ///
    /// # Errors
    /// [`Error::Data`] when there was none; [`Error::NotFinite`].
    pub fn finish(&self) -> Result<Averages> {
        if self.count == 0 {
            return Err(Error::data(
                "no row was added to the moments",
                "give at least one row",
            ));
        }
        let (p, n) = (self.features.len(), self.count as f64);
        let first = |i: usize, j: usize| self.first[(i.max(j), i.min(j))];
        let energy = match self.features.form() {
            Form::Distances(between) => Mat::from_fn(p, p, |i, j| {
                let cross = self.second[(i, j)] + self.second[(j, i)];
                0.5 * (cross - first(i, j) * between[(i, j)]) / n
            }),
            Form::Directions(products) => {
                Mat::from_fn(p, p, |i, j| first(i, j) * products[(i, j)] / n)
            }
            Form::Explicit => Mat::from_fn(p, p, |i, j| first(i, j) / n),
        };
        if !energy.is_all_finite() {
            return Err(overflow());
        }
        let covariance = (self.wanted == Wanted::Both)
            .then(|| Mat::from_fn(p, p, |i, j| self.covariance[(i.max(j), i.min(j))] / n));
        Ok(Averages {
            count: self.count,
            mean: self.mean.iter().map(|m| m / n).collect(),
            covariance,
            energy,
        })
    }
}

/// Rows and the parts of the tables they fill.
struct Part<'a> {
    rows: &'a [f64],
    values: &'a mut [f64],
    first: &'a mut [f64],
    second: &'a mut [f64],
}

/// A block of a sum and where it is.
struct Place<'a> {
    row: usize,
    col: usize,
    block: MatMut<'a, f64>,
}

/// `block += AᵀB` at its place.
struct Task<'a> {
    at: Place<'a>,
    a: MatRef<'a, f64>,
    b: MatRef<'a, f64>,
}

impl Task<'_> {
    fn run(self) -> Result<()> {
        let Place { row, col, block } = self.at;
        let a = self.a.subcols(row, block.nrows()).transpose();
        let b = self.b.subcols(col, block.ncols());
        gemm::product(block, Write::Add, a, b, 1.0);
        Ok(())
    }
}

/// The blocks of a square matrix; of its lower triangle only, if so wanted.
fn blocks<'a>(matrix: MatMut<'a, f64>, lower: bool) -> impl Iterator<Item = Place<'a>> {
    let mut found = Vec::new();
    let mut rest = matrix;
    let mut col = 0;
    while rest.ncols() > 0 {
        let width = BLOCK.min(rest.ncols());
        let (mut strip, after) = rest.split_at_col_mut(width);
        rest = after;
        let mut row = 0;
        while strip.nrows() > 0 {
            let height = BLOCK.min(strip.nrows());
            let (block, below) = strip.split_at_row_mut(height);
            if !lower || row >= col {
                found.push(Place { row, col, block });
            }
            strip = below;
            row += height;
        }
        col += width;
    }
    found.into_iter()
}

fn overflow() -> Error {
    Error::NotFinite {
        phase: PHASE,
        hint: "scale the columns to comparable size or lower the kernel's degree".into(),
    }
}
