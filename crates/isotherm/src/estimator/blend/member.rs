//! One member on its rows: its kernel between labels, and its fit at all rows.

use std::sync::Arc;

use super::params::{BlendParams, MemberSpec};
use crate::base::{Base as _, BlendPart, GraphBase, JoinedRows, KernelBase, Similarity, Storage};
use crate::data::{Points, Rescaling};
use crate::error::{Error, Result};
use crate::kernel::KernelSpec;
use crate::linalg::{Block, Mat};
use crate::monitor::Monitor;
use crate::neighbours::Search;
use crate::operator::Modes;
use crate::solve::SolveReport;
use crate::solve::resolvent::Resolvent;

/// Columns of unit labels solved for together.
const PANEL: usize = 32;

/// A member ready for any labels.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    rescaling: Arc<Rescaling>,
    /// The rows, rescaled.
    rows: Points,
    similarity: Prepared,
}

#[derive(Debug)]
enum Prepared {
    Kernel(KernelSpec),
    Neighbours(Box<Neighbourhood>),
}

/// Rows joined to their nearest rows, under the kernel `(D − ηW)⁻¹`.
///
/// In the variables `D^½f` it is `(I − ηS)⁻¹`: STKR's inverse Laplacian with the degrees as
/// sample measure, so a constant stays a constant.
#[derive(Debug)]
struct Neighbourhood {
    joined: JoinedRows,
    graph: GraphBase,
    modes: Option<Modes>,
    component: Vec<u32>,
    /// d^-½.
    roots: Vec<f64>,
}

impl Member {
    pub(super) fn new(
        spec: &MemberSpec,
        rescaling: Arc<Rescaling>,
        points: &Points,
        neighbours: usize,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        let (rows, similarity) = match spec {
            MemberSpec::Kernel { kernel, width, .. } => {
                let rows = rescaling.view(points)?;
                let open = kernel.needs_bandwidth();
                let fitted = kernel.clone().fitted_to(&rows, seed)?;
                let kernel = if open { fitted.widened(*width) } else { fitted };
                kernel.build()?;
                (rows, Prepared::Kernel(kernel))
            }
            MemberSpec::Neighbours { metric, .. } => {
                let rows = rescaling.copy(points)?;
                let (joined, graph) = JoinedRows::find(
                    rows.clone(),
                    neighbours,
                    *metric,
                    Search::Auto,
                    seed,
                    monitor,
                )?;
                let degrees = graph.degrees();
                let graph = GraphBase::new(graph);
                let component = graph.components(monitor)?.unwrap_or_default();
                let neighbourhood = Neighbourhood {
                    modes: graph.modes(monitor)?,
                    joined,
                    graph,
                    component,
                    roots: degrees.iter().map(|d| d.powf(-0.5)).collect(),
                };
                (rows, Prepared::Neighbours(Box::new(neighbourhood)))
            }
        };
        Ok(Self {
            name: spec.name(),
            rescaling,
            rows,
            similarity,
        })
    }

    /// The rows as the member sees them.
    pub(super) fn rows(&self) -> &Points {
        &self.rows
    }

    /// The kernel, for a member that has one.
    pub(super) fn kernel(&self) -> Option<&KernelSpec> {
        match &self.similarity {
            Prepared::Kernel(kernel) => Some(kernel),
            Prepared::Neighbours(_) => None,
        }
    }

    /// The graph of neighbours, for a member that has one.
    pub(super) fn graph(&self) -> Option<&GraphBase> {
        match &self.similarity {
            Prepared::Kernel(_) => None,
            Prepared::Neighbours(own) => Some(&own.graph),
        }
    }

    fn anchors(&self, kernel: &KernelSpec, index: &[usize]) -> Result<KernelBase> {
        let rows = self.rows.select(index)?;
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
                Ok((base.cross(base.points(), monitor)?, None))
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
                    worst = Some(worse(worst, report));
                }
                let gram = Mat::from_fn(n, n, |i, j| 0.5 * (gram[(i, j)] + gram[(j, i)]));
                Ok((gram, worst))
            }
        }
    }

    /// `K(x, labels) α` at every row.
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
                Ok((base.expand(&self.rows, alpha.as_ref(), monitor)?, None))
            }
            Prepared::Neighbours(own) => {
                let (image, report) = own.image(index, alpha, params, monitor)?;
                Ok((image.as_mat().to_owned(), Some(report)))
            }
        }
    }

    /// The member as a part of the expansion for new rows: its anchors' coefficients and
    /// mass. `alpha` are its coefficients, `image` its fit without the constant, both times
    /// its weight.
    pub(super) fn part(
        &self,
        (points, index): (&Points, &[usize]),
        share: f64,
        (alpha, image): (&Mat<f64>, &Mat<f64>),
        params: &BlendParams,
    ) -> Result<(BlendPart, Mat<f64>, Vec<f64>)> {
        let (name, rescaling) = (self.name.clone(), self.rescaling.clone());
        match &self.similarity {
            Prepared::Kernel(kernel) => {
                let kernel = kernel.clone();
                // The similarity to a far row fades; an inner product may be negative.
                let fades = kernel.build()?.geometry().is_distance();
                let mass = vec![f64::from(u8::from(fades)); index.len()];
                let part = BlendPart::kernel((name, share), rescaling, (points, index), kernel)?;
                Ok((part, alpha.clone(), mass))
            }
            Prepared::Neighbours(own) => {
                let lit = own.lit(index);
                let mass = lit.iter().map(|l| f64::from(u8::from(*l))).collect();
                let similarity = Similarity::Neighbours {
                    rows: own.joined.clone(),
                    eta: params.eta,
                };
                let part = BlendPart {
                    name,
                    share,
                    rescaling,
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
}

impl Neighbourhood {
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
        let resolvent = Resolvent::new(parts, params.eta);
        let (mut image, report) = resolvent.solve(
            self.modes.as_ref(),
            rhs,
            params.tolerance,
            params.iterations,
            monitor,
        )?;
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

/// The worse of two solves.
pub(super) fn worse(before: Option<SolveReport>, next: SolveReport) -> SolveReport {
    match before {
        Some(before) if before.residual >= next.residual => SolveReport {
            iterations: before.iterations.max(next.iterations),
            ..before
        },
        Some(before) => SolveReport {
            iterations: before.iterations.max(next.iterations),
            ..next
        },
        None => next,
    }
}
