//! Standardising columns: mean zero, variance one, remembered for new rows.

use super::Points;
use crate::error::{Error, Result};

/// The shift and scale of each column, learned from all rows, labelled or not.
///
/// `x ← (x − mean) / scale`. A constant column has scale 1 and becomes zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Standardiser {
    mean: Vec<f64>,
    scale: Vec<f64>,
}

impl Standardiser {
    /// Learns the columns' means and standard deviations (divisor n).
    ///
    /// Two passes, O(nd): the second subtracts the mean before squaring, so a
    /// large offset costs no digits.
    pub fn learn(points: &Points) -> Self {
        let (n, d) = (points.len() as f64, points.dim());
        let mut mean = vec![0.0; d];
        for row in points.as_slice().chunks_exact(d) {
            for (m, x) in mean.iter_mut().zip(row) {
                *m += x / n;
            }
        }
        let mut scale = vec![0.0; d];
        for row in points.as_slice().chunks_exact(d) {
            for ((s, x), m) in scale.iter_mut().zip(row).zip(&mean) {
                *s += (x - m) * (x - m) / n;
            }
        }
        for (s, m) in scale.iter_mut().zip(&mean) {
            *s = s.sqrt();
            // What is left of a constant column is the rounding of its mean.
            if *s <= 1e-13 * m.abs() || *s == 0.0 {
                *s = 1.0;
            }
        }
        Self { mean, scale }
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
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs; [`Error::Value`]
    /// when a scaled number leaves the usable range.
    pub fn apply(&self, points: &Points) -> Result<Points> {
        let d = self.mean.len();
        if points.dim() != d {
            return Err(Error::Shape {
                what: "feature columns of the new rows",
                expected: d,
                got: points.dim(),
            });
        }
        let mut values = Vec::with_capacity(points.as_slice().len());
        for row in points.as_slice().chunks_exact(d) {
            let scaled = row.iter().zip(&self.mean).zip(&self.scale);
            values.extend(scaled.map(|((x, m), s)| (x - m) / s));
        }
        Points::new(values, points.len(), d)
    }
}

/// Columns whose values are all equal: they carry nothing.
pub fn constant_columns(points: &Points) -> Vec<usize> {
    let first = points.row(0);
    let mut constant = vec![true; points.dim()];
    for row in points.as_slice().chunks_exact(points.dim()) {
        for ((c, x), f) in constant.iter_mut().zip(row).zip(first) {
            *c &= x == f;
        }
    }
    (0..points.dim()).filter(|&j| constant[j]).collect()
}
