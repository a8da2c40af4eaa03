//! Which solver a fit takes where that is left open.

use super::factored::Factored;
use super::params::{Repair, Ridge, Solver, StkrParams};
use super::prepared::PreparedStkr;
use crate::base::Base;
use crate::task::Observed;

/// Labels up to which [`Solver::Auto`] takes the label block.
const FEW_LABELS: usize = 2048;

/// Numbers in the N×n columns of a label block up to which [`Solver::Auto`]
/// takes it for the inverse Laplacian, which has a cheaper way for many.
const BLOCK_NUMBERS: usize = 1 << 23;

impl<B: Base> PreparedStkr<B> {
    /// The solver for these labels, and why.
    pub(super) fn choose(&self, seen: &Observed) -> (Solver, String) {
        let (n, total) = (seen.index().len(), self.base.len());
        if self.params.solver != Solver::Auto {
            return (self.params.solver, "as asked".to_owned());
        }
        let numbers = n.saturating_mul(total);
        let cheap = self.form.eta().is_some_and(|eta| eta > 0.0)
            && matches!(self.params.ridge, Ridge::Fixed(ridge) if ridge > 0.0)
            && !matches!(
                self.params.repair,
                Repair::Refuse | Repair::Clip | Repair::Allow
            );
        if cheap && (n > FEW_LABELS || numbers > BLOCK_NUMBERS) {
            return (
                Solver::ConjugateGradients,
                format!("one column a class, because {n} labels on {total} samples are many"),
            );
        }
        // Whoever says when to stop iterating wants iterations.
        let usual = StkrParams::default();
        let stopping = (self.params.tolerance, self.params.iterations);
        if self.form.eta().is_some()
            && stopping == (usual.tolerance, usual.iterations)
            && !self.params.centre_kernel
            && self.base.sparse().is_some_and(Factored::fills_little)
        {
            let why = "a factor of the graph has few more entries than the graph";
            return (Solver::Direct, why.to_owned());
        }
        (
            Solver::LabelBlock,
            format!("one column per label, because {n} labels are few"),
        )
    }
}
