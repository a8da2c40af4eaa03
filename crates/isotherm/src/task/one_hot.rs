//! One-hot classes: class c is the unit vector e_c, decoding is the largest score.

use super::Codec;

/// Classes `0..width` as unit vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneHot {
    classes: usize,
}

impl OneHot {
    /// A codec for so many classes.
    pub fn new(classes: usize) -> Self {
        Self { classes }
    }

    /// Scores as probabilities.
    ///
    /// [`Reading::Shares`] divides non-negative scores by their sum;
    /// [`Reading::Estimates`] takes the scores as noisy probabilities and
    /// projects them onto the simplex. A row that was not reached, or carries
    /// no information, is uniform. The result is finite and sums to one for
    /// any finite scores.
    pub fn probabilities(&self, scores: &[f64], reading: Reading, reached: bool) -> Vec<f64> {
        let uniform = || vec![1.0 / self.classes as f64; self.classes];
        if !reached || scores.iter().any(|s| !s.is_finite()) {
            return uniform();
        }
        match reading {
            Reading::Estimates => project_on_simplex(scores),
            Reading::Shares => {
                let top = scores.iter().copied().fold(0.0, f64::max);
                if top <= 0.0 {
                    return uniform();
                }
                // Divided by the largest first: the sum can neither overflow nor vanish.
                let shares: Vec<f64> = scores.iter().map(|s| s.max(0.0) / top).collect();
                let sum: f64 = shares.iter().sum();
                shares.into_iter().map(|s| s / sum).collect()
            }
        }
    }
}

/// What a row of class scores means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// Mass received from each class's labels, on an arbitrary common scale.
    Shares,
    /// Least-squares estimates of the class probabilities.
    Estimates,
}

impl Codec for OneHot {
    type Label = u32;

    fn width(&self) -> usize {
        self.classes
    }

    fn encode(&self, label: &u32, out: &mut [f64]) {
        out.fill(0.0);
        if let Some(slot) = out.get_mut(*label as usize) {
            *slot = 1.0;
        }
    }

    fn decode(&self, scores: &[f64]) -> u32 {
        let mut best = 0;
        for (i, s) in scores.iter().enumerate() {
            if *s > scores[best] {
                best = i;
            }
        }
        u32::try_from(best).unwrap_or(u32::MAX)
    }
}

/// The nearest point of the probability simplex: `pᵢ = max(sᵢ − τ, 0)` with τ
/// such that the sum is one.
///
/// J. Duchi et al., *Efficient projections onto the ℓ₁-ball*, ICML 2008.
fn project_on_simplex(scores: &[f64]) -> Vec<f64> {
    let mut sorted = scores.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut tau = 0.0;
    for (k, s) in sorted.iter().enumerate() {
        sum += s;
        let candidate = (sum - 1.0) / (k + 1) as f64;
        if *s > candidate {
            tau = candidate;
        }
    }
    let shares: Vec<f64> = scores.iter().map(|s| (s - tau).max(0.0)).collect();
    // Exact up to rounding already; rounding is divided away.
    let total: f64 = shares.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return vec![1.0 / scores.len() as f64; scores.len()];
    }
    shares.into_iter().map(|s| s / total).collect()
}
