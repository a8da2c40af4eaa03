//! Intervals: exact for shares, by the bootstrap for means without a bound and for F1.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::judged::Judged;
use crate::error::{Error, Refusal, Result};

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// Numbers below which the mean of squares has no interval: a bootstrap of fewer knows
/// nothing of their tail.
pub(crate) const FEWEST: usize = 10;

/// A range that holds the truth in a share `level` of all samples.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The share.
    pub level: f64,
}

/// Refuses a level that is no share.
///
/// # Errors
/// [`Error::Parameter`] unless it lies strictly between 0 and 1.
pub(crate) fn check_level(level: f64) -> Result<()> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(Error::parameter("level", "above 0 and below 1", level))
    }
}

/// The exact interval of a share of which `right` of `of` were seen: all p that make
/// neither tail smaller than (1 − level)/2.  [Clopper and Pearson 1934]
///
/// ```
/// use isotherm::trust::clopper_pearson;
///
/// let found = clopper_pearson(18, 20, 0.95)?;
/// assert!((found.low - 0.683).abs() < 5e-4 && (found.high - 0.988).abs() < 5e-4);
/// # Ok::<(), isotherm::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] when the level is no share or `right` is above `of`;
/// [`Error::Refused`] when nothing was seen.
pub fn clopper_pearson(right: usize, of: usize, level: f64) -> Result<Interval> {
    check_level(level)?;
    if right > of {
        return Err(Error::parameter("right", format!("at most {of}"), right));
    }
    if of == 0 {
        return Err(Error::refused(
            Refusal::TooFewLabels,
            "no row can be judged",
            "label more rows, at least two of a class",
        ));
    }
    let tail = (1.0 - level) / 2.0;
    // Both tails grow or fall with p, so bisection finds where they meet.
    let solve = |inside: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for _ in 0..60 {
            let p = 0.5 * (low + high);
            if inside(p) { high = p } else { low = p }
        }
        0.5 * (low + high)
    };
    Ok(Interval {
        low: match right {
            0 => 0.0,
            _ => solve(&|p| at_least(right, of, p) >= tail),
        },
        high: if right == of {
            1.0
        } else {
            solve(&|p| at_least(of - right, of, 1.0 - p) <= tail)
        },
        level,
    })
}

/// `P(X ≥ k)` of a binomial variable.
pub(crate) fn at_least(k: usize, n: usize, p: f64) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if p <= 0.0 || p >= 1.0 {
        return if p >= 1.0 { 1.0 } else { 0.0 };
    }
    if (k as f64) <= n as f64 * p {
        return 1.0 - at_least(n - k + 1, n, 1.0 - p);
    }
    // ln C(n, k) pᵏ(1 − p)ⁿ⁻ᵏ, then ratios of neighbouring terms, which fall.
    let mut log = (n - k) as f64 * (-p).ln_1p() + k as f64 * p.ln();
    for i in 1..=k {
        log += ((n - k + i) as f64 / i as f64).ln();
    }
    let (mut term, mut sum) = (1.0_f64, 0.0_f64);
    for i in k..=n {
        sum += term;
        if i < n {
            term *= (n - i) as f64 / (i + 1) as f64 * p / (1.0 - p);
        }
    }
    (log + sum.ln()).exp().min(1.0)
}

/// The exact interval of the number of right rows among `total`, of which `of` were
/// drawn without replacement and `right` of those are right: all numbers that make
/// neither tail smaller than (1 − level)/2. A pair of counts.
///
/// The rest of a population is not a new draw from the same urn: rows that were drawn
/// are no longer in it, so what is known of `total − of` rows is less sure than
/// [`clopper_pearson`] has it, the more so the larger the part that was drawn.
///
/// # Errors
/// As [`clopper_pearson`]; [`Error::Parameter`] when more were drawn than there are.
pub(crate) fn of_population(
    right: usize,
    of: usize,
    total: usize,
    level: f64,
) -> Result<(usize, usize)> {
    // Its checks are the same.
    clopper_pearson(right, of, level)?;
    if of > total {
        return Err(Error::parameter("of", format!("at most {total}"), of));
    }
    let tail = (1.0 - level) / 2.0;
    let (least, most) = (right, total - (of - right));
    // P(X ≥ k) grows with the number of right rows; P(X ≤ k) falls.
    let first = |inside: &dyn Fn(usize) -> bool| {
        let (mut low, mut high) = (least, most);
        while low < high {
            let middle = low + (high - low) / 2;
            if inside(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    };
    let low = first(&|r| drawn_at_least(right, of, r, total) > tail);
    let above = first(&|r| drawn_at_least(of - right, of, total - r, total) <= tail);
    let high = if drawn_at_least(of - right, of, total - above, total) <= tail {
        above.saturating_sub(1).max(low)
    } else {
        above
    };
    Ok((low, high))
}

/// `P(X ≥ k)` right rows among n drawn without replacement from `total` of which
/// `right` are right.
fn drawn_at_least(k: usize, n: usize, right: usize, total: usize) -> f64 {
    let (most, least) = (n.min(right), (n + right).saturating_sub(total));
    if k <= least {
        return 1.0;
    }
    if k > most {
        return 0.0;
    }
    // Summed on the side of the mode where terms fall.
    let mode = (n + 1) as f64 * (right + 1) as f64 / (total + 2) as f64;
    if (k as f64) < mode {
        return 1.0 - drawn_at_least(n - k + 1, n, total - right, total);
    }
    // C(n,k) · right(right−1)… · wrong(wrong−1)… / total(total−1)…
    let wrong = total - right;
    let mut log = 0.0;
    for i in 0..k {
        log += ((n - i) as f64 / (k - i) as f64).ln() + ((right - i) as f64).ln();
    }
    for i in 0..n - k {
        log += ((wrong - i) as f64).ln();
    }
    for i in 0..n {
        log -= ((total - i) as f64).ln();
    }
    let (mut term, mut sum) = (1.0_f64, 0.0_f64);
    for j in k..=most {
        sum += term;
        if j < most {
            term *=
                (n - j) as f64 / (j + 1) as f64 * (right - j) as f64 / (wrong + j + 1 - n) as f64;
        }
    }
    (log + sum.ln()).exp().min(1.0)
}

/// The interval of the mean of positive numbers without a bound, such as squared errors: a
/// bootstrap-t interval of its logarithm, which follows their skewness. `spread` stretches
/// it, 1 for the mean of all numbers there could be. `None` with fewer than [`FEWEST`]
/// numbers or where all are equal: drawn again, they would be so for ever. Numbers that have
/// a bound have an interval all the same ([`super::of_bounded_mean`]).
///
/// # Errors
/// As [`check_level`].
pub(crate) fn of_mean(
    values: &[f64],
    level: f64,
    spread: f64,
    seed: u64,
) -> Result<Option<Interval>> {
    check_level(level)?;
    if values.len() < FEWEST {
        return Ok(None);
    }
    let (mean, error) = log_mean(values.iter().copied(), values.len());
    if !(mean.is_finite() && error > 0.0) {
        return Ok(None);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut ratios: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            let drawn: Vec<f64> = (0..values.len())
                .map(|_| values[random.random_range(0..values.len())])
                .collect();
            let (other, own) = log_mean(drawn.iter().copied(), drawn.len());
            Some((other - mean) / own).filter(|t| t.is_finite())
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    Ok(Some(Interval {
        low: (mean - spread * quantile(&ratios, 1.0 - tail) * error).exp(),
        high: (mean - spread * quantile(&ratios, tail) * error).exp(),
        level,
    }))
}

/// The logarithm of the mean, and its standard error.
fn log_mean(values: impl Iterator<Item = f64> + Clone, count: usize) -> (f64, f64) {
    let n = count as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean.ln(), (variance / n).sqrt() / mean)
}

/// The interval of the macro-F1 of judged rows, by a bootstrap over rows. Its lower end
/// is not above that of the accuracy's exact interval, stretched alike, nor its upper end
/// below it where no row is right: rows that are all right or all wrong, drawn again, would
/// be so for ever. `spread` stretches it about the estimate. `None` with fewer than
/// [`FEWEST`] rows.
///
/// # Errors
/// As [`check_level`]; [`Error::Refused`] when no row was judged.
pub(crate) fn of_macro_f1(
    judged: &Judged,
    level: f64,
    spread: f64,
    seed: u64,
) -> Result<Option<Interval>> {
    check_level(level)?;
    let n = judged.len();
    if n == 0 {
        return Err(Error::refused(
            Refusal::TooFewLabels,
            "no row can be judged",
            "label more rows, at least two of a class",
        ));
    }
    if n < FEWEST {
        return Ok(None);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut found: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let rows: Vec<usize> = (0..n).map(|_| random.random_range(0..n)).collect();
            judged.pick(&rows).macro_f1()
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let value = judged.macro_f1();
    let stretch = |end: f64| (value + spread * (end - value)).clamp(0.0, 1.0);
    let low = stretch(quantile(&found, tail));
    let high = stretch(quantile(&found, 1.0 - tail));
    let exact = clopper_pearson(judged.right(), n, level)?;
    Ok(Some(Interval {
        low: low.min(stretch(exact.low)),
        high: match judged.right() {
            0 => stretch(exact.high),
            _ => high.max(value),
        },
        level,
    }))
}

/// The q-quantile of sorted numbers, between neighbours.
pub(crate) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let at = q.clamp(0.0, 1.0) * last as f64;
    let below = at.floor() as usize;
    match (sorted.get(below), sorted.get((below + 1).min(last))) {
        (Some(a), Some(b)) => a + (at - below as f64) * (b - a),
        _ => f64::NAN,
    }
}
