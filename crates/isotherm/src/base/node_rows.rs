//! Nodes of a graph as rows of numbers, and what row a new node has.
//!
//! A kernel compares the rows. How they are found is in the room `nodes`; here they are kept
//! with what a new node needs.

use std::sync::Arc;

use super::role_counts::{Roles, role_of_new};
use crate::data::{Graph, NewNodes, Points, Rescale, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::linalg::Block;
use crate::linalg::pairwise::normalise;

/// Rows that a graph's nodes become.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case", deny_unknown_fields)]
pub enum NodeRowsSpec {
    /// The features.
    Features {
        /// How they are rescaled.
        #[serde(default)]
        scaling: Rescale,
    },
    /// The features averaged over the graph, `(1 − η)(I − ηŜ)⁻¹X̂`.
    SmoothedFeatures {
        /// η, from 0 to below 1: how far the average goes.
        eta: f64,
    },
    /// The features two steps away, `S²X̂`.
    FeaturesTwoStepsAway {},
    /// The nodes that are near in the graph, `(1 − η)(I − ηŜ)⁻¹`.
    Surroundings {
        /// η, from 0 to below 1: how far the average goes.
        eta: f64,
    },
    /// Eigenvectors of the graph times their eigenvalues, those of largest size.
    Spectrum {
        /// How many.
        rank: usize,
    },
    /// The nodes two steps away, `S²`: alike for nodes with the same neighbours.
    NodesTwoStepsAway {},
    /// Counts of what is around each node: degrees, triangles, nodes two edges away.
    Roles {},
    /// The features of the nodes that edges lead to, or come from, averaged; directed edges only.
    LinkedFeatures {
        /// Whether edges lead to them.
        outgoing: bool,
    },
    /// The nodes that edges lead to, or come from, the frequent ones counting less: alike for
    /// nodes that cite, or are cited by, the same nodes; directed edges only.
    LinkedNodes {
        /// Whether edges lead to them.
        outgoing: bool,
    },
}

impl NodeRowsSpec {
    /// What the rows are called.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Features { .. } => "features".to_owned(),
            Self::SmoothedFeatures { .. } => "features averaged over neighbours".to_owned(),
            Self::FeaturesTwoStepsAway {} => "features two edges away".to_owned(),
            Self::Surroundings { .. } => "nearness in the graph".to_owned(),
            Self::Spectrum { rank } => format!("{rank} eigenvectors"),
            Self::NodesTwoStepsAway {} => "shared neighbours".to_owned(),
            Self::Roles {} => "degrees and triangles".to_owned(),
            Self::LinkedFeatures { outgoing: true } => "features along out-links".to_owned(),
            Self::LinkedFeatures { .. } => "features along in-links".to_owned(),
            Self::LinkedNodes { outgoing: true } => "shared out-links".to_owned(),
            Self::LinkedNodes { .. } => "shared in-links".to_owned(),
        }
    }

    /// Whether it goes along edges that lead away or that come in; `None` where edges have no
    /// direction.
    pub(crate) fn outgoing(&self) -> Option<bool> {
        match self {
            Self::LinkedFeatures { outgoing } | Self::LinkedNodes { outgoing } => Some(*outgoing),
            _ => None,
        }
    }

    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::SmoothedFeatures { eta } | Self::Surroundings { eta }
                if !(0.0..1.0).contains(eta) =>
            {
                Err(Error::parameter("eta", "at least 0 and below 1", eta))
            }
            Self::Spectrum { rank: 0 } => Err(Error::parameter("rank", "at least 1", 0)),
            _ => Ok(()),
        }
    }
}

/// The rows of all nodes.
#[derive(Debug, Clone)]
pub(crate) struct NodeRows {
    /// How they were asked for.
    pub spec: NodeRowsSpec,
    /// The relation whose edges they are made of; `None` for all edges.
    pub relation: Option<usize>,
    /// What the rows are.
    pub kind: RowKind,
    /// One row for each node; zeros where nothing is known of it.
    pub rows: Points,
}

/// What the rows of nodes are.
#[derive(Debug, Clone)]
pub(crate) enum RowKind {
    /// The features.
    Features(Rescaling),
    /// Averages over the graph, `Z = (1 − η)(I − ηŜ)⁻¹X̂` with `Ŝ = D̃^-½(W + I)D̃^-½`: of the
    /// features with rows of length one, or of one column for each node.
    Averages {
        /// η.
        eta: f64,
        /// What X̂ is.
        of: Averaged,
    },
    /// What is two steps away, `S²X̂` with `S = D^-½WD^-½`, of features or of one column for each
    /// node.
    TwoSteps {
        /// `SX̂`, one row for each node.
        near: Points,
    },
    /// Eigenvectors of S times their eigenvalues.
    Spectrum {
        /// The eigenvalues; none is near zero.
        values: Arc<[f64]>,
    },
    /// Counts of what is around a node, standardised.
    Roles(Roles),
    /// Means over the nodes that directed edges join it to, `Σwᵢⱼtⱼ/Σwᵢⱼ`.
    Linked {
        /// t, one row for each node.
        targets: Points,
    },
}

/// What is averaged over the graph.
#[derive(Debug, Clone)]
pub(crate) enum Averaged {
    /// One column for each node.
    Nodes,
    /// The features, with rows of length one.
    Features {
        /// What they are multiplied by: orthonormal columns, where there are many features.
        directions: Option<Arc<Block>>,
    },
}

/// Columns that averages of the nodes themselves have: one for each node of a small graph, and as
/// many directions as [`directions`] allows for a large one.
pub(crate) fn node_columns(nodes: usize) -> usize {
    /// Every node has its own column up to so many.
    const EXACT: usize = 1024;
    if nodes <= EXACT {
        nodes
    } else {
        directions(nodes)
    }
}

/// Directions at most of the rows of so many nodes: 512, and fewer where the rows would have more
/// than 2²⁶ numbers.
pub(crate) fn directions(nodes: usize) -> usize {
    ((1 << 26) / nodes.max(1)).clamp(64, 512)
}

impl NodeRows {
    /// The rows of new nodes; `graph` is that of the known ones.
    ///
    /// # Errors
    /// [`Error::Refused`] where features are missing that the rows are made of;
    /// [`Error::Shape`] when they have other columns, or the links lead to other nodes.
    pub(crate) fn of_new(&self, new: &NewNodes, graph: &Graph) -> Result<Points> {
        let (links, known) = (new.links(), &self.rows);
        if links.known() != known.len() {
            return Err(Error::Shape {
                what: "known nodes that the links were made for",
                expected: known.len(),
                got: links.known(),
            });
        }
        match &self.kind {
            RowKind::Features(rescaling) => {
                let rows = rescaling.view(features(new, known.dim())?)?;
                Ok(rows.gathered())
            }
            RowKind::Averages { eta, of } => {
                let degrees = graph.degrees();
                let own = match of {
                    Averaged::Nodes => None,
                    Averaged::Features { directions } => {
                        let dim = directions.as_ref().map_or(known.dim(), |d| d.rows());
                        Some((features(new, dim)?, directions))
                    }
                };
                self.filled(new, |i, row| {
                    if let Some((features, directions)) = own {
                        let mut x = features.row(i).into_owned();
                        normalise(&mut x);
                        match directions {
                            None => row.copy_from_slice(&x),
                            Some(directions) => {
                                for (j, v) in x.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                                    add(row, *v, directions.row(j));
                                }
                            }
                        }
                    }
                    averaged(links.row(i), *eta, (&degrees, known), row);
                })
            }
            RowKind::TwoSteps { near } => {
                let degrees = graph.degrees();
                self.filled(new, |i, row| step(links.row(i), (&degrees, near), row))
            }
            RowKind::Spectrum { values } => {
                let degrees = graph.degrees();
                self.filled(new, |i, row| {
                    step(links.row(i), (&degrees, known), row);
                    // Sv = λv holds for a new node too: its rows are λv.
                    row.iter_mut().zip(&**values).for_each(|(v, l)| *v /= l);
                })
            }
            RowKind::Roles(roles) => {
                self.filled(new, |i, row| role_of_new(roles, graph, links.row(i), row))
            }
            RowKind::Linked { targets } => self.filled(new, |i, row| {
                let total: f64 = links.row(i).map(|(_, w)| w).sum();
                (links.row(i)).for_each(|(j, w)| add(row, w / total, &targets.row(j)));
            }),
        }
    }

    fn filled(&self, new: &NewNodes, fill: impl Fn(usize, &mut [f64])) -> Result<Points> {
        let dim = self.rows.dim();
        let mut out = vec![0.0; new.len() * dim];
        for (i, row) in out.chunks_exact_mut(dim).enumerate() {
            fill(i, row);
        }
        Points::new(out, new.len(), dim)
    }
}

fn add(row: &mut [f64], factor: f64, other: &[f64]) {
    row.iter_mut()
        .zip(other)
        .for_each(|(v, o)| *v += factor * o);
}

/// Row * of `S` times the rows of the known nodes, added to `row`.
fn step(
    links: impl Iterator<Item = (usize, f64)> + Clone,
    (degrees, known): (&[f64], &Points),
    row: &mut [f64],
) {
    let degree: f64 = links.clone().map(|(_, w)| w).sum();
    for (j, weight) in links.filter(|(j, _)| degrees[*j] > 0.0) {
        add(row, weight / (degree * degrees[j]).sqrt(), &known.row(j));
    }
}

/// Row * of `(I − ηŜ)Z = (1 − η)X̂`, with x̂ in `row`:
/// `z* = [(1 − η)x̂ + ηΣŝ*ⱼzⱼ]/(1 − ηŝ**)`. It is exact while the others' rows stay as they are;
/// without links it is x̂, and without features an average of the nodes it is linked to.
fn averaged(
    links: impl Iterator<Item = (usize, f64)> + Clone,
    eta: f64,
    (degrees, known): (&[f64], &Points),
    row: &mut [f64],
) {
    let degree = 1.0 + links.clone().map(|(_, w)| w).sum::<f64>();
    row.iter_mut().for_each(|v| *v *= 1.0 - eta);
    for (j, weight) in links {
        let share = eta * weight / (degree * (1.0 + degrees[j])).sqrt();
        add(row, share, &known.row(j));
    }
    let own = 1.0 - eta / degree;
    row.iter_mut().for_each(|v| *v /= own);
}

fn features(new: &NewNodes, dim: usize) -> Result<&Points> {
    match new.features() {
        Some(features) if features.dim() == dim => Ok(features),
        Some(features) => Err(Error::Shape {
            what: "feature columns of the new nodes",
            expected: dim,
            got: features.dim(),
        }),
        None => Err(Error::refused(
            Refusal::ModelKind,
            "this model learned from features of the nodes, and the new nodes have none",
            "give one row of features for each new node, of zeros where nothing is known",
        )),
    }
}
