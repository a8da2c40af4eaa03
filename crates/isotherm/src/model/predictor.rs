//! The fitted expansions a model can hold: a closed list, so that a file can hold them too.

use crate::base::{
    BlendBase, FeatureBase, GraphBase, KernelBase, NeighbourBase, NewSamples, SimilarityBase,
};
use crate::data::{Points, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::expansion::{Fitted, Scores};
use crate::kernel::KernelSpec;
use crate::monitor::Monitor;

/// A fitted expansion over one kind of base.
#[derive(Debug)]
pub(crate) enum Predictor {
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
    /// Several kernels and graphs of neighbours.
    Blend(Fitted<BlendBase>),
    /// Similarities that were given.
    Gram(Fitted<SimilarityBase>),
}

/// The same expression for every fit.
macro_rules! for_each_fit {
    ($predictor:expr, $fitted:ident => $expression:expr) => {
        match $predictor {
            $crate::model::Predictor::Kernel {
                fitted: $fitted, ..
            } => $expression,
            $crate::model::Predictor::Features {
                fitted: $fitted, ..
            } => $expression,
            $crate::model::Predictor::Neighbours($fitted) => $expression,
            $crate::model::Predictor::Graph($fitted) => $expression,
            $crate::model::Predictor::Blend($fitted) => $expression,
            $crate::model::Predictor::Gram($fitted) => $expression,
        }
    };
}
pub(super) use for_each_fit;

impl Predictor {
    /// Scores of the samples it was fitted to, for methods that solve for them.
    pub(crate) fn training_scores(&self) -> Option<&Scores> {
        for_each_fit!(self, fitted => fitted.visible.as_ref())
    }

    /// Scores of rows, which are scaled already.
    ///
    /// # Errors
    /// As [`Fitted::scores`]; [`Error::Refused`] where it has no rows.
    pub(crate) fn scores(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Scores> {
        match self {
            Self::Kernel { fitted, .. } => fitted.scores(rows, monitor),
            Self::Features { fitted, .. } => fitted.scores(rows, monitor),
            Self::Neighbours(fitted) => fitted.scores(rows, monitor),
            Self::Blend(fitted) => fitted.scores(&NewSamples::Rows(rows.clone()), monitor),
            Self::Graph(_) => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a graph",
                "give the new nodes and their edges instead of rows",
            )),
            Self::Gram(_) => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on given similarities",
                "give each new sample's similarities to the samples it was fitted to",
            )),
        }
    }

    /// Scores of the rows of nodes; nothing reaches a row of zeros.
    ///
    /// # Errors
    /// As [`Predictor::scores`].
    pub(crate) fn scores_of_nodes(
        &self,
        rows: &Points,
        scaling: Option<&Rescaling>,
        monitor: &mut dyn Monitor,
    ) -> Result<Scores> {
        let mut scores = match scaling {
            Some(scaling) => self.scores(&scaling.view(rows)?, monitor)?,
            None => self.scores(rows, monitor)?,
        };
        forget(rows, &mut scores);
        Ok(scores)
    }

    /// Keeps the scores of all nodes that it was fitted to, so that no row has to be found again.
    ///
    /// # Errors
    /// As [`Predictor::scores`].
    pub(crate) fn answer_all(
        &mut self,
        rows: &Points,
        scaling: Option<&Rescaling>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let found = match self.training_scores() {
            Some(known) => {
                let mut known = known.clone();
                forget(rows, &mut known);
                known
            }
            None => self.scores_of_nodes(rows, scaling, monitor)?,
        };
        for_each_fit!(self, fitted => fitted.visible = Some(found));
        Ok(())
    }
}

/// Nothing reaches a row of zeros.
fn forget(rows: &Points, scores: &mut Scores) {
    for i in (0..rows.len()).filter(|&i| rows.is_zero(i)) {
        scores.reached[i] = false;
        scores.values.row_mut(i).iter_mut().for_each(|v| *v = 0.0);
    }
}
