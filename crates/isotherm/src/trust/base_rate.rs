//! The constants of class scores that say how common the classes are, where scores are
//! deviations from class shares: `p(c|x) ∝ π̂_c^t exp(a·f_c(x))`, with a and t fitted to
//! leave-one-out scores.
//!
//! `f_c + (t/a) ln π̂_c` are then scores with a base rate: Eqn 4's free constant, chosen by
//! the log likelihood of labels that were not seen. The likelihood is concave in (a, t), so
//! Newton's steps find its maximum. As after Laplace's rule each label counts as right with
//! probability (n + 1)/(n + 2) only, so the maximum is finite.

use super::calibration::FEWEST;
use crate::linalg::MatRef;

/// By how much the log likelihood has to rise for t to be believed: the price of one parameter.
/// [Akaike 1974]
const WORTH: f64 = 1.0;

/// The largest t: shares are not trusted more than squared.
const MOST: f64 = 2.0;

/// The least a, in units of 1/σ: labels that do not bear the scores out leave them some say.
const LEAST: f64 = 0.1;

/// Newton's steps at most.
const STEPS: usize = 100;

/// One labelled row: how its scores differ from their mean, the logarithms of the others'
/// class shares, and its class.
struct Row {
    spread: Vec<f64>,
    shares: Vec<f64>,
    class: usize,
}

/// What to add to the score of each class; `None` where labels are too few, or the likelihood
/// hardly rises. `left` has one row of scores a label, each without its own label; labels count
/// that are `kept`, also the only ones of their class: they speak against t.
pub(crate) fn base_rate(
    left: MatRef<'_, f64>,
    truth: &[u32],
    kept: impl Fn(usize) -> bool,
) -> Option<Vec<f64>> {
    let classes = left.ncols();
    let mut count = vec![0.0; classes];
    truth.iter().for_each(|&c| count[c as usize] += 1.0);
    let log_shares = |count: &[f64]| -> Vec<f64> {
        let total = count.iter().sum::<f64>() + classes as f64;
        count.iter().map(|c| ((c + 1.0) / total).ln()).collect()
    };
    let mut rows = Vec::new();
    for i in (0..truth.len()).filter(|&i| kept(i)) {
        let class = truth[i] as usize;
        let mean = left.row(i).iter().sum::<f64>() / classes as f64;
        let mut others = count.clone();
        others[class] -= 1.0;
        rows.push(Row {
            spread: left.row(i).iter().map(|v| v - mean).collect(),
            shares: log_shares(&others),
            class,
        });
    }
    let numbers = rows.iter().flat_map(|row| &row.spread);
    let sigma = (numbers.map(|d| d * d).sum::<f64>() / (rows.len() * classes) as f64).sqrt();
    // Rows of one class say that this class is always right.
    let one = rows.windows(2).all(|pair| pair[0].class == pair[1].class);
    if rows.len() < FEWEST || one || !(sigma > 0.0 && sigma.is_finite()) {
        return None;
    }
    for row in &mut rows {
        row.spread.iter_mut().for_each(|v| *v /= sigma);
    }
    let without = climb(&rows, false)?;
    let with = climb(&rows, true)?;
    let [slope, power] = with.at;
    if with.value - without.value < WORTH || power <= 0.0 {
        return None;
    }
    let logs = log_shares(&count);
    let mean = logs.iter().sum::<f64>() / classes as f64;
    let factor = power.min(MOST) * sigma / slope.max(LEAST);
    Some(logs.iter().map(|l| factor * (l - mean)).collect())
}

/// A maximum of the log likelihood.
struct Top {
    at: [f64; 2],
    value: f64,
}

/// Newton's steps from zero, halved until the likelihood rises; along a alone, or along both.
fn climb(rows: &[Row], both: bool) -> Option<Top> {
    let mut at = [0.0, 0.0];
    let (mut value, mut slope, mut bend) = likelihood(rows, at);
    for _ in 0..STEPS {
        let step = if both {
            // A little more curvature keeps the system regular where shares are all equal.
            let (a, d) = (bend[0] + 1e-9, bend[2] + 1e-9);
            let det = a * d - bend[1] * bend[1];
            [
                (d * slope[0] - bend[1] * slope[1]) / det,
                (a * slope[1] - bend[1] * slope[0]) / det,
            ]
        } else {
            [slope[0] / (bend[0] + 1e-9), 0.0]
        };
        let mut part = 1.0;
        let risen = loop {
            let next = [at[0] + part * step[0], at[1] + part * step[1]];
            let found = likelihood(rows, next);
            if found.0 > value {
                break Some((next, found));
            }
            part *= 0.5;
            if part < 1e-9 {
                break None;
            }
        };
        let Some((next, found)) = risen else {
            break;
        };
        let gain = found.0 - value;
        at = next;
        (value, slope, bend) = found;
        if gain < 1e-10 {
            break;
        }
    }
    value.is_finite().then_some(Top { at, value })
}

/// The log likelihood, its gradient in (a, t), and minus its second derivatives (aa, at, tt).
fn likelihood(rows: &[Row], [a, t]: [f64; 2]) -> (f64, [f64; 2], [f64; 3]) {
    let n = rows.len() as f64;
    let sure = (n + 1.0) / (n + 2.0);
    let (mut value, mut slope, mut bend) = (0.0, [0.0; 2], [0.0; 3]);
    for row in rows {
        let terms = || row.spread.iter().zip(&row.shares);
        let logits: Vec<f64> = terms().map(|(f, l)| a * f + t * l).collect();
        let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|z| (z - top).exp()).sum();
        let rest = (1.0 - sure) / (logits.len().max(2) - 1) as f64;
        let mut mean = [0.0; 2];
        let mut square = [0.0; 3];
        for (c, (f, l)) in terms().enumerate() {
            let p = (logits[c] - top).exp() / sum;
            let target = if c == row.class { sure } else { rest };
            value += target * (logits[c] - top - sum.ln());
            slope[0] += (target - p) * f;
            slope[1] += (target - p) * l;
            mean[0] += p * f;
            mean[1] += p * l;
            square[0] += p * f * f;
            square[1] += p * f * l;
            square[2] += p * l * l;
        }
        bend[0] += square[0] - mean[0] * mean[0];
        bend[1] += square[1] - mean[0] * mean[1];
        bend[2] += square[2] - mean[1] * mean[1];
    }
    (value, slope, bend)
}
