//! The labels of a study on its prepared method, those known in part settled.

use std::sync::Arc;

use super::preparation::Preparation;
use super::prepared::PreparedMethod;
use crate::error::{Error, Result};
use crate::estimator::{Smoother, Subsets};
use crate::labelling::{Encoded, Labelling, Labels, Scale, Settled};
use crate::linalg::Mat;
use crate::model::Warning;
use crate::monitor::Monitor;
use crate::recipe::{Method, Recipe, Task};
use crate::task::{Codec as _, Observed, OneHot};
use crate::trust::base_rate::base_rate;
use crate::trust::calibration::FEWEST;
use crate::trust::{Calibration, FoundShares, nested};

/// Numbers in the columns of unit labels up to which probabilities are calibrated
/// without being asked for: 500,000 rows with 130 labels.
const CALIBRATED: usize = 1 << 26;

/// Labels up to which they are where leave-one-out is cubic in them.
const CALIBRATED_LABELS: usize = 1024;

/// The same as [`CALIBRATED`] for methods that hold all these columns at once.
const CALIBRATED_AT_ONCE: usize = 1 << 22;

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) recipe: Recipe,
    pub(crate) preparation: Arc<Preparation>,
    /// Labels, settled; without a column of mass.
    pub(crate) seen: Observed,
    pub(crate) labelling: Labelling,
    /// Which labels were given exactly.
    pub(crate) certain: Vec<bool>,
    pub(super) settled: Option<Settled>,
    /// Warnings of settling.
    pub(super) warnings: Vec<Warning>,
    /// The class shares of the unlabelled rows, where these are asked for.
    pub(super) shares: Option<FoundShares>,
    smoother: Option<Smoother>,
}

impl Session {
    /// Settles labels that are known in part, and tunes thresholds where that was asked for.
    pub(super) fn new(
        recipe: &Recipe,
        preparation: Arc<Preparation>,
        labels: Labels,
        encoded: Encoded,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let mut settled = None;
        let mut warnings = Vec::new();
        let mut seen = encoded.seen.clone();
        if !encoded.is_exact() {
            let smoother = preparation.method.settling(&encoded.seen, monitor)?;
            if let Some((found, how)) = encoded.settle(&smoother, monitor)? {
                if !how.converged {
                    let rounds = how.objective.len();
                    warnings.push(Warning::NotSettled { rounds });
                }
                (seen, settled) = (found, Some(how));
            }
        }
        let mut session = Self {
            recipe: recipe.clone(),
            labelling: Labelling::new(recipe, labels, &seen)?,
            preparation,
            seen,
            certain: encoded.certain,
            settled,
            warnings,
            shares: None,
            smoother: None,
        };
        session.tune_thresholds(monitor)?;
        session.add_base_rate(monitor)?;
        Ok(session)
    }

    /// Labels that are all known exactly, on a preparation that was made for them.
    pub(crate) fn exact(
        recipe: &Recipe,
        preparation: Preparation,
        seen: Observed,
        labelling: Labelling,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let mut session = Self {
            recipe: recipe.clone(),
            certain: vec![true; seen.index().len()],
            labelling,
            preparation: Arc::new(preparation),
            seen,
            settled: None,
            warnings: Vec::new(),
            shares: None,
            smoother: None,
        };
        session.tune_thresholds(monitor)?;
        session.add_base_rate(monitor)?;
        Ok(session)
    }

    /// Thresholds of tags that maximise the F1 that was asked for.
    fn tune_thresholds(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let Some(measure) = self.recipe.thresholds else {
            return Ok(());
        };
        let left = self.left_out(monitor)?;
        if let Labels::Flags(tags) = &mut self.labelling.labels {
            *tags = tags.tuned(&left, &self.seen, measure)?;
        }
        Ok(())
    }

    /// The method's matrices at these labels.
    pub(super) fn smoother(&mut self, monitor: &mut dyn Monitor) -> Result<&Smoother> {
        let smoother = match self.smoother.take() {
            Some(known) => known,
            None => {
                let smoother = self.preparation.method.smoother(&self.seen, monitor)?;
                if self.subtracts_means() {
                    smoother.centred()
                } else {
                    smoother
                }
            }
        };
        Ok(self.smoother.insert(smoother))
    }

    /// Whether another mean is subtracted where a label is left out.
    fn subtracts_means(&self) -> bool {
        !self.labelling.labels.offset().is_empty() && self.recipe.method.takes_means_off()
    }

    /// Fits to any of some labels, which are among those of the session.
    pub(super) fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        let subsets = self.preparation.method.subsets(seen, monitor)?;
        Ok(if self.subtracts_means() {
            subsets.centred()
        } else {
            subsets
        })
    }

    /// Each label as the others predict it, on the scale that decoding reads: scores for
    /// classes, encoded labels otherwise.
    pub(crate) fn left_out(&mut self, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let wide = self.labelling.scale.with_mass(&self.seen)?;
        let values = self.labelling.predicts_values();
        let smoother = self.smoother(monitor)?;
        if values {
            return Ok(smoother.left_out_values(wide.values().as_ref()));
        }
        let left = smoother.left_out(wide.values().as_ref());
        if self.labelling.scale != Scale::Mass {
            return Ok(left);
        }
        let mass = left.ncols() - 1;
        Ok(Mat::from_fn(left.nrows(), mass, |i, j| {
            if left[(i, mass)] > 0.0 {
                left[(i, j)] / left[(i, mass)]
            } else {
                0.0
            }
        }))
    }

    /// By how much leave-one-out over these labels varies more than a mean of independent draws.
    pub(super) fn inflation(
        &mut self,
        counted: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<f64> {
        self.smoother(monitor)?;
        let Some(smoother) = &self.smoother else {
            return Ok(1.0);
        };
        let labelling = &self.labelling;
        let wide = labelling.scale.with_mass(&self.seen)?;
        let loss = labelling.labels.loss();
        let truth = self.seen.values();
        let at = |i: usize, scores: &[f64]| {
            let own: Vec<f64> = truth.row(i).iter().copied().collect();
            if labelling.scale == Scale::Mass || labelling.labels.are_classes() {
                loss.at(&own, &labelling.scale.apply(scores))
            } else {
                loss.at(&own, scores)
            }
        };
        let values = labelling.predicts_values();
        let labels = wide.values().as_ref();
        nested::inflation(
            smoother,
            labels,
            counted,
            values,
            &at,
            self.recipe.seed,
            monitor,
        )
    }

    /// Labels that leave-one-out can judge: reached by others, and given exactly.
    pub(crate) fn usable(&mut self, monitor: &mut dyn Monitor) -> Result<Vec<bool>> {
        let alone = self.smoother(monitor)?.alone().to_vec();
        let pairs = self.certain.iter().zip(&alone);
        Ok(pairs.map(|(certain, alone)| *certain && !alone).collect())
    }

    /// Of these, the labels that are not the only one of their class.
    pub(crate) fn repeated(&self, usable: &[bool]) -> Vec<bool> {
        repeated(
            &self.classes(),
            usable,
            &vec![true; usable.len()],
            self.seen.width(),
        )
    }

    /// The class of each label.
    pub(crate) fn classes(&self) -> Vec<u32> {
        let values = self.seen.values();
        let codec = OneHot::new(values.ncols());
        (0..values.nrows())
            .map(|i| codec.decode(&row(values, i)))
            .collect()
    }

    /// Whether leave-one-out costs little beside a fit.
    pub(super) fn judging_is_cheap(&self) -> bool {
        let numbers = self.seen.index().len().saturating_mul(self.seen.total());
        numbers
            <= match self.recipe.method {
                Method::LabelPropagation(_) | Method::Harmonic(_) => CALIBRATED_AT_ONCE,
                // Only labelled rows are looked at again.
                Method::Laplacian(_) => usize::MAX,
                _ => CALIBRATED,
            }
    }

    /// Whether probabilities are calibrated without being asked for.
    pub(super) fn calibrates(&self) -> bool {
        let linear = matches!(self.preparation.method, PreparedMethod::Laplacian { .. });
        let few = self.seen.index().len() <= CALIBRATED_LABELS;
        self.judging_is_cheap() && (few || linear)
    }

    /// Probabilities fitted to leave-one-out scores, where labels suffice and the cost is
    /// not far above the fit's.
    pub(super) fn calibrate(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        if self.labelling.calibration.is_some() {
            return Ok(());
        }
        let Some((left, usable)) = self.judged_classes(monitor)? else {
            return Ok(());
        };
        let kept = self.repeated(&usable);
        let truth = self.classes();
        let scale = &self.labelling.scale;
        self.labelling.calibration = calibration(scale, &left, &truth, |i| kept[i]);
        Ok(())
    }

    /// Constants that say how common the classes are, where scores are deviations from their
    /// shares and labels suffice to choose them. Not on a given graph: scores of nodes far from
    /// all labels are orders of magnitude smaller there, so that one constant would decide
    /// about most nodes, where the signs of these scores are right more often.
    pub(super) fn add_base_rate(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let on_graph = matches!(self.preparation.method, PreparedMethod::Graph(_));
        if on_graph || !self.recipe.method.leaves_shares_out() {
            return Ok(());
        }
        if let Some((left, usable)) = self.judged_classes(monitor)?
            && let Some(means) = base_rate(left.as_ref(), &self.classes(), |i| usable[i])
        {
            self.labelling.scale = Scale::Level { means };
        }
        Ok(())
    }

    /// Leave-one-out scores of plain classes and the labels that others reach; `None` where
    /// labels are too few, or leave-one-out costs too much or has no closed form.
    fn judged_classes(
        &mut self,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<(Mat<f64>, Vec<bool>)>> {
        if self.recipe.task != Task::Classify
            || !self.labelling.labels.are_classes()
            || self.seen.index().len() < FEWEST
            || !self.calibrates()
        {
            return Ok(None);
        }
        if self.seen.index().len() > CALIBRATED_LABELS {
            return self.judged_at_once(monitor);
        }
        let usable = match self.usable(monitor) {
            Ok(usable) => usable,
            // Not every setting is linear; probabilities then stay as they were.
            Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
            Err(_) => return Ok(None),
        };
        Ok(Some((self.left_out(monitor)?, usable)))
    }

    /// The same where leave-one-out is linear in the labels; `None` elsewhere.
    fn judged_at_once(&self, monitor: &mut dyn Monitor) -> Result<Option<(Mat<f64>, Vec<bool>)>> {
        let PreparedMethod::Laplacian { prepared, .. } = &self.preparation.method else {
            return Ok(None);
        };
        if self.labelling.scale != Scale::Plain || self.subtracts_means() {
            return Ok(None);
        }
        let Some((left, alone)) = prepared.judged(&self.seen, monitor)? else {
            return Ok(None);
        };
        let pairs = self.certain.iter().zip(alone);
        Ok(Some((
            left,
            pairs.map(|(certain, alone)| *certain && !alone).collect(),
        )))
    }
}

/// The usable labels whose class occurs more than once among those that are counted.
pub(super) fn repeated(
    truth: &[u32],
    usable: &[bool],
    counted: &[bool],
    classes: usize,
) -> Vec<bool> {
    let mut count = vec![0_usize; classes];
    let counted = truth.iter().zip(counted).filter(|(_, counted)| **counted);
    counted.for_each(|(c, _)| count[*c as usize] += 1);
    (truth.iter().zip(usable))
        .map(|(c, usable)| *usable && count[*c as usize] > 1)
        .collect()
}

/// A slope fitted to the leave-one-out scores of these labels; `None` where they are too few.
pub(super) fn calibration(
    scale: &Scale,
    left: &Mat<f64>,
    truth: &[u32],
    kept: impl Fn(usize) -> bool,
) -> Option<Calibration> {
    let rows: Vec<usize> = (0..truth.len()).filter(|&i| kept(i)).collect();
    let read: Vec<Vec<f64>> = rows.iter().map(|&i| scale.apply(&row(left, i))).collect();
    let scores = Mat::from_fn(rows.len(), left.ncols(), |k, j| read[k][j]);
    let truth: Vec<u32> = rows.iter().map(|&i| truth[i]).collect();
    Calibration::learn(scores.as_ref(), &truth).ok()
}

/// Row i of a matrix.
pub(super) fn row(m: &Mat<f64>, i: usize) -> Vec<f64> {
    m.row(i).iter().copied().collect()
}
