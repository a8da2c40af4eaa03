//! `next`.

use std::path::PathBuf;

use clap::Args;
use isotherm::query::Acquisition;

use super::choice::one_of;
use super::{Data, How, TableOutput};

#[derive(Debug, Args)]
pub(crate) struct Next {
    #[command(flatten)]
    pub(crate) data: Data,
    /// How many rows [default: 10 at most]
    #[arg(short = 'n', long, value_name = "N", help_heading = clap::builder::Resettable::Reset)]
    pub(crate) count: Option<usize>,
    /// How they are chosen
    #[arg(long, value_parser = one_of(Acquisition::ALL.map(|s| (s.name(), s))), value_name = "HOW", default_value = Acquisition::default().name(), help_heading = clap::builder::Resettable::Reset)]
    pub(crate) strategy: Acquisition,
    /// One row in so many is drawn at random, to judge the model on; 0 for none
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(crate) audit_every: usize,
    /// Classes that may occur besides those among the labels
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) classes: Vec<String>,
    /// Features of the method that are looked at
    #[arg(long, value_name = "M", default_value_t = 64)]
    pub(crate) modes: usize,
    /// Rows to label: .csv, .tsv, .jsonl, .parquet [default: told]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writing: TableOutput,
    #[command(flatten)]
    pub(crate) how: How,
}
