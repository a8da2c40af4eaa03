//! `report`.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The page's title [default: the name of DATA]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
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
    /// Rows of each list at most: to label next, contradicted, not reached
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub(crate) list: usize,
    /// Try a grid of settings too, and show what each scored; may take long
    #[arg(long)]
    pub(crate) tune: bool,
    /// The page: .html, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    #[arg(required_unless_present = "print_recipe")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the page if it exists
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) how: How,
}
