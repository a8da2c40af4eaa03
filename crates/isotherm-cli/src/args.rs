//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use isotherm_io::{Delimiter, Format, Header, ReadOptions};

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

/// How to go about it; the same for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Manner")]
pub(crate) struct Manner {
    /// One JSON object on standard output instead of sentences
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// No progress bar (there is none unless standard error is a terminal)
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
    /// When to colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Threads to use; the result does not depend on it
    #[arg(long, global = true, value_name = "N", env = "ISOTHERM_THREADS")]
    pub(crate) threads: Option<usize>,
    /// Memory allowed, e.g. 8GB; default 75 % of what is free
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_bytes, env = "ISOTHERM_MEMORY")]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
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
  isotherm fit data.csv --label price --task regress -o model.iso")]
    Fit(Fit),
    /// Label new rows or nodes with a fitted model
    #[command(before_help = "Examples:
  isotherm predict model.iso new.csv -o pred.csv
  isotherm predict model.iso new-nodes.csv --graph new-edges.csv -o pred.csv")]
    Predict(Predict),
    /// Tell what a model file holds
    #[command(before_help = "Example:\n  isotherm inspect model.iso")]
    Inspect(Inspect),
    /// Print completions for a shell
    #[command(
        before_help = "Example:\n  isotherm completions bash > /etc/bash_completion.d/isotherm"
    )]
    Completions(Completions),
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Where the pictures and the sample table go
    #[arg(long, value_name = "DIR", default_value = "isotherm-demo")]
    pub(crate) out_dir: PathBuf,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// What is learned from.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// A table: .csv, .tsv, .parquet, .npy, .npz, or - for standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// The column that holds the labels, blank where unknown
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: String,
    /// An edge list (node,node[,weight]): the rows of DATA are its nodes
    #[arg(long, value_name = "EDGES")]
    pub(crate) graph: Option<PathBuf>,
    /// The column that names rows or nodes [default with --graph: the first but --label]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Feature columns, by name or pattern [default: all numeric columns]
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        conflicts_with = "graph"
    )]
    pub(crate) features: Vec<String>,
    /// Columns that are not features
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        conflicts_with = "graph"
    )]
    pub(crate) exclude: Vec<String>,
    /// What to do with a labelled row whose node has no edge
    #[arg(long, value_enum, default_value_t = Isolated::Refuse, requires = "graph")]
    pub(crate) isolated: Isolated,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How DATA is read, where it is not found out right.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Format of DATA [default: its name tells]
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatName>,
    /// Delimiter of DATA [default: found]
    #[arg(long, value_enum)]
    pub(crate) delimiter: Option<DelimiterName>,
    /// Whether the first row of DATA names its columns [default: found]
    #[arg(long, value_enum, value_name = "THERE")]
    pub(crate) header: Option<HeaderName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    Csv,
    Tsv,
    Parquet,
    Npy,
    Npz,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DelimiterName {
    Comma,
    Semicolon,
    Tab,
    Bar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeaderName {
    Yes,
    No,
}

impl Reading {
    /// The reader's options these flags spell.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format.map(|f| match f {
                FormatName::Csv => Format::Csv,
                FormatName::Tsv => Format::Tsv,
                FormatName::Parquet => Format::Parquet,
                FormatName::Npy => Format::Npy,
                FormatName::Npz => Format::Npz,
            }),
            delimiter: self.delimiter.map(|d| match d {
                DelimiterName::Comma => Delimiter::Comma,
                DelimiterName::Semicolon => Delimiter::Semicolon,
                DelimiterName::Tab => Delimiter::Tab,
                DelimiterName::Bar => Delimiter::Bar,
            }),
            header: self.header.map(|h| match h {
                HeaderName::Yes => Header::Present,
                HeaderName::No => Header::Absent,
            }),
            ..ReadOptions::default()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Isolated {
    // Its name is likely mistyped.
    Refuse,
    // It is a node without edges.
    Keep,
}

/// What is learned, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct How {
    /// Method
    #[arg(long, value_enum, default_value_t = MethodName::Auto, conflicts_with = "recipe")]
    pub(crate) method: MethodName,
    /// What the labels are
    #[arg(long, value_enum, default_value_t = TaskName::Auto, conflicts_with = "recipe")]
    pub(crate) task: TaskName,
    /// Neighbours that join rows into a graph
    #[arg(long, value_name = "K", conflicts_with_all = ["recipe", "graph"])]
    pub(crate) neighbours: Option<usize>,
    /// How far labels travel, 0 ≤ η < 1 (label-propagation)
    #[arg(long, conflicts_with = "recipe")]
    pub(crate) eta: Option<f64>,
    /// Exactly so many steps instead of the exact solution (label-propagation)
    #[arg(long, conflicts_with = "recipe")]
    pub(crate) steps: Option<usize>,
    /// Kernel (kernel-ridge)
    #[arg(long, value_enum, conflicts_with = "recipe")]
    pub(crate) kernel: Option<KernelName>,
    /// Bandwidth of the kernel [default: the median distance] (kernel-ridge)
    #[arg(long, conflicts_with = "recipe")]
    pub(crate) bandwidth: Option<f64>,
    /// Ridge β (kernel-ridge)
    #[arg(long, conflicts_with = "recipe")]
    pub(crate) ridge: Option<f64>,
    /// How columns are scaled [default: standardise]
    #[arg(long, value_enum, conflicts_with_all = ["recipe", "graph"])]
    pub(crate) scaling: Option<ScalingName>,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0, conflicts_with = "recipe")]
    pub(crate) seed: u64,
    /// A recipe file (TOML) instead of the flags above
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Print the recipe the flags spell (TOML) and stop
    #[arg(long)]
    pub(crate) print_recipe: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    Auto,
    LabelPropagation,
    Harmonic,
    KernelRidge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskName {
    Auto,
    Classify,
    Regress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScalingName {
    Standardise,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelName {
    Gaussian,
    Matern32,
    Matern52,
    RationalQuadratic,
    Exponential,
    Polynomial,
    Linear,
    Cosine,
}

/// How the result is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Overwrite the output if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Add a column of probability for each class
    #[arg(long)]
    pub(crate) probabilities: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Label {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) how: How,
    /// Output: .csv, .tsv, .parquet, .jsonl, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    #[arg(required_unless_present = "print_recipe")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writing: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    pub(crate) data: Data,
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

#[derive(Debug, Args)]
pub(crate) struct Predict {
    /// A model file written by `isotherm fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// New rows, with the columns the model was fitted on; or new nodes
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Edges from the new nodes to known ones (models of a graph)
    #[arg(long, value_name = "EDGES")]
    pub(crate) graph: Option<PathBuf>,
    /// The column that names nodes [default: the first] (models of a graph)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Output: .csv, .tsv, .parquet, .jsonl, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) writing: Output,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// A model file written by `isotherm fit`
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `8GB`, `500MB`, `1000000`.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        other => return Err(format!("\"{other}\" is not a unit; use kB, MB, GB or TB")),
    };
    match digits.trim().parse::<f64>() {
        Ok(n) if n > 0.0 && n.is_finite() => Ok((n * unit) as u64),
        _ => Err("give a positive size such as 8GB".to_owned()),
    }
}
