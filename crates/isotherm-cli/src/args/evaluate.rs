//! `evaluate`.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Evaluate {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The column that marks labels drawn at random: only these count
    #[arg(long, value_name = "COLUMN")]
    pub(crate) audit: Option<String>,
    /// The column that tells how many rows were unlabelled when each label was chosen
    #[arg(long, value_name = "COLUMN", requires = "audit")]
    pub(crate) pool: Option<String>,
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
