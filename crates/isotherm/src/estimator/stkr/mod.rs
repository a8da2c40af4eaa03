//! Spectrally transformed kernel regression: ridge regression with
//! `Kₛ = Σ s(λᵢ) ψᵢ ψᵢ`, the base kernel with its spectrum transformed.  \[STKR\]
//!
//! Every route ends in the same object, coefficients c over all visible samples
//! with `f(x) = Σⱼ K(x, xⱼ) cⱼ`: `c = t(S) [α; 0]` with `t(λ) = s(λ)/λ`.
//!
//! | file | what |
//! |---|---|
//! | `params.rs` | what a user can say |
//! | `prepare.rs` | checked parameters, and the preparation on a base |
//! | `prepared.rs` | a base with everything that does not need labels |
//! | `transformed_gram.rs` | `S = G_K/N` without the modes taken out, and `t(S) b` |
//! | `label_block.rs` | `G_{Kₛ,n}`, one column a label |
//! | `label_system.rs` | `G_{Kₛ,n} + diag(nβ/w)`: ridge, weights, repair |
//! | `twin.rs` | the positive twin that stands in for a kernel that is not |
//! | `cached.rs`, `blocks.rs` | the system of a fit, kept; the blocks of a grid |
//! | `route.rs` | which solver |
//! | `fit.rs` | the routes, and what a fit leaves |
//! | `linear.rs` | the fit as a linear map of its labels: leave-one-out, influence |
//! | `factored.rs` | Cholesky of `I − ηS`, sparse or dense |
//! | `polynomial.rs` | Algorithms 1 and 3 |
//! | `reciprocal.rs` | Algorithm 2 and its symmetric form |
//! | `kernel_pca.rs` | kernel PCA, Eqns 8–9 |
//! | `spectral.rs` | the prior that choosing rows needs |
//! | `reports.rs` | how a solve went |
//! | `smoothness.rs` | `r_{Kᵖ}(f)`, `‖f‖` |

mod blocks;
mod cached;
mod factored;
mod fit;
mod kernel_pca;
pub mod label_block;
mod label_system;
mod linear;
mod params;
mod polynomial;
mod prepare;
mod prepared;
mod reciprocal;
mod reports;
mod route;
mod smoothness;
mod spectral;
mod transformed_gram;
mod twin;

pub use super::ridge_path::RidgePath;
pub use kernel_pca::KernelPca;
pub use label_block::LabelBlock;
pub use label_system::{LabelSystem, RidgeSystem, SystemOptions};
pub use params::{Repair, Ridge, Solver, StkrParams};
pub use prepare::Stkr;
pub use prepared::PreparedStkr;
pub use smoothness::{Smoothness, smoothness};
pub use twin::Twin;
