//! `check`.

use clap::Args;

use super::{Data, How};

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) how: How,
}
