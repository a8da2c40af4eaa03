//! Whether a recipe's probabilities can be believed.

use super::evaluate::EvaluateOptions;
use super::session::{Session, calibration, repeated, row};
use super::study::Study;
use crate::error::{Error, Result};
use crate::labelling::Labelling;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::trust::interval::clopper_pearson;
use crate::trust::reliability::{Bin, FEWEST};
use crate::trust::{Counted, Reliability, reliability as judge};

/// Folds in which slopes are fitted to the labels of the others.
const FOLDS: usize = 10;

impl Study {
    /// A reliability diagram of the model's probabilities, from the labels it has: each label's
    /// probabilities come from the fit to the others, in closed form, and from a slope that was
    /// fitted without the tenth of the labels it is in. A label that no other reaches is not judged.
    ///
    /// `options` say which labels may count and the level; suspicious labels are not looked for.
    ///
    /// # Errors
    /// As [`Study::evaluate`]; [`Error::Refused`] when labels are no classes, or fewer than
    /// 10 can be judged.
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{EvaluateOptions, Input, Study};
    ///
    /// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 3.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 40, 1)?;
    /// let y: Vec<Option<&str>> = (0..40)
    ///     .map(|i| (i % 3 == 0).then(|| if i < 20 { "a" } else { "b" }))
    ///     .collect();
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(5);
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let found = study.reliability(&EvaluateOptions::default(), &mut Quiet)?;
    /// assert_eq!((found.rows, found.accuracy), (14, 1.0));
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn reliability(
        &mut self,
        options: &EvaluateOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Reliability> {
        crate::trust::interval::check_level(options.level)?;
        let session = self.session(monitor)?;
        if session.labelling.labels.classes().is_none() {
            return Err(Error::data(
                format!(
                    "the task {} has no probabilities of classes to judge",
                    session.recipe.task.name()
                ),
                "use the task classify",
            ));
        }
        let total = session.seen.total();
        let sampling = options.sampling.at(session.seen.index(), total)?;
        let usable = session.usable(monitor)?;
        if usable.iter().all(|u| !u) {
            return Err(too_few(0));
        }
        let rows = Counted::new(&sampling, &usable, total)?.rows;
        if rows.len() < FEWEST {
            return Err(too_few(rows.len()));
        }
        let left = session.left_out(monitor)?;
        let truth = session.classes();
        let folds = folds(session, &left, &truth, &usable);
        let mut confidence = Vec::with_capacity(rows.len());
        let mut right = Vec::with_capacity(rows.len());
        for &i in &rows {
            let scores = row(&left, i);
            let shares = folds[i % folds.len()].probabilities(&scores, true);
            let class = session.labelling.decide(&scores);
            right.push(class == Some(truth[i]));
            let said = class.and_then(|c| shares.get(c as usize));
            confidence.push(said.copied().unwrap_or(0.0).clamp(0.0, 1.0));
        }
        judge(&confidence, &right, options.level, session.recipe.seed)
    }
}

/// How the scores of labels i, i + FOLDS, … are read: calibrated on none of them.
fn folds(session: &Session, left: &Mat<f64>, truth: &[u32], usable: &[bool]) -> Vec<Labelling> {
    let fold = |k: usize| {
        let others: Vec<bool> = (0..truth.len())
            .map(|i| i % FOLDS != k && usable[i])
            .collect();
        let kept = repeated(truth, &others, &others, session.seen.width());
        Labelling {
            // Too few labels: probabilities as the model has them then.
            calibration: calibration(&session.labelling.scale, left, truth, |i| kept[i]),
            ..session.labelling.clone()
        }
    };
    if session.labelling.labels.are_classes() {
        (0..FOLDS).map(fold).collect()
    } else {
        vec![session.labelling.clone()]
    }
}

/// The bins of a diagram with neighbours joined until their mean confidences are this far apart,
/// so that none is drawn over another; exact intervals of the diagram's own level.
///
/// # Errors
/// [`Error::Parameter`] for a level that is no share.
pub fn joined(found: &Reliability, apart: f64) -> Result<Vec<Bin>> {
    let mut bins: Vec<Bin> = Vec::with_capacity(found.bins.len());
    for bin in &found.bins {
        match bins.last_mut() {
            Some(last) if bin.confidence - last.confidence < apart => {
                let (m, n) = (last.rows as f64, bin.rows as f64);
                last.confidence = (m * last.confidence + n * bin.confidence) / (m + n);
                last.high = bin.high;
                last.rows += bin.rows;
                last.right += bin.right;
                last.accuracy = last.right as f64 / last.rows as f64;
                last.interval = clopper_pearson(last.right, last.rows, found.interval.level)?;
            }
            _ => bins.push(bin.clone()),
        }
    }
    Ok(bins)
}

fn too_few(got: usize) -> Error {
    Error::data(
        format!("{got} labels can be judged, which says nothing of how reliable confidences are"),
        format!("label at least {FEWEST} rows that count, two of each class"),
    )
}
