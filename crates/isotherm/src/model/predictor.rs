//! The fitted expansions a model can hold: a closed list, so that a file can hold them too.

use crate::base::{BlendBase, FeatureBase, GraphBase, KernelBase, NeighbourBase, SimilarityBase};
use crate::expansion::{Fitted, Scores};
use crate::kernel::KernelSpec;

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
}
