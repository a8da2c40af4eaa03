//! Texts as points: the terms of a text, and the topics that texts are made of.

pub(crate) mod term_matrix;
pub(crate) mod terms;
pub mod topics;

pub use topics::Topics;
