//! A fitted method: predictions, and what can be asked of the fit.

use crate::data::{Links, Points};
use crate::error::Result;
use crate::labelling::Answer;
use crate::model::Model;
use crate::monitor::Quiet;
use crate::study::{EvaluateOptions, Evaluation, LeftOut, Study};

/// A fitted method with the study it came from.
#[derive(Debug)]
pub struct FittedMethod {
    pub(super) study: Study,
    pub(super) model: Model,
}

impl FittedMethod {
    /// Labels and probabilities of new rows.
    ///
    /// # Errors
    /// As [`Model::predict_rows`].
    pub fn predict(&self, rows: &Points) -> Result<Answer> {
        self.model.predict_rows(rows, &mut Quiet)
    }

    /// Labels and probabilities of new nodes, by their links to known ones.
    ///
    /// # Errors
    /// As [`Model::predict_nodes`].
    pub fn predict_nodes(&self, links: &Links) -> Result<Answer> {
        self.model.predict_nodes(links, &mut Quiet)
    }

    /// Labels and probabilities of the samples it was fitted to.
    ///
    /// # Errors
    /// As [`Study::training_answer`].
    pub fn training_answer(&self) -> Result<Answer> {
        self.study.training_answer(&self.model, &mut Quiet)
    }

    /// Each label as the others predict it.
    ///
    /// # Errors
    /// As [`Study::leave_one_out`].
    pub fn leave_one_out(&mut self) -> Result<LeftOut> {
        self.study.leave_one_out(&mut Quiet)
    }

    /// Accuracy or loss on labels that a fit did not see, with an interval.
    ///
    /// # Errors
    /// As [`Study::evaluate`].
    pub fn evaluate(&mut self) -> Result<Evaluation> {
        self.study.evaluate(&EvaluateOptions::default(), &mut Quiet)
    }

    /// The model, which a file can hold.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The study, to be asked more.
    pub fn study(&mut self) -> &mut Study {
        &mut self.study
    }
}
