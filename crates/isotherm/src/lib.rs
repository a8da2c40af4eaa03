//! isotherm learns from a handful of labels and all the unlabelled data around them.
//!
//! Two papers end in the same object, `f(x) = Σⱼ K(x, zⱼ) cⱼ`:
//!
//! - **STKR**, Zhai et al., *Spectrally Transformed Kernel Regression*: a base
//!   kernel or graph, a transform `s(λ)` of its spectrum, and kernel regression
//!   with the transformed kernel over all samples, labelled or not.
//! - **KLAP**, Cabannes et al., *Overcoming the curse of dimensionality with
//!   Laplacian regularization*: the operators `(Σ, L + μ)` in a landmark basis
//!   and a filter `ψ` of their pencil.
//!
//! Both have a stage that sees no labels and a stage that does, so every method
//! here is [`estimator::Estimator::prepare`] followed by
//! [`estimator::Prepared::solve`]: STKR ([`estimator::stkr`]), kernel Laplacians
//! ([`estimator::laplacian`]) and the papers' baselines (kernel ridge, label
//! propagation, harmonic functions).
//!
//! The door is [`study::Study`]: a serialisable [`recipe::Recipe`] on its data,
//! prepared once and asked several things. It fits a [`model::Model`], evaluates,
//! finds prediction sets, tunes, draws, and suggests which row to label next.
//! [`prelude`] has the names that most programs need.
//!
//! ```
//! use isotherm::data::graph::EdgeRules;
//! use isotherm::prelude::*;
//!
//! // A path of six nodes; its ends are labelled, node 6 has no edge.
//! let mut edges = GraphBuilder::new(EdgeRules::default()).with_nodes(7);
//! for i in 0..5 {
//!     edges.push(i, i + 1, None)?;
//! }
//! let (graph, _) = edges.finish(&mut Quiet)?;
//! let labels = Targets::from_names(&[Some("a"), None, None, None, None, Some("b"), None]);
//! let recipe = Recipe::automatic(Shape::Graph, Task::Classify, 0);
//! let mut study = Study::new(&recipe, Input::Graph(graph), &labels)?;
//! let model = study.fit(&mut Quiet)?;
//! let answer = study.training_answer(&model, &mut Quiet)?;
//! let names = answer.names();
//! assert_eq!(names[..6], [Some("a"), Some("a"), Some("a"), Some("b"), Some("b"), Some("b")]);
//! assert_eq!(names[6], None); // no label can reach it, and it is not called "a"
//! # Ok::<(), isotherm::Error>(())
//! ```
//!
//! Three promises hold in every room: a refusal says what, where, the value and
//! the way out ([`Error`]); every long loop reports to a [`monitor::Monitor`] and
//! can be stopped; the number of threads never changes a bit of a result.

pub mod base;
pub mod data;
pub mod distributed;
pub mod embedding;
pub mod error;
pub mod estimator;
pub mod expansion;
pub mod feature;
pub mod kernel;
pub mod labelling;
pub mod landmark;
pub mod linalg;
pub mod methods;
pub mod model;
pub mod monitor;
pub mod neighbours;
pub(crate) mod nodes;
pub mod operator;
pub mod partial;
pub mod picture;
pub mod prelude;
pub mod query;
pub mod recipe;
pub mod resources;
pub mod select;
pub mod solve;
pub mod spectrum;
pub mod study;
pub mod task;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod trust;
pub mod view;

pub use error::{Error, Refusal, Result};

#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod unit;

/// The README's example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

/// The guide's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/stkr.md")]
mod guide_stkr {}

/// The guide's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/laplacian.md")]
mod guide_laplacian {}

/// The guide's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/labels.md")]
mod guide_labels {}

/// The guide's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/trust.md")]
mod guide_trust {}

/// The guide's examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/query.md")]
mod guide_query {}
