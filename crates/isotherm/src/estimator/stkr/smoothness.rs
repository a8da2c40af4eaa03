//! How smooth a fitted function is: `r_{Kᵖ}(f) = ‖f − E f‖²/‖f‖²_{Kᵖ}`.  [STKR §2.1]
//!
//! For `f = Σⱼ K(·, xⱼ) cⱼ` on N samples, `‖f‖²_{Kᵖ} = N cᵀS²⁻ᵖc` and
//! `‖f‖² = (1/N) Σ f(xᵢ)²`.

use crate::base::Base;
use crate::error::{Error, Result};
use crate::expansion::Expansion;
use crate::linalg::Block;
use crate::monitor::Monitor;
use crate::operator::Operator;

/// The smoothness of one column of a fitted function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothness {
    /// `‖f‖` in mean square over the visible samples.
    pub size: f64,
    /// `‖f‖_{Kᵖ}`, the Lipschitz constant of f under the metric of `Kᵖ`.
    pub norm: f64,
    /// `r_{Kᵖ}(f)`: larger is smoother, at most λ₁ᵖ. Zero for a constant.
    pub ratio: f64,
}

/// The smoothness of every column at scale p = 1 or 2.
///
/// At p ≥ 3 the norm divides by powers of eigenvalues that are rounding, so it
/// is refused rather than invented.
///
/// # Errors
/// [`Error::Parameter`] for another p; [`Error::Indefinite`] when p = 1 and the
/// base kernel gives a negative square, as a graph may.
pub fn smoothness<B: Base>(
    expansion: &Expansion<B>,
    power: usize,
    monitor: &mut dyn Monitor,
) -> Result<Vec<Smoothness>> {
    if !(1..=2).contains(&power) {
        return Err(Error::parameter("power", "1 or 2", power));
    }
    let base = expansion.base();
    let width = expansion.columns().ncols() - 1;
    let c = Block::copy_of(expansion.columns().subcols(0, width))?;
    let mut image = Block::zeros(c.rows(), width)?;
    base.gram().apply(c.as_mat(), image.as_mat_mut(), monitor)?; // S c = f/N
    let n = c.rows() as f64;
    let squares = match power {
        1 => c.dots(&image),
        _ => c.dots(&c),
    };
    let sizes = image.dots(&image);
    (0..width)
        .map(|j| {
            let norm = n * squares[j];
            let size = n * sizes[j]; // (1/N) Σ (N (Sc)ᵢ)²
            let mean: f64 = (0..c.rows()).map(|i| image.row(i)[j]).sum();
            if norm < -f64::EPSILON * n * c.dots(&c)[j] {
                return Err(Error::Indefinite {
                    operator: "the base kernel",
                    curvature: norm,
                    hint: "a graph has no norm at p = 1: use lazy or self-loops, or p = 2"
                        .to_owned(),
                });
            }
            let varied = (size - mean * mean).max(0.0);
            Ok(Smoothness {
                size: size.sqrt(),
                norm: norm.max(0.0).sqrt(),
                ratio: if norm > 0.0 { varied / norm } else { 0.0 },
            })
        })
        .collect()
}
