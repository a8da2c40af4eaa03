//! The Gram operator without a stored matrix: recomputed at every product.

use super::gram::Gram;
use super::{Operator, SpectrumBounds, Symmetric};
use crate::error::Result;
use crate::linalg::{MatMut, MatRef};
use crate::monitor::Monitor;

/// `G_K / N`, one tile at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TiledGram<'a> {
    gram: &'a Gram,
    spectrum: SpectrumBounds,
}

impl<'a> TiledGram<'a> {
    /// The Gram operator of the anchors with themselves.
    ///
    /// Cost: O(Nd), for the bound on the spectrum.
    pub(crate) fn new(gram: &'a Gram) -> Self {
        let spectrum = spectrum(gram);
        Self { gram, spectrum }
    }
}

impl Operator for TiledGram<'_> {
    fn dim(&self) -> usize {
        self.gram.len()
    }

    /// Cost: O(N²(d + k)) time; one tile of 256 KiB a thread.
    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let scale = 1.0 / self.dim() as f64;
        let queries = self.gram.points();
        self.gram.expand_into(queries, block, scale, out, monitor)
    }
}

impl Symmetric for TiledGram<'_> {
    fn spectrum(&self) -> SpectrumBounds {
        self.spectrum
    }
}

/// Where the eigenvalues of `G_K / N` are.
///
/// For a positive kernel they are not negative and sum to the mean of
/// `k(z, z)`, so `[0, mean]` holds them all (1 for the distance kernels), up to
/// the rounding of the entries, about 1e-16 of the mean. For
/// a kernel that does not promise it, nothing is known without looking at every
/// entry: the whole line.
pub(crate) fn spectrum(gram: &Gram) -> SpectrumBounds {
    if !gram.kernel().positive() {
        return SpectrumBounds {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
    }
    let trace: f64 = gram.diagonal().iter().sum();
    SpectrumBounds {
        low: 0.0,
        high: trace / gram.len() as f64,
    }
}
