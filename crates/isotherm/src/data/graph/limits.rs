//! How large a graph and its weights may be.

use crate::data::points::LARGEST;

/// The largest number of nodes; one number is kept back to mean "none".
pub(crate) const MOST_NODES: usize = u32::MAX as usize;

/// Weights at least this large are refused from a stream, as in
/// [`LARGEST`]: sums of them must stay finite.
pub(crate) const LARGEST_WEIGHT: f64 = LARGEST;
