//! How a table is written; the same for every command that writes one.

use clap::Args;
use isotherm_io::{Formulas, Layout, Overwrite, WriteOptions};

/// How a table is written.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TableOutput {
    /// Overwrite the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// csv, tsv.gz, jsonl.zst, parquet … [default: as the name tells]
    #[arg(long, value_name = "FORMAT", value_parser = layout)]
    pub(crate) output_format: Option<Layout>,
    /// Put no ' before cells that a spreadsheet would run
    #[arg(long)]
    pub(crate) raw_csv: bool,
    /// Write no FILE.run.json beside a text table
    #[arg(long)]
    pub(crate) no_sidecar: bool,
}

impl TableOutput {
    /// The writer's options these flags spell; the provenance comes later.
    pub(crate) fn options(&self) -> WriteOptions {
        WriteOptions {
            layout: self.output_format,
            overwrite: if self.force {
                Overwrite::Replace
            } else {
                Overwrite::Refuse
            },
            formulas: if self.raw_csv {
                Formulas::Raw
            } else {
                Formulas::Guard
            },
            provenance: None,
            sidecar: !self.no_sidecar,
        }
    }
}

fn layout(name: &str) -> Result<Layout, String> {
    Layout::from_name(name).map_err(|e| {
        let hint = e.hint().unwrap_or_default();
        format!("{e}; {hint}")
    })
}
