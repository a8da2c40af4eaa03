//! A table under a kernel.

use std::sync::{Arc, OnceLock};

use super::{Base, Reach};
use crate::data::Points;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::linalg::{Mat, MatMut, MatRef};
use crate::monitor::Monitor;
use crate::operator::dense::DenseGram;
use crate::operator::gram::Gram;
use crate::operator::tiled::{self, TiledGram};
use crate::operator::{Operator, SpectrumBounds, Symmetric};

/// Up to so many rows [`Storage::Auto`] stores the Gram matrix: 512 MiB.
pub(crate) const STORED_UP_TO: usize = 8192;

/// Whether the Gram matrix is kept or recomputed at every product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// Stored up to `STORED_UP_TO` rows, tiled beyond.
    #[default]
    Auto,
    /// N² numbers of memory, computed at the first product.
    Stored,
    /// No matrix in memory; every product costs O(N²d).
    Tiled,
}

/// The base kernel over a table: `K(xᵢ, xⱼ)` from the rows.
#[derive(Debug)]
pub struct KernelBase {
    gram: Gram,
    spectrum: SpectrumBounds,
    stored: bool,
    dense: OnceLock<DenseGram>,
}

impl KernelBase {
    /// A table under a kernel.
    ///
    /// Cost: O(Nd); no kernel value is computed before it is needed, so a model
    /// that only predicts never pays for its Gram matrix.
    pub fn new(points: impl Into<Arc<Points>>, kernel: Box<dyn Kernel>, storage: Storage) -> Self {
        let gram = Gram::new(points.into(), kernel);
        let stored = match storage {
            Storage::Auto => gram.len() <= STORED_UP_TO,
            Storage::Stored => true,
            Storage::Tiled => false,
        };
        Self {
            spectrum: tiled::spectrum(&gram),
            gram,
            stored,
            dense: OnceLock::new(),
        }
    }

    /// The anchors.
    pub fn points(&self) -> &Arc<Points> {
        self.gram.points()
    }

    /// The kernel.
    pub fn kernel(&self) -> &dyn Kernel {
        self.gram.kernel()
    }

    /// `K(queries, anchors)`, stored.
    ///
    /// # Errors
    /// [`crate::Error::Shape`] when the queries have other features;
    /// [`crate::Error::Memory`]; [`crate::Error::Cancelled`].
    pub fn cross(&self, queries: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        self.gram.matrix(queries, monitor)
    }

    /// The stored Gram operator, computed once.
    ///
    /// Two threads that come first together compute it twice, to the same bits.
    fn dense(&self, monitor: &mut dyn Monitor) -> Result<&DenseGram> {
        if let Some(dense) = self.dense.get() {
            return Ok(dense);
        }
        let matrix = self.gram.matrix(self.points(), monitor)?;
        let scale = 1.0 / self.gram.len() as f64;
        let dense = DenseGram::known(matrix, scale, self.spectrum);
        Ok(self.dense.get_or_init(|| dense))
    }
}

impl Base for KernelBase {
    type Query = Points;

    fn len(&self) -> usize {
        self.gram.len()
    }

    fn gram(&self) -> Box<dyn Symmetric + '_> {
        if self.stored {
            Box::new(Stored(self))
        } else {
            Box::new(TiledGram::new(&self.gram))
        }
    }

    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        self.gram.expand(queries, coefficients, monitor)
    }

    fn reach(&self) -> Reach {
        if self.kernel().geometry().is_distance() {
            Reach::Fading
        } else {
            Reach::Everywhere
        }
    }
}

/// `G_K / N`, filled at the first product.
struct Stored<'a>(&'a KernelBase);

impl Operator for Stored<'_> {
    fn dim(&self) -> usize {
        self.0.gram.len()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        self.0.dense(monitor)?.apply(block, out, monitor)
    }
}

impl Symmetric for Stored<'_> {
    fn spectrum(&self) -> SpectrumBounds {
        self.0.spectrum
    }
}
