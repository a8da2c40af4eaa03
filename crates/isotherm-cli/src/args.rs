//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use isotherm::estimator::stkr::Ridge;
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
#[derive(Debug, Clone, Args)]
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
    /// The column that names rows or nodes [default with --graph: the first]
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
    /// Labels are sets that hold the right one: tea|milk, 2..5, 3..
    #[arg(long)]
    pub(crate) candidates: bool,
    /// The column that says how much each label counts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label_weights: Option<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How DATA is read, where it is not found out right.
#[derive(Debug, Clone, Args)]
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
    /// auto is stkr for classes, harmonic for numbers
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    pub(crate) method: MethodName,
    #[command(flatten)]
    pub(crate) ground: Ground,
    #[command(flatten)]
    pub(crate) spectral: Spectral,
    #[command(flatten)]
    pub(crate) gradient: Gradient,
    #[command(flatten)]
    pub(crate) fine: Fine,
    /// Bring class masses to the labels' proportions (harmonic)
    #[arg(long, help_heading = "Method")]
    pub(crate) class_mass: bool,
    /// Classes from the lowest to the highest (--task ordinal)
    #[arg(
        long,
        value_name = "A,B,…",
        value_delimiter = ',',
        help_heading = "Method"
    )]
    pub(crate) grades: Vec<String>,
    /// A table of costs: the class, then a column for each decision
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) losses: Option<PathBuf>,
    /// The classes' shares among all rows, where they are known
    #[arg(long, value_name = "A=SHARE,…", value_delimiter = ',', value_parser = parse_share, help_heading = "Method")]
    pub(crate) priors: Vec<(String, f64)>,
    /// Tune tags for an F1
    #[arg(long, value_enum, value_name = "F1", help_heading = "Method")]
    pub(crate) thresholds: Option<F1Name>,
    /// A recipe file (TOML) instead of the flags above
    #[arg(long, value_name = "FILE", help_heading = "Method", conflicts_with_all = [
        "method", "task", "neighbours", "kernel", "bandwidth", "scaling", "self_loops", "lazy",
        "seed", "transform", "eta", "degree", "time", "weights", "order", "rank", "encoder",
        "ridge", "solver", "steps", "step_size", "repair", "centre_labels", "trivial_mode",
        "centre_kernel", "class_mass", "tolerance", "iterations", "filter", "strength", "norm_share",
        "landmarks", "choice", "derivatives", "waves", "exact", "covariance", "free_constant",
        "route", "losses", "priors", "thresholds",
    ])]
    pub(crate) recipe: Option<PathBuf>,
    /// Print the recipe the flags spell (TOML) and stop
    #[arg(long, help_heading = "Method")]
    pub(crate) print_recipe: bool,
}

/// What the labels are and what makes samples similar, under any method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct Ground {
    /// What the labels are
    #[arg(long, value_enum, default_value_t = TaskName::Auto)]
    pub(crate) task: TaskName,
    /// Neighbours that join rows into a graph [default: 10]
    #[arg(long, value_name = "K", conflicts_with = "graph")]
    pub(crate) neighbours: Option<usize>,
    /// Kernel (kernel-ridge, laplacian; stkr: instead of neighbours)
    #[arg(long, value_enum)]
    pub(crate) kernel: Option<KernelName>,
    /// Bandwidth of the kernel [default: the median distance]
    #[arg(long)]
    pub(crate) bandwidth: Option<f64>,
    /// How columns are scaled [default: standardise]
    #[arg(long, value_enum, conflicts_with = "graph")]
    pub(crate) scaling: Option<ScalingName>,
    /// Every node or row is joined to itself too (stkr)
    #[arg(long, conflicts_with = "lazy")]
    pub(crate) self_loops: bool,
    /// The lazy walk (I + S)/2, a positive kernel (stkr)
    #[arg(long)]
    pub(crate) lazy: bool,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The transform of the spectrum, and how its system is solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Spectral transform and solver (stkr)")]
pub(crate) struct Spectral {
    /// s(λ) [default: as the next flags imply]
    #[arg(long, value_enum, value_name = "S")]
    pub(crate) transform: Option<TransformName>,
    /// η of λ/(1 − ηλ) [default: 0.99]; also of label-propagation
    #[arg(long)]
    pub(crate) eta: Option<f64>,
    /// λ^p, p hops
    #[arg(long, value_name = "P")]
    pub(crate) degree: Option<usize>,
    /// e^(tλ) − 1, diffusion for a time t
    #[arg(long, value_name = "T")]
    pub(crate) time: Option<f64>,
    /// Σ π_p λ^p from p = 1; with --order R, 1/s = Σ ξ_p λ^(p−R) from p = 0
    #[arg(long, value_name = "W,W,…", value_delimiter = ',')]
    pub(crate) weights: Option<Vec<f64>>,
    /// The order of a reciprocal transform
    #[arg(long, value_name = "R")]
    pub(crate) order: Option<usize>,
    /// λ of the largest eigenvalues only, how many (also --filter leading)
    #[arg(long, value_name = "D")]
    pub(crate) rank: Option<usize>,
    /// Samples a truncation's modes come from
    #[arg(long, value_enum, value_name = "OF")]
    pub(crate) encoder: Option<EncoderName>,
    /// Ridge β, a number or auto (also kernel-ridge) [default: 0.001]
    #[arg(long, value_name = "BETA", value_parser = parse_ridge)]
    pub(crate) ridge: Option<Ridge>,
    /// Solver [default: auto]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) solver: Option<SolverName>,
    /// Exactly so many steps (label-propagation, richardson, landweber)
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,
    /// Step size (--solver richardson; --filter landweber)
    #[arg(long, value_name = "GAMMA")]
    pub(crate) step_size: Option<f64>,
}

/// The penalty on the gradient, and the functions a predictor is a sum of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gradient penalty (laplacian)")]
pub(crate) struct Gradient {
    /// ψ(x) of the pencil (Σ, L + μ) [default: tikhonov]
    #[arg(long, value_enum, value_name = "PSI")]
    pub(crate) filter: Option<FilterName>,
    /// λ: large is smooth [default: by leave-one-out, else 1]
    #[arg(long, value_name = "LAMBDA")]
    pub(crate) strength: Option<f64>,
    #[command(flatten)]
    pub(crate) basis: Landmarked,
    /// So many random waves instead of landmarks
    #[arg(long, value_name = "P", conflicts_with_all = ["landmarks", "choice", "derivatives"])]
    pub(crate) waves: Option<usize>,
    /// The exact minimiser, for few rows and columns
    #[arg(long, conflicts_with_all = ["landmarks", "choice", "derivatives", "waves"])]
    pub(crate) exact: bool,
    /// Rows the covariance is over [default: labelled]
    #[arg(long, value_enum, value_name = "ROWS")]
    pub(crate) covariance: Option<CovarianceName>,
    /// Whether constants are free of penalty [default: for numbers]
    #[arg(long, value_enum, value_name = "THEY")]
    pub(crate) free_constant: Option<YesNo>,
    /// How gradients enter [default: auto]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) route: Option<RouteName>,
    /// Numbers gradients are summed in [default: double]
    #[arg(long, value_enum, value_name = "NUMBERS")]
    pub(crate) precision: Option<PrecisionName>,
}

/// The share of the norm, and landmarks.
#[derive(Debug, Args)]
pub(crate) struct Landmarked {
    /// μ, the norm's share of the penalty [default: 1/rows]
    #[arg(long, value_name = "MU")]
    pub(crate) norm_share: Option<f64>,
    /// Landmarks, p [default: √n·log n, 50 to 1000]
    #[arg(long, value_name = "P")]
    pub(crate) landmarks: Option<usize>,
    /// How landmarks are chosen [default: uniform]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) choice: Option<ChoiceName>,
    /// The landmarks' derivatives are functions too, p(d + 1) in all
    #[arg(long)]
    pub(crate) derivatives: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FilterName {
    // 1/(x + λ)
    Tikhonov,
    // 1/x where x > λ
    CutOff,
    // 1/x on the leading modes, as many as --rank says
    Leading,
    // (1 − e^(−x/λ))/x
    Flow,
    // --steps of gradient descent
    Landweber,
    // e^(−λ/x)/x
    Heat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChoiceName {
    Uniform,
    Leverage,
    Pivoted,
    KmeansPlusPlus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CovarianceName {
    Labelled,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionName {
    Double,
    Single,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RouteName {
    Auto,
    Panel,
    Gram,
}

/// What else decides a fit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Details (stkr)")]
pub(crate) struct Fine {
    /// For a kernel that is not positive [default: auto]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) repair: Option<RepairName>,
    /// Whether labels are centred; also label-propagation
    #[arg(long, value_enum, value_name = "THEY")]
    pub(crate) centre_labels: Option<YesNo>,
    /// What a graph says without labels; also label-propagation
    #[arg(long, value_enum, value_name = "GOES")]
    pub(crate) trivial_mode: Option<TrivialName>,
    /// Centre the base kernel
    #[arg(long)]
    pub(crate) centre_kernel: bool,
    /// Relative residual to reach; under every method
    #[arg(long, value_name = "RESIDUAL")]
    pub(crate) tolerance: Option<f64>,
    /// Iterations allowed; under every method
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    Auto,
    Stkr,
    LabelPropagation,
    Harmonic,
    KernelRidge,
    Laplacian,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransformName {
    InverseLaplacian,
    Power,
    Polynomial,
    Diffusion,
    Truncation,
    Reciprocal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncoderName {
    All,
    Unlabelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    Auto,
    LabelBlock,
    ConjugateGradients,
    Minres,
    Richardson,
    Direct,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepairName {
    Auto,
    Refuse,
    Allow,
    PsdTwin,
    Clip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrivialName {
    Keep,
    Remove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskName {
    Auto,
    Classify,
    Regress,
    // Classes in an order.
    Ordinal,
    // red;round
    Tags,
    // tea>milk=juice
    Rank,
    // tea:0.7;milk:0.3
    Shares,
    // 1.5;2;-3
    Numbers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum F1Name {
    Macro,
    Micro,
    Samples,
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
    /// Add what cannot be excluded at this level, e.g. 0.9: classes, or an interval
    #[arg(long, value_name = "LEVEL", help_heading = "Output")]
    pub(crate) sets: Option<f64>,
}

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

#[derive(Debug, Args)]
pub(crate) struct Next {
    #[command(flatten)]
    pub(crate) data: Data,
    /// How many rows
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) count: usize,
    /// How they are chosen
    #[arg(long, value_enum, default_value_t = StrategyName::SigmaOptimal)]
    pub(crate) strategy: StrategyName,
    /// One row in so many is drawn at random, to judge the model on; 0 for none
    #[arg(long, value_name = "K", default_value_t = 5)]
    pub(crate) audit_every: usize,
    /// Classes that may occur besides those among the labels
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) classes: Vec<String>,
    /// Features of the method that are looked at
    #[arg(long, value_name = "M", default_value_t = 64)]
    pub(crate) modes: usize,
    /// A table of the rows to label: .csv, .tsv, .parquet or .jsonl [default: told]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the output if it exists
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyName {
    Maximin,
    VOptimal,
    SigmaOptimal,
    Margin,
    Entropy,
    Cover,
    Random,
}

#[derive(Debug, Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Read DATA in parts, for large tables (.parquet, .npy; laplacian)
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

#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) grid: GridArgs,
    #[command(flatten)]
    pub(crate) ground: Ground,
    #[command(flatten)]
    pub(crate) fine: Fine,
    /// A recipe file (TOML) to start from instead of the flags of method and details
    #[arg(long, value_name = "FILE", help_heading = "Method", conflicts_with_all = [
        "task", "neighbours", "kernel", "bandwidth", "scaling", "self_loops", "lazy", "seed",
        "repair", "centre_labels", "trivial_mode", "centre_kernel", "tolerance", "iterations",
    ])]
    pub(crate) recipe: Option<PathBuf>,
    /// The recipe (TOML) that label and fit read with --recipe, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// A picture of the grid: .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,
    /// Overwrite the outputs if they exist
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// What is tried: transforms × ridges, or bandwidths × norm shares × strengths.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grid")]
pub(crate) struct GridArgs {
    /// The method whose parameters are tried
    #[arg(long, value_enum, default_value_t = TunedMethod::Stkr)]
    pub(crate) method: TunedMethod,
    /// Bandwidths as multiples of the median distance (laplacian) [default: 2 … 0.125]
    #[arg(long, value_name = "X,…", value_delimiter = ',')]
    pub(crate) bandwidths: Option<Vec<f64>>,
    /// Norm shares as multiples of 1/rows (laplacian) [default: 1,0.01]
    #[arg(long, value_name = "X,…", value_delimiter = ',')]
    pub(crate) shares: Option<Vec<f64>>,
    /// ψ(x) whose strength is tried (laplacian) [default: tikhonov]
    #[arg(long, value_enum, value_name = "PSI")]
    pub(crate) filter: Option<FilterName>,
    /// Strengths (laplacian) [default: 10 … 1e-5; under a filter but tikhonov λ₁ … 1e-6·λ₁]
    #[arg(long, value_name = "LAMBDA,…", value_delimiter = ',')]
    pub(crate) strengths: Option<Vec<f64>>,
    /// Landmarks (laplacian)
    #[arg(long, value_name = "P")]
    pub(crate) landmarks: Option<usize>,
    /// s(λ) [default: as the next flags imply]
    #[arg(long, value_enum, value_name = "S")]
    pub(crate) transform: Option<TunedName>,
    /// η of the inverse Laplacian [default: 0.7 … 0.999999]
    #[arg(long, value_name = "ETA,…", value_delimiter = ',')]
    pub(crate) etas: Option<Vec<f64>>,
    /// Powers [default: 1,2,4,6,8]
    #[arg(long, value_name = "P,…", value_delimiter = ',')]
    pub(crate) degrees: Option<Vec<usize>>,
    /// Ranks of a truncation [default: 32,64,128,256,512]
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) ranks: Option<Vec<usize>>,
    /// Times of a diffusion
    #[arg(long, value_name = "T,…", value_delimiter = ',')]
    pub(crate) times: Option<Vec<f64>>,
    /// Samples a truncation's modes come from
    #[arg(long, value_enum, value_name = "OF")]
    pub(crate) encoder: Option<EncoderName>,
    /// Ridges [default: 1e3 … 1e-8]
    #[arg(long, value_name = "BETA,…", value_delimiter = ',')]
    pub(crate) ridges: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TunedMethod {
    Stkr,
    Laplacian,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TunedName {
    InverseLaplacian,
    Power,
    Truncation,
    Diffusion,
}

#[derive(Debug, Args)]
pub(crate) struct Embed {
    /// A table: .csv, .tsv, .parquet, .npy, .npz, or - for standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Feature columns, by name or pattern [default: all numeric columns]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Columns that are not features, such as labels
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Coordinates to add
    #[arg(long, value_name = "D", default_value_t = 2)]
    pub(crate) dimensions: usize,
    /// Kernel [default: gaussian]
    #[arg(long, value_enum)]
    pub(crate) kernel: Option<KernelName>,
    /// Bandwidth of the kernel [default: the median distance]
    #[arg(long)]
    pub(crate) bandwidth: Option<f64>,
    /// How columns are scaled [default: standardise]
    #[arg(long, value_enum)]
    pub(crate) scaling: Option<ScalingName>,
    #[command(flatten)]
    pub(crate) basis: Landmarked,
    /// Every random choice follows from it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Output: .csv, .tsv, .parquet, .jsonl, or - for standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,
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
    /// Read and write in parts, for tables larger than memory (.parquet, .npy)
    #[arg(long, conflicts_with = "graph")]
    pub(crate) stream: bool,
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
    /// Tell r_{K^P}(f) and ‖f‖ of each score column, P = 1 or 2 (stkr)
    #[arg(long, value_name = "P")]
    pub(crate) smoothness: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `tea=0.3`.
fn parse_share(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=');
    match parts.map(|(name, share)| (name.trim(), share.trim().parse())) {
        Some((name, Ok(share))) if !name.is_empty() => Ok((name.to_owned(), share)),
        _ => Err("give a class and its share, such as tea=0.3".to_owned()),
    }
}

/// A number, or `auto`.
fn parse_ridge(text: &str) -> Result<Ridge, String> {
    match (text.trim(), text.trim().parse()) {
        ("auto", _) => Ok(Ridge::Auto),
        (_, Ok(number)) => Ok(Ridge::Fixed(number)),
        _ => Err("give a number or auto".to_owned()),
    }
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
