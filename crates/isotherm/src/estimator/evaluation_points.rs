//! Where a fit is evaluated: at visible samples, or at new ones.

/// Samples to judge a fit at.
#[derive(Debug)]
pub enum EvaluationPoints<'a, Q: ?Sized> {
    /// Visible samples, by their numbers.
    Visible(&'a [usize]),
    /// New samples.
    New(&'a Q),
}

impl<Q: ?Sized> Clone for EvaluationPoints<'_, Q> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q: ?Sized> Copy for EvaluationPoints<'_, Q> {}
