//! Which rows of a table carry the Nyström basis `k_z`.  [KLAP §3.2]
//!
//! p landmarks J span the functions a fit may use. What they miss of the others is
//! `tr(K − K_nJ K_JJ⁺ K_Jn)`, and four ways to choose them trade it against time:
//!
//! | way | cost | looks at |
//! |---|---|---|
//! | `uniform` | O(nd) | nothing but which rows are equal |
//! | `kmeans` | O(npd) | distances |
//! | `leverage` | O(np(p + d)) | the kernel, through a pilot of 2p rows |
//! | `pivoted` | O(np(p + d)), np numbers | the kernel, greedily |
//!
//! Rows of equal values span one function, so only the first of them is ever chosen.

pub(crate) mod kmeans;
pub(crate) mod leverage;
pub(crate) mod pivoted;
mod refusals;
pub(crate) mod uniform;

use serde::{Deserialize, Serialize};

use self::refusals::zero;
use crate::data::Points;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::monitor::Monitor;

/// How landmarks are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// At random, each row alike: `uniform`.
    #[default]
    Uniform,
    /// At random, by approximate ridge leverage scores: `leverage`.
    Leverage,
    /// Greedily, what the others explain least: `pivoted`. Needs no seed.
    Pivoted,
    /// At random, by the squared distance to those chosen: `kmeans`. Needs no kernel.
    KmeansPlusPlus,
}

/// Chooses `count` distinct rows: ascending, or in the order of the pivots.
///
/// Of rows with equal values only the first is chosen, so there are fewer than `count`
/// where the table has fewer distinct rows; [`Selection::Pivoted`] also stops where
/// what is left of the kernel is rounding. There is always at least one.
///
/// # Errors
/// [`Error::Parameter`] when `count` is 0 or above the number of rows; [`Error::Refused`]
/// when the kernel is 0 on every row, [`Error::Indefinite`] when it is not positive and
/// [`Error::NotFinite`] when it overflows, where the way looks at it; [`Error::Memory`];
/// [`Error::Cancelled`].
pub fn choose(
    points: &Points,
    kernel: &dyn Kernel,
    count: usize,
    selection: Selection,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<usize>> {
    let rows = points.len();
    if count == 0 || count > rows {
        return Err(Error::parameter(
            "the number of landmarks",
            format!("at least 1 and at most the number of rows, {rows}"),
            count,
        ));
    }
    let mut chosen = match selection {
        Selection::Uniform => uniform::draw(points, count, seed, monitor)?,
        Selection::Leverage => leverage::draw(points, kernel, count, seed, monitor)?,
        Selection::KmeansPlusPlus => kmeans::seed(points, count, seed, monitor)?,
        Selection::Pivoted => {
            let pivots = pivoted::pivots(points, kernel, count, monitor)?.index;
            return if pivots.is_empty() {
                Err(zero())
            } else {
                Ok(pivots)
            };
        }
    };
    chosen.sort_unstable();
    Ok(chosen)
}
