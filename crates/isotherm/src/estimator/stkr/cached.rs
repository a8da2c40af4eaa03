//! The last label system of a prepared base, kept for the next question about its labels.

use super::kernel_pca::KernelPca;
use super::label_system::LabelSystem;
use crate::solve::SolveReport;

/// What a label system depends on besides what was prepared, and the labels' weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SystemKey {
    pub(super) index: Vec<usize>,
    /// Entries of the modes that are taken out, at the labels.
    pub(super) removed: Option<Vec<f64>>,
    pub(super) direct: bool,
}

/// A label system, and how it came about.
pub(super) struct Cached {
    pub(super) key: SystemKey,
    pub(super) system: LabelSystem,
    /// The modes of a truncation.
    pub(super) pca: Option<KernelPca>,
    /// How the columns of the kernel were solved for.
    pub(super) report: SolveReport,
}
