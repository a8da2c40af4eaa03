//! What a fit leaves behind: one predictor for both papers.

pub mod expansion;
pub mod fitted;
pub mod parts;

pub use expansion::{Expansion, Readout};
pub use fitted::{Fitted, Scores};
