//! What a model predicts for some samples.

use crate::data::Targets;
use crate::linalg::Mat;

/// What a model predicts for some samples.
#[derive(Debug, Clone)]
pub struct Answer {
    /// One row per sample, one column per class or value.
    pub scores: Mat<f64>,
    /// Whether any label could reach the sample.
    pub reached: Vec<bool>,
    /// The predicted labels, of the same kind as those that were given; decisions where these
    /// have costs. `None` where no label could reach.
    pub labels: Targets,
    /// Class probabilities, one row per sample, uniform where no label could reach; only where
    /// labels are classes.
    pub probabilities: Option<Mat<f64>>,
}

impl Answer {
    /// Replaces the prediction for sample `here` by what `other` predicts for `there`.
    pub fn take(&mut self, here: usize, other: &Self, there: usize) {
        let copy = |into: &mut Mat<f64>, from: &Mat<f64>| {
            (0..into.ncols()).for_each(|j| into[(here, j)] = from[(there, j)]);
        };
        self.reached[here] = other.reached[there];
        copy(&mut self.scores, &other.scores);
        self.labels.copy_from(here, &other.labels, there);
        if let (Some(into), Some(from)) = (&mut self.probabilities, &other.probabilities) {
            copy(into, from);
        }
    }

    /// Predicted classes or decisions by their numbers; `None` for other labels.
    pub fn classes(&self) -> Option<&[Option<u32>]> {
        match &self.labels {
            Targets::Classes { labels, .. } => Some(labels),
            _ => None,
        }
    }

    /// Predicted numbers; `None` for other labels.
    pub fn values(&self) -> Option<&[Option<f64>]> {
        match &self.labels {
            Targets::Values(values) => Some(values),
            _ => None,
        }
    }

    /// Names of the predicted classes, or decisions where these have costs; `None` for samples
    /// that no label could reach and for other labels.
    pub fn names(&self) -> Vec<Option<&str>> {
        match &self.labels {
            Targets::Classes { labels, names } => labels
                .iter()
                .map(|l| l.and_then(|l| names.get(l as usize)).map(String::as_str))
                .collect(),
            _ => vec![None; self.reached.len()],
        }
    }
}
