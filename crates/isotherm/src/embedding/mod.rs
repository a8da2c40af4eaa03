//! Coordinates of rows and nodes: the smoothest functions of the data. No label is looked at.

mod embed;
mod modes;
mod serial;

pub use embed::{Embedding, EmbeddingParams};
