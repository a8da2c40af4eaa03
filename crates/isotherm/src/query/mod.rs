//! Which row to label next, and what one more label changes.
//!
//! A method's [`Prior`](crate::estimator::Prior) makes it Bayesian ridge, `f = Fθ` with
//! posterior covariance `C = (I + FₗᵀFₗ/c)⁻¹`, and everything here follows from F and C:
//! a [`Ledger`] adds or takes back one label by a rank-one change of all scores, an
//! [`Acquisition`] scores all rows in one pass, [`suggest`] turns scores into rows with
//! reasons. No candidate is ever refitted.
//!
//! ```
//! use isotherm::base::GraphBase;
//! use isotherm::data::graph::{EdgeRules, GraphBuilder};
//! use isotherm::estimator::stkr::{Stkr, StkrParams};
//! use isotherm::estimator::{Estimator, Spectral};
//! use isotherm::monitor::Quiet;
//! use isotherm::query::{Ledger, Options, suggest};
//!
//! // Two triangles joined by an edge, no label yet.
//! let mut edges = GraphBuilder::new(EdgeRules::default());
//! for (u, v) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)] {
//!     edges.push(u, v, None)?;
//! }
//! let (graph, _) = edges.finish(&mut Quiet)?;
//! let prepared = Stkr::new(StkrParams::default())?.prepare(GraphBase::new(graph), &mut Quiet)?;
//! let prior = prepared.spectral(4, &mut Quiet)?;
//! let mut ledger = Ledger::classes(&prior, 2, prior.noise(2))?;
//! let first = &suggest(&ledger, &Options::default(), &mut Quiet)?[0];
//! ledger.add_class(first.row, 0)?;
//! let second = &suggest(&ledger, &Options::default(), &mut Quiet)?[0];
//! assert_ne!(first.row < 3, second.row < 3); // the other triangle
//! # Ok::<(), isotherm::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `design.rs` | F row by row, linear and quadratic forms of it |
//! | `pass.rs` | the one pass over all rows that a label costs |
//! | `ledger.rs` | labels, C, θ and all scores; `ledger/posterior.rs`, `ledger/reading.rs` |
//! | `acquisition.rs` | the strategies |
//! | `cover.rs` | farthest-first, and the cold start |
//! | `suggest.rs` | batches, audit rows, reasons |

mod acquisition;
mod cover;
mod design;
mod ledger;
mod pass;
mod suggest;

pub use acquisition::Acquisition;
pub use ledger::Ledger;
pub use suggest::{Options, Suggestion, suggest};
