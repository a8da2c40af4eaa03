//! A fitted recipe, and what it predicts.

use std::sync::Arc;

use super::encoding::Encoding;
use super::predictor::{Predictor, for_each_fit};
use super::warning::Warning;
use crate::base::{Base as _, NewSamples, NodeTable, Samples};
use crate::data::{NewNodes, Points, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::estimator::stkr::{self, Smoothness};
use crate::expansion::Scores;
use crate::kernel::KernelSpec;
use crate::labelling::{Answer, Labelling, Settled};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::neighbours::Recall;
use crate::recipe::{Method, Recipe, Shape};
use crate::solve::SolveReport;
use crate::trust::FoundShares;

/// A fitted recipe, ready for new samples and for a file.
#[derive(Debug)]
pub struct Model {
    pub(crate) recipe: Recipe,
    pub(crate) labelling: Labelling,
    pub(crate) labelled: usize,
    /// Names of the feature columns, where the caller knows them.
    pub features: Vec<String>,
    /// How the columns of a table become the features, where the caller knows it.
    pub encoding: Encoding,
    /// Names of the graph's nodes, where the caller knows them.
    pub nodes: Option<Vec<String>>,
    pub(crate) scaling: Option<Rescaling>,
    /// The nodes whose rows are compared, where they are nodes.
    pub(crate) table: Option<Arc<NodeTable>>,
    pub(crate) predictor: Predictor,
    pub(crate) settled: Option<Settled>,
    pub(crate) class_shares: Option<FoundShares>,
    pub(crate) warnings: Vec<Warning>,
}

impl Model {
    /// The recipe it was fitted by.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The share of true neighbours in the graph a table was turned into;
    /// `None` without such a graph, or where it came out of a file.
    pub fn neighbour_recall(&self) -> Option<Recall> {
        match &self.predictor {
            Predictor::Neighbours(fitted) => fitted.expansion.base().recall(),
            Predictor::Blend(fitted) => fitted.expansion.base().recall(),
            _ => None,
        }
    }

    /// α̂ over the labelled samples, in the order of the samples, where the method has it and
    /// the model does not come from a file.
    pub fn dual(&self) -> Option<&Mat<f64>> {
        for_each_fit!(&self.predictor, fitted => fitted.dual.as_ref())
    }

    /// How the solve went.
    pub fn report(&self) -> &SolveReport {
        for_each_fit!(&self.predictor, fitted => &fitted.report)
    }

    /// What the user should know; empty for a model read from a file.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Class names, or `None` for a model of other labels.
    pub fn classes(&self) -> Option<&[String]> {
        self.labelling.labels.classes()
    }

    /// Names of what is answered: classes, decisions where they have costs, tags, items
    /// or values; none for one number.
    pub fn names(&self) -> &[String] {
        self.labelling.labels.names()
    }

    /// How many labels probabilities were calibrated on; `None` where they were not.
    pub fn calibrated_on(&self) -> Option<usize> {
        self.labelling.calibration.map(|found| found.labels())
    }

    /// How partial labels were settled, where there were some.
    pub fn settled(&self) -> Option<&Settled> {
        self.settled.as_ref()
    }

    /// The class shares of the unlabelled rows, where probabilities were moved to them; `None`
    /// for a model read from a file.
    pub fn class_shares(&self) -> Option<&FoundShares> {
        self.class_shares.as_ref()
    }

    /// Samples it keeps: anchors of its expansion.
    pub fn anchors(&self) -> usize {
        if let Some(nodes) = &self.table {
            return nodes.len();
        }
        if let Predictor::Blend(fitted) = &self.predictor {
            return fitted.expansion.base().samples().len();
        }
        for_each_fit!(&self.predictor, fitted => fitted.expansion.base().len())
    }

    /// Samples that had a label.
    pub fn labelled(&self) -> usize {
        self.labelled
    }

    /// What it was fitted to, and so what it is asked with: rows
    /// ([`Model::predict_rows`]), links ([`Model::predict_nodes`]) or similarities
    /// ([`Model::predict_gram`]).
    pub fn shape(&self) -> Shape {
        if self.table.is_some() {
            return Shape::Graph;
        }
        match &self.predictor {
            Predictor::Blend(fitted) => match fitted.expansion.base().samples() {
                Samples::Rows(_) => Shape::Table,
                Samples::Nodes(..) => Shape::Graph,
            },
            Predictor::Kernel { .. } | Predictor::Features { .. } | Predictor::Neighbours(_) => {
                Shape::Table
            }
            Predictor::Graph(_) => Shape::Graph,
            Predictor::Gram(_) => Shape::Gram,
        }
    }

    /// Feature columns that a new row or a new node must have; `None` for a graph without
    /// features and for similarities.
    pub fn dim(&self) -> Option<usize> {
        match &self.table {
            Some(nodes) => Some(nodes.features()),
            None => self.width(),
        }
    }

    /// Numbers of a row that is compared.
    pub(super) fn width(&self) -> Option<usize> {
        match &self.predictor {
            Predictor::Kernel { fitted, .. } => Some(fitted.expansion.base().points().dim()),
            Predictor::Features { fitted, .. } => Some(fitted.expansion.base().features().dim()),
            Predictor::Neighbours(fitted) => Some(fitted.expansion.base().points().dim()),
            Predictor::Blend(fitted) => fitted.expansion.base().dim(),
            Predictor::Graph(_) | Predictor::Gram(_) => None,
        }
    }

    /// The kinds of edges that it tells apart, or the one whose direction it keeps, with whether
    /// edges that lead away and that come in are: what new nodes' links have to say.
    pub fn relations(&self) -> impl Iterator<Item = (&str, [bool; 2])> {
        let samples = match &self.predictor {
            Predictor::Blend(fitted) => Some(fitted.expansion.base().samples()),
            _ => None,
        };
        let relations = match samples {
            Some(Samples::Nodes(nodes)) => &nodes.relations[..],
            _ => &[],
        };
        relations.iter().map(|r| {
            (
                r.name.as_str(),
                [r.outgoing.is_some(), r.incoming.is_some()],
            )
        })
    }

    /// What a blend is made of: name and share of each part, the largest first; nothing for
    /// another method.
    pub fn blend(&self) -> Vec<(&str, f64)> {
        let Predictor::Blend(fitted) = &self.predictor else {
            return Vec::new();
        };
        let parts = fitted.expansion.base().parts().iter();
        let mut named: Vec<(&str, f64)> = parts.map(|p| (p.name.as_str(), p.share)).collect();
        // The kernels of a sum follow each other under one name.
        named.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += next.1;
            }
            same
        });
        named.retain(|(_, share)| *share > 0.0);
        named.sort_by(|a, b| b.1.total_cmp(&a.1));
        named
    }

    /// The kernel with its bandwidth, for a model under a kernel.
    pub fn kernel(&self) -> Option<&KernelSpec> {
        match &self.predictor {
            Predictor::Kernel { kernel, .. } | Predictor::Features { kernel, .. } => Some(kernel),
            _ => None,
        }
    }

    /// How smooth each score column is at scale p = 1 or 2, for stkr.
    ///
    /// # Errors
    /// [`Error::Refused`] for another method; as [`stkr::smoothness`].
    pub fn smoothness(&self, power: usize, monitor: &mut dyn Monitor) -> Result<Vec<Smoothness>> {
        let Method::Stkr(params) = &self.recipe.method else {
            return Err(Error::refused(
                Refusal::Method,
                format!("{} has no smoothness to tell", self.recipe.method.name()),
                "fit with the method stkr",
            ));
        };
        let mut columns = for_each_fit!(&self.predictor, fitted => stkr::smoothness(&fitted.expansion, power, monitor))?;
        if params.centre_kernel {
            // The offset takes the mean off f, so all of ‖f‖² varies.
            for column in &mut columns {
                column.size = column.ratio.sqrt() * column.norm;
            }
        }
        Ok(columns)
    }

    /// What it predicts for the samples it was fitted to, for methods that solve for them.
    ///
    /// `None` for kernel ridge and kernel Laplacians on a table: ask [`Model::predict_rows`].
    pub fn training_answer(&self) -> Option<Answer> {
        let scores = self.predictor.training_scores();
        scores.map(|scores| self.decode(scores.clone()))
    }

    /// Answers these samples as if no label could reach them: nothing is known of them.
    pub fn withhold(&self, answer: &mut Answer, samples: &[usize]) {
        let none = self.labelling.decode(Scores {
            values: Mat::zeros(1, answer.scores.ncols()),
            reached: vec![false],
        });
        for &sample in samples {
            answer.take(sample, &none, 0);
        }
    }

    /// What it says of new rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs from the training
    /// table's; [`Error::Refused`] for a model of a graph or of similarities.
    pub fn predict_rows(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Answer> {
        if self.table.is_some() {
            return Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a graph",
                "give the new nodes and their edges instead of rows",
            ));
        }
        if let Some(expected) = self.dim()
            && rows.dim() != expected
        {
            return Err(Error::Shape {
                what: "feature columns of the new rows",
                expected,
                got: rows.dim(),
            });
        }
        if matches!(self.predictor, Predictor::Gram(_)) {
            return Err(self.not_similarities());
        }
        let scores = match &self.scaling {
            Some(scaling) => self.predictor.scores(&scaling.view(rows)?, monitor)?,
            None => self.predictor.scores(rows, monitor)?,
        };
        Ok(self.decode(scores))
    }

    /// What it says of new nodes, by their links to known ones and, where it learned from
    /// features of the nodes, by theirs.
    ///
    /// # Errors
    /// [`Error::Refused`] for a model of a table or of similarities, and where features are
    /// missing; [`Error::Shape`] when they have other columns.
    pub fn predict_nodes(
        &self,
        nodes: impl Into<NewNodes>,
        monitor: &mut dyn Monitor,
    ) -> Result<Answer> {
        let nodes = nodes.into();
        if let Some(known) = &self.table {
            let rows = known.of_new(&nodes)?;
            let scaling = self.scaling.as_ref();
            let scores = self.predictor.scores_of_nodes(&rows, scaling, monitor)?;
            return Ok(self.decode(scores));
        }
        match &self.predictor {
            Predictor::Graph(fitted) => Ok(self.decode(fitted.scores(nodes.links(), monitor)?)),
            Predictor::Blend(fitted) if self.shape() == Shape::Graph => {
                let scores = fitted.scores(&NewSamples::Nodes(nodes), monitor)?;
                Ok(self.decode(scores))
            }
            Predictor::Gram(_) => Err(self.not_similarities()),
            _ => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a table",
                "give rows instead of edges",
            )),
        }
    }

    /// What it says of new samples, each a row of its similarities `K(new, known)` to the
    /// [`Model::anchors`] samples it was fitted to, in their order.
    ///
    /// # Errors
    /// [`Error::Shape`] when a row has another length; [`Error::Refused`] for a model of a
    /// table or a graph.
    pub fn predict_gram(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Answer> {
        match &self.predictor {
            Predictor::Gram(fitted) => Ok(self.decode(fitted.scores(rows, monitor)?)),
            _ if self.shape() == Shape::Graph => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a graph",
                "give the new nodes and their edges instead of similarities",
            )),
            _ => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a table",
                "give rows instead of similarities",
            )),
        }
    }

    fn not_similarities(&self) -> Error {
        Error::refused(
            Refusal::ModelKind,
            "this model was fitted on given similarities",
            format!(
                "give each new sample's similarities to the {} samples it was fitted to",
                self.anchors()
            ),
        )
    }

    fn decode(&self, scores: Scores) -> Answer {
        self.labelling.decode(scores)
    }
}
