//! Folds, treatments of what is known, and what they get right.

use std::path::Path;

use anyhow::Result;
use isotherm::data::{Points, split};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::partial::{Observations, Options, PartialCodec, disambiguate};
use isotherm::task::thresholds::{Measure, f1};
use isotherm::task::{MultiLabel, Observed, OneHot, Ranking};

use super::FOLDS;
use super::estimate::{ByLaplacian, ByStkr, Estimate, Fit};
use super::sets::{self, Kind, Set};

/// One number of one fold.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// The set.
    pub set: String,
    /// The estimator.
    pub estimator: String,
    /// What was made of the partial labels.
    pub treatment: String,
    /// What is measured.
    pub measure: String,
    /// The fold.
    pub fold: usize,
    /// How much.
    pub value: f64,
}

/// What can be made of partial labels, in the order of the tables.
pub const TREATMENTS: [&str; 4] = ["infimum", "average", "clear", "oracle"];

/// Scores of the held-out rows, leave-one-out scores of the training rows.
pub struct Judged<'a, C: PartialCodec> {
    /// The codec.
    pub codec: &'a C,
    /// One row a held-out row.
    pub scores: Mat<f64>,
    /// Their truths.
    pub truths: Vec<&'a C::Label>,
    /// One row a training row that something is known of.
    pub left_out: Mat<f64>,
    /// What is known of them.
    pub known: Vec<&'a C::Observation>,
    /// The labels they were given, and their truths; not where these are known.
    pub chosen: Option<Vec<(C::Label, &'a C::Label)>>,
}

impl<C: PartialCodec> Judged<'_, C> {
    fn decoded(&self) -> Vec<C::Label> {
        rows(&self.scores)
            .map(|row| self.codec.decode(&row))
            .collect()
    }

    fn loss(&self) -> f64 {
        let found = self.decoded();
        let losses = found.iter().zip(&self.truths);
        losses.map(|(z, y)| self.codec.loss(y, z)).sum::<f64>() / found.len() as f64
    }
}

fn rows(scores: &Mat<f64>) -> impl Iterator<Item = Vec<f64>> + '_ {
    (0..scores.nrows()).map(|i| scores.row(i).iter().copied().collect())
}

type Measures = Vec<(&'static str, f64)>;

/// Per cent of held-out rows, and of training rows by the label chosen for them.
fn accuracy(judged: &Judged<'_, OneHot>) -> Result<Measures> {
    let mut found = vec![("accuracy", 100.0 * (1.0 - judged.loss()))];
    if let Some(chosen) = &judged.chosen {
        let right = chosen.iter().filter(|(z, y)| z == *y).count();
        found.push(("recovered", 100.0 * right as f64 / chosen.len() as f64));
    }
    Ok(found)
}

/// Hamming loss with thresholds ½, macro F1 with those and with tuned ones.
fn flags(judged: &Judged<'_, MultiLabel>) -> Result<Measures> {
    let truths: Vec<Vec<Option<bool>>> = (judged.truths.iter())
        .map(|y| y.iter().copied().map(Some).collect())
        .collect();
    let known: Vec<Vec<Option<bool>>> = judged.known.iter().map(|k| (*k).clone()).collect();
    let tuned = judged
        .codec
        .tuned(judged.left_out.as_ref(), &known, Measure::Macro)?;
    let by = |codec: &MultiLabel| -> f64 {
        use isotherm::task::Codec as _;
        let guesses: Vec<Vec<bool>> = rows(&judged.scores).map(|r| codec.decode(&r)).collect();
        100.0 * f1(&truths, &guesses, Measure::Macro)
    };
    Ok(vec![
        ("hamming loss", 100.0 * judged.loss()),
        ("macro F1", by(judged.codec)),
        ("macro F1 tuned", by(&tuned)),
    ])
}

/// τ = 1 − 2·loss: 1 for the same order, −1 for the reverse, a tied pair counts 0.
fn tau(judged: &Judged<'_, Ranking>) -> Result<Measures> {
    Ok(vec![("Kendall tau", 1.0 - 2.0 * judged.loss())])
}

/// Runs one set.
///
/// # Errors
/// When the data are missing or a fit fails.
pub fn set(name: &str, kind: Kind, directory: &Path) -> Result<Vec<Record>> {
    match kind {
        Kind::Candidates => {
            let set = sets::candidates(name, directory)?;
            folds(name, &OneHot::new(set.width), &set, FOLDS, accuracy)
        }
        Kind::Flags => {
            let set = sets::flags(name, directory)?;
            folds(name, &MultiLabel::new(set.width)?, &set, FOLDS, flags)
        }
        Kind::Orders => {
            let set = sets::orders(name, directory)?;
            folds(name, &Ranking::new(set.width)?, &set, FOLDS, tau)
        }
    }
}

/// As [`set`] for classes, on rows of one's own.
///
/// # Errors
/// When a fit fails.
pub fn classes(
    name: &str,
    set: &Set<u32, isotherm::partial::Candidates>,
    count: usize,
) -> Result<Vec<Record>> {
    folds(name, &OneHot::new(set.width), set, count, accuracy)
}

fn folds<C: PartialCodec>(
    name: &str,
    codec: &C,
    set: &Set<C::Label, C::Observation>,
    count: usize,
    measure: impl Fn(&Judged<'_, C>) -> Result<Measures>,
) -> Result<Vec<Record>>
where
    C::Observation: Clone,
{
    let total = set.points.len();
    let sizes: Vec<usize> = (0..count)
        .map(|k| (total * (k + 1)) / count - (total * k) / count)
        .collect();
    let parts = split::uniform(total, &sizes, 3)?;
    let mut records = Vec::new();
    for estimate in estimates(&set.points)? {
        for (fold, held_out) in parts[..count].iter().enumerate() {
            let found = one(codec, set, held_out, &*estimate, &measure)?;
            let row = |(treatment, measure, value): (&str, &str, f64)| Record {
                set: name.to_owned(),
                estimator: estimate.name().to_owned(),
                treatment: treatment.to_owned(),
                measure: measure.to_owned(),
                fold,
                value,
            };
            records.extend(found.into_iter().map(row));
        }
    }
    Ok(records)
}

fn estimates(points: &Points) -> Result<Vec<Box<dyn Estimate>>> {
    Ok(vec![
        Box::new(ByLaplacian::new(points)?),
        Box::new(ByStkr::new(points)?),
    ])
}

/// Encoded labels of some rows.
fn encoded<C: PartialCodec>(
    codec: &C,
    index: Vec<usize>,
    total: usize,
    write: impl Fn(usize, &mut [f64]),
) -> Result<Observed> {
    let mut values = Mat::zeros(index.len(), codec.width());
    let mut row = vec![0.0; codec.width()];
    for (k, i) in index.iter().enumerate() {
        write(*i, &mut row);
        (0..row.len()).for_each(|j| values[(k, j)] = row[j]);
    }
    Ok(Observed::new(index, values, total)?)
}

/// One fold: treatment, measure, value.
fn one<C: PartialCodec>(
    codec: &C,
    set: &Set<C::Label, C::Observation>,
    held_out: &[usize],
    estimate: &dyn Estimate,
    measure: &impl Fn(&Judged<'_, C>) -> Result<Measures>,
) -> Result<Vec<(&'static str, &'static str, f64)>>
where
    C::Observation: Clone,
{
    let total = set.points.len();
    let mut training = vec![true; total];
    held_out.iter().for_each(|&i| training[i] = false);
    let said = (0..total)
        .filter(|i| training[*i])
        .map(|i| (i, set.known[i].clone()));
    let known = Observations::gather(codec, said, total)?;
    let index = known.index().to_vec();
    let mut found = Vec::new();
    let mut judge = |treatment: &'static str, fit: &Fit, seen: &Observed, chosen| -> Result<()> {
        let scores = fit.scores(seen.values().as_ref())?;
        let judged = Judged {
            codec,
            scores: Mat::from_fn(held_out.len(), codec.width(), |k, j| {
                scores[(held_out[k], j)]
            }),
            truths: held_out.iter().map(|i| &set.truths[*i]).collect(),
            left_out: fit.left_out(seen.values().as_ref())?,
            known: seen.index().iter().map(|i| &set.known[*i]).collect(),
            chosen,
        };
        let values = measure(&judged)?;
        found.extend(values.into_iter().map(|(m, v)| (treatment, m, v)));
        Ok(())
    };

    let average = encoded(codec, index.clone(), total, |i, out| {
        codec.start(&set.known[i], out);
    })?;
    let squared = |seen: &Observed| {
        let y = seen.values().clone();
        move |left: &Mat<f64>, some: &[usize]| -> f64 {
            let gap = |k: usize, j: usize| left[(k, j)] - y[(some[k], j)];
            let places = (0..some.len()).flat_map(|k| (0..y.ncols()).map(move |j| (k, j)));
            places.map(|(k, j)| gap(k, j).powi(2)).sum()
        }
    };
    // The infimum loss of what the others' averages say.
    let infimum = |left: &Mat<f64>, some: &[usize]| -> f64 {
        let mut near = vec![0.0; codec.width()];
        let far = |(row, k): (Vec<f64>, &usize)| -> f64 {
            codec.nearest(&row, &known.known()[*k], &mut near);
            row.iter().zip(&near).map(|(f, y)| (f - y).powi(2)).sum()
        };
        rows(left).zip(some).map(far).sum()
    };
    let fits = estimate.fit(&average, &[&squared(&average), &infimum])?;
    let truths = || index.iter().map(|i| &set.truths[*i]);
    let left = fits[0].left_out(average.values().as_ref())?;
    let mut near = vec![0.0; codec.width()];
    let guess = |(row, known): (Vec<f64>, &C::Observation)| {
        codec.nearest(&row, known, &mut near);
        codec.decode(&near)
    };
    let guesses = rows(&left).zip(known.known()).map(guess).zip(truths());
    judge("average", &fits[0], &average, Some(guesses.collect()))?;

    let fit = &fits[1];
    let options = Options::default();
    let chosen = disambiguate(codec, fit.penalty.as_ref(), &known, options, &mut Quiet)?;
    let pairs = chosen.labels(codec).into_iter().zip(truths()).collect();
    judge("infimum", fit, &chosen.observed(&known)?, Some(pairs))?;

    let truth = encoded(codec, index.clone(), total, |i, out| {
        codec.encode(&set.truths[i], out);
    })?;
    let at_truth = objective(fit, &truth)?;
    let last = chosen.objective.last().copied().unwrap_or(f64::NAN);
    let oracle = estimate.fit(&truth, &[&squared(&truth)])?;
    judge("oracle", &oracle[0], &truth, None)?;

    let clear: Vec<usize> = (index.iter().copied()).filter(|i| set.clear[*i]).collect();
    if clear.len() >= 3 {
        let seen = encoded(codec, clear, total, |i, out| {
            codec.encode(&set.truths[i], out);
        })?;
        let fit = estimate.fit(&seen, &[&squared(&seen)])?;
        judge("clear", &fit[0], &seen, None)?;
    }
    found.push(("infimum", "rounds", chosen.rounds() as f64));
    found.push((
        "infimum",
        "converged",
        f64::from(u8::from(chosen.converged)),
    ));
    found.push(("infimum", "objective", last));
    found.push(("infimum", "objective of the truth", at_truth));
    Ok(found)
}

/// `tr(YᵀMY)/n`.
fn objective(fit: &Fit, seen: &Observed) -> Result<f64> {
    let y = seen.values();
    let left = fit.left_out(y.as_ref())?;
    // (MY)ᵢ = Mᵢᵢ (yᵢ − fᵢ)
    let row = |i: usize| -> f64 {
        let terms = (0..y.ncols()).map(|j| y[(i, j)] * (y[(i, j)] - left[(i, j)]));
        fit.penalty[(i, i)] * terms.sum::<f64>()
    };
    Ok((0..y.nrows()).map(row).sum::<f64>() / y.nrows() as f64)
}
