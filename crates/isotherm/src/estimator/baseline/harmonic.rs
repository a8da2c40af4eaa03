//! Harmonic functions: labels clamped, every other node the average of its
//! neighbours.  [Zhu, Ghahramani, Lafferty 2003; the graph baseline of KLAP B.2]
//!
//! `(D − W)_uu f_u = W_ul y_l`. In the variables `g = D^½ f` the matrix is
//! `(I − S)_uu`, positive definite once nodes that no label reaches are left out.

use std::sync::Arc;

use super::{check_stopping, check_total, reached_nodes};
use crate::base::Adjacency;
use crate::error::Result;
use crate::estimator::{Estimator, Prepared};
use crate::linalg::{Block, Mat};
use crate::model::{Expansion, Fitted, Readout, Scores};
use crate::monitor::Monitor;
use crate::operator::Operator;
use crate::operator::masked::Masked;
use crate::operator::sparse::NormalisedAdjacency;
use crate::solve::conjugate_gradient::{self, Definite};
use crate::task::Observed;

/// What can be said of harmonic functions.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HarmonicParams {
    /// Relative residual to reach.
    pub tolerance: f64,
    /// Iterations allowed.
    pub iterations: usize,
}

impl Default for HarmonicParams {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            iterations: 10_000,
        }
    }
}

/// Harmonic functions with checked parameters.
#[derive(Debug, Clone)]
pub struct Harmonic {
    params: HarmonicParams,
}

impl Harmonic {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] when one is out of range.
    pub fn new(params: HarmonicParams) -> Result<Self> {
        check_stopping(params.tolerance, params.iterations)?;
        Ok(Self { params })
    }
}

/// A graph ready for any set of labels.
#[derive(Debug)]
pub struct PreparedHarmonic<B> {
    base: Arc<B>,
    params: HarmonicParams,
}

impl<B: Adjacency> Estimator<B> for Harmonic {
    type Prepared = PreparedHarmonic<B>;

    fn prepare(&self, base: B, _: &mut dyn Monitor) -> Result<PreparedHarmonic<B>> {
        Ok(PreparedHarmonic {
            base: Arc::new(base),
            params: self.params.clone(),
        })
    }
}

impl<B: Adjacency> Prepared for PreparedHarmonic<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        let graph = self.base.graph();
        check_total(graph.len(), seen)?;
        let degrees = graph.degrees();
        let reached = reached_nodes(graph, seen, monitor)?;
        let mut free = reached.clone();
        for &i in seen.index() {
            free[i] = false;
        }
        let unknown: Vec<usize> = (0..graph.len()).filter(|&i| free[i]).collect();

        // b = S_ul D_l^½ y_l, read off the whole S applied to the clamped labels.
        let mut clamped = seen.lifted()?;
        for &i in seen.index() {
            let root = degrees[i].sqrt();
            clamped.row_mut(i).iter_mut().for_each(|v| *v *= root);
        }
        let mut pulled = Block::zeros(graph.len(), seen.width())?;
        NormalisedAdjacency::new(graph).apply(clamped.as_mat(), pulled.as_mat_mut(), monitor)?;
        let mut rhs = Block::zeros(unknown.len(), seen.width())?;
        for (k, &i) in unknown.iter().enumerate() {
            rhs.row_mut(k).copy_from_slice(pulled.row(i));
        }

        let laplacian = NormalisedAdjacency::new(graph).affine(1.0, -1.0);
        let system = Masked::new(laplacian, unknown.clone())?;
        let system = Definite {
            operator: &system,
            name: "(I − S) between unlabelled nodes",
            hint: "use label-propagation, which is safe for any graph",
        };
        let (g, report) = conjugate_gradient::solve(
            system,
            rhs,
            self.params.tolerance,
            self.params.iterations,
            monitor,
        )?;

        let mut values = Mat::zeros(graph.len(), seen.width());
        for (k, &i) in seen.index().iter().enumerate() {
            for j in 0..seen.width() {
                values[(i, j)] = seen.values()[(k, j)];
            }
        }
        for (k, &i) in unknown.iter().enumerate() {
            for (j, v) in g.row(k).iter().enumerate() {
                values[(i, j)] = v / degrees[i].sqrt();
            }
        }
        // A new node is the average of its reached neighbours: the ratio of the
        // expansions of D^½f and of D^½1.
        let weight = |i: usize| if reached[i] { degrees[i].sqrt() } else { 0.0 };
        let coefficients =
            Mat::from_fn(graph.len(), seen.width(), |i, j| weight(i) * values[(i, j)]);
        let mass: Vec<f64> = (0..graph.len()).map(weight).collect();
        let expansion = Expansion::new(
            self.base.clone(),
            coefficients.as_ref(),
            &mass,
            Readout::Average,
        )?;
        Ok(Fitted {
            expansion,
            visible: Some(Scores { values, reached }),
            report,
        })
    }
}
