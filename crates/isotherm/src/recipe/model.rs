//! The model: a closed enum of what a file can hold, and what it answers.

use crate::base::{Base, FeatureBase, GraphBase, KernelBase, NeighbourBase, SimilarityBase};
use crate::data::neighbours::Recall;
use crate::data::{Links, Points, Standardiser};
use crate::error::{Error, Refusal, Result};
use crate::estimator::stkr::{self, Smoothness};
use crate::kernel::KernelSpec;
use crate::linalg::Mat;
use crate::model::{Fitted, Scores};
use crate::monitor::Monitor;
use crate::solve::SolveReport;

use super::labels::Reader;
use super::recipe::{Method, Recipe, Shape};
pub use super::warning::Warning;

/// A fitted recipe, ready for new samples and for a file.
#[derive(Debug)]
pub struct Model {
    pub(super) recipe: Recipe,
    pub(super) reader: Reader,
    pub(super) labelled: usize,
    /// Names of the feature columns, where the caller knows them.
    pub features: Vec<String>,
    /// Names of the graph's nodes, where the caller knows them.
    pub nodes: Option<Vec<String>>,
    pub(super) scaling: Option<Standardiser>,
    pub(super) predictor: Predictor,
    pub(super) settled: Option<Settled>,
    pub(super) warnings: Vec<Warning>,
}

/// How labels that were known in part were settled.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Settled {
    /// Samples of which something was known.
    pub samples: usize,
    /// The objective after each round; it does not rise.
    pub objective: Vec<f64>,
    /// Whether the last round changed nothing.
    pub converged: bool,
}

/// Run-time choice lives in this enum and nowhere else.
#[derive(Debug)]
pub(super) enum Predictor {
    /// Rows under a kernel: the labelled ones for kernel ridge, all for stkr.
    Kernel {
        fitted: Fitted<KernelBase>,
        kernel: KernelSpec,
    },
    /// A finite basis of functions: kernel Laplacian regularisation.
    Features {
        fitted: Fitted<FeatureBase>,
        kernel: KernelSpec,
    },
    /// All rows, joined to their neighbours.
    Neighbours(Fitted<NeighbourBase>),
    /// A graph.
    Graph(Fitted<GraphBase>),
    /// Similarities that were given.
    Gram(Fitted<SimilarityBase>),
}

impl Predictor {
    /// Scores of the visible samples, for methods that solve for them.
    pub(super) fn visible(&self) -> Option<&Scores> {
        match self {
            Self::Kernel { fitted, .. } => fitted.visible.as_ref(),
            Self::Features { fitted, .. } => fitted.visible.as_ref(),
            Self::Neighbours(fitted) => fitted.visible.as_ref(),
            Self::Graph(fitted) => fitted.visible.as_ref(),
            Self::Gram(fitted) => fitted.visible.as_ref(),
        }
    }
}

/// What a model says of some samples.
#[derive(Debug, Clone)]
pub struct Answer {
    /// One row per sample, one column per class or value.
    pub scores: Mat<f64>,
    /// Whether any label could reach the sample.
    pub reached: Vec<bool>,
    /// The scores as labels.
    pub decoded: Decoded,
}

/// Scores as labels; `None` where no label could reach.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Decoded {
    /// Classes.
    Classes {
        /// The class with the largest score.
        labels: Vec<Option<u32>>,
        /// One row per sample, summing to one; uniform where not reached.
        probabilities: Mat<f64>,
    },
    /// Numbers.
    Values(Vec<Option<f64>>),
    /// Several numbers a sample.
    Numbers(Vec<Option<Vec<f64>>>),
    /// Tags, yes or no.
    Flags(Vec<Option<Vec<bool>>>),
    /// The position of each item, the first 0.
    Orders(Vec<Option<Vec<u32>>>),
}

impl Answer {
    /// Replaces what is said of sample `here` by what `other` says of `there`.
    pub fn take(&mut self, here: usize, other: &Self, there: usize) {
        self.reached[here] = other.reached[there];
        for j in 0..self.scores.ncols() {
            self.scores[(here, j)] = other.scores[(there, j)];
        }
        match (&mut self.decoded, &other.decoded) {
            (
                Decoded::Classes {
                    labels,
                    probabilities,
                },
                Decoded::Classes {
                    labels: from,
                    probabilities: shares,
                },
            ) => {
                labels[here] = from[there];
                for j in 0..probabilities.ncols() {
                    probabilities[(here, j)] = shares[(there, j)];
                }
            }
            (Decoded::Values(values), Decoded::Values(from)) => values[here] = from[there],
            (Decoded::Numbers(values), Decoded::Numbers(from)) => {
                values[here].clone_from(&from[there]);
            }
            (Decoded::Flags(flags), Decoded::Flags(from)) => {
                flags[here].clone_from(&from[there]);
            }
            (Decoded::Orders(orders), Decoded::Orders(from)) => {
                orders[here].clone_from(&from[there]);
            }
            _ => {}
        }
    }

    /// Names of classes, or of decisions where they have costs; `None` for other labels.
    pub fn names<'m>(&self, model: &'m Model) -> Vec<Option<&'m str>> {
        match (&self.decoded, model.names()) {
            (Decoded::Classes { labels, .. }, names) => labels
                .iter()
                .map(|l| l.and_then(|l| names.get(l as usize)).map(String::as_str))
                .collect(),
            _ => vec![None; self.reached.len()],
        }
    }
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
            _ => None,
        }
    }

    /// How its solve went.
    /// α̂ over the labelled samples, in the order of the samples, where the method has it and
    /// the model does not come from a file.
    pub fn dual(&self) -> Option<&Mat<f64>> {
        match &self.predictor {
            Predictor::Kernel { fitted, .. } => fitted.dual.as_ref(),
            Predictor::Features { fitted, .. } => fitted.dual.as_ref(),
            Predictor::Neighbours(fitted) => fitted.dual.as_ref(),
            Predictor::Graph(fitted) => fitted.dual.as_ref(),
            Predictor::Gram(fitted) => fitted.dual.as_ref(),
        }
    }

    /// How the solve went.
    pub fn report(&self) -> &SolveReport {
        match &self.predictor {
            Predictor::Kernel { fitted, .. } => &fitted.report,
            Predictor::Features { fitted, .. } => &fitted.report,
            Predictor::Neighbours(fitted) => &fitted.report,
            Predictor::Graph(fitted) => &fitted.report,
            Predictor::Gram(fitted) => &fitted.report,
        }
    }

    /// What the user should know; empty for a model read from a file.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Class names, or `None` for a model of other labels.
    pub fn classes(&self) -> Option<&[String]> {
        self.reader.labels.classes()
    }

    /// Names of what is answered: classes, decisions where they have costs, tags, items
    /// or values; none for one number.
    pub fn names(&self) -> &[String] {
        self.reader.labels.names()
    }

    /// How many labels probabilities were calibrated on; `None` where they were not.
    pub fn calibrated_on(&self) -> Option<usize> {
        self.reader.calibration.map(|found| found.labels())
    }

    /// How partial labels were settled, where there were some.
    pub fn settled(&self) -> Option<&Settled> {
        self.settled.as_ref()
    }

    /// Samples it keeps: anchors of its expansion.
    pub fn anchors(&self) -> usize {
        match &self.predictor {
            Predictor::Kernel { fitted, .. } => fitted.expansion.base().len(),
            Predictor::Features { fitted, .. } => fitted.expansion.base().len(),
            Predictor::Neighbours(fitted) => fitted.expansion.base().len(),
            Predictor::Graph(fitted) => fitted.expansion.base().len(),
            Predictor::Gram(fitted) => fitted.expansion.base().len(),
        }
    }

    /// Samples that had a label.
    pub fn labelled(&self) -> usize {
        self.labelled
    }

    /// What it was fitted to, and so what it is asked with: rows
    /// ([`Model::predict_rows`]), links ([`Model::predict_nodes`]) or similarities
    /// ([`Model::predict_gram`]).
    pub fn shape(&self) -> Shape {
        match &self.predictor {
            Predictor::Kernel { .. } | Predictor::Features { .. } | Predictor::Neighbours(_) => {
                Shape::Table
            }
            Predictor::Graph(_) => Shape::Graph,
            Predictor::Gram(_) => Shape::Gram,
        }
    }

    /// Feature columns a new row must have, or `None` for a graph or similarities.
    pub fn dim(&self) -> Option<usize> {
        match &self.predictor {
            Predictor::Kernel { fitted, .. } => Some(fitted.expansion.base().points().dim()),
            Predictor::Features { fitted, .. } => Some(fitted.expansion.base().features().dim()),
            Predictor::Neighbours(fitted) => Some(fitted.expansion.base().points().dim()),
            Predictor::Graph(_) | Predictor::Gram(_) => None,
        }
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
        let mut columns = match &self.predictor {
            Predictor::Kernel { fitted, .. } => stkr::smoothness(&fitted.expansion, power, monitor),
            Predictor::Features { fitted, .. } => {
                stkr::smoothness(&fitted.expansion, power, monitor)
            }
            Predictor::Neighbours(fitted) => stkr::smoothness(&fitted.expansion, power, monitor),
            Predictor::Graph(fitted) => stkr::smoothness(&fitted.expansion, power, monitor),
            Predictor::Gram(fitted) => stkr::smoothness(&fitted.expansion, power, monitor),
        }?;
        if params.centre_kernel {
            // The offset takes the mean off f, so all of ‖f‖² varies.
            for column in &mut columns {
                column.size = column.ratio.sqrt() * column.norm;
            }
        }
        Ok(columns)
    }

    /// What it says of the samples it saw, for methods that solve for them.
    ///
    /// `None` for kernel ridge and kernel Laplacians: ask [`Model::predict_rows`].
    pub fn visible(&self) -> Option<Answer> {
        let scores = self.predictor.visible();
        scores.map(|scores| self.decode(scores.clone()))
    }

    /// What it says of new rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs from the training
    /// table's; [`Error::Refused`] for a model of a graph or of similarities.
    pub fn predict_rows(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Answer> {
        if let Some(expected) = self.dim()
            && rows.dim() != expected
        {
            return Err(Error::Shape {
                what: "feature columns of the new rows",
                expected,
                got: rows.dim(),
            });
        }
        let scaled;
        let rows = match &self.scaling {
            Some(scaling) => {
                scaled = scaling.view(rows)?;
                &scaled
            }
            None => rows,
        };
        let scores = match &self.predictor {
            Predictor::Kernel { fitted, .. } => fitted.scores(rows, monitor)?,
            Predictor::Features { fitted, .. } => fitted.scores(rows, monitor)?,
            Predictor::Neighbours(fitted) => fitted.scores(rows, monitor)?,
            Predictor::Graph(_) => {
                return Err(Error::refused(
                    Refusal::ModelKind,
                    "this model was fitted on a graph",
                    "give the new nodes and their edges instead of rows",
                ));
            }
            Predictor::Gram(_) => return Err(self.not_similarities()),
        };
        Ok(self.decode(scores))
    }

    /// What it says of new nodes, by their links to known ones.
    ///
    /// # Errors
    /// [`Error::Refused`] for a model of a table or of similarities.
    pub fn predict_nodes(&self, links: &Links, monitor: &mut dyn Monitor) -> Result<Answer> {
        match &self.predictor {
            Predictor::Graph(fitted) => Ok(self.decode(fitted.scores(links, monitor)?)),
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
            Predictor::Graph(_) => Err(Error::refused(
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
        self.reader.decode(scores)
    }
}
