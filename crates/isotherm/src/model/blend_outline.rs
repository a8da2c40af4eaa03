//! The parts of a blend as a model file lists them, but for their arrays.

use super::parts::broken;
use crate::base::{Metric, NodeRowsSpec};
use crate::error::Result;
use crate::kernel::KernelSpec;

/// One part, but for its arrays.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outline {
    pub(super) name: String,
    pub(super) share: f64,
    pub(super) scaling: Scaling,
    pub(super) similarity: Comparison,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Scaling {
    Columns,
    /// Learned again from the rows of the file.
    Ranks,
    UnitRows,
    AsGiven,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Comparison {
    Kernel {
        kernel: KernelSpec,
    },
    Neighbours {
        count: usize,
        metric: Metric,
        eta: f64,
    },
    /// A kernel between rows that nodes become.
    Nodes {
        rows: NodeRowsSpec,
        kernel: KernelSpec,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relation: Option<usize>,
    },
    /// Averages along edges.
    Edges {
        eta: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relation: Option<usize>,
    },
    /// What reaches a node.
    Reach,
}

impl Outline {
    /// Refuses a share that cannot be.
    pub(super) fn check(&self) -> Result<()> {
        if (0.0..=1.0).contains(&self.share) {
            return Ok(());
        }
        Err(broken("blend", "has a share that is not between 0 and 1"))
    }
}
