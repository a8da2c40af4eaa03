//! A recipe between the two passes over its rows: what every part has to know.
//!
//! Kernel Laplacians need of the rows only sums, so rows may lie in memory, in a file or on
//! several machines. Everybody surveys the rows they have, [`Survey`]s are merged, a [`Plan`]
//! settles what is open, everybody sums, [`Moments`](super::Moments) are merged, and `Plan::solve` leaves
//! the model. How rows were dealt to parts, and the order parts were merged in, change
//! nothing: the sample follows from row numbers, scales are rounded to what parts agree on,
//! and sums carry what rounding would lose.
//!
//! A table that the sample holds whole is fitted as [`Study::fit`](crate::study::Study::fit) would.

use crate::data::{Points, Rescaling, Standardiser, Survey};
use crate::error::{Error, Refusal, Result};
use crate::estimator::Estimator as _;
use crate::estimator::laplacian::params::SAMPLE;
use crate::estimator::laplacian::{
    BasisSpec, Laplacian, LaplacianParams, Planned, PreparedLaplacian, RowSample,
};
use crate::feature;
use crate::labelling::{Labelling, WeightedTargets, encode};
use crate::model::{Model, Warning};
use crate::monitor::Monitor;
use crate::recipe::{ClassShares, Method, Recipe, Scaling, Shape};
use crate::study::prepared::PreparedMethod;
use crate::study::{Preparation, Session, conflicts, constants, open, open_from_sample, scaled};
use crate::task::Observed;

/// A recipe with its basis and open parameters settled from a survey.
///
/// ```
/// use isotherm::data::{Points, Survey, Targets};
/// use isotherm::monitor::Quiet;
/// use isotherm::distributed::Plan;
/// use isotherm::recipe::{Method, Recipe, Task};
///
/// // Two clusters on a line, on two machines.
/// let parts = [vec![0.0, 0.1, 0.2, 0.3], vec![5.0, 5.1, 5.2, 5.3]];
/// let y = [Some("a"), None, None, None, Some("b"), None, None, None];
/// let mut recipe = Recipe::on_graph(Task::Classify, 0);
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
/// assert_eq!(answer.names(), [Some("a"), Some("b")]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) recipe: Recipe,
    pub(crate) scaling: Option<Standardiser>,
    pub(crate) seen: Observed,
    pub(crate) labelling: Labelling,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) chosen: Option<String>,
    pub(crate) ground: Ground,
}

/// What is fitted on; rows are scaled.
#[derive(Debug, Clone)]
pub(crate) enum Ground {
    /// All rows: they are few.
    Whole {
        params: LaplacianParams,
        points: Points,
    },
    /// A basis to sum over, and the labelled rows, in the order of the labels.
    Sampled { planned: Planned, labelled: Points },
}

/// How many rows a survey for this recipe draws.
pub fn sample_size(recipe: &Recipe, rows: usize) -> usize {
    match &recipe.method {
        Method::Laplacian(params) => params.sample_size(rows),
        _ => SAMPLE,
    }
}

/// The rows a survey for this recipe must keep: those with labels, and landmarks that
/// were named. Ascending.
///
/// # Errors
/// As [`Plan::of`] of the labels.
pub fn rows_to_keep<'g>(
    recipe: &Recipe,
    given: impl Into<WeightedTargets<'g>>,
) -> Result<Vec<usize>> {
    let params = checked(recipe)?;
    let (_, encoded) = encode(recipe, given.into())?;
    let mut keep = encoded.into_exact("a stream of rows")?.index().to_vec();
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
    if params.needs_table() {
        return Err(Error::refused(
            Refusal::Streamed,
            "the exact method and the panel route need all rows in memory",
            "use landmarks or waves and the gram route, or do not stream",
        ));
    }
    Ok(params)
}

impl Plan {
    /// Settles everything that is open, from a survey of all rows and the labels, one
    /// entry for each row of the whole table. Labels may be weighed.
    ///
    /// # Errors
    /// [`Error::Refused`] for a method that needs all rows at once, labels known only in
    /// part, a labelled row that the survey did not keep or rows it did not see; as
    /// [`Study::fit`](crate::study::Study::fit).
    pub fn of<'g>(
        recipe: &Recipe,
        survey: &Survey,
        given: impl Into<WeightedTargets<'g>>,
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
        if recipe.shares_from() == ClassShares::Unlabelled {
            return Err(Error::refused(
                Refusal::ClassShares,
                "class shares of the unlabelled rows need all rows at once, not a stream",
                "give the share of each class with `priors`",
            ));
        }
        let (labels, encoded) = encode(recipe, given)?;
        let seen = encoded.into_exact("a stream of rows")?;
        let labelling = Labelling::new(recipe, labels, &seen)?;
        let told = if survey.holds_all() {
            whole(recipe, params, survey, given, &seen, monitor)?
        } else {
            passing(recipe, params, survey, given, &seen, monitor)?
        };
        Ok(Self {
            recipe: recipe.clone(),
            scaling: told.scaling,
            seen,
            labelling,
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
            Ground::Sampled { labelled, .. } => labelled.dim(),
        }
    }

    /// The parameters, what was open filled in.
    pub fn params(&self) -> &LaplacianParams {
        match &self.ground {
            Ground::Whole { params, .. } => params,
            Ground::Sampled { planned, .. } => planned.params(),
        }
    }

    /// Whether `Plan::solve` reads sums: not where the sample held all rows.
    pub fn needs_sums(&self) -> bool {
        matches!(self.ground, Ground::Sampled { .. })
    }

    /// The model, from sums that are known to be this plan's.
    pub(crate) fn finish(
        &self,
        sums: Option<feature::BasisMoments>,
        monitor: &mut dyn Monitor,
    ) -> Result<Model> {
        let prepared = self.prepared(sums, monitor)?;
        let preparation = Preparation {
            nodes: None,
            method: PreparedMethod::Laplacian {
                prepared: Box::new(prepared),
                chosen: self.chosen.clone(),
            },
            scaling: self.scaling.clone().map(Rescaling::Columns),
            warnings: self.warnings.clone(),
        };
        let (seen, labelling) = (self.seen.clone(), self.labelling.clone());
        Session::exact(&self.recipe, preparation, seen, labelling, monitor)?.fit(monitor)
    }

    fn prepared(
        &self,
        sums: Option<feature::BasisMoments>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedLaplacian> {
        match (&self.ground, sums) {
            (Ground::Whole { params, points }, _) => {
                Laplacian::new(params.clone(), self.recipe.seed)?.prepare(points.clone(), monitor)
            }
            (Ground::Sampled { planned, labelled }, Some(sums)) => {
                planned.finish(sums, self.seen.index().to_vec(), labelled.clone(), monitor)
            }
            (Ground::Sampled { .. }, None) => Err(Error::refused(
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

/// All rows are in the sample: what [`Study::fit`](crate::study::Study::fit) would do.
fn whole(
    recipe: &Recipe,
    params: &LaplacianParams,
    survey: &Survey,
    given: WeightedTargets<'_>,
    seen: &Observed,
    monitor: &mut dyn Monitor,
) -> Result<Told> {
    let (points, scaling, mut warnings) =
        scaled(recipe, survey.sample()?, given.targets, seen, monitor)?;
    let opened = open(recipe, params, &points, seen, &mut warnings, monitor)?;
    Ok(Told {
        scaling: scaling.and_then(Rescaling::into_columns),
        warnings,
        chosen: opened.chosen,
        ground: Ground::Whole {
            params: opened.params,
            points,
        },
    })
}

/// A basis from the sample; what is open from the labelled rows and the sample below them.
fn passing(
    recipe: &Recipe,
    params: &LaplacianParams,
    survey: &Survey,
    given: WeightedTargets<'_>,
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
    let opened = open_from_sample(
        recipe,
        params,
        &labelled,
        &sample,
        seen,
        &mut warnings,
        monitor,
    )?;
    let rows = RowSample {
        count: survey.count(),
        sample: &sample,
        named: named.as_ref(),
    };
    let planned = Laplacian::new(opened.params, recipe.seed)?.plan(rows, monitor)?;
    Ok(Told {
        scaling,
        warnings,
        chosen: opened.chosen,
        ground: Ground::Sampled { planned, labelled },
    })
}
