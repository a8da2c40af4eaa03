//! Fits to some of the labels, judged on others: what learning curves are made of.
//!
//! Everything that needs all samples is worked out once, for all labels: the kernel
//! between them, the energy of labels, their features. A fit to m of them is then a dense
//! problem of that size, O(m³), however many samples there are.

use super::centring::Centring;
use crate::error::Result;
use crate::linalg::{Mat, MatRef};

/// Scores of some labels from a fit to others. The closure of a method: training labels,
/// labels to score, and the values of the training labels as given and as fitted.
pub(super) type Scoring =
    Box<dyn Fn(&[usize], &[usize], &Mat<f64>, &Mat<f64>) -> Result<Mat<f64>> + Send + Sync>;

/// A method at n labels, to be fitted to any of them.
///
/// Equal to a fit to these labels alone on the same samples, up to what is chosen from
/// all labels: a bandwidth or a strength that was left open, and the samples a truncation's
/// modes come from if those are the unlabelled ones.
///
/// ```
/// use isotherm::data::Points;
/// use isotherm::estimator::baseline::{KernelRidge, KernelRidgeParams};
/// use isotherm::estimator::{Estimator, Linear};
/// use isotherm::linalg::Mat;
/// use isotherm::monitor::Quiet;
/// use isotherm::task::Observed;
///
/// let points = Points::new(vec![0.0, 0.1, 0.9, 1.0], 4, 1)?;
/// let y = Mat::from_fn(4, 1, |i, _| [1.0, 1.0, -1.0, -1.0][i]);
/// let seen = Observed::new(vec![0, 1, 2, 3], y.clone(), 4)?;
/// let prepared = KernelRidge::new(KernelRidgeParams::default(), 0)?.prepare(points, &mut Quiet)?;
/// // The fit to the first and the last label, at the two in between.
/// let found = prepared.subsets(&seen, &mut Quiet)?.scores(&[0, 3], &[1, 2], y.as_ref(), false)?;
/// assert!(found.values[(0, 0)] > 0.0 && found.values[(1, 0)] < 0.0);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub struct Subsets {
    scoring: Scoring,
    /// The component of each label, where the method works along edges.
    component: Option<Vec<u32>>,
    centring: Centring,
}

impl std::fmt::Debug for Subsets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subsets")
            .field("component", &self.component)
            .field("centring", &self.centring)
            .finish_non_exhaustive()
    }
}

/// What a fit to some labels says of others.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// One row a label that was asked about.
    pub values: Mat<f64>,
    /// Whether a training label reaches it; its scores are zero otherwise.
    pub reached: Vec<bool>,
}

impl Subsets {
    pub(super) fn new(scoring: Scoring, component: Option<Vec<u32>>, centring: Centring) -> Self {
        Self {
            scoring,
            component,
            centring,
        }
    }

    /// For labels whose mean is taken off before the fit, by the method or by the codec.
    #[must_use]
    pub fn centred(mut self) -> Self {
        self.centring = Centring::Mean;
        self
    }

    /// Scores of the labels `others` from the fit to the labels `train`, none of them in
    /// both; `labels` are all of them. Scores that are all zero count as not reached, unless
    /// `values` are asked for. Where labels are centred, deviations from the mean
    /// of the training labels, or with `values` that mean put back.
    ///
    /// # Errors
    /// As a fit to these labels.
    pub fn scores(
        &self,
        train: &[usize],
        others: &[usize],
        labels: MatRef<'_, f64>,
        values: bool,
    ) -> Result<Judgement> {
        let width = labels.ncols();
        let given = Mat::from_fn(train.len(), width, |a, c| labels[(train[a], c)]);
        let means: Vec<f64> = match self.centring {
            Centring::None => vec![0.0; width],
            Centring::Mean => (0..width)
                .map(|c| given.col(c).iter().sum::<f64>() / train.len().max(1) as f64)
                .collect(),
        };
        let fitted = Mat::from_fn(train.len(), width, |a, c| given[(a, c)] - means[c]);
        let mut reached: Vec<bool> = match &self.component {
            None => vec![!train.is_empty(); others.len()],
            Some(component) => {
                let mut known: Vec<u32> = train.iter().map(|&i| component[i]).collect();
                known.sort_unstable();
                let is_known = |i: &usize| known.binary_search(&component[*i]).is_ok();
                others.iter().map(is_known).collect()
            }
        };
        let asked: Vec<usize> = (others.iter().zip(&reached))
            .filter(|(_, reached)| **reached)
            .map(|(i, _)| *i)
            .collect();
        let found = if asked.is_empty() {
            Mat::zeros(0, width)
        } else {
            (self.scoring)(train, &asked, &given, &fitted)?
        };
        let mut out = Mat::zeros(others.len(), width);
        let rows: Vec<usize> = (0..others.len()).filter(|&b| reached[b]).collect();
        for (row, b) in rows.into_iter().enumerate() {
            for (c, mean) in means.iter().enumerate() {
                out[(b, c)] = found[(row, c)] + if values { *mean } else { 0.0 };
            }
            // A kernel of a few hops is zero beyond them; numbers may be zero by themselves.
            reached[b] = values || found.row(row).iter().any(|v| *v != 0.0);
        }
        Ok(Judgement {
            values: out,
            reached,
        })
    }
}

/// Part of a matrix.
pub(super) fn part(m: &Mat<f64>, rows: &[usize], cols: &[usize]) -> Mat<f64> {
    Mat::from_fn(rows.len(), cols.len(), |a, b| m[(rows[a], cols[b])])
}

/// Modes that a fit to fewer labels may have back: a component keeps its mode where its
/// labels agree, which some of them may do although all do not.
pub(super) struct Returning {
    /// The component of each label.
    pub(super) component: Vec<u32>,
    /// The entry of each label in its component's mode, 0 where all labels agree.
    pub(super) entry: Vec<f64>,
    /// What the mode is multiplied by in the kernel.
    pub(super) gain: f64,
}

impl Returning {
    /// The components whose training labels agree, ascending.
    pub(super) fn agreeing(&self, train: &[usize], given: &Mat<f64>) -> Vec<u32> {
        let same = |a: usize, b: usize| (0..given.ncols()).all(|c| given[(a, c)] == given[(b, c)]);
        let mut first = std::collections::BTreeMap::new();
        for (a, &i) in train.iter().enumerate() {
            let known = first.entry(self.component[i]).or_insert((a, true));
            known.1 &= same(known.0, a);
        }
        let agree = first.into_iter().filter(|(_, (_, agree))| *agree);
        agree.map(|(component, _)| component).collect()
    }

    /// What the kernel between two labels has more where `agreeing` components keep
    /// their modes.
    pub(super) fn more(&self, agreeing: &[u32], i: usize, j: usize) -> f64 {
        let component = self.component[i];
        if component == self.component[j] && agreeing.binary_search(&component).is_ok() {
            self.gain * self.entry[i] * self.entry[j]
        } else {
            0.0
        }
    }
}
