//! One similarity on its rows: what a member is made of.

use std::sync::Arc;

use super::params::{BlendParams, MemberSpec};
use crate::base::blend_base::forget_zero_rows;
use crate::base::node_rows::NodeRows;
use crate::base::{
    Adjacency as _, Base as _, BlendPart, GraphBase, JoinedRows, KernelBase, NodeSamples, Samples,
    Similarity, Storage, View,
};
use crate::data::{Points, Rescaling};
use crate::error::{Error, Result};
use crate::kernel::{Geometry, KernelSpec};
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::neighbours::Search;
use crate::operator::Modes;
use crate::operator::gram::Gram;
use crate::solve::SolveReport;
use crate::solve::resolvent::Resolvent;

/// Columns of unit labels solved for together.
const PANEL: usize = 32;

/// A similarity ready for any labels.
#[derive(Debug)]
pub(super) struct Term {
    view: View,
    /// The rows as it compares them; none where edges say what is near.
    rows: Option<Points>,
    similarity: Prepared,
    /// What the kernel is multiplied by.
    weight: f64,
}

#[derive(Debug)]
enum Prepared {
    Kernel(KernelSpec),
    Neighbours(Box<Neighbourhood>),
}

/// Rows joined to their nearest rows, or the nodes of a graph that was given.
///
/// Rows have the kernel `(D − ηW)⁻¹`. In the variables `D^½f` it is `(I − ηS)⁻¹`: STKR's inverse
/// Laplacian with the degrees as sample measure, so a constant stays a constant.
///
/// Nodes have `(I − ηS)⁻¹`, where degrees vary much and say something, but for `u ∝ D^½1` of each
/// component: its factor is 1 and not 1/(1 − η), which would drown the others in a large component.
/// In a small one all factors are about 1.
#[derive(Debug)]
struct Neighbourhood {
    /// The rows, where it was found between them.
    joined: Option<JoinedRows>,
    graph: Arc<GraphBase>,
    /// The relation whose edges they are; `None` for all.
    relation: Option<usize>,
    eta: f64,
    modes: Option<Modes>,
    component: Vec<u32>,
    /// What the solution is multiplied by on both sides: d^-½ for rows, 1 for nodes.
    roots: Vec<f64>,
}

impl Term {
    /// A kernel between the rows of a table, or these rows joined to their neighbours.
    pub(super) fn of_table(
        spec: &MemberSpec,
        (rescaling, rows): (Arc<Rescaling>, Points),
        (neighbours, eta, seed): (usize, f64, u64),
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let (rows, similarity) = match spec {
            MemberSpec::Neighbours { metric, .. } => {
                let as_is = rows.is_sparse() || matches!(*rescaling, Rescaling::AsGiven);
                let rows = if as_is { rows } else { rows.gathered() };
                let (joined, graph) = JoinedRows::find(
                    rows.clone(),
                    neighbours,
                    *metric,
                    Search::Auto,
                    seed,
                    monitor,
                )?;
                let graph = Arc::new(GraphBase::new(graph));
                let neighbourhood = Neighbourhood::new(Some(joined), graph, eta, monitor)?;
                (rows, Prepared::Neighbours(Box::new(neighbourhood)))
            }
            MemberSpec::Kernel { kernel, width, .. } => {
                let kernel = fitted(kernel, *width, &rows, seed)?;
                (rows, Prepared::Kernel(kernel))
            }
            MemberSpec::Nodes { .. } | MemberSpec::Edges { .. } | MemberSpec::Sum { .. } => {
                return Err(Error::data(
                    format!("{} is no similarity of the rows of a table", spec.name()),
                    "choose kernels and neighbours",
                ));
            }
        };
        Ok(Self {
            view: View::Table(rescaling),
            rows: Some(rows),
            similarity,
            weight: 1.0,
        })
    }

    /// A kernel between rows that nodes became.
    pub(super) fn of_nodes(
        (kernel, width): (&KernelSpec, f64),
        rows: Arc<NodeRows>,
        seed: u64,
    ) -> Result<Self> {
        let kernel = fitted(kernel, width, &rows.rows, seed)?;
        Ok(Self {
            rows: Some(rows.rows.clone()),
            view: View::Nodes(rows),
            similarity: Prepared::Kernel(kernel),
            weight: 1.0,
        })
    }

    /// The nodes of a graph by its edges.
    pub(super) fn of_edges(
        nodes: &NodeSamples,
        relation: Option<usize>,
        eta: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let graph = nodes.edges(relation).clone();
        let own = Neighbourhood {
            relation,
            ..Neighbourhood::new(None, graph, eta, monitor)?
        };
        Ok(Self {
            rows: None,
            view: View::Edges,
            similarity: Prepared::Neighbours(Box::new(own)),
            weight: 1.0,
        })
    }

    /// Makes the kernel's mean diagonal this number.
    pub(super) fn scale_to(&mut self, mean: f64) -> Result<()> {
        let Prepared::Kernel(kernel) = &self.similarity else {
            return Err(Error::data(
                "neighbours cannot be part of a sum",
                "sum kernels only",
            ));
        };
        let gram = Gram::new(Arc::new(self.rows()?.clone()), kernel.build()?);
        let diagonal = gram.diagonal();
        let sum: f64 = diagonal.iter().sum();
        if sum > 0.0 {
            self.weight = mean * diagonal.len() as f64 / sum;
        }
        Ok(())
    }

    /// The rows as it compares them.
    pub(super) fn rows(&self) -> Result<&Points> {
        let none = || Error::data("edges have no rows", "compare nodes by kernels");
        self.rows.as_ref().ok_or_else(none)
    }

    /// The kernel, where it has one.
    pub(super) fn kernel(&self) -> Option<&KernelSpec> {
        match &self.similarity {
            Prepared::Kernel(kernel) => Some(kernel),
            Prepared::Neighbours(_) => None,
        }
    }

    /// The graph and its η, where it has one.
    pub(super) fn graph(&self) -> Option<(&GraphBase, f64)> {
        match &self.similarity {
            Prepared::Kernel(_) => None,
            Prepared::Neighbours(own) => Some((&own.graph, own.eta)),
        }
    }

    fn of_nodes_only(&self) -> bool {
        matches!(self.view, View::Nodes(_))
    }

    fn anchors(&self, kernel: &KernelSpec, index: &[usize]) -> Result<KernelBase> {
        let rows = self.rows()?.select(index)?;
        Ok(KernelBase::new(rows, kernel.build()?, Storage::Tiled))
    }

    /// The kernel between labels, and how it was solved for.
    pub(super) fn gram(
        &self,
        index: &[usize],
        params: &BlendParams,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, Option<SolveReport>)> {
        match &self.similarity {
            Prepared::Kernel(kernel) => {
                let base = self.anchors(kernel, index)?;
                let mut gram = base.cross(base.points(), monitor)?;
                if self.of_nodes_only() {
                    for (k, _) in index
                        .iter()
                        .enumerate()
                        .filter(|(k, _)| base.points().is_zero(*k))
                    {
                        gram.row_mut(k).iter_mut().for_each(|v| *v = 0.0);
                        gram.col_mut(k).iter_mut().for_each(|v| *v = 0.0);
                    }
                }
                Ok((self.weighted(gram), None))
            }
            Prepared::Neighbours(own) => {
                let n = index.len();
                let mut gram = Mat::zeros(n, n);
                let mut worst = None;
                for (panel, labels) in index.chunks(PANEL).enumerate() {
                    let unit = Mat::<f64>::identity(labels.len(), labels.len());
                    let (image, report) = own.image(labels, &unit, params, monitor)?;
                    for c in 0..labels.len() {
                        for (k, &i) in index.iter().enumerate() {
                            gram[(k, panel * PANEL + c)] = image.row(i)[c];
                        }
                    }
                    worst = Some(SolveReport::worse(worst, report));
                }
                let gram = Mat::from_fn(n, n, |i, j| 0.5 * (gram[(i, j)] + gram[(j, i)]));
                Ok((gram, worst))
            }
        }
    }

    /// `K(x, labels) α` at every sample.
    pub(super) fn image(
        &self,
        index: &[usize],
        alpha: &Mat<f64>,
        params: &BlendParams,
        monitor: &mut dyn Monitor,
    ) -> Result<(Mat<f64>, Option<SolveReport>)> {
        match &self.similarity {
            Prepared::Kernel(kernel) => {
                let base = self.anchors(kernel, index)?;
                let mut alpha = self.weighted(alpha.clone());
                if self.of_nodes_only() {
                    forget_zero_rows(base.points(), &mut alpha);
                }
                let mut image = base.expand(self.rows()?, alpha.as_ref(), monitor)?;
                if self.of_nodes_only() {
                    forget_zero_rows(self.rows()?, &mut image);
                }
                Ok((image, None))
            }
            Prepared::Neighbours(own) => {
                let (image, report) = own.image(index, alpha, params, monitor)?;
                Ok((image.as_mat().to_owned(), Some(report)))
            }
        }
    }

    /// The term as a part of the expansion for new samples: its anchors' coefficients and
    /// mass. `alpha` are its coefficients, `image` its fit without the constant, both times
    /// its member's weight.
    pub(super) fn part(
        &self,
        named: (String, f64),
        (samples, index): (&Samples, &[usize]),
        (alpha, image): (&Mat<f64>, &Mat<f64>),
    ) -> Result<(BlendPart, Mat<f64>, Vec<f64>)> {
        match &self.similarity {
            Prepared::Kernel(kernel) => {
                let kernel = kernel.clone();
                // The similarity to a far row fades; an inner product may be negative. What
                // reaches a node is said by its own part.
                let fades = !self.of_nodes_only() && is_distance(&kernel)?;
                let mass = vec![f64::from(u8::from(fades)); index.len()];
                let view = self.view.clone();
                let part = BlendPart::kernel(named, view, (samples, index), kernel)?;
                let mut alpha = self.weighted(alpha.clone());
                if self.of_nodes_only() {
                    forget_zero_rows(&self.rows()?.select(index)?, &mut alpha);
                }
                Ok((part, alpha, mass))
            }
            Prepared::Neighbours(own) => {
                let lit = own.lit(index);
                let mass = lit.iter().map(|l| f64::from(u8::from(*l))).collect();
                let eta = own.eta;
                let similarity = match own.joined.clone() {
                    Some(rows) => Similarity::Neighbours { rows, eta },
                    None => Similarity::Edges {
                        eta,
                        relation: own.relation,
                    },
                };
                let part = BlendPart {
                    name: named.0,
                    share: named.1,
                    view: self.view.clone(),
                    similarity,
                };
                Ok((part, image.clone(), mass))
            }
        }
    }

    /// Which rows any of these labels reaches along edges; `None` for a kernel.
    pub(super) fn lit(&self, index: &[usize]) -> Option<Vec<bool>> {
        match &self.similarity {
            Prepared::Kernel(_) => None,
            Prepared::Neighbours(own) => Some(own.lit(index)),
        }
    }

    fn weighted(&self, mut m: Mat<f64>) -> Mat<f64> {
        if self.weight != 1.0 {
            scale(&mut m, self.weight);
        }
        m
    }
}

fn is_distance(kernel: &KernelSpec) -> Result<bool> {
    Ok(match kernel.build()?.geometry() {
        Geometry::SquaredDistance | Geometry::Manhattan => true,
        Geometry::InnerProduct | Geometry::Cosine => false,
    })
}

/// A kernel with its bandwidth from the rows, an open one times `width`.
fn fitted(kernel: &KernelSpec, width: f64, rows: &Points, seed: u64) -> Result<KernelSpec> {
    let open = kernel.needs_bandwidth();
    let fitted = kernel.clone().fitted_to(rows, seed)?;
    let kernel = if open { fitted.widened(width) } else { fitted };
    kernel.build()?;
    Ok(kernel)
}

/// Multiplies all of a matrix.
pub(super) fn scale(m: &mut Mat<f64>, factor: f64) {
    for j in 0..m.ncols() {
        m.col_mut(j).iter_mut().for_each(|v| *v *= factor);
    }
}

impl Neighbourhood {
    fn new(
        joined: Option<JoinedRows>,
        graph: Arc<GraphBase>,
        eta: f64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let plain = joined.is_none();
        let root = |d: &f64| if plain { 1.0 } else { d.powf(-0.5) };
        Ok(Self {
            modes: graph.modes(monitor)?,
            component: graph.components(monitor)?.unwrap_or_default(),
            roots: graph.graph().degrees().iter().map(root).collect(),
            joined,
            graph,
            relation: None,
            eta,
        })
    }

    /// `D^-½ (I − ηS)⁻¹ D^-½ E α`.
    fn image(
        &self,
        index: &[usize],
        alpha: &Mat<f64>,
        params: &BlendParams,
        monitor: &mut dyn Monitor,
    ) -> Result<(Block, SolveReport)> {
        let mut rhs = Block::zeros(self.roots.len(), alpha.ncols())?;
        for (k, &i) in index.iter().enumerate() {
            for (c, slot) in rhs.row_mut(i).iter_mut().enumerate() {
                *slot = self.roots[i] * alpha[(k, c)];
            }
        }
        let Some(parts) = self.graph.sparse() else {
            return Err(Error::data("the graph has no edges", "give more rows"));
        };
        let resolvent = Resolvent::new(parts, self.eta);
        let (mut image, report) = resolvent.solve(
            self.modes.as_ref(),
            rhs,
            params.tolerance,
            params.iterations,
            monitor,
        )?;
        if let (None, Some(modes)) = (&self.joined, &self.modes) {
            let overlaps = modes.overlaps(image.as_mat());
            // The solution holds 1/(1 − η) of them.
            modes.add(-self.eta, overlaps.as_ref(), image.as_mat_mut());
        }
        for (i, root) in self.roots.iter().enumerate() {
            image.row_mut(i).iter_mut().for_each(|v| *v *= root);
        }
        Ok((image, report))
    }

    fn lit(&self, index: &[usize]) -> Vec<bool> {
        let count = self.component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut bright = vec![false; count];
        index
            .iter()
            .for_each(|&i| bright[self.component[i] as usize] = true);
        self.component.iter().map(|&c| bright[c as usize]).collect()
    }
}
