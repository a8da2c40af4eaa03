//! What a fit leaves behind: one predictor for both papers.

pub mod parts;
