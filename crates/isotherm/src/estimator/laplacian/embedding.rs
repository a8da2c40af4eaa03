//! Leading modes over all rows: an embedding for new rows.

use std::sync::Arc;

use super::prepared::PreparedLaplacian;
use crate::base::{Base as _, FeatureBase};
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::solve::SolveReport;
use crate::task::Observed;

/// Leading modes as functions of new rows.
#[derive(Debug, Clone)]
pub struct Embedding {
    base: Arc<FeatureBase>,
    /// λᵢ, descending: large is smooth.
    pub eigenvalues: Vec<f64>,
    /// How they were found.
    pub report: SolveReport,
    coefficients: Mat<f64>,
    offset: Vec<f64>,
}

impl Embedding {
    /// Coefficients of the modes over the basis, one column per mode.
    pub fn coefficients(&self) -> &Mat<f64> {
        &self.coefficients
    }

    /// The constant of each mode.
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// The modes at rows, one column per mode, with `E[eᵢ²] = λᵢ` over the rows of Σ̂.
    ///
    /// # Errors
    /// As [`crate::feature::Features::expand`].
    pub fn transform(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let mut out = self
            .base
            .expand(rows, self.coefficients.as_ref(), monitor)?;
        for (j, offset) in self.offset.iter().enumerate() {
            out.col_mut(j).iter_mut().for_each(|v| *v += offset);
        }
        Ok(out)
    }
}

impl PreparedLaplacian {
    /// The leading modes of `(Σ̂, L̂ + μ)` over all rows: an embedding for new rows.
    ///
    /// # Errors
    /// [`Error::Refused`] unless Σ̂ is over all rows, as modes that know no label are.
    pub fn modes(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Embedding> {
        if self.averages.is_none() {
            return Err(Error::refused(
                Refusal::Method,
                "modes over the labelled rows depend on the labels",
                "set covariance to all",
            ));
        }
        let none = Observed::new(vec![self.rows.any()], Mat::zeros(1, 1), self.rows.len())?;
        let axes = self.axes(&none, monitor)?;
        let (features, free) = axes.modes(count);
        let (coefficients, offset) = self.in_basis(&features, &free);
        Ok(Embedding {
            base: self.base.clone(),
            eigenvalues: axes.values.iter().take(count).copied().collect(),
            report: self.report(&axes),
            coefficients,
            offset,
        })
    }
}
