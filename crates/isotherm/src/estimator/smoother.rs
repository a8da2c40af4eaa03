//! A method at fixed labelled samples is a linear map of their values,
//! `g(x) = Σᵢ βᵢ(x) yᵢ` [KLAP Eq 15]: its hat matrix, its leave-one-out predictions and
//! the objective it minimises, each an n×n matrix.
//!
//! Penalised least squares has the minimum `min_g Σ wᵢ‖yᵢ − g(xᵢ)‖² + P(g) = yᵀMy`, and
//! everything follows from M: the fit is `y − W⁻¹My`, and since the fit without label i
//! is the fit to any label i that costs nothing, `g₋ᵢ(xᵢ) = −Σ_{j≠i} Mᵢⱼyⱼ / Mᵢᵢ`.

use std::sync::Arc;

use super::centring::Centring;
use super::{Prepared, Subsets};
use crate::error::{Error, Refusal, Result};
use crate::expansion::Fitted;
use crate::linalg::gemm::times;
use crate::linalg::{Mat, MatRef, eigen, indefinite};
use crate::monitor::Monitor;
use crate::task::Observed;

/// Labels up to which the n×n matrices are formed.
pub(crate) const MOST_LABELS: usize = 8192;

/// A diagonal of M so small, relative to its largest, that the label alone decides its
/// own prediction and leaving it out leaves nothing.
const ALONE: f64 = 1e-12;

/// A prepared method that is linear in its labels.
pub trait Linear: Prepared {
    /// Its matrices at these labels. What depends on the labels' values (an automatic
    /// ridge or strength, the modes that are removed) is chosen once, from all of them.
    ///
    /// # Errors
    /// [`Error::Refused`] for a setting that is not linear, or has no closed form;
    /// [`Error::Memory`] beyond `MOST_LABELS` labels; as [`Prepared::solve`].
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother>;

    /// The fit to unit labels, one column a label, no mean taken off: its scores at x
    /// are `βᵢ(x)`. Choices are those for `seen`.
    ///
    /// # Errors
    /// As [`Linear::smoother`].
    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<Self::Base>>;

    /// Fits to any of these labels, none of which weighs more than another.
    ///
    /// # Errors
    /// As [`Linear::smoother`]; [`Error::Refused`] for labels with weights.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets>;
}

/// What the fit without label i is, as a fit to all labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    /// The one with label i replaced by its own prediction: penalised least squares.
    Predicted,
    /// The one with label i replaced by zero: sums over labels.
    Zero,
    /// None of these: only what it says of sample i is known.
    Other,
}

/// What is said of labels when a fold of them is left out together.
#[derive(Debug, Clone)]
pub struct Nested {
    /// The labels that are not in the fold.
    pub rest: Vec<usize>,
    /// Each of them as the others of them predict it.
    pub inner: Mat<f64>,
    /// Each of the fold as all of them predict it.
    pub outer: Mat<f64>,
}

/// The matrices of a linear method at n labels.
///
/// ```
/// use isotherm::base::GraphBase;
/// use isotherm::data::graph::{EdgeRules, GraphBuilder};
/// use isotherm::estimator::baseline::{Harmonic, HarmonicParams};
/// use isotherm::estimator::{Estimator, Linear};
/// use isotherm::linalg::Mat;
/// use isotherm::monitor::Quiet;
/// use isotherm::task::Observed;
///
/// // On a path a harmonic function is linear between its labels.
/// let mut edges = GraphBuilder::new(EdgeRules::default());
/// for i in 0..8 {
///     edges.push(i, i + 1, None)?;
/// }
/// let (graph, _) = edges.finish(&mut Quiet)?;
/// let y = Mat::from_fn(3, 1, |i, _| [0.0, 5.0, 4.0][i]);
/// let seen = Observed::new(vec![0, 2, 8], y.clone(), 9)?;
/// let prepared = Harmonic::new(HarmonicParams::default())?.prepare(GraphBase::new(graph), &mut Quiet)?;
/// let left = prepared.smoother(&seen, &mut Quiet)?.left_out(y.as_ref());
/// // Node 2 lies a quarter of the way from 0 to 4.
/// assert!((left[(1, 0)] - 1.0).abs() < 1e-9);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Smoother {
    hat: Mat<f64>,
    left: Mat<f64>,
    penalty: Option<Mat<f64>>,
    centring: Centring,
    removal: Removal,
    weights: Vec<f64>,
    alone: Vec<bool>,
    folds: Option<Folds>,
}

/// How folds are left out by a method that is no penalised least squares itself: label values
/// and a fold → [`Nested`], means put back.
type Leaving = dyn Fn(MatRef<'_, f64>, &[usize]) -> Result<Option<Nested>> + Send + Sync;

#[derive(Clone)]
struct Folds(Arc<Leaving>);

impl std::fmt::Debug for Folds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Folds")
    }
}

impl Smoother {
    /// Penalised least squares with the minimum `yᵀMy`, M up to a factor; `hat` is what
    /// it says at the labels.
    pub(super) fn least_squares(hat: Mat<f64>, penalty: Mat<f64>, seen: &Observed) -> Self {
        let n = hat.nrows();
        let largest = (0..n).fold(0.0_f64, |m, i| m.max(penalty[(i, i)].abs()));
        let alone: Vec<bool> = (0..n)
            .map(|i| penalty[(i, i)].abs() <= ALONE * largest)
            .collect();
        let left = Mat::from_fn(n, n, |i, j| {
            if alone[i] || i == j {
                0.0
            } else {
                -penalty[(i, j)] / penalty[(i, i)]
            }
        });
        Self {
            penalty: Some(penalty),
            alone,
            ..Self::of(hat, left, Removal::Predicted, seen)
        }
    }

    /// Another linear method, by its hat matrix and what it predicts of each label
    /// from the others; the diagonal of `left` is not looked at.
    pub(super) fn of(hat: Mat<f64>, left: Mat<f64>, removal: Removal, seen: &Observed) -> Self {
        let n = hat.nrows();
        Self {
            hat,
            left: Mat::from_fn(n, n, |i, j| if i == j { 0.0 } else { left[(i, j)] }),
            penalty: None,
            centring: Centring::None,
            removal,
            weights: match seen.weights() {
                Some(weights) => weights.to_vec(),
                None => vec![1.0; n],
            },
            alone: vec![false; n],
            folds: None,
        }
    }

    /// With a way of its own to leave folds out.
    pub(super) fn with_nested(
        mut self,
        leave: impl Fn(MatRef<'_, f64>, &[usize]) -> Result<Option<Nested>> + Send + Sync + 'static,
    ) -> Self {
        self.folds = Some(Folds(Arc::new(leave)));
        self
    }

    /// The hat matrix: this times the labels is the fit at the labels.
    pub(super) fn hat(&self) -> &Mat<f64> {
        &self.hat
    }

    /// The leave-one-out matrix: this times the labels predicts each label from the others.
    pub(super) fn left(&self) -> &Mat<f64> {
        &self.left
    }

    pub(super) fn with_penalty(mut self, penalty: Option<Mat<f64>>) -> Self {
        self.penalty = penalty;
        self
    }

    /// Labels that no other label reaches: without them nothing is known there.
    pub(super) fn alone_where(mut self, alone: impl Fn(usize) -> bool) -> Self {
        for i in 0..self.alone.len() {
            if alone(i) {
                self.alone[i] = true;
                (0..self.alone.len()).for_each(|j| self.left[(i, j)] = 0.0);
            }
        }
        self
    }

    /// The predictions of one label from the others, worked out otherwise.
    pub(super) fn replace_left(&mut self, i: usize, row: &[f64]) {
        for (j, v) in row.iter().enumerate() {
            self.left[(i, j)] = if i == j { 0.0 } else { *v };
        }
    }

    /// For labels whose mean is taken off before the fit, by the method or by the codec.
    #[must_use]
    pub fn centred(mut self) -> Self {
        self.centring = Centring::Mean;
        self
    }

    /// Whether the labels' mean is taken off.
    pub fn centring(&self) -> Centring {
        self.centring
    }

    /// How many labels.
    pub fn labels(&self) -> usize {
        self.alone.len()
    }

    /// Labels that say nothing when left out, because no other label reaches them.
    pub fn alone(&self) -> &[bool] {
        &self.alone
    }

    /// What the fit says at the labels; deviations from the mean where labels are centred.
    pub fn fitted(&self, labels: MatRef<'_, f64>) -> Mat<f64> {
        let means = self.means(labels, None);
        let y = Mat::from_fn(labels.nrows(), labels.ncols(), |i, j| {
            labels[(i, j)] - means[j]
        });
        times(self.hat.as_ref(), y.as_ref())
    }

    /// What the fit without label i says of sample i, for every i, in closed form;
    /// deviations from the other labels' mean where labels are centred. Zero where
    /// [`Smoother::alone`].
    pub fn left_out(&self, labels: MatRef<'_, f64>) -> Mat<f64> {
        let mut out = times(self.left.as_ref(), labels);
        if self.centring == Centring::Mean {
            for i in 0..out.nrows() {
                let row: f64 = self.left.row(i).iter().sum();
                let means = self.means(labels, Some(i));
                (0..out.ncols()).for_each(|j| out[(i, j)] -= row * means[j]);
            }
        }
        out
    }

    /// As [`Smoother::left_out`] with the other labels' mean put back: numbers.
    pub fn left_out_values(&self, labels: MatRef<'_, f64>) -> Mat<f64> {
        let mut out = self.left_out(labels);
        if self.centring == Centring::Mean {
            for i in 0..out.nrows() {
                let means = self.means(labels, Some(i));
                (0..out.ncols()).for_each(|j| out[(i, j)] += means[j]);
            }
        }
        out
    }

    /// What each fit without one label says of a sample with influences `βⱼ(x)`, one
    /// row a label left out; in the terms of [`Smoother::left_out`], which `left` is.
    /// `None` for a method whose fits without a label are known at that label only.
    pub fn left_out_at(
        &self,
        influence: &[f64],
        labels: MatRef<'_, f64>,
        left: MatRef<'_, f64>,
    ) -> Option<Mat<f64>> {
        if self.removal == Removal::Other {
            return None;
        }
        let total: f64 = influence.iter().sum();
        let plain: Vec<f64> = (0..labels.ncols())
            .map(|c| {
                let column = labels.col(c);
                influence
                    .iter()
                    .zip(column.iter())
                    .map(|(b, y)| b * y)
                    .sum()
            })
            .collect();
        Some(Mat::from_fn(labels.nrows(), labels.ncols(), |i, c| {
            let mean = match self.centring {
                Centring::None => 0.0,
                Centring::Mean => self.mean_without(labels, c, i),
            };
            let own = match self.removal {
                Removal::Predicted => left[(i, c)],
                Removal::Zero | Removal::Other => 0.0,
            };
            plain[c] - mean * total + influence[i] * (own - (labels[(i, c)] - mean))
        }))
    }

    /// With the labels of a fold left out together: each other label as the rest without
    /// it predicts it, and each of the fold as the rest does; in the terms of
    /// [`Smoother::left_out`], or with the means put back ([`Smoother::left_out_values`]).
    /// `None` for a method whose fits without a label are known at that label only.
    ///
    /// Penalised least squares without a fold F has `M_RR − M_RF M_FF⁻¹ M_FR`, and says
    /// `−M_FF⁻¹ M_FR y_R` of it. O(n²|F| + n²·outputs).
    ///
    /// # Errors
    /// [`Error::NotFinite`] when M_FF is singular.
    pub fn nested(
        &self,
        labels: MatRef<'_, f64>,
        fold: &[usize],
        values: bool,
    ) -> Result<Option<Nested>> {
        if let Some(Folds(leave)) = &self.folds {
            return leave(labels, fold);
        }
        let n = self.labels();
        let mut held = vec![false; n];
        fold.iter().for_each(|&i| held[i] = true);
        let rest: Vec<usize> = (0..n).filter(|&i| !held[i]).collect();
        let part = |m: &Mat<f64>, rows: &[usize], cols: &[usize]| {
            Mat::from_fn(rows.len(), cols.len(), |a, b| m[(rows[a], cols[b])])
        };
        let (inner, outer) = match (self.removal, &self.penalty) {
            (Removal::Zero, _) => (
                part(&self.left, &rest, &rest),
                part(&self.left, fold, &rest),
            ),
            (Removal::Predicted, Some(m)) => {
                let between = part(m, fold, &rest);
                let mut solved = between.clone();
                indefinite::factor(part(m, fold, fold))?.solve_in_place(solved.as_mut());
                let own = part(m, &rest, &rest) - times(between.transpose(), solved.as_ref());
                let left = Mat::from_fn(rest.len(), rest.len(), |a, b| match own[(a, a)] {
                    d if a == b || d == 0.0 => 0.0,
                    d => -own[(a, b)] / d,
                });
                let outer = Mat::from_fn(fold.len(), rest.len(), |a, b| -solved[(a, b)]);
                (left, outer)
            }
            _ => return Ok(None),
        };
        let given = Mat::from_fn(rest.len(), labels.ncols(), |a, c| labels[(rest[a], c)]);
        let sub = Self {
            hat: Mat::zeros(0, 0),
            left: inner,
            penalty: None,
            centring: self.centring,
            removal: self.removal,
            weights: rest.iter().map(|&i| self.weights[i]).collect(),
            alone: vec![false; rest.len()],
            folds: None,
        };
        let inner = if values {
            sub.left_out_values(given.as_ref())
        } else {
            sub.left_out(given.as_ref())
        };
        let means = sub.means(given.as_ref(), None);
        let centred = Mat::from_fn(given.nrows(), given.ncols(), |a, c| {
            given[(a, c)] - means[c]
        });
        let mut outer = times(outer.as_ref(), centred.as_ref());
        if values {
            for (c, mean) in means.iter().enumerate() {
                outer.col_mut(c).iter_mut().for_each(|v| *v += mean);
            }
        }
        Ok(Some(Nested { rest, inner, outer }))
    }

    /// M, scaled to have no eigenvalue above one; with centred labels `CMC`. `None` for
    /// a method that minimises nothing.
    ///
    /// # Errors
    /// As [`eigen::symmetric`].
    pub fn penalty(&self) -> Result<Option<Mat<f64>>> {
        let Some(penalty) = &self.penalty else {
            return Ok(None);
        };
        let n = penalty.nrows();
        let mut m = Mat::from_fn(n, n, |i, j| 0.5 * (penalty[(i, j)] + penalty[(j, i)]));
        if self.centring == Centring::Mean {
            // C = I − 1wᵀ/Σw, so (Cy)ᵀM(Cy) = yᵀ CᵀMC y.
            let total: f64 = self.weights.iter().sum();
            let rows: Vec<f64> = (0..n).map(|i| m.row(i).iter().sum::<f64>()).collect();
            let all: f64 = rows.iter().sum();
            let share = |i: usize| self.weights[i] / total;
            m = Mat::from_fn(n, n, |i, j| {
                m[(i, j)] - share(i) * rows[j] - rows[i] * share(j) + share(i) * share(j) * all
            });
        }
        let found = eigen::symmetric(m.as_ref())?;
        let (low, high) = match (found.values.first(), found.values.last()) {
            (Some(low), Some(high)) => (*low, *high),
            _ => (0.0, 0.0),
        };
        if low < -1e-9 * high.abs() {
            return Ok(None);
        }
        if high > 0.0 {
            m = Mat::from_fn(n, n, |i, j| m[(i, j)] / high);
        }
        Ok(Some(m))
    }

    /// M up to a factor, as it was formed.
    pub(super) fn raw_penalty(&self) -> Option<&Mat<f64>> {
        self.penalty.as_ref()
    }

    /// The mean of each column over all labels, or over all but one.
    fn means(&self, labels: MatRef<'_, f64>, without: Option<usize>) -> Vec<f64> {
        let mean = |c: usize| match (self.centring, without) {
            (Centring::None, _) => 0.0,
            (Centring::Mean, Some(i)) => self.mean_without(labels, c, i),
            (Centring::Mean, None) => {
                let sum: f64 = self.weighted_sum(labels, c);
                sum / self.weights.iter().sum::<f64>()
            }
        };
        (0..labels.ncols()).map(mean).collect()
    }

    fn weighted_sum(&self, labels: MatRef<'_, f64>, column: usize) -> f64 {
        let pairs = labels.col(column).iter().zip(&self.weights);
        pairs.map(|(y, w)| w * y).sum()
    }

    fn mean_without(&self, labels: MatRef<'_, f64>, column: usize, i: usize) -> f64 {
        let others = self.weights.iter().sum::<f64>() - self.weights[i];
        if self.weights.len() < 2 {
            return 0.0;
        }
        (self.weighted_sum(labels, column) - self.weights[i] * labels[(i, column)]) / others
    }
}

/// Refuses more labels than n×n matrices are formed for.
pub(super) fn check_labels(seen: &Observed) -> Result<()> {
    let n = seen.index().len();
    if n <= MOST_LABELS {
        Ok(())
    } else {
        Err(Error::refused(
            Refusal::TooManyLabels,
            format!("leave-one-out works on matrices of {n} by {n} labels (at most {MOST_LABELS})"),
            "set some labels aside and judge on those",
        ))
    }
}

/// Refuses labels that do not count alike where fits to some of them are asked for.
pub(super) fn check_alike(seen: &Observed) -> Result<()> {
    check_labels(seen)?;
    seen.refuse_weights("a fit to some of the labels", "leave the weights out")
}

/// Which labels share a component with no other label.
pub(super) fn lonely(component: &[u32], seen: &Observed) -> Vec<bool> {
    let mut count = std::collections::HashMap::new();
    for &i in seen.index() {
        *count.entry(component[i]).or_insert(0_usize) += 1;
    }
    let alone = |i: &usize| count.get(&component[*i]).is_none_or(|n| *n < 2);
    seen.index().iter().map(alone).collect()
}
