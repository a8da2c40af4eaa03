//! What can be typed: the commands here, their flags in the files.

mod data;
mod embed;
mod evaluate;
mod fit;
mod label;
mod manner;
mod method;
mod next;
mod plain;
mod predict;
mod report;
mod rerun;
mod tune;
mod written;

use clap::{Parser, Subcommand};

pub(crate) use data::{Data, Isolated, Reading};
pub(crate) use embed::Embed;
pub(crate) use evaluate::Evaluate;
pub(crate) use fit::Fit;
pub(crate) use label::{Label, Output};
pub(crate) use manner::{Colour, Manner};
pub(crate) use method::*;
pub(crate) use next::{Next, StrategyName};
pub(crate) use plain::{Completions, Demo, Inspect};
pub(crate) use predict::Predict;
pub(crate) use report::Report;
pub(crate) use rerun::Rerun;
pub(crate) use tune::{GridArgs, Tune, TunedMethod, TunedName};
pub(crate) use written::Written;

/// Learn from a handful of labels and all the unlabelled data around them.
#[derive(Debug, Parser)]
#[command(
    name = "isotherm",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    before_help = "Examples:
  isotherm demo                                        see what it does, in seconds
  isotherm label data.csv --label y -o out.csv         fill every blank label of a table
  isotherm label nodes.csv --label y --graph edges.csv -o out.csv   … of a graph
  isotherm fit data.csv --label y -o model.iso         a model for new rows
  isotherm predict model.iso new.csv -o pred.csv"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) manner: Manner,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// See what isotherm does, on data it brings along
    #[command(before_help = "Example:\n  isotherm demo --out-dir somewhere")]
    Demo(Demo),
    /// Fill every blank label of a table or a graph
    #[command(override_usage = "isotherm label [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Examples:
  isotherm label data.csv --label y -o out.csv
  isotherm label data.parquet --label y --features 'emb_*' -o out.parquet
  isotherm label nodes.csv --label y --graph edges.csv -o out.csv")]
    Label(Label),
    /// Fit a model that answers for new rows or nodes
    #[command(override_usage = "isotherm fit [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Examples:
  isotherm fit data.csv --label y -o model.iso
  isotherm fit data.csv --label price --task regress -o model.iso
  isotherm fit nodes.csv --label y --graph edges.csv --degree 4 --ridge auto -o model.iso
  isotherm fit large.parquet --label y --method laplacian --stream -o model.iso")]
    Fit(Fit),
    /// Tell how good the labels will be, honestly, and which given ones look wrong
    #[command(override_usage = "isotherm evaluate [OPTIONS] <DATA> --label <COLUMN>")]
    #[command(before_help = "Examples:
  isotherm evaluate data.csv --label y
  isotherm evaluate nodes.csv --label y --graph edges.csv --json
  isotherm evaluate data.csv --label y --audit iso_audit --pool iso_pool")]
    Evaluate(Box<Evaluate>),
    /// Tell which rows to label next, and why
    #[command(override_usage = "isotherm next [OPTIONS] <DATA> --label <COLUMN>")]
    #[command(before_help = "Examples:
  isotherm next data.csv --label y -n 20
  isotherm next data.csv --label y -n 20 -o todo.csv
  isotherm next nodes.csv --label y --graph edges.csv --strategy cover")]
    Next(Box<Next>),
    /// Write one page that tells everything: how good, what next, how it was made
    #[command(override_usage = "isotherm report [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Examples:
  isotherm report data.csv --label y -o report.html
  isotherm report nodes.csv --label y --graph edges.csv -o report.html
  isotherm report data.csv --label price --task regress --title 'Prices' -o report.html")]
    Report(Box<Report>),
    /// Choose transform and ridge by leave-one-label-out, on the labels there are
    #[command(override_usage = "isotherm tune [OPTIONS] <DATA> --label <COLUMN>")]
    #[command(before_help = "Examples:
  isotherm tune data.csv --label y -o recipe.toml
  isotherm tune nodes.csv --label y --graph edges.csv --transform power --plot grid.svg
  isotherm label data.csv --label y --recipe recipe.toml -o out.csv")]
    Tune(Tune),
    /// Add coordinates to a table: the smoothest functions on its rows
    #[command(override_usage = "isotherm embed [OPTIONS] <DATA> -o <FILE>")]
    #[command(before_help = "Examples:
  isotherm embed data.csv -o plane.csv
  isotherm embed data.parquet --exclude y --dimensions 8 --bandwidth 2 -o out.parquet")]
    Embed(Embed),
    /// Label new rows or nodes with a fitted model
    #[command(before_help = "Examples:
  isotherm predict model.iso new.csv -o pred.csv
  isotherm predict model.iso large.parquet --stream -o pred.parquet
  isotherm predict model.iso new-nodes.csv --graph new-edges.csv -o pred.csv")]
    Predict(Predict),
    /// Tell what a model file holds
    #[command(before_help = "Example:\n  isotherm inspect model.iso")]
    Inspect(Inspect),
    /// Run the command that made a file again, and tell whether it gives the same
    #[command(before_help = "Examples:
  isotherm rerun out.csv
  isotherm rerun model.iso --print
  isotherm rerun out.parquet --anyway -o new.parquet")]
    Rerun(Rerun),
    /// Print completions for a shell
    #[command(
        before_help = "Example:\n  isotherm completions bash > /etc/bash_completion.d/isotherm"
    )]
    Completions(Completions),
}
