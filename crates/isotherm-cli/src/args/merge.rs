//! `merge`.

use std::path::PathBuf;

use clap::Args;
use isotherm_io::merge::Unmatched;

use super::choice::one_of;
use super::{Reading, TableOutput};

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The table
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Tables with labels for some of its rows, as `isotherm next -o` writes them
    #[arg(value_name = "FILLED", required = true)]
    pub(crate) filled: Vec<PathBuf>,
    /// The column that holds the labels, in all of them
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: String,
    /// Cells of the label column that mean "no label", such as -1
    #[arg(
        long,
        value_name = "TEXTS",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub(crate) unlabelled: Vec<String>,
    /// The column that names rows in all of them [default: iso_row numbers them]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Columns that come along where FILLED has them
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        default_value = "iso_audit,iso_pool"
    )]
    pub(crate) along: Vec<String>,
    /// What to do with rows that DATA does not have
    #[arg(long, value_parser = one_of([("refuse", Unmatched::Refuse), ("ignore", Unmatched::Ignore)]), value_name = "WHAT", default_value = "refuse")]
    pub(crate) unmatched: Unmatched,
    /// New labels take the place of other ones that are there
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Output: .csv, .tsv, .jsonl (also .gz, .zst), .parquet, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: TableOutput,
}
