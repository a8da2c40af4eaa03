//! Study → model.

use super::session::Session;
use super::study::Study;
use crate::error::{Error, Result};
use crate::labelling::Answer;
use crate::linalg::Mat;
use crate::model::{Encoding, Model, Warning};
use crate::monitor::Monitor;
use crate::recipe::Task;
use crate::task::{Codec as _, OneHot};

/// Condition numbers above this leave fewer than three digits in a solution.
const ILL_CONDITIONED: f64 = 1e13;

impl Study {
    /// Fits the recipe to its data.
    ///
    /// # Errors
    /// [`Error`] of whatever room refuses first: labels, data, solver.
    pub fn fit(&mut self, monitor: &mut dyn Monitor) -> Result<Model> {
        self.session(monitor)?.fit(monitor)
    }

    /// What a model of this study predicts for the study's own samples.
    ///
    /// # Errors
    /// As [`Model::predict_rows`].
    pub fn training_answer(&self, model: &Model, monitor: &mut dyn Monitor) -> Result<Answer> {
        match (model.training_answer(), &self.rows) {
            (Some(answer), _) => Ok(answer),
            (None, Some(rows)) => model.predict_rows(rows, monitor),
            (None, None) => Err(Error::data(
                "this fit has no scores of its own samples",
                "ask it for new ones",
            )),
        }
    }
}

impl Session {
    /// Solves, and collects what should be known of the solve.
    pub(crate) fn fit(&mut self, monitor: &mut dyn Monitor) -> Result<Model> {
        let wide = self.labelling.scale.with_mass(&self.seen)?;
        let mut predictor = self.preparation.method.solve(&wide, monitor)?;
        if let Some(nodes) = &self.preparation.nodes {
            let rows = nodes.rows()?;
            let scaled = self.preparation.scaling.as_ref();
            predictor.answer_all(&rows, scaled, monitor)?;
        }
        self.calibrate(monitor)?;
        let mut model = Model {
            recipe: self.recipe.clone(),
            labelling: self.labelling.clone(),
            labelled: self.seen.index().len(),
            features: Vec::new(),
            encoding: Encoding::default(),
            nodes: None,
            scaling: self.preparation.scaling.clone(),
            table: self.preparation.nodes.clone(),
            predictor,
            settled: self.settled.clone(),
            class_shares: self.shares.clone(),
            warnings: self.preparation.warnings.clone(),
        };
        model.warnings.extend(self.warnings.iter().cloned());
        model.warnings.extend(warnings(&model));
        model.warnings.extend(self.overruled(&model));
        Ok(model)
    }

    /// The sure labels that the fit answers with another class.
    fn overruled(&self, model: &Model) -> Option<Warning> {
        if self.recipe.task != Task::Classify {
            return None;
        }
        let scores = model.predictor.training_scores()?;
        let class = |m: &Mat<f64>, i: usize| {
            let row: Vec<f64> = m.row(i).iter().copied().collect();
            OneHot::new(row.len()).decode(&row)
        };
        let answer = |i: usize| {
            let row: Vec<f64> = scores.values.row(i).iter().copied().collect();
            OneHot::new(row.len()).decode(&self.labelling.scale.apply(&row))
        };
        let (mut rows, mut of) = (0, 0);
        for (k, &i) in self.seen.index().iter().enumerate() {
            if self.certain[k] && scores.reached[i] {
                of += 1;
                rows += usize::from(answer(i) != class(self.seen.values(), k));
            }
        }
        (rows > 0).then_some(Warning::Overruled { rows, of })
    }
}

fn warnings(model: &Model) -> Vec<Warning> {
    let report = model.report();
    let mut out: Vec<Warning> = Warning::of_solve(report).into_iter().collect();
    if let Some(condition) = report.condition.filter(|c| *c > ILL_CONDITIONED) {
        out.push(Warning::IllConditioned { condition });
    }
    if let Some(scores) = model.predictor.training_scores() {
        let rows = scores.reached.iter().filter(|r| !**r).count();
        if rows > 0 {
            out.push(Warning::Unreached {
                rows,
                of: scores.reached.len(),
            });
        }
    }
    out
}
