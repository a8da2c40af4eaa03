//! Texts as vectors, by a sentence-embedding model in a folder of this machine.
//!
//! A model is an ONNX file and a `tokenizer.json`, laid out as sentence-transformers does. The
//! vectors that it has made are kept beside the table they belong to. Nothing is ever downloaded.
//! Without the cargo feature `embed` models are not run, and [`SentenceModel::open`] says so.

mod cache;
#[allow(clippy::module_inception)]
mod model;
#[cfg(feature = "embed")]
mod network;
#[cfg(not(feature = "embed"))]
#[path = "no_network.rs"]
mod network;
mod settings;

pub use model::SentenceModel;
