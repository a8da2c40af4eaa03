//! What the labels of every task can do.

use crate::data::Targets;
use crate::linalg::Mat;
use crate::recipe::Task;
use crate::task::one_hot::Reading;
use crate::task::{Codec, simplex};

/// Row i of the scores on the scale of the encoding; `None` where no label reaches sample i.
pub(crate) type ScoreRow<'a> = dyn Fn(usize) -> Option<Vec<f64>> + Sync + 'a;

/// The labels of one task.
pub(crate) trait LabelType: std::fmt::Debug + Send + Sync {
    /// The task.
    fn task(&self) -> Task;

    /// Numbers a label is encoded by.
    fn width(&self) -> usize;

    /// Names of what is predicted: classes, decisions, tags, items or values.
    fn names(&self) -> &[String];

    /// Names of the classes, where labels are classes of some kind.
    fn classes(&self) -> Option<&[String]> {
        None
    }

    /// Whether scores must be on the scale of the encoding; the largest score needs none.
    fn needs_scale(&self) -> bool {
        true
    }

    /// What was subtracted from each column of the encoding; empty where nothing was.
    fn offset(&self) -> &[f64] {
        &[]
    }

    /// What a wrong label costs.
    fn loss(&self) -> Loss;

    /// Class probabilities of one row of scores; only asked where there are [`Self::classes`].
    fn probabilities(&self, row: &[f64], _: Reading) -> Vec<f64> {
        simplex::project(row)
    }

    /// The class or decision of one row of scores; `None` where labels are neither.
    fn decide(&self, _: &[f64]) -> Option<u32> {
        None
    }

    /// The labels of so many samples.
    fn decode(&self, samples: usize, row: &ScoreRow<'_>) -> Targets;

    /// One more sentence for an evaluation, from encoded labels and their leave-one-out
    /// predictions at these rows.
    fn remark(&self, _truth: &Mat<f64>, _predicted: &Mat<f64>, _rows: &[usize]) -> Option<String> {
        None
    }
}

/// The cost of predicting the second row of numbers where the first is the label.
type Cost = dyn Fn(&[f64], &[f64]) -> f64 + Send + Sync;

/// What a wrong label costs.
pub(crate) struct Loss {
    /// What its mean is called.
    pub(crate) name: &'static str,
    /// The largest it can be; `None` where there is no bound.
    pub(crate) bound: Option<f64>,
    of: Box<Cost>,
}

impl Loss {
    pub(crate) fn new(
        name: &'static str,
        bound: Option<f64>,
        of: impl Fn(&[f64], &[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            bound,
            of: Box::new(of),
        }
    }

    /// The codec's own loss between decoded labels.
    pub(crate) fn of_codec<C: Codec + 'static>(
        name: &'static str,
        bound: Option<f64>,
        codec: C,
    ) -> Self {
        Self::new(name, bound, move |truth, scores| {
            codec.loss(&codec.decode(truth), &codec.decode(scores))
        })
    }

    /// The loss of predicting these scores for this encoded label.
    pub(crate) fn at(&self, truth: &[f64], scores: &[f64]) -> f64 {
        (self.of)(truth, scores)
    }
}
