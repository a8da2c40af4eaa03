//! Sets and intervals that hold the truth with a stated probability, whatever the model.
//!
//! Split: scores of rows that the model did not see; a new row exchangeable with them is
//! covered with probability at least `level` [Vovk et al. 2005]. Jackknife+: every label
//! without being seen, from the closed form; covered with probability at least
//! `2·level − 1`, in practice close to `level`, and no label is set aside
//! [Barber et al. 2021; for sets Romano et al. 2020].
//!
//! How strange class c is at x: how far its score lies behind the best other one.

use rayon::prelude::*;

use super::interval::check_level;
use crate::error::{Error, Refusal, Result};
use crate::estimator::Smoother;
use crate::linalg::{Mat, MatRef, tiles};
use crate::monitor::Monitor;

/// Samples between two ticks.
const TILE: usize = 4096;

/// How far class c lies behind the best other class; negative where it leads.
fn strangeness(scores: &[f64], class: usize) -> f64 {
    let others = scores.iter().enumerate().filter(|(c, _)| *c != class);
    let best = others.map(|(_, s)| *s).fold(f64::NEG_INFINITY, f64::max);
    best - scores[class]
}

/// The k-th smallest of n numbers that a share `level` needs, `⌈level(n + 1)⌉`, or why
/// n are too few.
fn rank(level: f64, n: usize) -> Result<usize> {
    check_level(level)?;
    // Without the last digits, as 0.9 · 10 is 9 and not above it.
    let k = (level * (n + 1) as f64 - 1e-9).ceil().max(1.0) as usize;
    if k <= n {
        Ok(k)
    } else {
        Err(Error::refused(
            Refusal::TooFewLabels,
            format!("{n} labels cannot promise the level {level}"),
            format!(
                "label at least {} rows, or ask for a lower level",
                (level / (1.0 - level) - 1e-9).ceil()
            ),
        ))
    }
}

fn kth(mut values: Vec<f64>, k: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[k - 1]
}

/// Thresholds from rows that the model did not see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    threshold: f64,
    level: f64,
}

impl Split {
    /// For classes, from scores of rows held back and their classes.
    ///
    /// ```
    /// use isotherm::linalg::Mat;
    /// use isotherm::trust::Split;
    ///
    /// let held = Mat::from_fn(9, 2, |i, c| if c == 0 { 0.1 * i as f64 } else { 0.0 });
    /// let sets = Split::classes(held.as_ref(), &[0; 9], 0.8)?;
    /// assert_eq!(sets.set(&[0.5, 0.0], true), [0]);
    /// assert_eq!(sets.set(&[0.0, 0.0], false), [0, 1]); // not reached: anything
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] when the rows are too few for the level; [`Error::Shape`].
    pub fn classes(held: MatRef<'_, f64>, truth: &[u32], level: f64) -> Result<Self> {
        let k = rank(level, held.nrows())?;
        check_truth(held, truth)?;
        let row = |i: usize| -> Vec<f64> { held.row(i).iter().copied().collect() };
        let found = (0..held.nrows()).map(|i| strangeness(&row(i), truth[i] as usize));
        Ok(Self {
            threshold: kth(found.collect(), k),
            level,
        })
    }

    /// For numbers, from predictions of rows held back and their values.
    ///
    /// # Errors
    /// As [`Split::classes`].
    pub fn values(held: &[f64], truth: &[f64], level: f64) -> Result<Self> {
        let k = rank(level, held.len())?;
        if truth.len() != held.len() {
            return Err(Error::Shape {
                what: "values, one for each prediction",
                expected: held.len(),
                got: truth.len(),
            });
        }
        let found = held.iter().zip(truth).map(|(f, y)| (f - y).abs());
        Ok(Self {
            threshold: kth(found.collect(), k),
            level,
        })
    }

    /// The level that is promised.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The classes that cannot be excluded; all of them where nothing reached.
    pub fn set(&self, scores: &[f64], reached: bool) -> Vec<u32> {
        (0_u32..)
            .zip(0..scores.len())
            .filter(|(_, c)| !reached || strangeness(scores, *c) <= self.threshold)
            .map(|(class, _)| class)
            .collect()
    }

    /// The interval about a prediction.
    pub fn interval(&self, prediction: f64) -> (f64, f64) {
        (prediction - self.threshold, prediction + self.threshold)
    }
}

fn check_truth(scores: MatRef<'_, f64>, truth: &[u32]) -> Result<()> {
    if truth.len() != scores.nrows() {
        return Err(Error::Shape {
            what: "classes, one for each row of scores",
            expected: scores.nrows(),
            got: truth.len(),
        });
    }
    match truth.iter().position(|t| *t as usize >= scores.ncols()) {
        Some(sample) => Err(Error::Label {
            sample,
            reason: format!("class {} has no score", truth[sample]).into(),
        }),
        None => Ok(()),
    }
}

/// Every label without being seen, from the closed form.
#[derive(Debug)]
pub(crate) struct Jackknife<'a> {
    smoother: &'a Smoother,
    labels: MatRef<'a, f64>,
    left: Mat<f64>,
    rank: usize,
}

impl<'a> Jackknife<'a> {
    /// `labels` are the encoded labels, one row each.
    ///
    /// # Errors
    /// [`Error::Refused`] when the labels are too few for the level.
    pub(crate) fn new(smoother: &'a Smoother, labels: MatRef<'a, f64>, level: f64) -> Result<Self> {
        Ok(Self {
            rank: rank(level, labels.nrows())?,
            left: smoother.left_out(labels),
            smoother,
            labels,
        })
    }

    /// Prediction sets of samples with influences `βᵢ(x)`, one row a sample: class c is
    /// in it unless it is stranger at x than label i was, in the fit without label i,
    /// for `⌈level(n + 1)⌉` of the labels. The least strange class is always in it, so no set is
    /// empty. All classes where nothing reached.
    ///
    /// # Errors
    /// [`Error::Refused`] for a method without a closed form elsewhere; [`Error::Shape`].
    pub(crate) fn sets(
        &self,
        influence: MatRef<'_, f64>,
        reached: &[bool],
        truth: &[u32],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Vec<u32>>> {
        check_truth(self.left.as_ref(), truth)?;
        let classes = self.labels.ncols();
        let row = |m: &Mat<f64>, i: usize| -> Vec<f64> { m.row(i).iter().copied().collect() };
        let own: Vec<f64> = (0..truth.len())
            .map(|i| strangeness(&row(&self.left, i), truth[i] as usize))
            .collect();
        let one = |x: usize| -> Result<Vec<u32>> {
            if !reached[x] {
                return Ok((0_u32..).take(classes).collect());
            }
            let said = self.at(influence, x)?;
            let stranger = |c: usize| {
                let behind = |&i: &usize| strangeness(&row(&said, i), c) > own[i];
                (0..own.len()).filter(behind).count()
            };
            let counts: Vec<usize> = (0..classes).map(stranger).collect();
            let most = counts.iter().copied().min().unwrap_or(0).max(self.rank - 1);
            let kept = (0_u32..).zip(counts).filter(|(_, count)| *count <= most);
            Ok(kept.map(|(class, _)| class).collect())
        };
        self.check(influence, reached)?;
        in_tiles(influence.nrows(), one, monitor)
    }

    /// Intervals of samples with influences `βᵢ(x)`, for labels that are numbers: from
    /// `f₋ᵢ(x) ∓ |yᵢ − f₋ᵢ(xᵢ)|`. Infinite where nothing reached.
    ///
    /// # Errors
    /// As [`Jackknife::sets`].
    pub(crate) fn intervals(
        &self,
        influence: MatRef<'_, f64>,
        reached: &[bool],
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<(f64, f64)>> {
        self.check(influence, reached)?;
        let n = self.labels.nrows();
        let values = self.smoother.left_out_values(self.labels);
        let residual: Vec<f64> = (0..n)
            .map(|i| (self.labels[(i, 0)] - values[(i, 0)]).abs())
            .collect();
        let level = |i: usize| values[(i, 0)] - self.left[(i, 0)];
        let one = |x: usize| -> Result<(f64, f64)> {
            if !reached[x] {
                return Ok((f64::NEG_INFINITY, f64::INFINITY));
            }
            let said = self.at(influence, x)?;
            let at = |i: usize| said[(i, 0)] + level(i);
            // The k-th smallest from above is minus the k-th smallest of the negatives.
            let low = kth((0..n).map(|i| residual[i] - at(i)).collect(), self.rank);
            let high = kth((0..n).map(|i| residual[i] + at(i)).collect(), self.rank);
            Ok((-low, high))
        };
        in_tiles(influence.nrows(), one, monitor)
    }

    fn check(&self, influence: MatRef<'_, f64>, reached: &[bool]) -> Result<()> {
        let pairs = [
            (influence.ncols(), self.labels.nrows()),
            (reached.len(), influence.nrows()),
        ];
        for (got, expected) in pairs {
            if got != expected {
                return Err(Error::Shape {
                    what: "influences, one row a sample and one column a label",
                    expected,
                    got,
                });
            }
        }
        Ok(())
    }

    fn at(&self, influence: MatRef<'_, f64>, x: usize) -> Result<Mat<f64>> {
        let row: Vec<f64> = influence.row(x).iter().copied().collect();
        let said = (self.smoother).left_out_at(&row, self.labels, self.left.as_ref());
        said.ok_or_else(|| {
            Error::refused(
                Refusal::Method,
                "this filter has no closed form without a label at other rows",
                "use the filter tikhonov over the labels, or hold some labels back",
            )
        })
    }
}

/// One answer a sample, in parallel, told in tiles.
fn in_tiles<T: Send>(
    samples: usize,
    one: impl Fn(usize) -> Result<T> + Sync,
    monitor: &mut dyn Monitor,
) -> Result<Vec<T>> {
    const PHASE: &str = "prediction sets";
    let mut out = Vec::with_capacity(samples);
    tiles::announce(PHASE, Some(samples), monitor)?;
    while out.len() < samples {
        let end = (out.len() + TILE).min(samples);
        let part: Vec<T> = (out.len()..end)
            .into_par_iter()
            .map(&one)
            .collect::<Result<_>>()?;
        out.extend(part);
        tiles::done(PHASE, end, monitor)?;
    }
    Ok(out)
}
