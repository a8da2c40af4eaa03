//! Harmonic functions: labels clamped, every other node the average of its
//! neighbours.  [Zhu, Ghahramani, Lafferty 2003; the graph baseline of KLAP B.2]
//!
//! `(D − W)_uu f_u = W_ul y_l`. In the variables `g = D^½ f` the matrix is
//! `(I − S)_uu`, positive definite once nodes that no label reaches are left out.
//! Class masses can be brought to the labels' proportions afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::reached_nodes;
use crate::base::Adjacency;
use crate::error::{Error, Reason, Refusal, Result};
use crate::estimator::centring::Centring;
use crate::estimator::check::{check_stopping, check_total};
use crate::estimator::smoother::{check_alike, check_labels, lonely};
use crate::estimator::subsets::{Subsets, part};
use crate::estimator::{Estimator, Linear, Prepared, Smoother};
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::linalg::gemm::times;
use crate::linalg::{Block, Mat, indefinite};
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
    /// What becomes of the masses of classes.
    pub class_mass: ClassMass,
}

/// What becomes of the mass `Σ_u f_c` that a class has over the unlabelled nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassMass {
    /// It stays: every node is the average of its neighbours.
    #[default]
    AsFound,
    /// It becomes `q_c`, the class's proportion of the labels: scores of unlabelled and
    /// of new nodes are multiplied by `q_c / Σ_u f_c`, labelled ones stay clamped.
    /// For classes only; scores of a node no longer sum to one.
    ///
    /// A class without mass has the score 0 at every unlabelled node, and keeps it: no
    /// factor would give it mass. Labels must be drawn from the classes'
    /// proportions, else this makes things worse.  [Zhu, Ghahramani, Lafferty 2003, §4]
    Labelled,
}

impl Default for HarmonicParams {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            iterations: 10_000,
            class_mass: ClassMass::AsFound,
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

impl<B> PreparedHarmonic<B> {
    pub(crate) fn base(&self) -> &B {
        &self.base
    }
}

impl<B: Adjacency> Prepared for PreparedHarmonic<B> {
    type Base = B;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        let graph = self.base.graph();
        check_total(graph.len(), seen)?;
        seen.refuse_weights(
            "a harmonic function, which takes its labels as they are,",
            "use stkr or label-propagation, or leave the weights out",
        )?;
        if self.params.class_mass == ClassMass::Labelled {
            check_classes(seen)?;
        }
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
        let factors = match self.params.class_mass {
            ClassMass::AsFound => vec![1.0; seen.width()],
            ClassMass::Labelled => mass_factors(seen, &values, &unknown),
        };
        // A new node is the average of its reached neighbours: the ratio of the
        // expansions of D^½f and of D^½1. It has no label, so its classes are scaled.
        let weight = |i: usize| if reached[i] { degrees[i].sqrt() } else { 0.0 };
        let coefficients = Mat::from_fn(graph.len(), seen.width(), |i, j| {
            weight(i) * factors[j] * values[(i, j)]
        });
        for &i in &unknown {
            (0..seen.width()).for_each(|j| values[(i, j)] *= factors[j]);
        }
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
            dual: None,
            report,
        })
    }
}

/// Clamped labels minimise the energy `fᵀ(D − W)f`, as a function of the labels `yᵀMy`
/// with the Schur complement M: row i of `(D − W)F` for the fits F to unit labels.
impl<B: Adjacency> Linear for PreparedHarmonic<B> {
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        let fitted = self.influence(seen, monitor)?;
        let Some(scores) = fitted.visible else {
            return Err(Error::refused(
                Refusal::Method,
                "there are no scores",
                "fit again",
            ));
        };
        let (graph, n) = (self.base.graph(), seen.index().len());
        let roots: Vec<f64> = graph.degrees().iter().map(|d| d.sqrt()).collect();
        let scaled = Mat::from_fn(graph.len(), n, |i, j| roots[i] * scores.values[(i, j)]);
        let mut image = Mat::zeros(graph.len(), n);
        NormalisedAdjacency::new(graph).apply(scaled.as_ref(), image.as_mut(), monitor)?;
        let penalty = Mat::from_fn(n, n, |k, j| {
            let i = seen.index()[k];
            roots[i] * (scaled[(i, j)] - image[(i, j)])
        });
        let lonely = lonely(&graph.components(monitor)?, seen);
        Ok(Smoother::least_squares(Mat::identity(n, n), penalty, seen).alone_where(|i| lonely[i]))
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<B>> {
        check_labels(seen)?;
        if self.params.class_mass != ClassMass::AsFound {
            return Err(Error::refused(
                Refusal::Method,
                "class masses are not linear in the labels",
                "leave class_mass as found",
            ));
        }
        self.solve(&seen.units()?, monitor)
    }

    /// Labels that are not trained on are free, and minimise `yᵀMy` given the others:
    /// `−M_FF⁻¹ M_FT y_T`.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        let smoother = self.smoother(seen, monitor)?;
        let Some(energy) = smoother.raw_penalty().cloned() else {
            return Err(Error::data("labels have no energy", "fit again"));
        };
        let of_sample = self.base.graph().components(monitor)?;
        let component: Vec<u32> = seen.index().iter().map(|&i| of_sample[i]).collect();
        let own = component.clone();
        let scoring = move |train: &[usize], others: &[usize], _: &Mat<f64>, y: &Mat<f64>| {
            // Without a training label a component has no minimum; M joins no two components.
            let known: BTreeSet<u32> = train.iter().map(|&i| own[i]).collect();
            let trained: BTreeSet<usize> = train.iter().copied().collect();
            let is_free = |i: &usize| known.contains(&own[*i]) && !trained.contains(i);
            let free: Vec<usize> = (0..own.len()).filter(is_free).collect();
            let mut solved = times(part(&energy, &free, train).as_ref(), y.as_ref());
            indefinite::factor(part(&energy, &free, &free))?.solve_in_place(solved.as_mut());
            Ok(Mat::from_fn(others.len(), y.ncols(), |b, c| {
                let at = free.partition_point(|&i| i < others[b]);
                -solved[(at, c)]
            }))
        };
        Ok(Subsets::new(
            Box::new(scoring),
            Some(component),
            Centring::None,
        ))
    }
}

/// `q_c / Σ_u f_c`, and 1 for a class without mass.
fn mass_factors(seen: &Observed, values: &Mat<f64>, unknown: &[usize]) -> Vec<f64> {
    let labels = seen.values();
    let factor = |c: usize| {
        let share = labels.col(c).iter().sum::<f64>() / labels.nrows() as f64;
        let mass: f64 = unknown.iter().map(|&i| values[(i, c)]).sum();
        Some(share / mass).filter(|f| mass > 0.0 && f.is_finite())
    };
    (0..seen.width())
        .map(|c| factor(c).unwrap_or(1.0))
        .collect()
}

/// Refuses labels that are no classes: their masses could cancel.
fn check_classes(seen: &Observed) -> Result<()> {
    let labels = seen.values();
    for (k, &sample) in seen.index().iter().enumerate() {
        let row = (0..seen.width()).map(|c| labels[(k, c)]);
        if !(row.clone().all(|v| v == 0.0 || v == 1.0) && row.sum::<f64>() == 1.0) {
            return Err(Error::Label {
                sample,
                reason: Reason::new(
                    "class masses need a class as a label",
                    "leave class_mass as found for numbers",
                ),
            });
        }
    }
    Ok(())
}
