//! Partial labels: what is known of a label is a set it lies in.  [KLAP App. A.2]
//!
//! A sample may come with candidate classes, with an order of some of the items it
//! ranks, with an interval, or with some of its flags. The infimum loss
//! `inf_{y ∈ s} ‖g(x) − φ(y)‖²` with any penalised least squares estimator is then
//! minimised over g *and* over labels in their sets. At given labels Y the minimum
//! over g is `J(Y) = tr(YᵀMY)/n` with the estimator's penalty matrix M = I − H, H its
//! hat matrix; what is left is [`disambiguate`]: minimise J over the sets.
//!
//! | file | what is known | of labels of |
//! |---|---|---|
//! | `candidates.rs` | a set of classes | [`crate::task::OneHot`], `task::Ordinal` |
//! | `orders.rs` | an order of some items | [`crate::task::Ranking`] |
//! | `intervals.rs` | an interval, or one side of it | [`crate::task::Real`] |
//! | `missing.rs` | some of the flags | [`crate::task::MultiLabel`] |
//!
//! A set of all labels says nothing: its infimum loss is 0 whatever g. Such samples
//! are unlabelled ones and are dropped by [`Observations::gather`], so semi-supervised
//! learning is a special case, not an approximate one.

pub mod candidates;
pub mod infimum;
pub mod intervals;
pub mod missing;
pub mod observations;
pub mod orders;
mod state;
mod subspace;

pub use candidates::Candidates;
pub use infimum::{Disambiguated, Options, Scheme, disambiguate};
pub use intervals::LabelInterval;
pub use missing::Flags;
pub use observations::Observations;
pub use orders::PartialOrder;

use crate::error::Reason;
use crate::task::{Checked, Codec};

/// What the monitor is told.
const PHASE: &str = "choosing labels in their sets";

/// A codec whose labels can be known in part.
pub trait PartialCodec: Codec {
    /// What is known of one label: a set of labels.
    type Observation;

    /// Whether a set can be used: not empty, of labels that exist.
    ///
    /// # Errors
    /// Why not, and the way out: the end of "sample 7: …".
    fn check_observation(&self, known: &Self::Observation) -> Checked;

    /// Whether it excludes any label.
    fn informative(&self, known: &Self::Observation) -> bool;

    /// What two statements about one sample say together: the sets' intersection.
    ///
    /// # Errors
    /// That they contradict each other, and the way out.
    fn join(
        &self,
        one: &Self::Observation,
        other: &Self::Observation,
    ) -> Result<Self::Observation, Reason>;

    /// Writes the average of φ over the set.
    fn start(&self, known: &Self::Observation, out: &mut [f64]);

    /// Writes φ of the label in the set whose φ is nearest the scores; ties go to the
    /// first.
    fn nearest(&self, scores: &[f64], known: &Self::Observation, out: &mut [f64]);

    /// Bounds between which one place of φ may take any value whatever the others
    /// are; `None` where it may not.
    fn free(&self, known: &Self::Observation, place: usize) -> Option<(f64, f64)> {
        let _ = (known, place);
        None
    }
}
