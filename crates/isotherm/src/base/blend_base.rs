//! Several similarities at once: a sum of kernels over labelled samples and of averages over
//! neighbours, each on rows of its own.

use std::sync::Arc;

use super::joined_rows::JoinedRows;
use super::no_gram::NoGram;
use super::node_rows::NodeRows;
use super::{Adjacency as _, Base, GraphBase, KernelBase, Reach, Storage};
use crate::data::{NewNodes, Points, Rescale, Rescaling};
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
    /// The rows that it compares.
    pub view: View,
    /// What it compares rows by.
    pub similarity: Similarity,
}

/// The rows that samples become.
#[derive(Debug, Clone)]
pub(crate) enum View {
    /// The rows of a table, rescaled.
    Table(Arc<Rescaling>),
    /// Rows made of the edges and features of nodes.
    Nodes(Arc<NodeRows>),
    /// None: edges say what is near.
    Edges,
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
    /// What is known of the nodes that edges lead to.
    Edges {
        /// η.
        eta: f64,
    },
    /// What reaches a node: a link to a node that is reached, or features of its own. It adds
    /// nothing to scores.
    Reach,
}

/// What a blend was fitted to.
#[derive(Debug, Clone)]
pub(crate) enum Samples {
    /// The rows of a table, as they were given.
    Rows(Points),
    /// Nodes of a graph.
    Nodes(Arc<GraphBase>, Option<NodeFeatures>),
}

/// Features of nodes as they were given, and how they are rescaled.
#[derive(Debug, Clone)]
pub(crate) struct NodeFeatures {
    /// One row for each node, zeros where nothing is known of it.
    pub given: Points,
    /// How the columns are rescaled.
    pub rescaling: Rescaling,
}

impl NodeFeatures {
    /// Columns of counts, of which most are zero, stay as they are and become sparse; others are
    /// scaled.
    ///
    /// # Errors
    /// As [`Rescaling::learn`].
    pub(crate) fn learn(given: Points, monitor: &mut dyn Monitor) -> Result<Self> {
        // However they came: what a model file holds must be read as what was fitted to.
        let (given, how) = if 2 * given.numbers() < given.len() * given.dim() {
            (given.made_sparse()?, Rescale::AsGiven)
        } else {
            (given.gathered(), Rescale::Balanced)
        };
        let rescaling = Rescaling::learn(how, &given, monitor)?;
        Ok(Self { given, rescaling })
    }

    /// Rows of features rescaled; a row of zeros stays one.
    ///
    /// # Errors
    /// As [`Rescaling::view`].
    pub(crate) fn rescale(&self, rows: &Points) -> Result<Points> {
        if matches!(self.rescaling, Rescaling::AsGiven) {
            return Ok(rows.clone());
        }
        let dim = rows.dim();
        let mut scaled = self.rescaling.view(rows)?.into_values();
        for (i, row) in scaled.chunks_exact_mut(dim).enumerate() {
            if rows.is_zero(i) {
                row.fill(0.0);
            }
        }
        Points::new(scaled, rows.len(), dim)
    }
}

impl Samples {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Rows(points) => points.len(),
            Self::Nodes(graph, _) => graph.len(),
        }
    }
}

/// What a blend is asked about.
#[derive(Debug, Clone)]
pub(crate) enum NewSamples {
    /// New rows of the table.
    Rows(Points),
    /// New nodes.
    Nodes(NewNodes),
}

impl NewSamples {
    fn len(&self) -> usize {
        match self {
            Self::Rows(points) => points.len(),
            Self::Nodes(nodes) => nodes.len(),
        }
    }

    /// The rows of a table.
    pub(crate) fn rows(&self) -> Result<&Points> {
        match self {
            Self::Rows(points) => Ok(points),
            Self::Nodes(_) => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a table",
                "give rows instead of edges",
            )),
        }
    }

    /// New nodes.
    fn nodes(&self) -> Result<&NewNodes> {
        match self {
            Self::Nodes(nodes) => Ok(nodes),
            Self::Rows(_) => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a graph",
                "give the new nodes and their edges instead of rows",
            )),
        }
    }
}

impl BlendPart {
    /// A kernel to the labelled samples.
    ///
    /// # Errors
    /// As [`Rescaling::view`] and [`KernelSpec::build`].
    pub(crate) fn kernel(
        (name, share): (String, f64),
        view: View,
        (samples, labelled): (&Samples, &[usize]),
        kernel: KernelSpec,
    ) -> Result<Self> {
        let anchors = match (&view, samples) {
            (View::Table(rescaling), Samples::Rows(rows)) => {
                rescaling.view(rows)?.select(labelled)?
            }
            (View::Nodes(rows), _) => rows.rows.select(labelled)?,
            _ => return Err(Error::data("a kernel compares rows", "give it some")),
        };
        let base = KernelBase::new(anchors, kernel.build()?, Storage::Tiled);
        Ok(Self {
            name,
            share,
            view,
            similarity: Similarity::Kernel { base, kernel },
        })
    }

    fn len(&self, samples: &Samples) -> usize {
        match &self.similarity {
            Similarity::Kernel { base, .. } => base.len(),
            Similarity::Neighbours { rows, .. } => rows.points().len(),
            Similarity::Edges { .. } | Similarity::Reach => samples.len(),
        }
    }

    /// Its similarity to new samples times `coefficients`.
    fn expand(
        &self,
        queries: &NewSamples,
        samples: &Samples,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let rows = match (&self.view, samples) {
            (View::Table(rescaling), _) => Some(rescaling.view(queries.rows()?)?),
            (View::Nodes(known), Samples::Nodes(graph, features)) => {
                let new = queries.nodes()?;
                let rescaled = match (features, new.features()) {
                    (Some(known), Some(rows)) if rows.dim() == known.given.dim() => {
                        Some(known.rescale(rows)?)
                    }
                    (_, rows) => rows.cloned(),
                };
                let new = NewNodes::new(new.links().clone(), rescaled)?;
                Some(known.of_new(&new, graph.graph())?)
            }
            _ => None,
        };
        match (&self.similarity, rows) {
            (Similarity::Kernel { base, .. }, Some(rows)) => {
                let mut image = base.expand(&rows, coefficients, monitor)?;
                if matches!(self.view, View::Nodes(_)) {
                    forget_zero_rows(&rows, &mut image);
                }
                Ok(image)
            }
            (Similarity::Neighbours { rows: known, eta }, Some(rows)) => {
                let rows = if rows.is_sparse() {
                    rows
                } else {
                    rows.gathered()
                };
                let mut image = known.averages(&rows, coefficients, monitor)?;
                (0..image.ncols())
                    .for_each(|j| image.col_mut(j).iter_mut().for_each(|v| *v *= eta));
                Ok(image)
            }
            (Similarity::Edges { eta }, _) => {
                Ok(linked_sums(queries.nodes()?, samples, *eta, coefficients))
            }
            (Similarity::Reach, _) => Ok(reach(queries.nodes()?, samples, coefficients)),
            _ => Err(Error::data("a kernel compares rows", "give it some")),
        }
    }
}

/// A node of which nothing is known is similar to no other.
pub(crate) fn forget_zero_rows(rows: &Points, image: &mut Mat<f64>) {
    for i in (0..rows.len()).filter(|&i| rows.is_zero(i)) {
        image.row_mut(i).iter_mut().for_each(|v| *v = 0.0);
    }
}

/// `f* = η Σ s*ⱼfⱼ`, with the coefficients of the nodes that each new one is linked to: its row of
/// `(I − ηS)f = 0`.
fn linked_sums(
    new: &NewNodes,
    samples: &Samples,
    eta: f64,
    coefficients: MatRef<'_, f64>,
) -> Mat<f64> {
    let degrees = match samples {
        Samples::Nodes(graph, _) => graph.graph().degrees(),
        Samples::Rows(_) => Vec::new(),
    };
    Mat::from_fn(new.len(), coefficients.ncols(), |i, j| {
        let links = || new.links().row(i).filter(|(node, _)| degrees[*node] > 0.0);
        let degree: f64 = links().map(|(_, w)| w).sum();
        let share = |node: usize, w: f64| w / (degree * degrees[node]).sqrt();
        let sum: f64 = links()
            .map(|(node, w)| share(node, w) * coefficients[(node, j)])
            .sum();
        eta * sum
    })
}

/// The sum of the coefficients of the nodes that each new one is linked to; where it has
/// features, that of all nodes.
fn reach(new: &NewNodes, samples: &Samples, coefficients: MatRef<'_, f64>) -> Mat<f64> {
    let known = matches!(samples, Samples::Nodes(_, Some(_)));
    let own = new.features().filter(|_| known);
    let mut out = Mat::zeros(new.len(), coefficients.ncols());
    let all: Vec<f64> = (0..coefficients.ncols())
        .map(|j| coefficients.col(j).iter().sum())
        .collect();
    for i in 0..new.len() {
        let by_features = own.is_some_and(|rows| !rows.is_zero(i));
        for (j, all) in all.iter().enumerate() {
            out[(i, j)] = if by_features {
                *all
            } else {
                let linked = new.links().row(i);
                linked.map(|(node, _)| coefficients[(node, j)]).sum()
            };
        }
    }
    out
}

/// The anchors of all parts, one part after the other.
#[derive(Debug)]
pub(crate) struct BlendBase {
    samples: Samples,
    labelled: Vec<usize>,
    parts: Vec<BlendPart>,
}

impl BlendBase {
    /// The sum of these similarities to all samples or to the labelled ones.
    pub(crate) fn new(samples: Samples, labelled: Vec<usize>, parts: Vec<BlendPart>) -> Self {
        Self {
            samples,
            labelled,
            parts,
        }
    }

    /// All samples, as they were given.
    pub(crate) fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Feature columns of a sample, where it has features.
    pub(crate) fn dim(&self) -> Option<usize> {
        match &self.samples {
            Samples::Rows(rows) => Some(rows.dim()),
            Samples::Nodes(_, features) => features.as_ref().map(|f| f.given.dim()),
        }
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
            Similarity::Kernel { .. } | Similarity::Edges { .. } | Similarity::Reach => None,
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
    type Query = NewSamples;

    fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len(&self.samples)).sum()
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
        queries: &NewSamples,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        if let NewSamples::Nodes(new) = queries
            && new.links().known() != self.samples.len()
        {
            return Err(Error::Shape {
                what: "known nodes that the links were made for",
                expected: self.samples.len(),
                got: new.links().known(),
            });
        }
        let mut out = Mat::zeros(queries.len(), coefficients.ncols());
        let mut first = 0;
        for part in &self.parts {
            let own = coefficients.subrows(first, part.len(&self.samples));
            first += own.nrows();
            let image = part.expand(queries, &self.samples, own, monitor)?;
            for j in 0..out.ncols() {
                let column = out.col_mut(j).iter_mut().zip(image.col(j).iter());
                column.for_each(|(sum, v)| *sum += v);
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
