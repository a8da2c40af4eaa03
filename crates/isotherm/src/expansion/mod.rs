//! `f(x) = Σⱼ K(x, zⱼ) cⱼ`: the predictor that both papers end in.

#[allow(clippy::module_inception)]
mod expansion;
mod fitted;

pub use expansion::{Expansion, Readout};
pub use fitted::{Fitted, Scores};
