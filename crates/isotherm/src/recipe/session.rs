//! A recipe on its data with its labels settled: what a fit, an evaluation and prediction
//! sets have in common.

use super::encode::{Given, Known, encode, reader, with_mass};
use super::evaluate::loss_at;
use super::fit::{Input, assemble};
use super::labels::{Labels, Reader, Scale, Structured};
use super::model::{Model, Settled, Warning};
use super::prepare::Ready;
use super::recipe::{Method, Recipe, Task};
use crate::error::{Error, Refusal, Result};
use crate::estimator::{Smoother, Subsets};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::task::{Codec as _, MultiLabel, Observed, OneHot};
use crate::trust::calibration::FEWEST;
use crate::trust::{Calibration, nested};

/// Numbers in the columns of unit labels up to which probabilities are calibrated
/// without being asked for: 500,000 rows with 130 labels.
const CALIBRATED: usize = 1 << 26;

/// Labels up to which they are, because leave-one-out is cubic in them.
const CALIBRATED_LABELS: usize = 1024;

/// The same as [`CALIBRATED`] for methods that hold all these columns at once.
const CALIBRATED_AT_ONCE: usize = 1 << 22;

pub(super) struct Session {
    pub(super) recipe: Recipe,
    pub(super) ready: Ready,
    /// Labels, settled; without a column of mass.
    pub(super) seen: Observed,
    pub(super) reader: Reader,
    /// Which labels were given without doubt.
    pub(super) certain: Vec<bool>,
    settled: Option<Settled>,
    smoother: Option<Smoother>,
}

impl Session {
    pub(super) fn new(
        recipe: &Recipe,
        input: Input,
        given: Given<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        recipe.check(input.shape())?;
        let targets = given.targets;
        if targets.len() != input.len() {
            return Err(Error::Shape {
                what: "labels, one for each sample, blank or not",
                expected: input.len(),
                got: targets.len(),
            });
        }
        if input.len() < 2 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                format!("there is only {} sample", input.len()),
                "give at least two, one of them labelled",
            ));
        }
        targets.check()?;
        let (labels, known) = encode(recipe, given)?;
        let start = known.start()?;
        let ready = Ready::new(recipe, input, targets, &start, monitor)?;
        let certain = known.certain();
        let mut session = Self {
            recipe: recipe.clone(),
            reader: reader(recipe, labels, &start)?,
            ready,
            seen: start,
            certain,
            settled: None,
            smoother: None,
        };
        session.settle(&known, monitor)?;
        session.choose_thresholds(monitor)?;
        Ok(session)
    }

    /// Labels that are known without doubt, on a preparation that was made for them.
    pub(super) fn prepared(
        recipe: &Recipe,
        ready: Ready,
        seen: Observed,
        reader: Reader,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let mut session = Self {
            recipe: recipe.clone(),
            certain: vec![true; seen.index().len()],
            reader,
            ready,
            seen,
            settled: None,
            smoother: None,
        };
        session.choose_thresholds(monitor)?;
        Ok(session)
    }

    fn settle(&mut self, known: &Known, monitor: &mut dyn Monitor) -> Result<()> {
        if known.is_full() {
            return Ok(());
        }
        let smoother = self.ready.geometry.settling(&self.seen, monitor)?;
        let (seen, settled) = known.settle(&self.seen, &smoother, monitor)?;
        if let Some(settled) = settled.as_ref().filter(|s| !s.converged) {
            let rounds = settled.objective.len();
            self.ready.warnings.push(Warning::NotSettled { rounds });
        }
        self.seen = seen;
        self.settled = settled;
        self.smoother = None;
        let labels = self.reader.labels.clone();
        self.reader = reader(&self.recipe, labels, &self.seen)?;
        Ok(())
    }

    /// Thresholds of tags that maximise the F1 that was asked for.
    fn choose_thresholds(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let Some(measure) = self.recipe.thresholds else {
            return Ok(());
        };
        let left = self.left_out(monitor)?;
        let labels = self.seen.values();
        let truths: Vec<Vec<Option<bool>>> = (0..labels.nrows())
            .map(|i| labels.row(i).iter().map(|v| flag(*v)).collect())
            .collect();
        if let Labels::Structured(Structured::Flags { thresholds, .. }) = &mut self.reader.labels {
            let codec = MultiLabel::with_thresholds(thresholds.clone())?;
            *thresholds = (codec.tuned(left.as_ref(), &truths, measure)?)
                .thresholds()
                .to_vec();
        }
        Ok(())
    }

    /// The method's matrices at these labels.
    pub(super) fn smoother(&mut self, monitor: &mut dyn Monitor) -> Result<Smoother> {
        if let Some(known) = &self.smoother {
            return Ok(known.clone());
        }
        let smoother = self.ready.geometry.smoother(&self.seen, monitor)?;
        // A codec that takes the mean off takes another one off without a label.
        let smoother = match (&self.reader.labels, &self.recipe.method) {
            (Labels::Values(_) | Labels::Structured(Structured::Numbers { .. }), method) => {
                match method.takes_means_off() {
                    true => smoother.centred(),
                    false => smoother,
                }
            }
            _ => smoother,
        };
        self.smoother = Some(smoother.clone());
        Ok(smoother)
    }

    /// Fits to any of some labels, which are among those of the session.
    pub(super) fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        let subsets = self.ready.geometry.subsets(seen, monitor)?;
        // As of the smoother.
        let numbers = matches!(self.reader.labels, Labels::Values(_));
        Ok(match numbers && self.recipe.method.takes_means_off() {
            true => subsets.centred(),
            false => subsets,
        })
    }

    /// Each label as the others predict it, on the scale that decoding reads: scores for
    /// classes, encoded labels otherwise.
    pub(super) fn left_out(&mut self, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        let smoother = self.smoother(monitor)?;
        let wide = with_mass(&self.seen, &self.reader.scale)?;
        let values = wide.values().as_ref();
        Ok(match (&self.reader.scale, &self.reader.labels) {
            (Scale::Level { .. }, _) => smoother.left_out_values(values),
            (_, Labels::Values(_) | Labels::Structured(Structured::Numbers { .. })) => {
                smoother.left_out_values(values)
            }
            (Scale::Mass, _) => {
                let left = smoother.left_out(values);
                let width = left.ncols() - 1;
                Mat::from_fn(left.nrows(), width, |i, j| match left[(i, width)] > 0.0 {
                    true => left[(i, j)] / left[(i, width)],
                    false => 0.0,
                })
            }
            (Scale::Plain, _) => smoother.left_out(values),
        })
    }

    /// By how much leave-one-out over these labels is less sure than a mean of draws.
    pub(super) fn inflation(
        &mut self,
        counted: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<f64> {
        let smoother = self.smoother(monitor)?;
        let wide = with_mass(&self.seen, &self.reader.scale)?;
        let loss = loss_at(&self.reader.labels)?;
        let truth = self.seen.values();
        let values = matches!(self.reader.scale, Scale::Level { .. })
            || matches!(
                self.reader.labels,
                Labels::Values(_) | Labels::Structured(Structured::Numbers { .. })
            );
        let reader = &self.reader;
        let at = |i: usize, scores: &[f64]| {
            let own: Vec<f64> = truth.row(i).iter().copied().collect();
            match reader.scale {
                Scale::Mass => loss(&own, &reader.scaled(scores)),
                _ => loss(&own, scores),
            }
        };
        let seed = self.recipe.seed;
        let labels = wide.values().as_ref();
        nested::inflation(&smoother, labels, counted, values, &at, seed, monitor)
    }

    /// Labels that leave-one-out can judge: reached by others, and given without doubt.
    pub(super) fn usable(&mut self, monitor: &mut dyn Monitor) -> Result<Vec<bool>> {
        let alone = self.smoother(monitor)?.alone().to_vec();
        let pairs = self.certain.iter().zip(&alone);
        Ok(pairs.map(|(certain, alone)| *certain && !alone).collect())
    }

    /// The class of each label.
    pub(super) fn classes(&self) -> Vec<u32> {
        classes_of(&self.seen)
    }

    /// Probabilities fitted to leave-one-out scores, where labels suffice and the cost is
    /// not far above the fit's.
    pub(super) fn calibrate(&mut self, monitor: &mut dyn Monitor) -> Result<()> {
        let numbers = self.seen.index().len().saturating_mul(self.seen.total());
        let most = match self.recipe.method {
            Method::LabelPropagation(_) | Method::Harmonic(_) => CALIBRATED_AT_ONCE,
            // Only labelled rows are looked at again.
            Method::Laplacian(_) => usize::MAX,
            _ => CALIBRATED,
        };
        if self.recipe.task != Task::Classify
            || !matches!(self.reader.labels, Labels::Classes(_))
            || self.reader.calibration.is_some()
            || numbers > most
            || !(FEWEST..=CALIBRATED_LABELS).contains(&self.seen.index().len())
        {
            return Ok(());
        }
        let smoother = match self.smoother(monitor) {
            Ok(smoother) => smoother,
            // Not every setting is linear; probabilities then stay as they were.
            Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
            Err(_) => return Ok(()),
        };
        self.reader.calibration = calibration(&smoother, &self.seen, &self.certain);
        Ok(())
    }

    /// Solves, and leaves the model.
    pub(super) fn into_model(mut self, monitor: &mut dyn Monitor) -> Result<Model> {
        let wide = with_mass(&self.seen, &self.reader.scale)?;
        let predictor = self.ready.geometry.solve(&wide, monitor)?;
        self.calibrate(monitor)?;
        let Self {
            recipe,
            ready,
            seen,
            reader,
            settled,
            ..
        } = self;
        Ok(assemble(
            &recipe,
            reader,
            seen.index().len(),
            predictor,
            ready.scaling,
            settled,
            ready.warnings,
        ))
    }
}

/// A slope fitted to the leave-one-out scores of labels that are certain, reached by
/// others and not the only one of their class; `None` where they are too few.
fn calibration(smoother: &Smoother, seen: &Observed, certain: &[bool]) -> Option<Calibration> {
    let truth = classes_of(seen);
    let mut count = vec![0_usize; seen.width()];
    truth.iter().for_each(|c| count[*c as usize] += 1);
    let rows: Vec<usize> = (0..truth.len())
        .filter(|&i| certain[i] && !smoother.alone()[i] && count[truth[i] as usize] > 1)
        .collect();
    let left = smoother.left_out(seen.values().as_ref());
    let kept = Mat::from_fn(rows.len(), left.ncols(), |k, j| left[(rows[k], j)]);
    let kept_truth: Vec<u32> = rows.iter().map(|&i| truth[i]).collect();
    Calibration::learn(kept.as_ref(), &kept_truth).ok()
}

/// The class of each one-hot label.
fn classes_of(seen: &Observed) -> Vec<u32> {
    let values = seen.values();
    let codec = OneHot::new(values.ncols());
    let row = |i: usize| -> Vec<f64> { values.row(i).iter().copied().collect() };
    (0..values.nrows()).map(|i| codec.decode(&row(i))).collect()
}

/// An encoded flag; `None` where it was imputed.
fn flag(value: f64) -> Option<bool> {
    match value {
        1.0 => Some(true),
        0.0 => Some(false),
        _ => None,
    }
}
