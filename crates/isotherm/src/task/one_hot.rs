//! One-hot classes: class c is the unit vector e_c, decoding is the largest score.

use super::{Checked, Codec, check_class, simplex};

/// Classes `0..width` as unit vectors; the loss is 0-1.
///
/// ```
/// use isotherm::task::{Codec, OneHot};
/// let codec = OneHot::new(3);
/// assert_eq!(codec.decode(&[0.1, 0.5, 0.2]), 1);
/// assert_eq!((codec.loss(&1, &1), codec.loss(&1, &2)), (0.0, 1.0));
/// ```
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
            Reading::Estimates => simplex::project(scores),
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

    fn check(&self, label: &u32) -> Checked {
        check_class(*label, self.classes)
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

    /// 0 or 1.
    fn loss(&self, truth: &u32, guess: &u32) -> f64 {
        f64::from(u8::from(truth != guess))
    }
}
