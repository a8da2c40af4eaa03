//! Finite bases of functions with gradients: where \[KLAP\]'s operators become matrices.
//!
//! A basis is p functions φ₁ … φₚ of a Hilbert space; `T c = Σ cⱼφⱼ`. What the method
//! needs of it is `T*T` (the norm), values (for Σ̂ and predictions) and gradients
//! (for L̂). Gradients have nd numbers a function; no basis here ever stores them to
//! make `T*L̂T`: each says how Σₗ⟨∇φᵢ, ∇φⱼ⟩ comes from p numbers a row.  [KLAP §3.2]

mod cell;
pub mod derivatives;
pub mod fourier;
pub mod landmarks;
pub mod moments;
mod packed;
mod sums;

pub use derivatives::WithDerivatives;
pub use fourier::Fourier;
pub use landmarks::Landmarks;
pub use moments::BasisMoments;
pub(crate) use packed::MomentsParts;

use std::ops::Range;

use crate::data::Points;
use crate::error::{Error, Result};
use crate::linalg::gemm::{self, Write};
use crate::linalg::rows::{Rows, runs};
use crate::linalg::{Mat, MatMut, MatRef, Precision, tiles};
use crate::monitor::Monitor;

/// Rows handed to a basis at a time.
pub const ROWS: usize = 128;

/// How `Σₗ⟨∇φᵢ(xₗ), ∇φⱼ(xₗ)⟩` comes from tables of one number a row and function.
#[derive(Debug, Clone, Copy)]
pub enum Form<'a> {
    /// Functions of the squared distance R to p points, ∇φⱼ = gⱼ(x − zⱼ): with the
    /// law of cosines `½[(g∘R)ᵀg + gᵀ(g∘R) − (gᵀg)∘R_zz]`. Two tables: g and g∘R.
    Distances(&'a Mat<f64>),
    /// ∇φⱼ = gⱼwⱼ with fixed vectors: `(gᵀg)∘(W Wᵀ)`. One table.
    Directions(&'a Mat<f64>),
    /// Gradients written out, d rows a sample: `ZᵀZ`. For bases without a formula.
    Explicit,
}

impl Form<'_> {
    /// Tables that [`Features::factors`] fills.
    pub fn tables(&self) -> usize {
        match self {
            Self::Distances(_) => 2,
            Self::Directions(_) => 1,
            Self::Explicit => 0,
        }
    }
}

/// p functions on ℝᵈ with values, gradients and inner products.
pub trait Features: Send + Sync + std::fmt::Debug {
    /// p, the number of functions.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// d, the number of columns of a row.
    fn dim(&self) -> usize;

    /// `T*T`, the inner products ⟨φᵢ, φⱼ⟩ of the space.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    fn gram(&self, monitor: &mut dyn Monitor) -> Result<Mat<f64>>;

    /// Values at up to [`ROWS`] rows, row-major: `out[i·p + j] = φⱼ(xᵢ)`.
    fn values(&self, rows: &[f64], out: &mut [f64]);

    /// [`Features::values`] at up to [`ROWS`] rows of a table, which need not be written out.
    fn values_of(&self, (table, rows): (&dyn Rows, Range<usize>), out: &mut [f64]) {
        self.values(&table.tile(rows), out);
    }

    /// Gradients at up to [`ROWS`] rows, written out: `out[(i·d + a)·p + j] = ∂ₐφⱼ(xᵢ)`.
    fn gradients(&self, rows: &[f64], out: &mut [f64]);

    /// A number that tells these functions from others: of their kind, points and kernel,
    /// the same on every machine.
    fn fingerprint(&self) -> u64;

    /// How gradients multiply.
    fn form(&self) -> Form<'_>;

    /// Values and the tables of [`Features::form`] at up to [`ROWS`] rows, each
    /// row-major; tables beyond the form's are left alone. In single precision only
    /// inner products of rows are: what is made of them is `f64`.
    fn factors(
        &self,
        rows: &[f64],
        values: &mut [f64],
        first: &mut [f64],
        second: &mut [f64],
        precision: Precision,
    );

    /// [`Features::factors`] at up to [`ROWS`] rows of a table, which need not be written out;
    /// `tables` are the values and the two tables.
    fn factors_of(
        &self,
        (table, rows): (&dyn Rows, Range<usize>),
        [values, first, second]: [&mut [f64]; 3],
        precision: Precision,
    ) {
        self.factors(&table.tile(rows), values, first, second, precision);
    }

    /// `Σⱼ φⱼ(x) cⱼ` at new rows, by tiles.
    ///
    /// # Errors
    /// [`Error::Shape`] when rows or coefficients do not fit; [`Error::NotFinite`];
    /// [`Error::Cancelled`].
    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        const PHASE: &str = "predicting";
        check(self.dim(), queries)?;
        let (p, width) = (self.len(), coefficients.ncols());
        shape("rows of the coefficients", p, coefficients.nrows())?;
        let mut out = vec![0.0; queries.len() * width];
        let tiles: Vec<(Range<usize>, &mut [f64])> = runs(queries.len(), ROWS)
            .zip(out.chunks_mut((ROWS * width).max(1)))
            .collect();
        tiles::walk(PHASE, tiles, monitor, |(rows, out)| {
            let count = rows.len();
            let mut values = vec![0.0; count * p];
            self.values_of((queries, rows), &mut values);
            gemm::product(
                MatMut::from_row_major_slice_mut(out, count, width),
                Write::Replace,
                MatRef::from_row_major_slice(&values, count, p),
                coefficients,
                1.0,
            );
            Ok(())
        })?;
        if out.iter().any(|v| !v.is_finite()) {
            return Err(Error::NotFinite {
                phase: PHASE,
                hint: "scale the columns to comparable size or lower the kernel's degree".into(),
            });
        }
        Ok(MatRef::from_row_major_slice(&out, queries.len(), width).to_owned())
    }

    /// `∇g(x) = Σⱼ ∇φⱼ(x) cⱼ` at new rows: row `i·d + a` of the result is ∂ₐg(xᵢ).
    ///
    /// Cost: O(q d p (1 + outputs)).
    ///
    /// # Errors
    /// As [`Features::expand`].
    fn gradient(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        check(self.dim(), queries)?;
        let (p, d, width) = (self.len(), self.dim(), coefficients.ncols());
        shape("rows of the coefficients", p, coefficients.nrows())?;
        // A panel of gradients stays below 16 MB.
        let rows = ((1 << 21) / (d * p).max(1)).clamp(1, ROWS);
        let mut out = vec![0.0; queries.len() * d * width];
        let tiles: Vec<(Range<usize>, &mut [f64])> = runs(queries.len(), rows)
            .zip(out.chunks_mut((rows * d * width).max(1)))
            .collect();
        tiles::walk("gradients", tiles, monitor, |(rows, out)| {
            let rows = queries.tile(rows);
            let mut panel = vec![0.0; rows.len() * p];
            self.gradients(&rows, &mut panel);
            gemm::product(
                MatMut::from_row_major_slice_mut(out, rows.len(), width),
                Write::Replace,
                MatRef::from_row_major_slice(&panel, rows.len(), p),
                coefficients,
                1.0,
            );
            Ok(())
        })?;
        Ok(MatRef::from_row_major_slice(&out, queries.len() * d, width).to_owned())
    }

    /// Values at rows, stored.
    ///
    /// # Errors
    /// As [`Features::expand`].
    fn matrix(&self, queries: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        check(self.dim(), queries)?;
        let p = self.len();
        let mut out = vec![0.0; queries.len() * p];
        let tiles: Vec<(Range<usize>, &mut [f64])> = runs(queries.len(), ROWS)
            .zip(out.chunks_mut((ROWS * p).max(1)))
            .collect();
        tiles::sweep("features", tiles, monitor, |(rows, out)| {
            self.values_of((queries, rows), out);
            Ok(())
        })?;
        Ok(MatRef::from_row_major_slice(&out, queries.len(), p).to_owned())
    }
}

fn shape(what: &'static str, expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape {
        what,
        expected,
        got,
    })
}

fn check(dim: usize, queries: &Points) -> Result<()> {
    shape("features of the new rows", dim, queries.dim())
}
