//! The labels of a solve with one column a class, and what each adds to the diagonal.

use crate::linalg::MatRef;
use crate::task::Observed;

/// What a solve of `Aα = y` is given, `A = G_{Kₛ,n} + diag(added)`.
pub(super) struct Labels<'a> {
    /// The labelled samples.
    pub(super) index: &'a [usize],
    /// nβ where all labels count the same; with a twin `ℓ + σnβ`.
    pub(super) shift: f64,
    /// `shift/addedᵢ`; `None` where they are all 1.
    pub(super) pull: Option<Vec<f64>>,
    /// `y`, one row a labelled sample.
    pub(super) values: MatRef<'a, f64>,
}

impl Labels<'_> {
    /// `shift/addedᵢ`.
    pub(super) fn pull(&self, label: usize) -> f64 {
        self.pull.as_ref().map_or(1.0, |pull| pull[label])
    }
}

/// `nβ/wᵢ` of every label.
pub(super) struct Ridges {
    whole: f64,
    each: Vec<f64>,
}

impl Ridges {
    pub(super) fn new(labels: &Observed, ridge: f64) -> Self {
        let whole = labels.index().len() as f64 * ridge;
        let each = match labels.weights() {
            Some(weights) => weights.iter().map(|w| whole / w).collect(),
            None => vec![whole; labels.index().len()],
        };
        Self { whole, each }
    }

    /// A number of every label, from its ridge.
    pub(super) fn each(&self, of: impl Fn(f64) -> f64) -> Vec<f64> {
        self.each.iter().map(|ridge| of(*ridge)).collect()
    }

    /// The labels of a system with `lift + share · nβ/wᵢ` on its diagonal.
    pub(super) fn labels<'l>(&self, labels: &'l Observed, lift: f64, share: f64) -> Labels<'l> {
        let shift = lift + share * self.whole;
        // At a ridge of zero without a lift the limit is what each label counts.
        let pull = |(k, ridge): (usize, &f64)| match labels.weights() {
            Some(weights) if shift == 0.0 => weights[k],
            _ => shift / (lift + share * ridge),
        };
        Labels {
            index: labels.index(),
            shift,
            pull: labels
                .weights()
                .map(|_| self.each.iter().enumerate().map(pull).collect()),
            values: labels.values().as_ref(),
        }
    }
}
