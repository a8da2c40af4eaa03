//! Labels one by one, as a strategy asks for them, and the accuracy on the way.

use anyhow::Result;
use isotherm::data::split;
use isotherm::estimator::Prior;
use isotherm::expansion::Scores;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::{Acquisition, Ledger, Options, suggest};
use isotherm::task::Observed;
use rayon::prelude::*;

/// Features a strategy chooses by.
pub const MODES: usize = 64;

/// The labels that c is the method's own for.
const HALFWAY: usize = 50;

/// How far curves go.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Seeds 0 to this one.
    pub seeds: u64,
    /// The numbers of labels with a point, ascending; the first are drawn at random.
    pub points: Vec<usize>,
}

/// One seed of one strategy.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The strategy, or what it is mixed with.
    pub strategy: String,
    /// The seed of the start.
    pub seed: u64,
    /// Per cent right of the rows without a label, by points.
    pub rest: Vec<f64>,
    /// Per cent right of all rows, those with a label being known.
    pub all: Vec<f64>,
    /// As `rest`, by the ledger's own scores.
    pub ledger: Vec<f64>,
}

/// Every strategy, and the usual one with its audit rows.
pub(super) fn strategies() -> Vec<(String, Options)> {
    let of = |strategy: Acquisition| Options {
        strategy,
        audit_every: None,
        ..Options::default()
    };
    let mut found: Vec<(String, Options)> = (Acquisition::ALL.into_iter())
        .map(|strategy| (strategy.name().to_owned(), of(strategy)))
        .collect();
    let usual = Options::default();
    found.push((
        format!("{}, one audit row in five", usual.strategy.name()),
        usual,
    ));
    found
}

/// All curves of a data set: every strategy from the same random starts.
///
/// # Errors
/// Whatever the library refuses.
pub fn run(
    prior: &Prior,
    classes: &[u32],
    plan: &Plan,
    predict: impl Fn(&Observed) -> Result<Scores> + Sync,
) -> Result<Vec<Curve>> {
    let kinds = classes.iter().max().map_or(0, |c| *c as usize + 1);
    let empty = Ledger::classes(prior, kinds, prior.noise(HALFWAY))?;
    // Every strategy of a seed begins at the same point.
    let starts: Vec<(Ledger, Accuracy)> = (0..plan.seeds)
        .into_par_iter()
        .map(|seed| {
            let first = plan.points.first().copied().unwrap_or(1);
            let start = split::uniform(classes.len(), &[first], seed)?.swap_remove(0);
            let one_hot =
                |class: u32| (0..kinds).map(move |k| f64::from(u8::from(k == class as usize)));
            let labels: Vec<(usize, Vec<f64>)> = (start.iter())
                .map(|&row| (row, one_hot(classes[row]).collect()))
                .collect();
            let mut ledger = empty.clone();
            ledger.add_all(&labels, None, &mut Quiet)?;
            let accuracy = measure(&ledger, classes, &predict)?;
            Ok((ledger, accuracy))
        })
        .collect::<Result<_>>()?;
    let work: Vec<(u64, String, Options)> = (0..plan.seeds)
        .flat_map(|seed| {
            strategies()
                .into_iter()
                .map(move |(name, how)| (seed, name, Options { seed, ..how }))
        })
        .collect();
    work.into_par_iter()
        .map(|(seed, strategy, options)| {
            let (mut ledger, first) = starts[seed as usize].clone();
            let mut found = vec![first];
            for &labels in plan.points.iter().skip(1) {
                while ledger.count() < labels {
                    let row = suggest(&ledger, &options, &mut Quiet)?[0].row;
                    ledger.add_class(row, classes[row])?;
                }
                found.push(measure(&ledger, classes, &predict)?);
            }
            Ok(Curve {
                strategy,
                seed,
                rest: found.iter().map(|a| a.rest).collect(),
                all: found.iter().map(|a| a.all).collect(),
                ledger: found.iter().map(|a| a.ledger).collect(),
            })
        })
        .collect()
}

/// A point of a curve.
#[derive(Clone)]
struct Accuracy {
    rest: f64,
    all: f64,
    ledger: f64,
}

/// The accuracy with the labels there are.
fn measure(
    ledger: &Ledger,
    classes: &[u32],
    predict: &impl Fn(&Observed) -> Result<Scores>,
) -> Result<Accuracy> {
    let open = classes.len() - ledger.count();
    let share = |right: usize, of: usize| 100.0 * right as f64 / of as f64;
    let rows = || (0..classes.len()).filter(|&i| !ledger.has(i));
    // A method knows the classes that some label names, no others.
    let labelled: Vec<usize> = ledger.labelled().collect();
    let mut seen: Vec<u32> = labelled.iter().map(|&i| classes[i]).collect();
    seen.sort_unstable();
    seen.dedup();
    let right = if seen.len() == 1 {
        rows().filter(|&i| classes[i] == seen[0]).count()
    } else {
        let values = Mat::from_fn(labelled.len(), seen.len(), |k, j| {
            if classes[labelled[k]] == seen[j] {
                1.0
            } else {
                0.0
            }
        });
        let scores = predict(&Observed::new(labelled, values, classes.len())?)?;
        let best = |i: usize| {
            let score = |j: usize| scores.values[(i, j)];
            (0..seen.len()).fold(0, |b, j| if score(j) > score(b) { j } else { b })
        };
        rows()
            .filter(|&i| scores.reached[i] && seen[best(i)] == classes[i])
            .count()
    };
    let own = rows().filter(|&i| ledger.margins()[i] > 0.0 && ledger.best()[i] == classes[i]);
    Ok(Accuracy {
        rest: share(right, open),
        all: share(right + ledger.count(), classes.len()),
        ledger: share(own.count(), open),
    })
}
