//! Whether a probability of 0.9 means nine in ten: confidences beside what came true.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::interval::{Interval, check_level, clopper_pearson, quantile};
use crate::error::{Error, Result};

/// Rows below which a diagram would be guesswork.
pub(crate) const FEWEST: usize = 10;

/// Rows a bin holds at least, but for ties.
const PER_BIN: usize = 10;

/// Bins at most.
const MOST_BINS: usize = 10;

/// Draws of the bootstrap, and of a model that is calibrated.
const DRAWS: usize = 2000;

/// A reliability diagram and what it sums up to.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Reliability {
    /// Rows that were judged.
    pub rows: usize,
    /// The share of them that is right.
    pub accuracy: f64,
    /// What they were said to be, on average.
    pub confidence: f64,
    /// Bins of about equal counts, confidence ascending.
    pub bins: Vec<Bin>,
    /// The expected calibration error: the mean over rows of the distance between the
    /// confidence and the accuracy of their bin. It is above zero for a perfect model too,
    /// see `by_chance`.
    #[serde(rename = "calibration_error")]
    pub error: f64,
    /// The interval of the error, corrected for what chance adds.
    pub interval: Interval,
    /// The error that a model with these confidences would show on average if every one of
    /// them were right.
    pub by_chance: f64,
    /// How often such a model would show an error of at least this one.
    pub chance: f64,
}

/// Rows of similar confidence.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Bin {
    /// The smallest confidence in it.
    pub low: f64,
    /// The largest confidence in it.
    pub high: f64,
    /// Its rows.
    pub rows: usize,
    /// Its rows that are right.
    pub right: usize,
    /// The mean confidence.
    pub confidence: f64,
    /// The share that is right.
    pub accuracy: f64,
    /// The exact interval of that share.
    pub interval: Interval,
}

/// Bins rows by confidence and compares each bin with what came true.
///
/// Bins hold about equal numbers of rows, ten at least and ten bins at most; rows of equal
/// confidence share a bin. The error of the shares moves this error by at most
/// `Σ (rows/n) |share − truth|`, so the interval begins where chance could have added all of
/// it; it ends by a reflected bootstrap: drawn again, an error is about as far above this one
/// as this one is above the truth. It holds the error itself always.
///
/// # Errors
/// [`Error::Refused`] with fewer than 10 rows; [`Error::Shape`] when there is not one
/// outcome a row; [`Error::Parameter`] for a confidence or a level that is no share.
///
/// # Example
/// ```
/// use isotherm::trust::reliability;
///
/// // Said to be 0.9 sure, and right nine times of ten.
/// let right: Vec<bool> = (0..20).map(|i| i % 10 != 0).collect();
/// let found = reliability(&[0.9; 20], &right, 0.95, 0)?;
/// assert_eq!((found.bins.len(), found.accuracy), (1, 0.9));
/// assert!(found.error < 1e-12);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn reliability(
    confidence: &[f64],
    right: &[bool],
    level: f64,
    seed: u64,
) -> Result<Reliability> {
    check_level(level)?;
    let n = confidence.len();
    if right.len() != n {
        return Err(Error::Shape {
            what: "outcomes, one for each confidence",
            expected: n,
            got: right.len(),
        });
    }
    if n < FEWEST {
        return Err(Error::data(
            format!("{n} judged labels say nothing of how reliable confidences are"),
            format!("label at least {FEWEST} rows that count, two of each class"),
        ));
    }
    if let Some(bad) = confidence.iter().find(|c| !(0.0..=1.0).contains(*c)) {
        return Err(Error::parameter("confidence", "from 0 to 1", bad));
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| confidence[a].total_cmp(&confidence[b]).then(a.cmp(&b)));
    let sure: Vec<f64> = order.iter().map(|&i| confidence[i]).collect();
    let came: Vec<bool> = order.iter().map(|&i| right[i]).collect();
    let ends = ends(&sure);
    let bins = ends.iter().scan(0, |first, &end| {
        let rows = *first..end;
        *first = end;
        Some(rows)
    });
    let bins = bins
        .map(|rows| {
            let (count, first) = (rows.len(), rows.start);
            let right = came[rows.clone()].iter().filter(|r| **r).count();
            Ok(Bin {
                low: sure[first],
                high: sure[rows.end - 1],
                rows: count,
                right,
                confidence: sure[rows].iter().sum::<f64>() / count as f64,
                accuracy: right as f64 / count as f64,
                interval: clopper_pearson(right, count, level)?,
            })
        })
        .collect::<Result<Vec<Bin>>>()?;
    let error = calibration_error(&sure, &came, &ends);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut again: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let mut drawn: Vec<usize> = (0..n).map(|_| random.random_range(0..n)).collect();
            drawn.sort_unstable();
            let sure: Vec<f64> = drawn.iter().map(|&i| sure[i]).collect();
            let came: Vec<bool> = drawn.iter().map(|&i| came[i]).collect();
            calibration_error(&sure, &came, &self::ends(&sure))
        })
        .collect();
    again.sort_by(f64::total_cmp);
    let mut draw = |p: &dyn Fn(usize) -> f64| -> Vec<bool> {
        (0..n).map(|i| random.random::<f64>() < p(i)).collect()
    };
    let perfect: Vec<f64> = (0..DRAWS)
        .map(|_| calibration_error(&sure, &draw(&|i| sure[i]), &ends))
        .collect();
    // The shares as they might be, after Laplace's rule: ten right of ten are not certain.
    let mut share = Vec::with_capacity(n);
    for bin in &bins {
        let p = (bin.right + 1) as f64 / (bin.rows + 2) as f64;
        share.extend(std::iter::repeat_n(p, bin.rows));
    }
    let mut moved: Vec<f64> = (0..DRAWS)
        .map(|_| calibration_error(&share, &draw(&|i| share[i]), &ends))
        .collect();
    moved.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let at_least = perfect.iter().filter(|e| **e >= error).count();
    Ok(Reliability {
        rows: n,
        accuracy: came.iter().filter(|r| **r).count() as f64 / n as f64,
        confidence: sure.iter().sum::<f64>() / n as f64,
        bins,
        error,
        interval: Interval {
            low: (error - quantile(&moved, 1.0 - tail)).max(0.0),
            high: (2.0 * error - quantile(&again, tail)).clamp(error, 1.0),
            level,
        },
        by_chance: perfect.iter().sum::<f64>() / DRAWS as f64,
        chance: (at_least + 1) as f64 / (DRAWS + 1) as f64,
    })
}

/// Where bins of sorted confidences end.
fn ends(sure: &[f64]) -> Vec<usize> {
    let n = sure.len();
    let count = (n / PER_BIN).clamp(1, MOST_BINS);
    let mut ends = Vec::with_capacity(count);
    for k in 1..=count {
        let mut end = k * n / count;
        while end < n && end > 0 && sure[end] == sure[end - 1] {
            end += 1;
        }
        if ends.last().is_none_or(|last| *last < end) {
            ends.push(end);
        }
    }
    ends
}

/// `Σ (rows/n) |accuracy − confidence|` over bins.
fn calibration_error(sure: &[f64], came: &[bool], ends: &[usize]) -> f64 {
    let mut first = 0;
    let mut sum = 0.0;
    for &end in ends {
        let right = came[first..end].iter().filter(|r| **r).count() as f64;
        sum += (right - sure[first..end].iter().sum::<f64>()).abs();
        first = end;
    }
    sum / sure.len() as f64
}
