//! What is learned, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isotherm::estimator::stkr::Ridge;

/// What is learned, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct How {
    /// auto chooses by rows, task and memory
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
        "route", "precision", "losses", "priors", "thresholds",
    ])]
    pub(crate) recipe: Option<PathBuf>,
    /// Print the recipe the flags spell (TOML) and stop
    #[arg(long, help_heading = "Method")]
    pub(crate) print_recipe: bool,
}

/// What the labels are and what makes samples similar, under any method.
#[derive(Debug, Clone, Args)]
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
    /// Covariance over [default: labelled]
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
#[derive(Debug, Clone, Args)]
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
