//! Several similarities at once: a sum of kernels over labelled rows and of averages over
//! neighbours, each on rows rescaled in its own way.

use std::sync::Arc;

use super::joined_rows::JoinedRows;
use super::no_gram::NoGram;
use super::{Base, KernelBase, Reach, Storage};
use crate::data::{Points, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::kernel::KernelSpec;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::neighbours::Recall;
use crate::operator::Symmetric;

/// One similarity of a blend.
#[derive(Debug)]
pub(crate) struct BlendPart {
    /// What it is called.
    pub name: String,
    /// Its share of the blend, from 0 to 1.
    pub share: f64,
    /// How rows are rescaled for it.
    pub rescaling: Arc<Rescaling>,
    /// What it compares rows by.
    pub similarity: Similarity,
}

/// What a part compares rows by.
#[derive(Debug)]
pub(crate) enum Similarity {
    /// A kernel to the labelled rows.
    Kernel {
        /// The labelled rows under the kernel.
        base: KernelBase,
        /// The kernel, its bandwidth chosen.
        kernel: KernelSpec,
    },
    /// η times the average over a row's neighbours among all rows.
    Neighbours {
        /// The rows.
        rows: JoinedRows,
        /// η.
        eta: f64,
    },
}

impl BlendPart {
    /// A kernel to the labelled rows, which are rescaled here.
    ///
    /// # Errors
    /// As [`Rescaling::view`] and [`KernelSpec::build`].
    pub(crate) fn kernel(
        (name, share): (String, f64),
        rescaling: Arc<Rescaling>,
        (rows, labelled): (&Points, &[usize]),
        kernel: KernelSpec,
    ) -> Result<Self> {
        let anchors = rescaling.view(rows)?.select(labelled)?;
        let base = KernelBase::new(anchors, kernel.build()?, Storage::Tiled);
        Ok(Self {
            name,
            share,
            rescaling,
            similarity: Similarity::Kernel { base, kernel },
        })
    }

    fn len(&self) -> usize {
        match &self.similarity {
            Similarity::Kernel { base, .. } => base.len(),
            Similarity::Neighbours { rows, .. } => rows.points().len(),
        }
    }
}

/// The anchors of all parts, one part after the other.
#[derive(Debug)]
pub(crate) struct BlendBase {
    rows: Points,
    labelled: Vec<usize>,
    parts: Vec<BlendPart>,
}

impl BlendBase {
    /// The sum of these similarities to all rows or to the labelled ones.
    pub(crate) fn new(rows: Points, labelled: Vec<usize>, parts: Vec<BlendPart>) -> Self {
        Self {
            rows,
            labelled,
            parts,
        }
    }

    /// All rows, as they were given.
    pub(crate) fn rows(&self) -> &Points {
        &self.rows
    }

    /// The worst share of true neighbours of a part, where one has neighbours and was not read
    /// from a file.
    pub(crate) fn recall(&self) -> Option<Recall> {
        let share = |recall: &Recall| match recall {
            Recall::Exact => 1.0,
            Recall::Estimated { value, .. } => *value,
        };
        let found = self.parts.iter().filter_map(|part| match &part.similarity {
            Similarity::Neighbours { rows, .. } => rows.recall(),
            Similarity::Kernel { .. } => None,
        });
        found.min_by(|a, b| share(a).total_cmp(&share(b)))
    }

    /// Which of them are labelled.
    pub(crate) fn labelled(&self) -> &[usize] {
        &self.labelled
    }

    /// The similarities.
    pub(crate) fn parts(&self) -> &[BlendPart] {
        &self.parts
    }
}

impl Base for BlendBase {
    type Query = Points;

    fn len(&self) -> usize {
        self.parts.iter().map(BlendPart::len).sum()
    }

    /// Refuses to be applied: a blend has no single kernel between its anchors.
    fn gram(&self) -> Box<dyn Symmetric + '_> {
        Box::new(NoGram {
            anchors: self.len(),
            refusal: no_gram,
        })
    }

    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let mut out = Mat::zeros(queries.len(), coefficients.ncols());
        let mut first = 0;
        for part in &self.parts {
            let own = coefficients.subrows(first, part.len());
            first += part.len();
            let rows = part.rescaling.view(queries)?;
            let (image, factor) = match &part.similarity {
                Similarity::Kernel { base, .. } => (base.expand(&rows, own, monitor)?, 1.0),
                Similarity::Neighbours { rows: known, eta } => {
                    (known.averages(&rows.gathered(), own, monitor)?, *eta)
                }
            };
            for j in 0..out.ncols() {
                let column = out.col_mut(j).iter_mut().zip(image.col(j).iter());
                column.for_each(|(sum, v)| *sum += factor * v);
            }
        }
        Ok(out)
    }

    fn reach(&self) -> Reach {
        Reach::Fading
    }
}

fn no_gram() -> Error {
    Error::refused(
        Refusal::Method,
        "a blend of several kernels has no single kernel matrix",
        "use the method stkr",
    )
}
