//! A recipe between the two passes over its rows: what every part has to know.
//!
//! Kernel Laplacians need of the rows only sums, so rows may lie in memory, in a file or on
//! several machines. Everybody surveys the rows they have, [`Survey`]s are merged, a [`Plan`]
//! settles what is open, everybody sums, [`Moments`] are merged, and [`Plan::solve`] leaves
//! the model. How rows were dealt to parts, and the order parts were merged in, change
//! nothing: the sample follows from row numbers, scales are rounded to what parts agree on,
//! and sums carry what rounding would lose.
//!
//! A table that the sample holds whole is fitted as [`super::fit()`] would.

use super::encode::{Given, encode, reader};
use super::fit::{conflicts, constants};
use super::labels::Reader;
use super::laplacian;
use super::model::{Model, Warning};
use super::prepare::{Geometry, Ready, scaled};
use super::recipe::{Method, Recipe, Scaling, Shape};
use super::session::Session;
use super::sums::Moments;
use crate::data::{Points, Standardiser, Survey};
use crate::error::{Error, Refusal, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::{
    BasisSpec, Glimpse, Laplacian, LaplacianParams, Planned, PreparedLaplacian, Route,
};
use crate::feature;
use crate::monitor::Monitor;
use crate::task::Observed;

/// Rows drawn to choose landmarks and parameters from, at least.
pub(super) const SAMPLE: usize = 20_000;

/// A recipe with its basis and open parameters settled from a survey.
///
/// ```
/// use isotherm::data::{Points, Survey, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{Method, Plan, Recipe, Task};
///
/// // Two clusters on a line, on two machines.
/// let parts = [vec![0.0, 0.1, 0.2, 0.3], vec![5.0, 5.1, 5.2, 5.3]];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::automatic(Task::Classify, 0);
/// recipe.method = Method::laplacian(Task::Classify);
/// let rows = |k: usize| Points::new(parts[k].clone(), 4, 1);
/// let mut survey = Survey::new(1, 20_000, recipe.seed);
/// for k in [1, 0] {
///     survey.add(&rows(k)?, 4 * k, &[0])?;
/// }
/// let plan = Plan::of(&recipe, &survey, &Targets::from_names(&y), &mut Quiet)?;
/// let mut sums = plan.moments();
/// for k in [1, 0] {
///     let mut part = plan.moments();
///     part.add(&rows(k)?, 4 * k, &mut Quiet)?;
///     sums.merge(&part)?;
/// }
/// let model = plan.solve(&sums, &mut Quiet)?;
/// let answer = model.predict_rows(&Points::new(vec![0.15, 5.15], 2, 1)?, &mut Quiet)?;
/// assert_eq!(answer.names(&model), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) recipe: Recipe,
    pub(super) scaling: Option<Standardiser>,
    pub(super) seen: Observed,
    pub(super) reader: Reader,
    pub(super) warnings: Vec<Warning>,
    pub(super) chosen: Option<String>,
    pub(super) ground: Ground,
}

/// What is fitted on; rows are scaled.
#[derive(Debug, Clone)]
pub(super) enum Ground {
    /// All rows: they are few.
    Whole {
        params: LaplacianParams,
        points: Points,
    },
    /// A basis to sum over, and the labelled rows, in the order of the labels.
    Passing { planned: Planned, labelled: Points },
}

/// How many rows a survey for this recipe draws.
pub fn sample_size(recipe: &Recipe, rows: usize) -> usize {
    match &recipe.method {
        Method::Laplacian(params) => SAMPLE.max(2 * params.functions(rows, 0)),
        _ => SAMPLE,
    }
}

/// The rows a survey for this recipe must keep: those with labels, and landmarks that
/// were named. Ascending.
///
/// # Errors
/// As [`Plan::of`] of the labels.
pub fn rows_to_keep<'g>(recipe: &Recipe, given: impl Into<Given<'g>>) -> Result<Vec<usize>> {
    let params = checked(recipe)?;
    let (_, known) = encode(recipe, given.into())?;
    let mut keep = known.full("a stream of rows")?.index().to_vec();
    if let BasisSpec::Rows { index, .. } = &params.basis {
        keep.extend_from_slice(index);
        keep.sort_unstable();
        keep.dedup();
    }
    Ok(keep)
}

/// The parameters of a recipe whose rows may pass by.
fn checked(recipe: &Recipe) -> Result<&LaplacianParams> {
    recipe.check(Shape::Table)?;
    let Method::Laplacian(params) = &recipe.method else {
        return Err(Error::refused(
            Refusal::Streamed,
            format!("{} needs all rows at once", recipe.method.name()),
            "stream with `method laplacian`, or read the table whole",
        ));
    };
    if needs_table(params) {
        return Err(Error::refused(
            Refusal::Streamed,
            "the exact method and the panel route need all rows in memory",
            "use landmarks or waves and the gram route, or do not stream",
        ));
    }
    Ok(params)
}

/// Whether these parameters are for tables in memory only.
pub(super) fn needs_table(params: &LaplacianParams) -> bool {
    params.route == Route::Panel || matches!(params.basis, BasisSpec::Exact)
}

impl Plan {
    /// Settles everything that is open, from a survey of all rows and the labels, one
    /// entry for each row of the whole table. Labels may be weighed.
    ///
    /// # Errors
    /// [`Error::Refused`] for a method that needs all rows at once, labels known only in
    /// part, a labelled row that the survey did not keep or rows it did not see; as
    /// [`super::fit()`].
    pub fn of<'g>(
        recipe: &Recipe,
        survey: &Survey,
        given: impl Into<Given<'g>>,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let given = given.into();
        let params = checked(recipe)?;
        given.targets.check()?;
        survey.check_whole()?;
        let rows = survey.count();
        if rows != given.targets.len() {
            return Err(Error::Shape {
                what: "labels, one for each row, blank or not",
                expected: rows,
                got: given.targets.len(),
            });
        }
        if rows < 2 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                format!("there is only {rows} sample"),
                "give at least two, one of them labelled",
            ));
        }
        let (labels, known) = encode(recipe, given)?;
        let seen = known.full("a stream of rows")?;
        let reader = reader(recipe, labels, &seen)?;
        let told = match survey.holds_all() {
            true => whole(recipe, params, survey, given, &seen, monitor)?,
            false => passing(recipe, params, survey, given, &seen, monitor)?,
        };
        Ok(Self {
            recipe: recipe.clone(),
            scaling: told.scaling,
            seen,
            reader,
            warnings: told.warnings,
            chosen: told.chosen,
            ground: told.ground,
        })
    }

    /// n, all rows.
    pub fn count(&self) -> usize {
        self.seen.total()
    }

    /// Numbers in a row.
    pub fn dim(&self) -> usize {
        match &self.ground {
            Ground::Whole { points, .. } => points.dim(),
            Ground::Passing { labelled, .. } => labelled.dim(),
        }
    }

    /// The parameters, what was open filled in.
    pub fn params(&self) -> &LaplacianParams {
        match &self.ground {
            Ground::Whole { params, .. } => params,
            Ground::Passing { planned, .. } => planned.params(),
        }
    }

    /// Whether [`Plan::solve`] reads sums: not where the sample held all rows.
    pub fn needs_sums(&self) -> bool {
        matches!(self.ground, Ground::Passing { .. })
    }

    /// Sums of nothing yet, to add rows to.
    pub fn moments(&self) -> Moments {
        Moments::new(self)
    }

    /// The model, from the sums over all rows.
    ///
    /// # Errors
    /// [`Error::Refused`] when the sums are another plan's or rows are missing from them; as
    /// a fit.
    pub fn solve(&self, moments: &Moments, monitor: &mut dyn Monitor) -> Result<Model> {
        self.finish(moments.clone().complete(self)?, monitor)
    }

    /// The model, from sums that are known to be this plan's.
    pub(super) fn finish(
        &self,
        sums: Option<feature::Moments>,
        monitor: &mut dyn Monitor,
    ) -> Result<Model> {
        let prepared = self.prepared(sums, monitor)?;
        let ready = Ready {
            geometry: Geometry::Laplacian {
                prepared: Box::new(prepared),
                chosen: self.chosen.clone(),
            },
            scaling: self.scaling.clone(),
            warnings: self.warnings.clone(),
        };
        let (seen, reader) = (self.seen.clone(), self.reader.clone());
        Session::prepared(&self.recipe, ready, seen, reader, monitor)?.into_model(monitor)
    }

    fn prepared(
        &self,
        sums: Option<feature::Moments>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        match (&self.ground, sums) {
            (Ground::Whole { params, points }, _) => {
                Laplacian::new(params.clone(), self.recipe.seed)?.prepare(points.clone(), monitor)
            }
            (Ground::Passing { planned, labelled }, Some(sums)) => {
                planned.finish(sums, self.seen.index().to_vec(), labelled.clone(), monitor)
            }
            (Ground::Passing { .. }, None) => Err(Error::refused(
                Refusal::Parts,
                "the plan has no sums to solve with",
                "sum over the rows of every part first",
            )),
        }
    }
}

/// What a survey tells.
struct Told {
    scaling: Option<Standardiser>,
    warnings: Vec<Warning>,
    chosen: Option<String>,
    ground: Ground,
}

/// All rows are in the sample: what [`super::fit()`] would do.
fn whole(
    recipe: &Recipe,
    params: &LaplacianParams,
    survey: &Survey,
    given: Given<'_>,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<Told> {
    let (points, scaling, mut warnings) =
        scaled(recipe, survey.sample()?, given.targets, seen, monitor)?;
    let open = laplacian::choose(recipe, params, &points, seen, &mut warnings, monitor)?;
    Ok(Told {
        scaling,
        warnings,
        chosen: open.chosen,
        ground: Ground::Whole {
            params: open.params,
            points,
        },
    })
}

/// A basis from the sample; what is open from the labelled rows and the sample below them.
fn passing(
    recipe: &Recipe,
    params: &LaplacianParams,
    survey: &Survey,
    given: Given<'_>,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<Told> {
    let mut warnings = constants(survey.constant(), survey.count(), survey.dim())?;
    let index = seen.index();
    let labelled = survey.select(index)?;
    let places: Vec<usize> = (0..index.len()).collect();
    let pairs = conflicts(&labelled, &places, given.targets, index);
    if pairs > 0 {
        warnings.push(Warning::Conflicts { pairs });
    }
    let scaling = match recipe.scaling.unwrap_or_default() {
        Scaling::Standardise => Some(survey.scaling()?.rounded()?),
        Scaling::None => None,
    };
    let mut fit = |points: Points| match &scaling {
        Some(scaling) => scaling.apply(points, monitor),
        None => Ok(points),
    };
    let named = match &params.basis {
        BasisSpec::Rows { index, .. } => Some(fit(survey.select(index)?)?),
        _ => None,
    };
    let (labelled, sample) = (fit(labelled)?, fit(survey.sample()?)?);
    let open = opened(
        recipe,
        params,
        &labelled,
        &sample,
        seen,
        &mut warnings,
        monitor,
    )?;
    let glimpse = Glimpse {
        count: survey.count(),
        sample: &sample,
        named: named.as_ref(),
    };
    let planned = Laplacian::new(open.params, recipe.seed)?.plan(glimpse, monitor)?;
    Ok(Told {
        scaling,
        warnings,
        chosen: open.chosen,
        ground: Ground::Passing { planned, labelled },
    })
}

/// What is left open, chosen on the labelled rows and the sample below them.
fn opened(
    recipe: &Recipe,
    params: &LaplacianParams,
    labelled: &Points,
    sample: &Points,
    seen: &Observed,
    warnings: &mut Vec<Warning>,
    monitor: &mut dyn Monitor,
) -> Result<laplacian::Open> {
    let total = labelled.len() + sample.len();
    let mut values = labelled.tile(0..labelled.len()).into_owned();
    values.extend_from_slice(&sample.tile(0..sample.len()));
    let table = Points::new(values, total, labelled.dim())?;
    let here = seen.moved((0..labelled.len()).collect(), total)?;
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
