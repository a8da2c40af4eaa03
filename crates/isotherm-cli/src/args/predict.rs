//! `predict`.

use std::path::PathBuf;

use clap::Args;

use super::data::edge_file;
use super::{EdgeFile, LabelOutput, Reading};

#[derive(Debug, Args)]
pub(crate) struct Predict {
    /// A model file written by `isotherm fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// New rows, with the columns the model was fitted on; or new nodes
    #[arg(value_name = "DATA", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// Edges between new nodes and known ones (models of a graph)
    #[arg(long, value_name = "EDGES", value_parser = edge_file)]
    pub(crate) graph: Vec<EdgeFile>,
    /// Features of the new nodes (node,feature[,value])
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    pub(crate) node_features: Option<PathBuf>,
    /// The column that names nodes [default: the first] (models of a graph)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Read and write in parts, for tables larger than memory
    #[arg(long, conflicts_with = "graph")]
    pub(crate) stream: bool,
    /// The sentence model that the model was fitted with
    #[arg(long, value_name = "DIR")]
    pub(crate) embed_with: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Columns that need not be read, where their type is not
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        help_heading = "Reading"
    )]
    pub(crate) exclude: Vec<String>,
    /// .csv, .tsv, .jsonl (and .gz, .zst), .parquet; - is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: LabelOutput,
}
