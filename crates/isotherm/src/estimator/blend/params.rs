//! What can be said of a blend.

use crate::base::{Metric, NodeRowsSpec, NodeSamples};
use crate::data::Rescale;
use crate::data::graph::Relation;
use crate::error::{Error, Result};
use crate::estimator::check::check_stopping;
use crate::kernel::{Bandwidth, KernelSpec};
use crate::nodes::Stopping;

/// The members and everything that decides a fit.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlendParams {
    /// The members; absent means those of [`MemberSpec::usual`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<MemberSpec>>,
    /// η of the kernels of neighbours, from 0 to below 1.
    pub eta: f64,
    /// How strongly the weights are pulled to those without labels: as strongly as so many
    /// labels would.
    pub pull: f64,
    /// Relative residual of solves along neighbours.
    pub tolerance: f64,
    /// Iterations allowed.
    pub iterations: usize,
}

impl BlendParams {
    /// When solves end.
    pub(crate) fn stopping(&self) -> Stopping {
        Stopping {
            tolerance: self.tolerance,
            iterations: self.iterations,
        }
    }

    /// How many members there are.
    pub fn count(&self) -> usize {
        let own = self.members.as_ref();
        own.map_or_else(|| MemberSpec::usual().len(), Vec::len)
    }

    /// Whether some of them compare ranks.
    pub(crate) fn compares_ranks(&self) -> bool {
        let members = self.members.clone().unwrap_or_else(MemberSpec::usual);
        members.iter().any(|m| m.scaling() == Rescale::Ranks)
    }

    /// How many of them are graphs of neighbours.
    pub fn graphs(&self) -> usize {
        let members = self.members.clone().unwrap_or_else(MemberSpec::usual);
        let joined = |m: &&MemberSpec| matches!(m, MemberSpec::Neighbours { .. });
        members.iter().filter(joined).count()
    }
}

impl Default for BlendParams {
    fn default() -> Self {
        Self {
            members: None,
            eta: 0.999,
            pull: 15.0,
            tolerance: 1e-8,
            iterations: 10_000,
        }
    }
}

/// One member.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum MemberSpec {
    /// A kernel between rows.
    Kernel {
        /// The kernel.
        kernel: KernelSpec,
        /// What an automatic bandwidth, the median distance, is multiplied by.
        #[serde(default = "one")]
        width: f64,
        /// How rows are rescaled.
        #[serde(default)]
        scaling: Rescale,
    },
    /// Rows joined to their nearest rows.
    Neighbours {
        /// Which rows are near.
        #[serde(default)]
        metric: Metric,
        /// How rows are rescaled.
        #[serde(default)]
        scaling: Rescale,
    },
    /// A kernel between rows that the nodes of a graph become; graphs only.
    Nodes {
        /// The rows.
        rows: NodeRowsSpec,
        /// The kernel.
        kernel: KernelSpec,
        /// What an automatic bandwidth is multiplied by.
        #[serde(default = "one")]
        width: f64,
        /// The relation whose edges count, where there are several; all edges by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relation: Option<String>,
    },
    /// The nodes of a graph by its edges, `(I − ηS)⁻¹`; graphs only.
    Edges {
        /// η, from 0 to below 1: how far labels go along edges.
        eta: f64,
        /// The relation whose edges count, where there are several; all edges by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relation: Option<String>,
    },
    /// The sum of several kernels, each with the same mean diagonal.
    Sum {
        /// The kernels.
        members: Vec<MemberSpec>,
    },
}

fn one() -> f64 {
    1.0
}

impl MemberSpec {
    /// The usual members: six kernels and two graphs of neighbours.
    ///
    /// They were chosen on the deciding half of the bank in `experiments/defaults`.
    pub fn usual() -> Vec<Self> {
        let bandwidth = Bandwidth::Auto;
        let kernel = |kernel, width, scaling| Self::Kernel {
            kernel,
            width,
            scaling,
        };
        let laplace = KernelSpec::Laplace { bandwidth };
        let gaussian = KernelSpec::Gaussian { bandwidth };
        let narrow = std::f64::consts::FRAC_1_SQRT_2;
        vec![
            kernel(laplace.clone(), 1.0, Rescale::Ranks),
            kernel(laplace, 4.0, Rescale::Balanced),
            kernel(gaussian.clone(), 2.0, Rescale::Ranks),
            kernel(gaussian, narrow, Rescale::AsGiven),
            kernel(KernelSpec::Linear {}, 1.0, Rescale::Balanced),
            kernel(KernelSpec::Cosine {}, 1.0, Rescale::AsGiven),
            Self::Neighbours {
                metric: Metric::Manhattan,
                scaling: Rescale::Balanced,
            },
            Self::Neighbours {
                metric: Metric::Euclidean,
                scaling: Rescale::UnitRows,
            },
        ]
    }

    /// The usual members for sparse rows: kernels of directions, as of counts of words, kernels of
    /// columns brought to one size, and neighbours by direction.
    pub(crate) fn usual_of_sparse() -> Vec<Self> {
        let kernel = |kernel, width, scaling| Self::Kernel {
            kernel,
            width,
            scaling,
        };
        let gaussian = || KernelSpec::Gaussian {
            bandwidth: Bandwidth::Auto,
        };
        let narrow = std::f64::consts::FRAC_1_SQRT_2;
        vec![
            kernel(KernelSpec::Cosine {}, 1.0, Rescale::AsGiven),
            kernel(KernelSpec::ArcCosine {}, 1.0, Rescale::AsGiven),
            kernel(gaussian(), narrow, Rescale::UnitRows),
            kernel(KernelSpec::Linear {}, 1.0, Rescale::Balanced),
            kernel(gaussian(), narrow, Rescale::Balanced),
            Self::Neighbours {
                metric: Metric::Euclidean,
                scaling: Rescale::UnitRows,
            },
        ]
    }

    /// The usual members for nodes, each with its weight before labels say anything.
    ///
    /// They were chosen on graphs of the deciding half of the bank in `experiments/graph-features`.
    /// All relations together have the weight that the graph of all edges has for the same kinds
    /// of rows, and so have all kept directions.
    pub(crate) fn usual_of_nodes(nodes: &NodeSamples) -> Vec<(f64, Self)> {
        let features = nodes.features.is_some();
        let of = |rows, kernel| Self::Nodes {
            rows,
            kernel,
            width: 1.0,
            relation: None,
        };
        let arc = |rows| of(rows, KernelSpec::ArcCosine {});
        let near = || arc(NodeRowsSpec::Surroundings { eta: 0.9 });
        let edges = || Self::Edges {
            eta: 0.99,
            relation: None,
        };
        let smoothed = || Self::Sum {
            members: [0.8, 0.85, 0.9, 0.95]
                .map(|eta| arc(NodeRowsSpec::SmoothedFeatures { eta }))
                .to_vec(),
        };
        let mut members = vec![
            (0.5, arc(NodeRowsSpec::Spectrum { rank: 16 })),
            (0.5, arc(NodeRowsSpec::Spectrum { rank: 64 })),
            (1.0, near()),
            (1.0, edges()),
            (
                0.5,
                of(NodeRowsSpec::NodesTwoStepsAway {}, KernelSpec::Cosine {}),
            ),
            (0.5, arc(NodeRowsSpec::Roles {})),
        ];
        let apart = nodes.relations.iter().filter(|r| r.edges.is_some()).count();
        let ends = |r: &Relation<_>| [r.outgoing.is_some(), r.incoming.is_some()];
        let kept: usize = (nodes.relations.iter())
            .map(|r| ends(r).into_iter().filter(|kept| *kept).count())
            .sum();
        for relation in nodes.relations.iter() {
            let own = |member: Self| member.of_relation(&relation.name);
            if relation.edges.is_some() {
                let share = 1.0 / apart as f64;
                members.extend([(share, own(near())), (share, own(edges()))]);
            }
            for (outgoing, kept_here) in [true, false].into_iter().zip(ends(relation)) {
                if kept_here {
                    let rows = NodeRowsSpec::LinkedNodes { outgoing };
                    let share = 1.0 / kept as f64;
                    members.push((share, own(of(rows, KernelSpec::Cosine {}))));
                }
            }
        }
        if features {
            members.iter_mut().for_each(|(prior, _)| *prior *= 0.5);
            let scaling = Rescale::AsGiven;
            members.extend([
                (2.0, arc(NodeRowsSpec::Features { scaling })),
                (2.0, smoothed()),
                (1.0, arc(NodeRowsSpec::FeaturesTwoStepsAway {})),
            ]);
            for relation in nodes.relations.iter() {
                let own = |member: Self| member.of_relation(&relation.name);
                if relation.edges.is_some() {
                    members.push((2.0 / apart as f64, own(smoothed())));
                }
                for (outgoing, kept_here) in [true, false].into_iter().zip(ends(relation)) {
                    if kept_here {
                        let rows = NodeRowsSpec::LinkedFeatures { outgoing };
                        members.push((2.0 / kept as f64, own(arc(rows))));
                    }
                }
            }
        }
        members
    }

    /// The same along the edges of one relation.
    fn of_relation(mut self, name: &str) -> Self {
        match &mut self {
            Self::Nodes { relation, .. } | Self::Edges { relation, .. } => {
                *relation = Some(name.to_owned());
            }
            Self::Sum { members } => {
                *members = (members.drain(..))
                    .map(|member| member.of_relation(name))
                    .collect();
            }
            Self::Kernel { .. } | Self::Neighbours { .. } => {}
        }
        self
    }

    /// How rows are rescaled for it.
    pub fn scaling(&self) -> Rescale {
        match self {
            Self::Kernel { scaling, .. } | Self::Neighbours { scaling, .. } => *scaling,
            Self::Nodes { .. } | Self::Edges { .. } | Self::Sum { .. } => Rescale::AsGiven,
        }
    }

    /// The kernels it is a sum of: itself, unless it is a sum.
    pub(crate) fn terms(&self) -> &[Self] {
        match self {
            Self::Sum { members } => members,
            one => std::slice::from_ref(one),
        }
    }

    /// Whether it is a kernel of the angle between rows.
    fn is_of_angles(&self) -> bool {
        let of_angles = |kernel: &KernelSpec| {
            matches!(kernel, KernelSpec::Cosine {} | KernelSpec::ArcCosine {})
        };
        matches!(self, Self::Kernel { kernel, .. } if of_angles(kernel))
    }

    /// Whether only the directions of rows count.
    pub(super) fn compares_directions(&self) -> bool {
        self.is_of_angles() || self.scaling() == Rescale::UnitRows
    }

    /// The same with columns left as they are where they would be scaled.
    #[must_use]
    pub fn unscaled(mut self) -> Self {
        match &mut self {
            Self::Kernel { scaling, .. } | Self::Neighbours { scaling, .. }
                if matches!(scaling, Rescale::Balanced | Rescale::Ranks) =>
            {
                *scaling = Rescale::AsGiven;
            }
            Self::Sum { members } => {
                *members = members.drain(..).map(Self::unscaled).collect();
            }
            _ => {}
        }
        self
    }

    /// What it is called: "laplace kernel", "neighbours by direction".
    pub fn name(&self) -> String {
        let what = match self {
            Self::Kernel { kernel, .. } => format!("{} kernel", kernel.name()),
            Self::Neighbours { .. } => "neighbours".to_owned(),
            Self::Nodes { rows, relation, .. } => return along(rows.name(), relation),
            Self::Edges { relation, .. } => return along("edges".to_owned(), relation),
            Self::Sum { members } => {
                let mut names: Vec<String> = members.iter().map(Self::name).collect();
                names.dedup();
                return names.join(" + ");
            }
        };
        match self.scaling() {
            Rescale::Balanced => what,
            Rescale::Ranks => format!("{what} of ranks"),
            Rescale::UnitRows => format!("{what} by direction"),
            Rescale::AsGiven if self.is_of_angles() => what,
            Rescale::AsGiven => format!("{what} of unscaled rows"),
        }
    }

    fn check(&self) -> Result<()> {
        match self {
            Self::Kernel { kernel, width, .. } => check_kernel(kernel, *width),
            Self::Neighbours { .. } => Ok(()),
            Self::Edges { eta, .. } if (0.0..1.0).contains(eta) => Ok(()),
            Self::Edges { eta, .. } => Err(Error::parameter("eta", "at least 0 and below 1", eta)),
            Self::Nodes {
                rows,
                kernel,
                width,
                ..
            } => {
                rows.check()?;
                check_kernel(kernel, *width)
            }
            Self::Sum { members } => {
                let is_kernel = |m: &Self| matches!(m, Self::Kernel { .. } | Self::Nodes { .. });
                if members.is_empty() || !members.iter().all(is_kernel) {
                    return Err(Error::parameter(
                        "sum",
                        "of at least one kernel, and of kernels only",
                        self.name(),
                    ));
                }
                members.iter().try_for_each(Self::check)
            }
        }
    }
}

/// "edges (cites)".
fn along(name: String, relation: &Option<String>) -> String {
    match relation {
        Some(relation) => format!("{name} ({relation})"),
        None => name,
    }
}

fn check_kernel(kernel: &KernelSpec, width: f64) -> Result<()> {
    if !(width > 0.0 && width.is_finite()) {
        return Err(Error::parameter("width", "a positive number", width));
    }
    let built = kernel.clone().resolved(1.0).build()?;
    if !built.positive() {
        return Err(Error::parameter(
            "kernel",
            "one that is positive semidefinite",
            format!("{kernel:?}"),
        ));
    }
    Ok(())
}

/// A blend with checked parameters.
#[derive(Debug, Clone)]
pub(crate) struct Blend {
    pub(super) params: BlendParams,
    /// Whether columns are left as they are given.
    unscaled: bool,
    pub(super) neighbours: Option<usize>,
    pub(super) seed: u64,
}

impl Blend {
    /// Checks the parameters; `seed` draws the pairs of automatic bandwidths.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is out of range or there is no member.
    pub(crate) fn new(params: BlendParams, seed: u64) -> Result<Self> {
        check_stopping(params.tolerance, params.iterations)?;
        if !(params.eta >= 0.0 && params.eta < 1.0) {
            return Err(Error::parameter(
                "eta",
                "at least 0 and below 1",
                params.eta,
            ));
        }
        if !(params.pull > 0.0 && params.pull.is_finite()) {
            return Err(Error::parameter("pull", "a positive number", params.pull));
        }
        if let Some(members) = &params.members {
            if members.is_empty() {
                return Err(Error::parameter("members", "at least one", 0));
            }
            members.iter().try_for_each(MemberSpec::check)?;
        }
        Ok(Self {
            params,
            unscaled: false,
            neighbours: None,
            seed,
        })
    }

    /// Whether the members are the usual ones.
    pub(super) fn is_usual(&self) -> bool {
        self.params.members.is_none()
    }

    /// The members for a table, each once.
    pub(super) fn members(&self, sparse: bool) -> Vec<MemberSpec> {
        let members = match &self.params.members {
            Some(members) => members.clone(),
            None if sparse => MemberSpec::usual_of_sparse(),
            None => MemberSpec::usual(),
        };
        if !self.unscaled {
            return members;
        }
        let mut kept: Vec<MemberSpec> = Vec::new();
        for member in members.into_iter().map(MemberSpec::unscaled) {
            if !kept.contains(&member) {
                kept.push(member);
            }
        }
        kept
    }

    /// With so many neighbours in the graphs; `None` is the usual number.
    #[must_use]
    pub(crate) fn neighbours(mut self, count: Option<usize>) -> Self {
        self.neighbours = count;
        self
    }

    /// With columns as they are given, each member once.
    #[must_use]
    pub(crate) fn unscaled(mut self) -> Self {
        self.unscaled = true;
        self
    }
}
