//! Recipe + data → whether its probabilities can be believed.

use super::encode::Given;
use super::evaluate::{Judging, row};
use super::fit::Input;
use super::labels::Reader;
use super::recipe::Recipe;
use super::session::Session;
use crate::error::{Error, Result};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::trust::interval::clopper_pearson;
use crate::trust::reliability::{Bin, FEWEST};
use crate::trust::{Calibration, Counted, Reliability, reliability as judge};

/// Folds in which slopes are fitted to the labels of the others.
const FOLDS: usize = 10;

/// A reliability diagram of the model's probabilities, from the labels it has: each label's
/// probabilities come from the fit to the others, in closed form, and from a slope
/// ([`Calibration`]) that was fitted without the tenth of the labels it is in. A label that no
/// other reaches is not judged: nothing is said of it.
///
/// `judging` says which labels may count and the level; its suspects are not looked at.
///
/// # Errors
/// As [`super::evaluate()`]; [`Error::Refused`] when labels are no classes, or fewer than
/// [`FEWEST`] can be judged.
///
/// # Example
/// ```
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Judging, Recipe, Task};
///
/// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 3.0 + 0.1 * i as f64 });
/// let points = Points::new(x.collect(), 40, 1)?;
/// let y: Vec<Option<&str>> = (0..40)
///     .map(|i| (i % 3 == 0).then(|| if i < 20 { "a" } else { "b" }))
///     .collect();
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.neighbours = Some(5);
/// let targets = Targets::from_names(&y);
/// let found = recipe::reliability(
///     &recipe, Input::Table(points), (&targets).into(), &Judging::default(), &mut Quiet)?;
/// assert_eq!((found.rows, found.accuracy), (14, 1.0));
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn reliability(
    recipe: &Recipe,
    input: Input,
    given: Given<'_>,
    judging: &Judging,
    monitor: &mut dyn Monitor,
) -> Result<Reliability> {
    let mut session = Session::new(recipe, input, given, monitor)?;
    reliability_in(&mut session, judging, monitor)
}

/// The same in a session on these labels.
pub(super) fn reliability_in(
    session: &mut Session,
    judging: &Judging,
    monitor: &mut dyn Monitor,
) -> Result<Reliability> {
    crate::trust::interval::check_level(judging.level)?;
    let recipe = &session.recipe.clone();
    if session.reader.labels.classes().is_none() {
        return Err(Error::data(
            format!(
                "the task {} has no probabilities of classes to judge",
                recipe.task.name()
            ),
            "use the task classify",
        ));
    }
    let sampling = (judging.sampling).at(session.seen.index(), session.seen.total())?;
    let usable = session.usable(monitor)?;
    if usable.iter().all(|u| !u) {
        return Err(too_few(0));
    }
    let rows = Counted::new(&sampling, &usable, session.seen.total())?.rows;
    if rows.len() < FEWEST {
        return Err(too_few(rows.len()));
    }
    let left = session.left_out(monitor)?;
    let truth = session.classes();
    let readers = readers(session, &left, &truth, &usable);
    let decide = session.reader.decider();
    let mut confidence = Vec::with_capacity(rows.len());
    let mut right = Vec::with_capacity(rows.len());
    for &i in &rows {
        let scores = row(&left, i);
        let shares = readers[i % readers.len()].probabilities(&scores, true);
        let class = decide(&scores);
        right.push(class == Some(truth[i]));
        let said = class.and_then(|c| shares.get(c as usize));
        confidence.push(said.copied().unwrap_or(0.0).clamp(0.0, 1.0));
    }
    judge(&confidence, &right, judging.level, recipe.seed)
}

/// What reads the scores of labels i, i + FOLDS, …: probabilities that none of them shaped.
fn readers(session: &Session, left: &Mat<f64>, truth: &[u32], usable: &[bool]) -> Vec<Reader> {
    let classes = session.seen.width();
    let fold = |k: usize| {
        let mut count = vec![0_usize; classes];
        let others = || (0..truth.len()).filter(|i| i % FOLDS != k && usable[*i]);
        others().for_each(|i| count[truth[i] as usize] += 1);
        let rows: Vec<usize> = others().filter(|&i| count[truth[i] as usize] > 1).collect();
        let kept = Mat::from_fn(rows.len(), left.ncols(), |a, j| left[(rows[a], j)]);
        let kept_truth: Vec<u32> = rows.iter().map(|&i| truth[i]).collect();
        Reader {
            // Too few labels: probabilities as the model has them then.
            calibration: Calibration::learn(kept.as_ref(), &kept_truth).ok(),
            ..session.reader.clone()
        }
    };
    match &session.reader.labels {
        super::labels::Labels::Classes(_) => (0..FOLDS).map(fold).collect(),
        super::labels::Labels::Values(_) | super::labels::Labels::Structured(_) => {
            vec![session.reader.clone()]
        }
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
