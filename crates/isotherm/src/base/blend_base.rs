//! Several similarities at once: a sum of kernels over labelled samples and of averages over
//! neighbours, each on rows of its own.

use std::sync::Arc;

use super::joined_rows::JoinedRows;
use super::no_gram::NoGram;
use super::node_rows::NodeRows;
use super::{Adjacency as _, Base, GraphBase, KernelBase, Reach, Storage};
use crate::data::graph::Relation;
use crate::data::{Links, NewNodes, Nodes, Points, Rescale, Rescaling};
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
        /// The relation whose edges they are; `None` for all.
        relation: Option<usize>,
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
    Nodes(NodeSamples),
}

/// Nodes of a graph and what is known of them.
#[derive(Debug, Clone)]
pub(crate) struct NodeSamples {
    /// All edges, without directions.
    pub graph: Arc<GraphBase>,
    /// The features, where there are some.
    pub features: Option<NodeFeatures>,
    /// The kinds of edges, where they are told apart.
    pub relations: Arc<[Relation<Arc<GraphBase>>]>,
}

impl NodeSamples {
    /// From edges and features as they were given.
    ///
    /// # Errors
    /// As [`NodeFeatures::learn`].
    pub(crate) fn new(nodes: Nodes, monitor: &mut dyn Monitor) -> Result<Self> {
        let (graph, features, relations) = nodes.into_all();
        let features = match features {
            Some(given) => Some(NodeFeatures::learn(given, monitor)?),
            None => None,
        };
        let base = |relation: Relation| relation.map(|graph| Arc::new(GraphBase::new(graph)));
        Ok(Self {
            graph: Arc::new(GraphBase::new(graph)),
            features,
            relations: relations.into_iter().map(base).collect(),
        })
    }

    /// The edges of a relation, without directions; `None` is all.
    pub(crate) fn edges(&self, relation: Option<usize>) -> &Arc<GraphBase> {
        let own = relation.and_then(|k| self.relations.get(k)?.edges.as_ref());
        own.unwrap_or(&self.graph)
    }

    /// Where the relation of this name is; `None` is all edges.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there is none.
    pub(crate) fn place(&self, relation: Option<&str>) -> Result<Option<usize>> {
        let Some(name) = relation else {
            return Ok(None);
        };
        let found = self.relations.iter().position(|r| r.name == name);
        match found {
            Some(_) => Ok(found),
            None => Err(Error::parameter("relation", self.names(), name)),
        }
    }

    /// "one of cites, coauthors".
    fn names(&self) -> String {
        let names: Vec<&str> = self.relations.iter().map(|r| r.name.as_str()).collect();
        match names.as_slice() {
            [] => "none: all edges are of one kind".to_owned(),
            names => format!("one of {}", names.join(", ")),
        }
    }

    /// The features as members see them.
    ///
    /// # Errors
    /// As [`NodeFeatures::rescale`].
    pub(crate) fn rescaled(&self) -> Result<Option<Points>> {
        let known = self.features.as_ref();
        known.map(|known| known.rescale(&known.given)).transpose()
    }

    /// The features of new nodes as members see them; other columns stay as they are, to be
    /// refused where they are read.
    ///
    /// # Errors
    /// As [`NodeFeatures::rescale`].
    pub(crate) fn rescaled_of(&self, new: &NewNodes) -> Result<Option<Points>> {
        match (&self.features, new.features()) {
            (Some(known), Some(rows)) if rows.dim() == known.given.dim() => {
                known.rescale(rows).map(Some)
            }
            (_, rows) => Ok(rows.cloned()),
        }
    }

    /// New nodes with their relations in the order of the known ones; a relation that was left
    /// out has no links.
    ///
    /// # Errors
    /// [`Error::Refused`] when relations or directions are told apart here and not there, or a
    /// relation is unknown.
    fn arranged(&self, new: &NewNodes) -> Result<Vec<Relation<Links>>> {
        let given = new.relations();
        if self.relations.is_empty() {
            return Ok(Vec::new());
        }
        if given.is_empty() && new.links().is_linked() {
            return Err(Error::refused(
                Refusal::ModelKind,
                format!(
                    "this model tells kinds or directions of edges apart ({}), and the links of \
                     the new nodes do not say of which they are",
                    self.names()
                ),
                "give the new nodes' links by relation and direction, as those of the known nodes",
            ));
        }
        if let Some(odd) = given
            .iter()
            .find(|r| self.relations.iter().all(|known| known.name != r.name))
        {
            return Err(Error::refused(
                Refusal::ModelKind,
                format!(
                    "the new nodes have edges of the relation \"{}\", and this model knows {}",
                    odd.name,
                    self.names()
                ),
                "give the new nodes' relations the names of the known ones",
            ));
        }
        let none = || Links::new(new.len(), self.graph.len(), &[]);
        let mut out = Vec::with_capacity(self.relations.len());
        for known in self.relations.iter() {
            let own = given.iter().find(|r| r.name == known.name);
            let lacks = |wanted: &Option<Links>, links: Option<&Option<Links>>| {
                wanted.is_some() && links.is_some_and(Option::is_none)
            };
            if lacks(&known.outgoing, own.map(|r| &r.outgoing))
                || lacks(&known.incoming, own.map(|r| &r.incoming))
            {
                return Err(Error::refused(
                    Refusal::ModelKind,
                    format!(
                        "this model keeps the direction of the edges \"{}\", and the links of the \
                         new nodes have none",
                        known.name
                    ),
                    "say which links lead from the new nodes and which to them",
                ));
            }
            out.push(match own {
                Some(own) => own.clone(),
                None => Relation::new(known.name.clone(), none()?)
                    .directed(Some(none()?), Some(none()?)),
            });
        }
        Ok(out)
    }
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
            Self::Nodes(nodes) => nodes.graph.len(),
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
    /// New nodes whose relations are in the order of the known ones.
    Related(NewNodes, Vec<Relation<Links>>),
}

impl NewSamples {
    fn len(&self) -> usize {
        match self {
            Self::Rows(points) => points.len(),
            Self::Nodes(nodes) | Self::Related(nodes, _) => nodes.len(),
        }
    }

    /// The links of new nodes by relation, where there are several.
    fn relations(&self) -> &[Relation<Links>] {
        match self {
            Self::Related(_, relations) => relations,
            Self::Rows(_) | Self::Nodes(_) => &[],
        }
    }

    /// The rows of a table.
    pub(crate) fn rows(&self) -> Result<&Points> {
        match self {
            Self::Rows(points) => Ok(points),
            Self::Nodes(_) | Self::Related(..) => Err(Error::refused(
                Refusal::ModelKind,
                "this model was fitted on a table",
                "give rows instead of edges",
            )),
        }
    }

    /// New nodes.
    fn nodes(&self) -> Result<&NewNodes> {
        match self {
            Self::Nodes(nodes) | Self::Related(nodes, _) => Ok(nodes),
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
            (View::Nodes(known), Samples::Nodes(nodes)) => {
                let (new, by_relation) = (queries.nodes()?, queries.relations());
                let rescaled = nodes.rescaled_of(new)?;
                let own = known.relation.and_then(|k| by_relation.get(k));
                let links = own.and_then(|own| match known.spec.outgoing() {
                    None => own.edges.as_ref(),
                    Some(true) => own.outgoing.as_ref(),
                    Some(false) => own.incoming.as_ref(),
                });
                let links = links.unwrap_or(new.links()).clone();
                let graph = nodes.edges(known.relation).graph();
                Some(known.of_new(&NewNodes::new(links, rescaled)?, graph)?)
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
            (Similarity::Edges { eta, relation }, _) => {
                let own = relation.and_then(|k| queries.relations().get(k)?.edges.as_ref());
                let links = own.unwrap_or(queries.nodes()?.links());
                let degrees = match samples {
                    Samples::Nodes(nodes) => nodes.edges(*relation).graph().degrees(),
                    Samples::Rows(_) => Vec::new(),
                };
                Ok(linked_sums(links, &degrees, *eta, coefficients))
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
    links: &Links,
    degrees: &[f64],
    eta: f64,
    coefficients: MatRef<'_, f64>,
) -> Mat<f64> {
    Mat::from_fn(links.len(), coefficients.ncols(), |i, j| {
        let near = || links.row(i).filter(|(node, _)| degrees[*node] > 0.0);
        let degree: f64 = near().map(|(_, w)| w).sum();
        let share = |node: usize, w: f64| w / (degree * degrees[node]).sqrt();
        let sum: f64 = near()
            .map(|(node, w)| share(node, w) * coefficients[(node, j)])
            .sum();
        eta * sum
    })
}

/// The sum of the coefficients of the nodes that each new one is linked to; where it has
/// features, that of all nodes.
fn reach(new: &NewNodes, samples: &Samples, coefficients: MatRef<'_, f64>) -> Mat<f64> {
    let known = matches!(samples, Samples::Nodes(nodes) if nodes.features.is_some());
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
            Samples::Nodes(nodes) => nodes.features.as_ref().map(|f| f.given.dim()),
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
        let related = match (queries, &self.samples) {
            (NewSamples::Nodes(new), Samples::Nodes(nodes)) if !nodes.relations.is_empty() => {
                Some(NewSamples::Related(new.clone(), nodes.arranged(new)?))
            }
            _ => None,
        };
        let queries = related.as_ref().unwrap_or(queries);
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
