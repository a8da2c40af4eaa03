//! Where a transformed kernel is looked at: visible samples, or new ones.

/// Samples to judge a fit at.
#[derive(Debug)]
pub enum Watch<'a, Q: ?Sized> {
    /// Visible samples, by their numbers.
    Visible(&'a [usize]),
    /// New samples.
    New(&'a Q),
}

impl<Q: ?Sized> Clone for Watch<'_, Q> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q: ?Sized> Copy for Watch<'_, Q> {}
