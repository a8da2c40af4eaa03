//! The methods: `Params` (said) → `Estimator` (checked) → `Prepared` (label-free) → `Fitted`.

pub mod baseline;
pub mod blend;
mod centring;
mod check;
mod evaluation_points;
pub mod laplacian;
pub(crate) mod ridge_choice;
mod ridge_path;
pub mod smoother;
pub mod spectral;
pub mod stkr;
pub mod subsets;
pub mod trivial_mode;

pub use centring::Centring;
pub use evaluation_points::EvaluationPoints;
pub use smoother::{Linear, Smoother};
pub use spectral::{Prior, Spectral};
pub use subsets::Subsets;
pub use trivial_mode::TrivialMode;

use crate::base::Base;
use crate::error::Result;
use crate::expansion::Fitted;
use crate::monitor::Monitor;
use crate::task::Observed;

/// A method whose parameters have been checked.
pub trait Estimator<Input> {
    /// Everything known before a label is seen.
    type Prepared: Prepared;

    /// Everything that does not need labels. There is no labels argument, so
    /// none can leak.
    ///
    /// # Errors
    /// When the input cannot be used with these parameters.
    fn prepare(&self, input: Input, monitor: &mut dyn Monitor) -> Result<Self::Prepared>;

    /// Prepares and solves.
    ///
    /// # Errors
    /// As [`Estimator::prepare`] and [`Prepared::solve`].
    fn fit(
        &self,
        input: Input,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Fitted<<Self::Prepared as Prepared>::Base>> {
        self.prepare(input, monitor)?.solve(seen, monitor)
    }
}

/// Reused by grids, partial labels and active learning: one geometry, many label sets.
pub trait Prepared {
    /// The base of the fitted expansion.
    type Base: Base;

    /// Solves for one set of labels.
    ///
    /// # Errors
    /// When the labels do not fit the samples, or the system cannot be solved.
    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<Self::Base>>;
}
