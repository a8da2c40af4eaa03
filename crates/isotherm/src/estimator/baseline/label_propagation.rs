//! Label propagation, `F = (I − ηS)⁻¹ Y`.  [STKR Eqn 22; Zhou et al. 2003]
//!
//! Exactly, by conjugate gradients on the positive definite `I − ηS`; or by a
//! prescribed number of the paper's own steps `F ← ηSF + Y` from zero, which
//! regularises in its own way: labels travel one edge a step.

use std::sync::Arc;

use super::{check_stopping, check_total, reached_nodes};
use crate::base::Adjacency;
use crate::error::{Error, Result};
use crate::estimator::{Estimator, Prepared};
use crate::linalg::Mat;
use crate::model::{Expansion, Fitted, Readout, Scores};
use crate::monitor::Monitor;
use crate::operator::sparse::NormalisedAdjacency;
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::richardson::Richardson;
use crate::solve::{self, Outcome, Stop};
use crate::task::Observed;

/// What can be said of label propagation.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelPropagationParams {
    /// η, how far labels travel: 0 ≤ η < 1. Near 1 the exact solution drowns in
    /// the trivial mode `D^½1`; 0.9 to 0.99 is sound.
    pub eta: f64,
    /// Exactly so many steps from zero instead of the exact solution.
    pub steps: Option<usize>,
    /// Relative residual of the exact solution. Scores fall off with the
    /// distance from a label; nodes whose scores are below the error this leaves
    /// are reported as not reached.
    pub tolerance: f64,
    /// Iterations allowed for the exact solution.
    pub iterations: usize,
}

impl Default for LabelPropagationParams {
    fn default() -> Self {
        Self {
            eta: 0.9,
            steps: None,
            tolerance: 1e-12,
            iterations: 10_000,
        }
    }
}

/// Label propagation with checked parameters.
#[derive(Debug, Clone)]
pub struct LabelPropagation {
    params: LabelPropagationParams,
}

impl LabelPropagation {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is out of range.
    pub fn new(params: LabelPropagationParams) -> Result<Self> {
        if !(0.0..1.0).contains(&params.eta) {
            return Err(Error::parameter(
                "eta",
                "at least 0 and below 1",
                params.eta,
            ));
        }
        if params.steps == Some(0) {
            return Err(Error::parameter("steps", "at least 1", 0));
        }
        check_stopping(params.tolerance, params.iterations)?;
        let usual = LabelPropagationParams::default();
        if params.steps.is_some()
            && (params.tolerance, params.iterations) != (usual.tolerance, usual.iterations)
        {
            return Err(Error::parameter(
                "tolerance and iterations",
                "left out beside steps, which are done exactly; leave out one or the other",
                (params.tolerance, params.iterations),
            ));
        }
        Ok(Self { params })
    }
}

/// A graph ready for any set of labels.
#[derive(Debug)]
pub struct PreparedPropagation<B> {
    base: Arc<B>,
    params: LabelPropagationParams,
}

impl<B: Adjacency> Estimator<B> for LabelPropagation {
    type Prepared = PreparedPropagation<B>;

    fn prepare(&self, base: B, _: &mut dyn Monitor) -> Result<PreparedPropagation<B>> {
        Ok(PreparedPropagation {
            base: Arc::new(base),
            params: self.params.clone(),
        })
    }
}

impl<B: Adjacency> Prepared for PreparedPropagation<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        let graph = self.base.graph();
        let LabelPropagationParams {
            eta,
            steps,
            tolerance,
            iterations,
        } = self.params;
        check_total(graph.len(), seen)?;
        // Q = I − ηS: eigenvalues in [1 − η, 1 + η], positive for η < 1.
        let system = NormalisedAdjacency::new(graph).affine(1.0, -eta);
        let labels = seen.lifted()?;
        let (f, report) = match steps {
            Some(iterations) => {
                let iteration = Richardson::new(&system, labels, 1.0)?;
                solve::drive(iteration, Stop::After { iterations }, monitor)?
            }
            None => {
                let system = Definite {
                    operator: &system,
                    name: "I − ηS",
                    hint: "lower eta",
                };
                conjugate_gradient::solve(system, labels, tolerance, iterations, monitor)?
            }
        };
        // ‖F − F*‖ ≤ ‖residual‖ / (1 − η): a score below that is rounding, not a label.
        // Prescribed steps are exact as far as they go, so only zeros are empty there;
        // a solve that ran out of iterations is warned about as a whole.
        let noise = match (steps, report.outcome) {
            (None, Outcome::Converged | Outcome::Stagnated) => {
                report.residual * largest_column(seen) / (1.0 - eta)
            }
            _ => 0.0,
        };
        let mut reached = reached_nodes(graph, seen, monitor)?;
        for (i, reached) in reached.iter_mut().enumerate() {
            *reached &= f.row(i).iter().any(|v| v.abs() > noise);
        }
        // At an unlabelled node the equation reads F(x) = η Σⱼ S(x, j) Fⱼ, so the
        // expansion with c = ηF/N is exact there and extends to new nodes.
        let scale = eta / graph.len() as f64;
        let coefficients = Mat::from_fn(f.rows(), f.cols(), |i, j| match reached[i] {
            true => scale * f.row(i)[j],
            false => 0.0,
        });
        // Mass where there are scores: a node is reached exactly when its scores are not all zero.
        let largest = |i: usize| {
            (0..f.cols())
                .map(|j| coefficients[(i, j)].abs())
                .fold(0.0, f64::max)
        };
        let mass: Vec<f64> = (0..f.rows()).map(largest).collect();
        let readout = Readout::Local { floor: 0.0 };
        let expansion = Expansion::new(self.base.clone(), coefficients.as_ref(), &mass, readout)?;
        let values = Mat::from_fn(f.rows(), f.cols(), |i, j| match reached[i] {
            true => f.row(i)[j],
            false => 0.0,
        });
        Ok(Fitted {
            expansion,
            visible: Some(Scores { values, reached }),
            report,
        })
    }
}

/// The largest Euclidean norm of a column of labels.
fn largest_column(seen: &Observed) -> f64 {
    let columns = seen.values().col_iter();
    let norms = columns.map(|c| c.iter().map(|v| v * v).sum::<f64>().sqrt());
    norms.fold(0.0, f64::max)
}
