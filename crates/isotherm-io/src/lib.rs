//! Files in and out for isotherm: tables, graphs, labels and models.
//!
//! ```no_run
//! use isotherm::monitor::Quiet;
//! use isotherm_io::{Features, ReadOptions, Source, read_table};
//!
//! # fn main() -> isotherm_io::Result<()> {
//! let table = read_table(&Source::from("data.csv"), &ReadOptions::default(), &mut Quiet)?;
//! let labels = table.labels("species")?;
//! let choice = Features::numeric().except("species");
//! let (names, points) = table.features(&choice)?;
//! # Ok(())
//! # }
//! ```
//!
//! Three rules hold for every reader here. Bytes are data: nothing is
//! unpickled, nothing refers to another file. Sizes come from the file's
//! length, never from what its header claims ([`Limits`]). A refusal names the
//! file, the place, the value and the way out ([`Error`]).
//!
//! Every writer goes through [`atomic`]: a file is there whole or not at all.

pub mod arrow;
pub mod atomic;
pub mod batches;
pub mod cells;
pub mod csv;
pub mod dialect;
pub mod edges;
pub mod embedded;
pub mod encoding;
pub mod error;
pub mod features;
pub mod footprint;
pub mod guard;
pub mod hashing;
pub mod json_lines;
mod json_scan;
pub mod label_cells;
pub mod labels;
pub mod limits;
pub mod lines;
pub mod lists;
pub mod merge;
pub mod model_file;
pub mod near;
pub mod npy;
pub mod npz;
pub mod one_hot;
pub mod packing;
pub mod parquet;
pub mod parts;
pub mod plan;
pub mod profile;
pub mod provenance;
pub mod sidecar;
pub mod source;
pub mod table;
pub mod unfinished;
pub mod write;

mod blocks;
mod calendar;
mod concat;
mod input;
mod numbers;
mod pieces;
mod progress;
mod records;
mod stamp;
mod survey;
mod text;
mod thrift;

pub use atomic::Overwrite;
pub use batches::{Batches, FileRows};
pub use cells::{Cells, Nullable, TextCells};
pub use dialect::{Decimal, Delimiter, Dialect, Header};
pub use edges::{
    Edge, EdgeList, EdgeOptions, NodeNames, ReadAs, collect_edges, read_edges, read_edges_told,
};
pub use encoding::Encoding;
pub use error::{Error, Place, Result, steers};
pub use features::Features;
pub use footprint::footprint;
pub use hashing::{FileHash, Hashing};
pub use labels::{NodeLabels, read_labels};
pub use limits::Limits;
pub use lines::Lines;
pub use lists::ListCells;
pub use merge::{Disagreement, Merge, Merged, Unmatched, merge_labels};
pub use model_file::{read_model, write_model, write_model_of};
pub use one_hot::{LeftOut, Unfit, Unseen};
pub use packing::{Layout, Packing};
pub use parts::{read_tables, sources};
pub use plan::Plan;
pub use provenance::{Provenance, quoted};
pub use source::{Format, NoRows, ReadOptions, Source, read_table};
pub use table::{Column, Origin, Table};
pub use write::{
    Destination, Formulas, WriteOptions, write_parts, write_parts_with, write_table,
    write_table_with,
};
