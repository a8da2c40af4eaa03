//! What can be typed: the commands here, their flags in the files.

mod choice;
mod common;
mod data;
mod embed;
mod evaluate;
mod fit;
mod given;
mod help;
mod label;
mod merge;
mod method;
mod next;
mod plot;
mod predict;
mod report;
mod rerun;
mod small_commands;
mod table_output;
mod tune;

use clap::{Parser, Subcommand};

pub(crate) use choice::Auto;
pub(crate) use common::{Colour, Common};
pub(crate) use data::{Data, Direction, EdgeFile, Isolated, MergeLabels, Reading};
pub(crate) use embed::Embed;
pub(crate) use evaluate::Evaluate;
pub(crate) use fit::Fit;
pub(crate) use given::{GivenFlags, flag};
pub(crate) use help::{brief, command};
pub(crate) use label::{Label, LabelOutput};
pub(crate) use merge::Merge;
pub(crate) use method::{Fine, Gradient, Ground, How, Landmarked, Spectral};
pub(crate) use next::Next;
pub(crate) use plot::{
    Marks, PictureKind, Pictured, Plot, PlotDecision, PlotJudged, PlotLearning, PlotMap,
    PlotMarked, PlotSpectrum, PlotTuning,
};
pub(crate) use predict::Predict;
pub(crate) use report::Report;
pub(crate) use rerun::Rerun;
pub(crate) use small_commands::{Check, Completions, Demo, Explain, Inspect, Man};
pub(crate) use table_output::TableOutput;
pub(crate) use tune::{GridArgs, Tune};

/// Learn from a handful of labels and all the unlabelled data around them.
#[derive(Debug, Parser)]
#[command(
    name = "isotherm",
    version,
    subcommand_required = true,
    disable_help_flag = true,
    disable_help_subcommand = true,
    override_usage = "isotherm <COMMAND> [OPTIONS]",
    before_help = "Examples:
  isotherm demo                                     see what it does, in seconds
  isotherm check data.csv --label y                 what is wrong with my table
  isotherm label data.csv --label y -o out.csv      fill every blank label
  isotherm fit data.csv --label y -o model.iso      a model for new rows
  isotherm predict model.iso new.csv -o pred.csv    the labels of new rows"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// See what isotherm does, on data it brings along
    #[command(before_help = "Example:\n  isotherm demo --out-dir somewhere")]
    Demo(Demo),
    /// Tell what is wrong with a table, and what label would do with it
    #[command(override_usage = "isotherm check <DATA> [--label <COLUMN>] [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm check data.csv --label y
  isotherm check data.parquet
  isotherm check nodes.csv --label y --graph edges.csv --json")]
    Check(Box<Check>),
    /// Fill every blank label of a table or a graph
    #[command(override_usage = "isotherm label <DATA> --label <COLUMN> -o <FILE> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm label data.csv --label y -o out.csv
  isotherm label data.parquet --label y --features 'emb_*' -o out.parquet
  isotherm label nodes.csv --label y --graph edges.csv -o out.csv")]
    Label(Box<Label>),
    /// Fit a model that answers for new rows or nodes
    #[command(override_usage = "isotherm fit <DATA> --label <COLUMN> -o <FILE> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm fit data.csv --label y -o model.iso
  isotherm fit data.csv --label price --task regress -o model.iso
  isotherm fit nodes.csv --label y --graph edges.csv --ridge auto -o model.iso
  isotherm fit large.parquet --label y --stream -o model.iso")]
    Fit(Box<Fit>),
    /// Tell how good the labels will be, and which given ones look wrong
    #[command(override_usage = "isotherm evaluate <DATA> --label <COLUMN> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm evaluate data.csv --label y
  isotherm evaluate nodes.csv --label y --graph edges.csv --json
  isotherm evaluate data.csv --label y --audit iso_audit --pool iso_pool")]
    Evaluate(Box<Evaluate>),
    /// Tell which rows to label next, and why
    #[command(override_usage = "isotherm next <DATA> --label <COLUMN> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm next data.csv --label y -n 20 -o todo.csv
  isotherm next nodes.csv --label y --graph edges.csv --strategy cover")]
    Next(Box<Next>),
    /// Put labels that were filled in elsewhere back into their table
    #[command(
        override_usage = "isotherm merge <DATA> <FILLED>... --label <COLUMN> -o <FILE> [OPTIONS]"
    )]
    #[command(before_help = "Examples:
  isotherm merge data.csv todo.csv --label y -o data2.csv
  isotherm merge data.csv colleague.csv --label y --id name -o data2.csv")]
    Merge(Merge),
    /// Write one page that tells everything, to be sent
    #[command(override_usage = "isotherm report <DATA> --label <COLUMN> -o <FILE> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm report data.csv --label y -o report.html
  isotherm report nodes.csv --label y --graph edges.csv -o report.html
  isotherm report data.csv --label price --task regress -o report.html")]
    Report(Box<Report>),
    /// Choose transform and ridge by leave-one-label-out
    #[command(override_usage = "isotherm tune <DATA> --label <COLUMN> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm tune data.csv --label y -o recipe.toml
  isotherm tune nodes.csv --label y --graph edges.csv --plot grid.svg
  isotherm label data.csv --label y --recipe recipe.toml -o out.csv")]
    Tune(Box<Tune>),
    /// Draw one picture: map, spectrum, confusion, learning-curve, …
    #[command(before_help = "Examples:
  isotherm plot map data.csv --label y -o map.svg
  isotherm plot learning-curve data.csv --label y -o more.png
  isotherm plot reliability nodes.csv --label y --graph edges.csv --json")]
    Plot(Plot),
    /// Add coordinates to a table: the smoothest functions on its rows
    #[command(override_usage = "isotherm embed <DATA> -o <FILE> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm embed data.csv -o plane.csv
  isotherm embed data.parquet --exclude y --dimensions 8 -o out.parquet")]
    Embed(Embed),
    /// Label new rows or nodes with a fitted model
    #[command(override_usage = "isotherm predict <MODEL> <DATA> -o <FILE> [OPTIONS]")]
    #[command(before_help = "Examples:
  isotherm predict model.iso new.csv -o pred.csv
  isotherm predict model.iso large.parquet --stream -o pred.parquet
  isotherm predict model.iso nodes.csv --graph edges.csv -o pred.csv")]
    Predict(Predict),
    /// Tell what a model file holds
    #[command(before_help = "Example:\n  isotherm inspect model.iso")]
    Inspect(Inspect),
    /// Run the command that made a file again, and compare
    #[command(before_help = "Examples:
  isotherm rerun out.csv
  isotherm rerun model.iso --print
  isotherm rerun out.parquet --anyway -o new.parquet")]
    Rerun(Rerun),
    /// Tell what an error or a warning means, and the way out
    #[command(before_help = "Examples:
  isotherm explain ISO103
  isotherm explain unreached
  isotherm explain exit-codes")]
    Explain(Explain),
    /// Print completions for a shell
    #[command(
        before_help = "Example:\n  isotherm completions bash > ~/.local/share/bash-completion/completions/isotherm"
    )]
    Completions(Completions),
    /// Print the manual, or one page of it
    #[command(before_help = "Examples:
  isotherm man | man -l -
  isotherm man label | man -l -
  isotherm man --out-dir ~/.local/share/man/man1")]
    Man(Man),
}
