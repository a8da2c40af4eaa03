//! A finite basis of functions as a base: `f(x) = Σ φⱼ(x) cⱼ`.

use std::sync::Arc;

use super::{Base, Reach};
use crate::data::Points;
use crate::error::Result;
use crate::feature::{Features, Fourier, Landmarks, WithDerivatives};
use crate::linalg::{Mat, MatRef};
use crate::monitor::{Monitor, Quiet};
use crate::operator::dense::DenseGram;
use crate::operator::{Operator, SpectrumBounds, Symmetric};

/// Which functions.
#[derive(Debug, Clone)]
pub enum Basis {
    /// `k_z`.
    Landmarks(Arc<Landmarks>),
    /// `k_z` and `∂ₐk_z`.
    Derivatives(Arc<WithDerivatives>),
    /// Random waves.
    Fourier(Arc<Fourier>),
}

impl Basis {
    /// The functions.
    pub fn features(&self) -> Arc<dyn Features> {
        match self {
            Self::Landmarks(features) => features.clone(),
            Self::Derivatives(features) => features.clone(),
            Self::Fourier(features) => features.clone(),
        }
    }
}

/// p functions with inner products; anchors are functions, not samples.
#[derive(Debug, Clone)]
pub struct FeatureBase {
    basis: Basis,
    features: Arc<dyn Features>,
}

impl FeatureBase {
    /// The base of these functions.
    pub fn new(basis: Basis) -> Self {
        Self {
            features: basis.features(),
            basis,
        }
    }

    /// Which functions.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The functions.
    pub fn features(&self) -> &dyn Features {
        &*self.features
    }

    /// One number a function whose sum says how near a row is to any of them: 1 for
    /// a `k_z`, 0 for a derivative.
    pub fn mass(&self) -> Vec<f64> {
        let plain = match &self.basis {
            Basis::Derivatives(features) => features.points().0.map_or(0, |p| p.len()),
            Basis::Landmarks(_) | Basis::Fourier(_) => self.features.len(),
        };
        (0..self.features.len())
            .map(|j| f64::from(u8::from(j < plain)))
            .collect()
    }
}

impl Base for FeatureBase {
    type Query = Points;

    fn len(&self) -> usize {
        self.features.len()
    }

    /// The Gram matrix of the functions over their number.
    fn gram(&self) -> Box<dyn Symmetric + '_> {
        Box::new(Functions(self))
    }

    fn expand(
        &self,
        queries: &Points,
        coefficients: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        self.features.expand(queries, coefficients, monitor)
    }

    fn reach(&self) -> Reach {
        Reach::Everywhere
    }
}

struct Functions<'a>(&'a FeatureBase);

impl Operator for Functions<'_> {
    fn dim(&self) -> usize {
        self.0.len()
    }

    fn apply(
        &self,
        block: MatRef<'_, f64>,
        out: crate::linalg::MatMut<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let gram = self.0.features.gram(&mut Quiet)?;
        DenseGram::new(gram, 1.0 / self.dim() as f64)?.apply(block, out, monitor)
    }
}

impl Symmetric for Functions<'_> {
    fn spectrum(&self) -> SpectrumBounds {
        SpectrumBounds {
            low: 0.0,
            high: f64::INFINITY,
        }
    }
}
