//! The grids of the paper's experiments, and any other.  [STKR App. D.1]

use crate::error::{Error, Result};
use crate::spectrum::{Encoder, Transform};

/// Transforms × ridges.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The transforms.
    pub transforms: Vec<Transform>,
    /// The ridges β.
    pub ridges: Vec<f64>,
}

/// The paper's η: 0.7 … 0.999999.
pub const ETAS: [f64; 8] = [0.7, 0.8, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999];

/// The paper's powers.
pub const DEGREES: [usize; 5] = [1, 2, 4, 6, 8];

/// The paper's ranks.
pub const RANKS: [usize; 5] = [32, 64, 128, 256, 512];

/// The paper's ridges: 10³ … 10⁻⁸.
pub const RIDGES: [f64; 12] = [
    1e3, 1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8,
];

impl Grid {
    /// 8 inverse Laplacians × 12 ridges.
    pub fn inverse_laplacian() -> Self {
        let transforms = ETAS.iter().map(|&eta| Transform::InverseLaplacian { eta });
        Self::with_ridges(transforms.collect())
    }

    /// 5 powers × 12 ridges.
    pub fn powers() -> Self {
        let transforms = DEGREES.iter().map(|&degree| Transform::Power { degree });
        Self::with_ridges(transforms.collect())
    }

    /// 5 ranks × 12 ridges.
    pub fn ranks(encoder: Encoder) -> Self {
        let transforms = RANKS
            .iter()
            .map(|&rank| Transform::Truncation { rank, encoder });
        Self::with_ridges(transforms.collect())
    }

    /// Any transforms × the paper's 12 ridges.
    pub fn with_ridges(transforms: Vec<Transform>) -> Self {
        Self {
            transforms,
            ridges: RIDGES.to_vec(),
        }
    }

    /// Refuses a grid without cells or with a ridge that is none.
    pub(super) fn check(&self) -> Result<()> {
        if self.transforms.is_empty() || self.ridges.is_empty() {
            return Err(Error::parameter(
                "grid",
                "at least one transform and one ridge",
                format!(
                    "{} transforms, {} ridges",
                    self.transforms.len(),
                    self.ridges.len()
                ),
            ));
        }
        if let Some(ridge) = (self.ridges.iter()).find(|r| !(**r >= 0.0 && r.is_finite())) {
            return Err(Error::parameter("ridges", "all at least 0", ridge));
        }
        self.transforms.iter().try_for_each(Transform::check)
    }
}
