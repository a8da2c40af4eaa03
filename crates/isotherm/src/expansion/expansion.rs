//! `f(x) = Σⱼ K(x, zⱼ) cⱼ`, with the mass that says whether x was reached at all.

use std::sync::Arc;

use super::Scores;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;

/// How scores are read off the expanded columns.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Readout {
    /// `f = K c`, with a similarity that reaches all but what it is zero to.
    Global,
    /// `f = K c`; reached where the mass `K m` is above `floor`.
    Local {
        /// The mass at or below which a sample counts as not reached.
        floor: f64,
    },
    /// `f = K c / K m`: an average over reached neighbours.
    Average,
}

/// Coefficients over the anchors of a base.
///
/// The last column is the *mass* m: expanding it beside the coefficients costs
/// one column and says which queries any label can reach.
#[derive(Debug, Clone)]
pub struct Expansion<B> {
    base: Arc<B>,
    columns: Mat<f64>,
    readout: Readout,
    offset: Option<Vec<f64>>,
}

impl<B: Base> Expansion<B> {
    /// `coefficients` has one row per anchor; `mass` one number per anchor.
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows do not match the anchors;
    /// [`Error::NotFinite`] when a coefficient is not a number.
    pub fn new(
        base: Arc<B>,
        coefficients: MatRef<'_, f64>,
        mass: &[f64],
        readout: Readout,
    ) -> Result<Self> {
        for got in [coefficients.nrows(), mass.len()] {
            if got != base.len() {
                return Err(Error::Shape {
                    what: "coefficients",
                    expected: base.len(),
                    got,
                });
            }
        }
        let width = coefficients.ncols();
        let columns = Mat::from_fn(base.len(), width + 1, |i, j| {
            if j < width {
                coefficients[(i, j)]
            } else {
                mass[i]
            }
        });
        if columns.col_iter().any(|c| c.iter().any(|v| !v.is_finite())) {
            return Err(Error::NotFinite {
                phase: "solving for the coefficients",
                hint: "raise the ridge or rescale the data".into(),
            });
        }
        Ok(Self {
            base,
            columns,
            readout,
            offset: None,
        })
    }

    /// `f(x) = K(x, ·) c + offset`: what centring a kernel leaves at new samples.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one number a column; [`Error::NotFinite`].
    pub fn with_offset(mut self, offset: Vec<f64>) -> Result<Self> {
        if offset.len() + 1 != self.columns.ncols() {
            return Err(Error::Shape {
                what: "offsets, one for each score column",
                expected: self.columns.ncols() - 1,
                got: offset.len(),
            });
        }
        if offset.iter().any(|v| !v.is_finite()) {
            return Err(Error::NotFinite {
                phase: "centring the kernel",
                hint: "raise the ridge or rescale the data".into(),
            });
        }
        self.offset = Some(offset);
        Ok(self)
    }

    /// The offsets, where there are some.
    pub fn offset(&self) -> Option<&[f64]> {
        self.offset.as_deref()
    }

    /// The anchors and their similarity.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// Coefficients and, last, the mass.
    pub fn columns(&self) -> MatRef<'_, f64> {
        self.columns.as_ref()
    }

    /// How scores are read.
    pub fn readout(&self) -> Readout {
        self.readout
    }

    /// Scores of new samples. Rows that were not reached are zero.
    ///
    /// # Errors
    /// As [`Base::expand`].
    pub fn scores(&self, queries: &B::Query, monitor: &mut dyn Monitor) -> Result<Scores> {
        let expanded = self.base.expand(queries, self.columns.as_ref(), monitor)?;
        let width = self.columns.ncols() - 1;
        let mass = |i: usize| expanded[(i, width)];
        let reached: Vec<bool> = (0..expanded.nrows())
            .map(|i| match self.readout {
                // A zero row under an inner product is like no other row.
                Readout::Global => expanded.row(i).iter().any(|v| *v != 0.0),
                Readout::Local { floor } => mass(i) > floor,
                Readout::Average => mass(i) > 0.0,
            })
            .collect();
        let values = Mat::from_fn(expanded.nrows(), width, |i, j| match self.readout {
            _ if !reached[i] => 0.0,
            Readout::Global | Readout::Local { .. } => {
                expanded[(i, j)] + self.offset.as_ref().map_or(0.0, |offset| offset[j])
            }
            Readout::Average => expanded[(i, j)] / mass(i),
        });
        Ok(Scores { values, reached })
    }
}
