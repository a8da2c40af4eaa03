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
//! unpickled, and nothing but a path to a picture refers to another file. Sizes come from the file's
//! length, never from what its header claims ([`Limits`]). A refusal names the
//! file, the place, the value and the way out ([`Error`]).
//!
//! Every writer goes through [`atomic`]: a file is there whole or not at all.

mod arrays;
mod columnar;
mod database;
pub mod error;
mod features;
mod graph;
pub mod labels;
pub mod limits;
pub mod model_file;
mod name_pattern;
mod pictures;
mod progress;
pub mod provenance;
mod read;
mod sentences;
mod source;
mod spelling;
pub mod table;
mod text;
mod write;

pub use arrays::{npy, npz};
pub use columnar::{arrow, parquet};
pub use error::{Error, Place, Result, steers};
pub use features::{ColumnUse, FeatureKind, FeaturePlan, Features};
pub use graph::edges;
pub use graph::edges::{
    Edge, EdgeList, EdgeOptions, ReadAs, collect_edges, read_edges, read_edges_as, read_edges_of,
};
pub use graph::{NodeNames, SparseFeatures, read_node_features};
pub use labels::merge::{Disagreement, Merge, Merged, Unmatched, merge_labels};
pub use labels::{NodeLabels, label_cells, merge, read_labels};
pub use limits::Limits;
pub use model_file::{read_model, write_model, write_model_of};
pub use pictures::thumbnail;
pub use provenance::hashing::{FileHash, Hashing};
pub use provenance::{Provenance, embedded, hashing, quoted, sidecar};
pub use read::batches::{Batches, FileRows};
pub use read::footprint::footprint;
pub use read::several::{read_tables, sources};
pub use read::{footprint, read_table};
pub use sentences::SentenceModel;
pub use source::{Format, NoRows, ReadOptions, Source};
pub use spelling::closest_name;
pub use table::cells::{Cells, Nullable, TextCells};
pub use table::lines::Lines;
pub use table::lists::ListCells;
pub use table::one_hot::{LeftOut, Unfit, Unseen};
pub use table::{Column, Origin, Table, one_hot, profile};
pub use text::dialect::{Decimal, Delimiter, Dialect, Header};
pub use text::encoding::Encoding;
pub use text::{csv, dialect, encoding, formulas, json_lines};
pub use write::atomic::Overwrite;
pub use write::compression::{Compression, Layout};
pub use write::{
    Destination, Formulas, WriteOptions, atomic, format_of, temporary_files, write_parts,
    write_parts_with, write_table, write_table_with,
};
