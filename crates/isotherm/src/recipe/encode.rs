//! Targets → encoded labels, or the sets they are known to lie in.

use super::labels::{Labels, Reader, Scale, Structured, loss_matrix};
use super::model::Settled;
use super::recipe::{Method, Recipe, Task};
use crate::data::Targets;
use crate::error::{Error, Reason, Refusal, Result};
use crate::estimator::Smoother;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::partial::{
    Candidates, Flags, Interval, Observations, Options, PartialCodec, PartialOrder, disambiguate,
};
use crate::task::one_hot::Reading;
use crate::task::{MultiLabel, Observed, OneHot, Ordinal, Priors, Ranking, Real, Reals, Soft};

/// Labels, and how much each counts.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// What is known of each sample.
    pub targets: &'a Targets,
    /// One weight a sample, read where it has a label; absent means all alike.
    pub weights: Option<&'a [f64]>,
}

impl<'a> From<&'a Targets> for Given<'a> {
    fn from(targets: &'a Targets) -> Self {
        Self {
            targets,
            weights: None,
        }
    }
}

/// What is known of the labels.
pub(super) enum Known {
    Full(Observed),
    Sets(OneHot, Observations<Candidates>),
    Graded(Ordinal, Observations<Candidates>),
    Orders(Ranking, Observations<PartialOrder>),
    Ranges(Real, Observations<Interval>),
    Flags(MultiLabel, Observations<Flags>),
}

impl Known {
    /// Encoded labels to start from: averages over the sets.
    pub(super) fn start(&self) -> Result<Observed> {
        match self {
            Self::Full(seen) => Ok(seen.clone()),
            Self::Sets(codec, known) => average(codec, known),
            Self::Graded(codec, known) => average(codec, known),
            Self::Orders(codec, known) => average(codec, known),
            Self::Ranges(codec, known) => average(codec, known),
            Self::Flags(codec, known) => average(codec, known),
        }
    }

    /// The labels, if every one is known; `who` needs them.
    pub(super) fn full(self, who: &str) -> Result<Observed> {
        match self {
            Self::Full(seen) => Ok(seen),
            _ => Err(Error::refused(
                Refusal::UnsureLabels,
                format!("{who} needs labels that are sure, not sets they lie in"),
                "leave the labels that are not sure blank",
            )),
        }
    }

    /// Whether every label is known.
    pub(super) fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }

    /// Which labels of [`Known::start`] are known without doubt.
    pub(super) fn certain(&self) -> Vec<bool> {
        match self {
            Self::Full(seen) => vec![true; seen.index().len()],
            Self::Sets(_, known) | Self::Graded(_, known) => {
                let one = |c: &Candidates| c.classes().len() == 1;
                known.known().iter().map(one).collect()
            }
            Self::Orders(codec, known) => {
                let items = codec.items();
                let total = |order: &PartialOrder| {
                    order.precedence().pairs().count() == items * (items - 1) / 2
                };
                known.known().iter().map(total).collect()
            }
            Self::Ranges(_, known) => known.known().iter().map(|i| i.low() == i.high()).collect(),
            Self::Flags(_, known) => {
                let whole = |flags: &Flags| flags.iter().all(Option::is_some);
                known.known().iter().map(whole).collect()
            }
        }
    }

    /// Labels in their sets that the method fits best.  [KLAP App. A.2]
    pub(super) fn settle(
        &self,
        start: &Observed,
        smoother: &Smoother,
        monitor: &mut dyn Monitor,
    ) -> Result<(Observed, Option<Settled>)> {
        let Some(penalty) = smoother.penalty()? else {
            return Err(Error::refused(
                Refusal::Method,
                "this method minimises nothing that labels could be chosen by",
                "use stkr, kernel-ridge, laplacian with tikhonov over the labels, or harmonic",
            ));
        };
        let penalty = penalty.as_ref();
        let options = Options::default();
        let found = match self {
            Self::Full(seen) => return Ok((seen.clone(), None)),
            Self::Sets(codec, known) => disambiguate(codec, penalty, known, options, monitor)?,
            Self::Graded(codec, known) => disambiguate(codec, penalty, known, options, monitor)?,
            Self::Orders(codec, known) => disambiguate(codec, penalty, known, options, monitor)?,
            Self::Ranges(codec, known) => disambiguate(codec, penalty, known, options, monitor)?,
            Self::Flags(codec, known) => disambiguate(codec, penalty, known, options, monitor)?,
        };
        let settled = Settled {
            samples: start.index().len(),
            objective: found.objective,
            converged: found.converged,
        };
        Ok((start.with_values(found.values)?, Some(settled)))
    }
}

fn average<C: PartialCodec>(codec: &C, known: &Observations<C::Observation>) -> Result<Observed> {
    let mut values = Mat::zeros(known.index().len(), codec.width());
    let mut row = vec![0.0; codec.width()];
    for (i, set) in known.known().iter().enumerate() {
        codec.start(set, &mut row);
        for (j, v) in row.iter().enumerate() {
            values[(i, j)] = *v;
        }
    }
    Observed::new(known.index().to_vec(), values, known.total())
}

/// Samples that have something said of them.
fn said<T: Clone>(labels: &[Option<T>]) -> impl Iterator<Item = (usize, T)> + '_ {
    let known = labels.iter().enumerate();
    known.filter_map(|(i, l)| l.clone().map(|l| (i, l)))
}

/// What the labels are, and what is known of them.
pub(super) fn encode(recipe: &Recipe, given: Given<'_>) -> Result<(Labels, Known)> {
    let (labels, known) = known(recipe, given.targets)?;
    let Some(weights) = given.weights else {
        return Ok((labels, known));
    };
    if weights.len() != given.targets.len() {
        return Err(Error::Shape {
            what: "weights, one for each sample",
            expected: given.targets.len(),
            got: weights.len(),
        });
    }
    match known {
        Known::Full(seen) => {
            let own = seen.index().iter().map(|&i| weights[i]).collect();
            Ok((labels, Known::Full(seen.weighted(own)?)))
        }
        _ => Err(Error::refused(
            Refusal::UnsureLabels,
            "labels known in part cannot be weighed",
            "leave the weights out, or the labels that are not sure",
        )),
    }
}

fn known(recipe: &Recipe, targets: &Targets) -> Result<(Labels, Known)> {
    let total = targets.len();
    let structured = |s: Structured| -> Result<Labels> {
        s.check()?;
        Ok(Labels::Structured(s))
    };
    match (recipe.task, targets) {
        (Task::Classify, Targets::Classes { labels, names }) => {
            let seen = Observed::encode(&OneHot::new(names.len()), labels)?;
            Ok((classes(recipe, names)?, Known::Full(seen)))
        }
        (Task::Classify, Targets::Sets { labels, names }) => {
            let codec = OneHot::new(names.len());
            let sets = said(labels).map(|(i, set)| (i, Candidates::new(set)));
            let known = Observations::gather(&codec, sets, total)?;
            Ok((classes(recipe, names)?, Known::Sets(codec, known)))
        }
        (Task::Regress, Targets::Values(values)) => {
            let codec = match recipe.method.takes_means_off() {
                true => Real::centred(values),
                false => Real { offset: 0.0 },
            };
            let seen = Observed::encode(&codec, values)?;
            Ok((Labels::Values(codec), Known::Full(seen)))
        }
        (Task::Regress, Targets::Ranges(ranges)) => {
            let sets = || said(ranges).map(|(i, (low, high))| (i, Interval::new(low, high)));
            let all: Vec<Interval> = sets().map(|(_, interval)| interval).collect();
            let codec = Interval::centred(&all);
            let known = Observations::gather(&codec, sets(), total)?;
            Ok((Labels::Values(codec), Known::Ranges(codec, known)))
        }
        (Task::Numbers, Targets::Numbers { labels, names }) => {
            let codec = match recipe.method.takes_means_off() {
                true => Reals::centred(names.len(), labels)?,
                false => Reals::new(vec![0.0; names.len()])?,
            };
            let seen = Observed::encode(&codec, labels)?;
            let labels = structured(Structured::Numbers {
                names: names.clone(),
                offset: codec.offset().to_vec(),
            })?;
            Ok((labels, Known::Full(seen)))
        }
        (Task::Ordinal, Targets::Classes { labels, names }) => {
            let seen = Observed::encode(&Ordinal::new(names.len())?, labels)?;
            let names = names.clone();
            Ok((
                structured(Structured::Ordinal { names })?,
                Known::Full(seen),
            ))
        }
        (Task::Ordinal, Targets::Sets { labels, names }) => {
            let codec = Ordinal::new(names.len())?;
            let sets = said(labels).map(|(i, set)| (i, Candidates::new(set)));
            let known = Observations::gather(&codec, sets, total)?;
            let names = names.clone();
            Ok((
                structured(Structured::Ordinal { names })?,
                Known::Graded(codec, known),
            ))
        }
        (Task::Shares, Targets::Shares { labels, names }) => {
            let seen = Observed::encode(&Soft::new(names.len())?, labels)?;
            let names = names.clone();
            Ok((structured(Structured::Shares { names })?, Known::Full(seen)))
        }
        (Task::Tags, Targets::Flags { labels, names }) => {
            let codec = MultiLabel::new(names.len())?;
            let structured = structured(Structured::Flags {
                names: names.clone(),
                thresholds: codec.thresholds().to_vec(),
            })?;
            let whole = |flags: &Flags| -> Option<Vec<bool>> { flags.iter().copied().collect() };
            let full = (labels.iter().flatten()).all(|flags| whole(flags).is_some());
            if full {
                let labels: Vec<Option<Vec<bool>>> =
                    labels.iter().map(|l| l.as_ref().and_then(whole)).collect();
                return Ok((structured, Known::Full(Observed::encode(&codec, &labels)?)));
            }
            let known = Observations::gather(&codec, said(labels), total)?;
            Ok((structured, Known::Flags(codec, known)))
        }
        (Task::Rank, Targets::Orders { labels, names }) => {
            let codec = Ranking::new(names.len())?;
            let structured = structured(Structured::Orders {
                names: names.clone(),
            })?;
            check_orders(labels, names.len())?;
            let full =
                |groups: &Vec<Vec<u32>>| groups.iter().map(Vec::len).sum::<usize>() == names.len();
            if labels.iter().flatten().all(full) {
                let positions = |groups: &Vec<Vec<u32>>| positions(groups, names.len());
                let labels: Vec<Option<Vec<u32>>> = (labels.iter())
                    .map(|l| {
                        l.as_ref()
                            .map(|g| positions(g).into_iter().flatten().collect())
                    })
                    .collect();
                return Ok((structured, Known::Full(Observed::encode(&codec, &labels)?)));
            }
            let orders = said(labels)
                .map(|(i, groups)| (i, PartialOrder::positions(&positions(&groups, names.len()))));
            let known = Observations::gather(&codec, orders, total)?;
            Ok((structured, Known::Orders(codec, known)))
        }
        (task, targets) => Err(Error::refused(
            Refusal::Task,
            format!(
                "the labels are {}, but the task is {}",
                targets.kind(),
                task.name()
            ),
            match (task, targets) {
                (Task::Classify, Targets::Values(_)) => {
                    "give class names, or choose the task regress"
                }
                (Task::Regress, Targets::Classes { .. }) => {
                    "give numbers, or choose the task classify"
                }
                _ => "choose the task the labels are for",
            },
        )),
    }
}

/// One-hot classes, or classes with decisions where these have costs.
fn classes(recipe: &Recipe, names: &[String]) -> Result<Labels> {
    let Some(losses) = &recipe.losses else {
        return Ok(Labels::Classes(names.to_vec()));
    };
    let row = |name: &String| -> Result<Vec<f64>> {
        let found = losses.classes.iter().position(|c| c == name);
        let found = found.and_then(|k| losses.losses.get(k)).cloned();
        found.ok_or_else(|| {
            Error::refused(
                Refusal::Losses,
                format!("class \"{name}\" has no row of losses"),
                format!("add it; there are {}", losses.classes.join(", ")),
            )
        })
    };
    let costs: Vec<Vec<f64>> = names.iter().map(row).collect::<Result<_>>()?;
    loss_matrix(names.len(), &costs)?;
    let structured = Structured::Decisions {
        names: names.to_vec(),
        decisions: losses.decisions.clone(),
        losses: costs,
    };
    structured.check()?;
    Ok(Labels::Structured(structured))
}

fn check_orders(labels: &[Option<Vec<Vec<u32>>>], items: usize) -> Result<()> {
    for (sample, groups) in said(labels) {
        let mut seen = vec![false; items];
        for item in groups.into_iter().flatten() {
            let reason = match seen.get_mut(item as usize) {
                None => format!("item {item} is not one of the {items} there are").into(),
                Some(true) => Reason::new(format!("item {item} stands twice"), "name an item once"),
                Some(slot) => {
                    *slot = true;
                    continue;
                }
            };
            return Err(Error::Label { sample, reason });
        }
    }
    Ok(())
}

/// The position of each item that is there; tied items share one.
fn positions(groups: &[Vec<u32>], items: usize) -> Vec<Option<u32>> {
    let mut out = vec![None; items];
    for (place, group) in (0_u32..).zip(groups) {
        for &item in group {
            if let Some(slot) = out.get_mut(item as usize) {
                *slot = Some(place);
            }
        }
    }
    out
}

/// How scores of these labels will be read.
pub(super) fn reader(recipe: &Recipe, labels: Labels, seen: &Observed) -> Result<Reader> {
    let scale = match &recipe.method {
        _ if !labels.needs_scale() => Scale::Plain,
        Method::Stkr(params) if params.centre_labels => Scale::Level {
            means: seen.means(),
        },
        Method::LabelPropagation(_) => Scale::Mass,
        _ => Scale::Plain,
    };
    let priors = match (&recipe.priors, labels.classes()) {
        (Some(shares), Some(names)) => Some(priors(shares, names, seen)?),
        _ => None,
    };
    Ok(Reader {
        labels,
        scale,
        reading: reading(&recipe.method),
        calibration: None,
        priors,
    })
}

/// What a method's class scores mean.
pub(super) fn reading(method: &Method) -> Reading {
    match method {
        Method::KernelRidge(_) | Method::Stkr(_) | Method::Laplacian(_) => Reading::Estimates,
        Method::LabelPropagation(_) | Method::Harmonic(_) => Reading::Shares,
    }
}

fn priors(
    shares: &std::collections::BTreeMap<String, f64>,
    names: &[String],
    seen: &Observed,
) -> Result<Priors> {
    if let Some(unknown) = shares.keys().find(|name| !names.contains(name)) {
        return Err(Error::refused(
            Refusal::ClassShares,
            format!("class \"{unknown}\" has a share but no label"),
            format!(
                "label a row of it, or leave it out; there are {}",
                names.join(", ")
            ),
        ));
    }
    let share = |name: &String| {
        shares.get(name).copied().ok_or_else(|| {
            Error::refused(
                Refusal::ClassShares,
                format!("class \"{name}\" has labels but no share"),
                "give every class its share",
            )
        })
    };
    let shares: Vec<f64> = names.iter().map(share).collect::<Result<_>>()?;
    let count = |c: usize| {
        let column = seen.values().col(c).iter().enumerate();
        let weight = |k: usize| seen.weights().map_or(1.0, |w| w[k]);
        column.map(|(k, v)| v * weight(k)).sum::<f64>()
    };
    let counts: Vec<f64> = (0..names.len()).map(count).collect();
    Priors::new(&shares, &counts)
}

/// The labels with a column of ones beside them, where scores are divided by it.
pub(super) fn with_mass(seen: &Observed, scale: &Scale) -> Result<Observed> {
    if *scale != Scale::Mass {
        return Ok(seen.clone());
    }
    let values = seen.values();
    let width = values.ncols();
    let wide = Mat::from_fn(values.nrows(), width + 1, |i, j| match j < width {
        true => values[(i, j)],
        false => 1.0,
    });
    seen.with_values(wide)
}
