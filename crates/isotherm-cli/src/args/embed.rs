//! `embed`.

use std::path::PathBuf;

use clap::Args;
use isotherm::recipe::Scaling;

use super::choice::{named, names};
use super::{Landmarked, Reading, TableOutput};

#[derive(Debug, Args)]
pub(crate) struct Embed {
    /// Tables: .csv, .jsonl (.gz), .parquet, .arrow, .npz, 'p*.csv', or -
    #[arg(value_name = "DATA", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// Feature columns, by name or pattern [default: all numeric columns]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Columns that are not features, such as labels
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Coordinates to add
    #[arg(long, value_name = "D", default_value_t = 2)]
    pub(crate) dimensions: usize,
    /// Kernel [default: gaussian]
    #[arg(long, value_parser = names("kernel"))]
    pub(crate) kernel: Option<String>,
    /// Bandwidth of the kernel [default: the median distance]
    #[arg(long)]
    pub(crate) bandwidth: Option<f64>,
    /// How columns are scaled [default: standardise]
    #[arg(long, value_parser = named::<Scaling>("scaling"))]
    pub(crate) scaling: Option<Scaling>,
    #[command(flatten)]
    pub(crate) basis: Landmarked,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// .csv, .tsv, .jsonl (and .gz, .zst), .parquet; - is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: TableOutput,
}
