//! `rerun`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Rerun {
    /// A table, model, picture, recipe, report or JSON answer of isotherm, or a .run.json
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Run even if isotherm's version or an input is another than it was
    #[arg(long)]
    pub(crate) anyway: bool,
    /// Print the command for a shell, and run nothing
    #[arg(long, conflicts_with_all = ["anyway", "output", "force"])]
    pub(crate) print: bool,
    /// Keep the new result here [default: it is compared and thrown away]
    #[arg(short, long, value_name = "NEW", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite NEW if it exists
    #[arg(short, long, help_heading = "Output", requires = "output")]
    pub(crate) force: bool,
}
