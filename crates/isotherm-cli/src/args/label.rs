//! `label`, and how a table is written.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How, TableOutput};

/// How labels are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct LabelOutput {
    #[command(flatten)]
    pub(crate) table: TableOutput,
    /// Add a column of probability for each class
    #[arg(long)]
    pub(crate) probabilities: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Label {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) how: How,
    /// .csv, .tsv, .jsonl (and .gz, .zst), .parquet; - is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    #[arg(required_unless_present = "print_recipe")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writing: LabelOutput,
    /// Add what cannot be excluded at a level such as 0.9
    #[arg(long, value_name = "LEVEL", help_heading = "Output")]
    pub(crate) sets: Option<f64>,
}
