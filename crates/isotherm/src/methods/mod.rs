//! Typed estimators for Rust programs: parameters by name, fit, predict.
//!
//! ```
//! use isotherm::methods::{Dataset, Stkr};
//! use isotherm::prelude::*;
//!
//! // Two groups on a line, two labels each.
//! let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
//! let mut y = vec![None; 20];
//! (y[0], y[7], y[12], y[19]) = (Some("a"), Some("a"), Some("b"), Some("b"));
//! let dataset = Dataset::table(Points::new(x.collect(), 20, 1)?, Targets::from_names(&y));
//!
//! let mut fitted = Stkr::params().eta(0.99).neighbours(4).fit(&dataset)?;
//! let new = Points::new(vec![0.25, 6.25], 2, 1)?;
//! let answer = fitted.predict(&new)?;
//! assert_eq!(answer.names(), [Some("a"), Some("b")]);
//! assert!(answer.probabilities.is_some());
//! assert_eq!(fitted.leave_one_out()?.index, [0, 7, 12, 19]);
//! # Ok::<(), isotherm::Error>(())
//! ```
//!
//! Everything here is a [`Recipe`](crate::recipe::Recipe) and a [`Study`](crate::study::Study)
//! underneath, so results are those of the command line and of Python.

mod dataset;
mod fitted;
mod params;

pub use dataset::Dataset;
pub use fitted::FittedMethod;
pub use params::{Harmonic, KernelRidge, LabelPropagation, Laplacian, Params, Stkr};
