//! Recipe + rows that pass by → model: tables larger than memory.

use super::encode::{encode, reader};
use super::fit::{assemble, conflicts, constants};
use super::labels::Labels;
use super::laplacian;
use super::model::{Model, Warning};
use super::recipe::{Method, Recipe, Scaling, Shape};
use super::session::{CALIBRATED_LABELS, calibration};
use crate::data::stream::Scaled;
use crate::data::{Points, RowStream, Survey, Targets};
use crate::error::{Error, Result};
use crate::estimator::Linear as _;
use crate::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams};
use crate::monitor::Monitor;
use crate::task::Observed;
use crate::trust::calibration::FEWEST;

/// Rows drawn to choose landmarks and parameters from, at least.
pub(super) const SAMPLE: usize = 20_000;

/// Fits a recipe to rows that are read twice and never held together.
///
/// The first pass counts and scales the rows and keeps the labelled ones and a random
/// sample; bandwidth, norm share and strength, where they are left open, are chosen on
/// those, and landmarks are drawn from them. The second pass sums.
///
/// # Errors
/// [`Error::Data`] for a method that needs all rows at once; as
/// [`super::fit()`]; whatever the stream says.
///
/// # Example
/// ```
/// use isotherm::data::stream::Slice;
/// use isotherm::data::{Points, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Method, Recipe, Task};
///
/// // Two clusters on a line, read three rows at a time.
/// let x = [0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.method = Method::laplacian(Task::Classify);
/// let mut rows = Slice::new(&x, 1, 3)?;
/// let model = recipe::fit_streamed(&recipe, &mut rows, &Targets::from_names(&y), &mut Quiet)?;
/// let new = Points::new(vec![0.15, 5.15], 2, 1)?;
/// let answer = model.predict_rows(&new, &mut Quiet)?;
/// assert_eq!(answer.names(&model), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn fit_streamed<S: RowStream>(
    recipe: &Recipe,
    rows: &mut S,
    targets: &Targets,
    monitor: &mut dyn Monitor,
) -> std::result::Result<Model, S::Error> {
    recipe.check(Shape::Table)?;
    let Method::Laplacian(params) = &recipe.method else {
        return Err(Error::data(
            format!("{} needs all rows at once", recipe.method.name()),
            "stream with --method laplacian, or read the table whole",
        )
        .into());
    };
    targets.check()?;
    let (labels, known) = encode(recipe, targets.into())?;
    let seen = known.full("a stream of rows")?;
    let keep: Vec<usize> = match &params.basis {
        BasisSpec::Rows { index, .. } => seen.index().iter().chain(index).copied().collect(),
        _ => seen.index().to_vec(),
    };
    let size = SAMPLE.max(2 * params.functions(targets.len(), 0));
    let survey = Survey::take(rows, size, &keep, recipe.seed, monitor)?;
    if survey.count != targets.len() {
        return Err(Error::Shape {
            what: "labels, one for each row, blank or not",
            expected: survey.count,
            got: targets.len(),
        }
        .into());
    }
    let mut warnings = constants(survey.constant.clone(), survey.count, rows.dim())?;
    let place = |i: &usize| survey.index.binary_search(i).unwrap_or(0);
    let places: Vec<usize> = seen.index().iter().map(place).collect();
    let pairs = conflicts(&survey.kept, &places, targets, seen.index());
    if pairs > 0 {
        warnings.push(Warning::Conflicts { pairs });
    }
    let scaling = match recipe.scaling.unwrap_or_default() {
        Scaling::Standardise => Some(survey.scaling.clone()),
        Scaling::None => None,
    };
    let survey = match &scaling {
        Some(scaling) => survey.scaled(scaling, monitor)?,
        None => survey,
    };
    let open = opened(recipe, params, &survey, &seen, &mut warnings, monitor)?;
    let method = Laplacian::new(open.params, recipe.seed)?;
    let mut rows = Scaled::new(rows, scaling.as_ref());
    let prepared = method.prepare_streamed(&mut rows, survey, monitor)?;
    let predictor = laplacian::predictor(&prepared, open.chosen, &seen, monitor)?;
    let labelled = seen.index().len();
    let mut reader = reader(recipe, labels, &seen)?;
    let judged = (FEWEST..=CALIBRATED_LABELS).contains(&labelled);
    if matches!(reader.labels, Labels::Classes(_)) && judged {
        let smoother = prepared.smoother(&seen, monitor)?;
        reader.calibration = calibration(&smoother, &seen, &vec![true; labelled]);
    }
    Ok(assemble(
        recipe, reader, labelled, predictor, scaling, None, warnings,
    ))
}

/// What is left open, chosen on the labelled rows and the sample below them.
fn opened(
    recipe: &Recipe,
    params: &LaplacianParams,
    survey: &Survey,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<laplacian::Open> {
    let labelled = survey.select(seen.index())?;
    let total = labelled.len() + survey.sample.len();
    let dim = labelled.dim();
    let index = (0..labelled.len()).collect();
    let mut values = labelled.into_values();
    values.extend_from_slice(&survey.sample.tile(0..survey.sample.len()));
    let table = Points::new(values, total, dim)?;
    let here = Observed::new(index, seen.values().clone(), total)?;
    // Rows named as landmarks are not in this table: others stand in for them.
    let mut trial = params.clone();
    if let BasisSpec::Rows { index, derivatives } = &params.basis {
        trial.basis = BasisSpec::Landmarks {
            count: Some(index.len().min(total)),
            selection: Default::default(),
            derivatives: *derivatives,
        };
    }
    let open = laplacian::choose(recipe, &trial, &table, &here, warnings, monitor)?;
    Ok(laplacian::Open {
        params: LaplacianParams {
            basis: params.basis.clone(),
            ..open.params
        },
        ..open
    })
}
