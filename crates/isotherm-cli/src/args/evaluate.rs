//! `evaluate`.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Evaluate {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Marks labels drawn at random: only these count [default: iso_audit]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) audit: Option<String>,
    /// Tells how many rows were unlabelled when each label was chosen [default: iso_pool]
    #[arg(long, value_name = "COLUMN", requires = "audit")]
    pub(crate) pool: Option<String>,
    /// Take all labels as drawn at random, also where the table has iso_audit
    #[arg(long, conflicts_with = "audit")]
    pub(crate) all_labels: bool,
    /// The level of intervals
    #[arg(long, default_value_t = 0.95)]
    pub(crate) level: f64,
    /// Suspicious labels to list at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) suspects: usize,
    /// A picture of the confusion matrix: .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,
    /// Overwrite the picture if it exists
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) how: How,
}
