//! What the user brings, checked once.
//!
//! [`Points`] and [`Graph`] are self-describing: rows are samples, edges are
//! undirected. Past their constructors every number is finite and every index
//! in range, so no room above has to look again.

pub mod bandwidth;
pub mod columns;
mod cuthill_mckee;
pub mod distinct;
mod draw;
pub mod fingerprint;
pub mod graph;
pub mod label_leakage;
pub mod order;
pub mod points;
pub mod ranges;
pub mod scaling;
pub mod split;
pub mod stream;
pub mod survey;
pub mod synthetic;
pub mod table;
pub mod targets;

pub use cuthill_mckee::cuthill_mckee;
pub use distinct::Distinct;
pub(crate) use fingerprint::Fingerprint;
pub use graph::links::Links;
pub use graph::nodes::{NewNodes, Nodes};
pub use graph::{Graph, GraphBuilder};
pub use order::Order;
pub use points::Points;
pub(crate) use ranges::Ranges;
pub use scaling::Standardiser;
pub use scaling::rescaling::Rescale;
pub(crate) use scaling::rescaling::Rescaling;
pub use stream::RowStream;
pub use survey::Survey;
pub(crate) use survey::SurveyParts;
pub use table::Table;
pub use targets::Targets;
