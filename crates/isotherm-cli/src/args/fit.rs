//! `fit`.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Read DATA in parts, for tables larger than memory (laplacian)
    #[arg(long, conflicts_with = "graph")]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) how: How,
    /// The model file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    #[arg(required_unless_present = "print_recipe")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
}
