//! Commands with few flags of their own: `check`, `demo`, `inspect`, `explain`, `completions`, `man`.

use std::path::PathBuf;

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Where the pictures and the sample table go
    #[arg(long, value_name = "DIR", default_value = "isotherm-demo")]
    pub(crate) out_dir: PathBuf,
    /// Overwrite files that are there and are not the demo's
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Labels of each digit that the sample table keeps
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) per_class: usize,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// A model file written by `isotherm fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Tell r_{K^P}(f) and ‖f‖ of each score column, P = 1 or 2 (stkr)
    #[arg(long, value_name = "P")]
    pub(crate) smoothness: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A number such as ISO103, its word, or exit-codes; without one, all are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command to tell of [default: the whole tool]
    #[arg(value_name = "COMMAND")]
    pub(crate) page: Option<String>,
    /// Write every page into this directory instead
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Overwrite pages that exist
    #[arg(short, long, requires = "out_dir")]
    pub(crate) force: bool,
}
