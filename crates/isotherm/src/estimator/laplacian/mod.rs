//! Laplacian regularisation with kernels and their derivatives.  \[KLAP\]
//!
//! `min E_ℓ‖g − y‖² + λ(E‖∇g‖² + μ‖g‖²)` (Eq 5) and every other filter of the pencil
//! `(Σ̂, L̂ + μ)` (Eq 7), over landmarks, landmarks with derivatives, random waves, or
//! exactly. What does not need labels is prepared once: basis, moments, coordinates.
//!
//! ```
//! use isotherm::data::Points;
//! use isotherm::estimator::laplacian::{Laplacian, LaplacianParams};
//! use isotherm::estimator::{Estimator, Prepared};
//! use isotherm::kernel::{Bandwidth, KernelSpec};
//! use isotherm::monitor::Quiet;
//! use isotherm::task::{Observed, OneHot};
//!
//! // Two rows of points, one label in each.
//! let row = |y: f64| (0..30).flat_map(move |i| [0.2 * i as f64, y]);
//! let points = Points::new(row(0.0).chain(row(3.0)).collect(), 60, 2)?;
//! let mut labels = vec![None; 60];
//! (labels[0], labels[59]) = (Some(0), Some(1));
//! let seen = Observed::encode(&OneHot::new(2), &labels)?;
//! let kernel = KernelSpec::Gaussian { bandwidth: Bandwidth::Fixed(0.5) };
//! let params = LaplacianParams { kernel, ..LaplacianParams::default() };
//! let fitted = Laplacian::new(params, 0)?.fit(points.clone(), &seen, &mut Quiet)?;
//! let scores = fitted.scores(&points, &mut Quiet)?.values;
//! assert!((0..60).all(|i| (scores[(i, 0)] > scores[(i, 1)]) == (i < 30)));
//! # Ok::<(), isotherm::Error>(())
//! ```

mod averages;
mod basis;
mod coordinates;
mod embedding;
pub mod exact;
mod filtered;
mod leave_one_out;
mod linear;
pub mod params;
mod path;
mod planned;
mod prepare;
mod prepared;
mod rows;
mod spectral;

pub use coordinates::Coordinates;
pub use embedding::Embedding;
pub use exact::DataKernel;
pub(crate) use params::FEWEST_LANDMARKS;
pub use params::{BasisSpec, Covariance, LaplacianParams, NormShare, Route};
pub use path::PathPoint;
pub(crate) use planned::{Planned, RowSample};
pub use prepare::Laplacian;
pub use prepared::PreparedLaplacian;
