//! Label propagation, `F = (I − ηS)⁻¹ Y`.  [STKR Eqn 22; Zhou et al. 2003]
//!
//! Exactly, by conjugate gradients on the positive definite `I − ηS` without its
//! trivial modes; or by a prescribed number of the paper's own steps
//! `F ← ηSF + Y` from zero, which regularises in its own way: labels travel one
//! edge a step.
//!
//! The exact solution of the paper's form decays as η → 1 (PubMed, five splits:
//! 73 % right at η = 0.9, 39 % at 0.999999), because the trivial mode drowns the
//! rest; with centred labels and the mode removed it is flat in η.

use std::sync::Arc;

use super::{reached_in, reached_nodes};
use crate::base::{Adjacency, SparseParts};
use crate::error::{Error, Refusal, Result};
use crate::estimator::centring::Centring;
use crate::estimator::check::{check_stopping, check_total};
use crate::estimator::smoother::{Removal, check_alike, check_labels, lonely};
use crate::estimator::subsets::{Returning, Subsets, part};
use crate::estimator::trivial_mode::{TrivialMode, removable};
use crate::estimator::{Estimator, Linear, Prepared, Smoother};
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::linalg::gemm::times;
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::operator::sparse::inverse_roots;
use crate::solve::resolvent::Resolvent;
use crate::solve::richardson::Richardson;
use crate::solve::{self, Outcome, Stop};
use crate::task::Observed;

/// What can be said of label propagation.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelPropagationParams {
    /// η, how far labels travel: 0 ≤ η < 1. Near 1 the exact solution drowns in
    /// the trivial mode `D^½1` unless that is removed; 0.9 to 0.99 is sound.
    pub eta: f64,
    /// Exactly so many steps from zero instead of the exact solution.
    pub steps: Option<usize>,
    /// Relative residual of the exact solution. Scores fall off with the
    /// distance from a label; nodes whose scores are below the error this leaves
    /// are reported as not reached.
    pub tolerance: f64,
    /// Iterations allowed for the exact solution.
    pub iterations: usize,
    /// Whether each column's mean over the labelled nodes is subtracted from it,
    /// so that a class with many labels has no head start.
    pub centre_labels: bool,
    /// Whether the solution keeps its trivial modes.
    pub trivial_mode: TrivialMode,
}

impl Default for LabelPropagationParams {
    fn default() -> Self {
        Self {
            eta: 0.9,
            steps: None,
            tolerance: 1e-12,
            iterations: 10_000,
            centre_labels: false,
            trivial_mode: TrivialMode::Keep,
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
                "left out beside steps, which are done exactly",
                (params.tolerance, params.iterations),
            )
            .with_hint("leave out one or the other"));
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

impl<B> PreparedPropagation<B> {
    pub(crate) fn parts(&self) -> (&B, &LabelPropagationParams) {
        (&self.base, &self.params)
    }
}

impl<B: Adjacency> Prepared for PreparedPropagation<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        self.propagate(seen, seen, self.params.centre_labels, monitor)
    }
}

impl<B: Adjacency> PreparedPropagation<B> {
    /// Propagates `given`, whatever depends on labels' values decided by `seen`.
    fn propagate(
        &self,
        seen: &Observed,
        given: &Observed,
        centre_labels: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<Fitted<B>> {
        let graph = self.base.graph();
        let LabelPropagationParams {
            eta,
            steps,
            tolerance,
            iterations,
            trivial_mode,
            ..
        } = self.params;
        check_total(graph.len(), seen)?;
        let modes = self.base.modes(monitor)?;
        let mut reached = match &modes {
            Some(modes) => reached_in(modes.component(), seen),
            None => reached_nodes(graph, seen, monitor)?,
        };
        // WY: a label counts in proportion to its weight.
        let given = if centre_labels {
            given.centred()
        } else {
            given.clone()
        };
        let mut labels = given.lifted()?;
        for (k, w) in given.weights().into_iter().flatten().enumerate() {
            let row = labels.row_mut(given.index()[k]);
            row.iter_mut().for_each(|v| *v *= w);
        }
        let size = largest_column(&labels);
        let removed = match (trivial_mode, &modes) {
            (TrivialMode::Keep, _) => None,
            (TrivialMode::Remove, Some(modes)) => Some(removable(modes, seen)),
            (TrivialMode::Remove, None) => {
                return Err(Error::parameter(
                    "trivial mode",
                    "kept on a graph whose trivial mode is not known, as under degrees that count edges outside it",
                    "remove",
                ));
            }
        };
        // (I − ηS)⁻¹ takes a mode to itself, so what the labels do not hold of it
        // the solution does not.
        if let Some(removed) = &removed {
            removed.remove(labels.as_mat_mut());
        }
        let own: Arc<[f64]>;
        let parts = match self.base.sparse() {
            Some(parts) => parts,
            None => {
                own = inverse_roots(graph.degrees());
                SparseParts {
                    graph,
                    roots: Some(&own),
                    shift: 0.0,
                    scale: 1.0,
                }
            }
        };
        // I − ηS has its eigenvalues in [1 − η, 1 + η], positive for η < 1.
        let resolvent = Resolvent::new(parts, eta);
        let (mut f, report) = match steps {
            Some(iterations) => {
                let system = resolvent.operator()?;
                let iteration = Richardson::new(&system, labels, 1.0)?;
                solve::drive(iteration, Stop::After { iterations }, monitor)?
            }
            None => resolvent.solve(modes.as_ref(), labels, tolerance, iterations, monitor)?,
        };
        drop(modes);
        if let Some(removed) = &removed {
            removed.remove(f.as_mat_mut());
        }
        // ‖F − F*‖ ≤ ‖residual‖ / (1 − η): a score below that is rounding, not a label.
        // Prescribed steps are exact as far as they go, so only zeros are empty there;
        // a solve that ran out of iterations is warned about as a whole.
        let noise = match (steps, report.outcome) {
            (None, Outcome::Converged | Outcome::Stagnated) => report.residual * size / (1.0 - eta),
            _ => 0.0,
        };
        for (i, reached) in reached.iter_mut().enumerate() {
            *reached &= f.row(i).iter().any(|v| v.abs() > noise);
        }
        // At an unlabelled node the equation reads F(x) = η Σⱼ S(x, j) Fⱼ, so the
        // expansion with c = ηF/N is exact there and extends to new nodes.
        let scale = eta / graph.len() as f64;
        let coefficients = Mat::from_fn(f.rows(), f.cols(), |i, j| {
            if reached[i] { scale * f.row(i)[j] } else { 0.0 }
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
        let values = Mat::from_fn(f.rows(), f.cols(), |i, j| {
            if reached[i] { f.row(i)[j] } else { 0.0 }
        });
        Ok(Fitted {
            expansion,
            visible: Some(Scores { values, reached }),
            dual: None,
            report,
        })
    }
}

/// `F = BWY` is a sum over labels: without label i it lacks that term, and nothing else
/// changes. Exactly solved, `(1 − η)F` minimises Zhou's objective, whose minimum is
/// `yᵀ(I − (1 − η)B)y`.
impl<B: Adjacency> Linear for PreparedPropagation<B> {
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        let fitted = self.influence(seen, monitor)?;
        let Some(scores) = fitted.visible else {
            return Err(Error::refused(
                Refusal::Method,
                "there are no scores",
                "fit again",
            ));
        };
        let n = seen.index().len();
        let hat = Mat::from_fn(n, n, |i, j| scores.values[(seen.index()[i], j)]);
        let exact = self.params.steps.is_none() && seen.weights().is_none();
        let share = 1.0 - self.params.eta;
        let penalty = exact.then(|| {
            Mat::from_fn(n, n, |i, j| {
                (if i == j { 1.0 } else { 0.0 }) - share * hat[(i, j)]
            })
        });
        let component = self.base.graph().components(monitor)?;
        let lonely = lonely(&component, seen);
        let left = hat.clone();
        let smoother = Smoother::of(hat, left, Removal::Zero, seen)
            .with_penalty(penalty)
            .alone_where(|i| lonely[i]);
        Ok(if self.params.centre_labels {
            smoother.centred()
        } else {
            smoother
        })
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        check_labels(seen)?;
        self.propagate(seen, &seen.units()?, false, monitor)
    }

    /// `B_HT y_T`, and the modes of components whose training labels agree.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        let fitted = self.influence(seen, monitor)?;
        let Some(scores) = fitted.visible else {
            return Err(Error::data("there are no scores", "fit again"));
        };
        let n = seen.index().len();
        let sums = Mat::from_fn(n, n, |i, j| scores.values[(seen.index()[i], j)]);
        let of_sample = self.base.graph().components(monitor)?;
        let component: Vec<u32> = seen.index().iter().map(|&i| of_sample[i]).collect();
        let modes = match self.params.trivial_mode {
            TrivialMode::Keep => None,
            TrivialMode::Remove => self.base.modes(monitor)?.map(|m| removable(&m, seen)),
        };
        let eta = self.params.eta;
        let returning = modes.map(|modes| Returning {
            component: (seen.index().iter())
                .map(|&i| modes.component()[i])
                .collect(),
            entry: seen.index().iter().map(|&i| modes.entry(i)).collect(),
            // Σₖ ηᵏ at the eigenvalue 1, all of it or its first steps.
            gain: match self.params.steps {
                None => 1.0 / (1.0 - eta),
                Some(steps) => (0..steps).fold(0.0, |sum, _| 1.0 + eta * sum),
            },
        });
        let scoring = move |train: &[usize], others: &[usize], given: &Mat<f64>, y: &Mat<f64>| {
            let mut kernel = part(&sums, others, train);
            if let Some(returning) = &returning {
                let agreeing = returning.agreeing(train, given);
                for (b, &i) in others.iter().enumerate() {
                    for (a, &j) in train.iter().enumerate() {
                        kernel[(b, a)] += returning.more(&agreeing, i, j);
                    }
                }
            }
            Ok(times(kernel.as_ref(), y.as_ref()))
        };
        let centring = if self.params.centre_labels {
            Centring::Mean
        } else {
            Centring::None
        };
        Ok(Subsets::new(Box::new(scoring), Some(component), centring))
    }
}

/// The largest Euclidean norm of a column of labels.
fn largest_column(labels: &Block) -> f64 {
    let squares = labels.dots(labels).into_iter();
    squares.map(f64::sqrt).fold(0.0, f64::max)
}
