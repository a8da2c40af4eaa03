//! What is learned, and how.

use std::path::PathBuf;

use clap::Args;
use isotherm::estimator::TrivialMode;
use isotherm::estimator::laplacian::{Covariance, Route};
use isotherm::estimator::stkr::{Repair, Ridge, Solver};
use isotherm::landmark::Selection;
use isotherm::linalg::Precision;
use isotherm::recipe::{ClassShares, Scaling, Smoothing, Task};
use isotherm::spectrum::Encoder;
use isotherm::task::thresholds::Measure;

use super::choice::{Auto, named, named_or_auto, names, yes_or_no};
use super::given::GivenFlags;

/// What is learned, and how. What each flag means is in [`isotherm::recipe::schema`].
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct How {
    #[command(flatten)]
    pub(crate) given: GivenFlags,
    #[arg(long, value_parser = names("method"), default_value = "auto")]
    pub(crate) method: String,
    #[command(flatten)]
    pub(crate) ground: Ground,
    #[command(flatten)]
    pub(crate) spectral: Spectral,
    #[command(flatten)]
    pub(crate) gradient: Gradient,
    #[command(flatten)]
    pub(crate) fine: Fine,
    #[arg(long, help_heading = "Method")]
    pub(crate) class_mass: bool,
    #[arg(
        long,
        value_name = "A,B,…",
        value_delimiter = ',',
        help_heading = "Method"
    )]
    pub(crate) grades: Vec<String>,
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) losses: Option<PathBuf>,
    #[arg(long, value_parser = named::<ClassShares>("class_shares"), value_name = "FROM", help_heading = "Method")]
    pub(crate) class_shares: Option<ClassShares>,
    #[arg(long, value_name = "A=SHARE,…", value_delimiter = ',', value_parser = parse_share, help_heading = "Method")]
    pub(crate) priors: Vec<(String, f64)>,
    #[arg(long, value_parser = named::<Measure>("thresholds"), value_name = "F1", help_heading = "Method")]
    pub(crate) thresholds: Option<Measure>,
    /// A recipe file (TOML) instead of the flags above
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) recipe: Option<PathBuf>,
    /// Print the recipe the flags spell (TOML) and stop
    #[arg(long, help_heading = "Method")]
    pub(crate) print_recipe: bool,
}

/// What the labels are and what makes samples similar, under any method.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct Ground {
    #[arg(long, value_parser = named_or_auto::<Task>("task"), default_value = "auto")]
    pub(crate) task: Auto<Task>,
    #[arg(long, value_name = "K")]
    pub(crate) neighbours: Option<usize>,
    #[arg(long, value_parser = names("kernel"))]
    pub(crate) kernel: Option<String>,
    #[arg(long)]
    pub(crate) bandwidth: Option<f64>,
    #[arg(long, value_name = "ETA", value_parser = parse_smoothing)]
    pub(crate) smooth: Option<Smoothing>,
    #[arg(long, value_parser = named::<Scaling>("scaling"))]
    pub(crate) scaling: Option<Scaling>,
    #[arg(long, conflicts_with = "lazy")]
    pub(crate) self_loops: bool,
    #[arg(long)]
    pub(crate) lazy: bool,
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The transform of the spectrum, and how its system is solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Spectral transform and solver (stkr)")]
pub(crate) struct Spectral {
    #[arg(long, value_parser = names("transform"), value_name = "S")]
    pub(crate) transform: Option<String>,
    #[arg(long)]
    pub(crate) eta: Option<f64>,
    #[arg(long, value_name = "P")]
    pub(crate) degree: Option<usize>,
    #[arg(long, value_name = "T")]
    pub(crate) time: Option<f64>,
    #[arg(long, value_name = "W,W,…", value_delimiter = ',')]
    pub(crate) weights: Option<Vec<f64>>,
    #[arg(long, value_name = "R")]
    pub(crate) order: Option<usize>,
    #[arg(long, value_name = "D")]
    pub(crate) rank: Option<usize>,
    #[arg(long, value_parser = named::<Encoder>("encoder"), value_name = "OF")]
    pub(crate) encoder: Option<Encoder>,
    #[arg(long, value_name = "BETA", value_parser = parse_ridge)]
    pub(crate) ridge: Option<Ridge>,
    #[arg(long, value_parser = named::<Solver>("solver"), value_name = "HOW")]
    pub(crate) solver: Option<Solver>,
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,
    #[arg(long, value_name = "GAMMA")]
    pub(crate) step_size: Option<f64>,
}

/// The penalty on the gradient, and the functions a predictor is a sum of.
#[derive(Debug, Args)]
#[command(next_help_heading = "Gradient penalty (laplacian)")]
pub(crate) struct Gradient {
    #[arg(long, value_parser = names("filter"), value_name = "PSI")]
    pub(crate) filter: Option<String>,
    #[arg(long, value_name = "LAMBDA")]
    pub(crate) strength: Option<f64>,
    #[command(flatten)]
    pub(crate) basis: Landmarked,
    #[arg(long, value_name = "P", conflicts_with_all = ["landmarks", "choice", "derivatives"])]
    pub(crate) waves: Option<usize>,
    #[arg(long, conflicts_with_all = ["landmarks", "choice", "derivatives", "waves"])]
    pub(crate) exact: bool,
    #[arg(long, value_parser = named::<Covariance>("covariance"), value_name = "ROWS")]
    pub(crate) covariance: Option<Covariance>,
    #[arg(long, value_parser = yes_or_no(), value_name = "THEY")]
    pub(crate) free_constant: Option<bool>,
    #[arg(long, value_parser = named::<Route>("route"), value_name = "HOW")]
    pub(crate) route: Option<Route>,
    #[arg(long, value_parser = named::<Precision>("precision"), value_name = "NUMBERS")]
    pub(crate) precision: Option<Precision>,
}

/// The share of the norm, and landmarks.
#[derive(Debug, Args)]
pub(crate) struct Landmarked {
    #[arg(long, value_name = "MU")]
    pub(crate) norm_share: Option<f64>,
    #[arg(long, value_name = "P")]
    pub(crate) landmarks: Option<usize>,
    #[arg(long, value_parser = named::<Selection>("choice"), value_name = "HOW")]
    pub(crate) choice: Option<Selection>,
    #[arg(long)]
    pub(crate) derivatives: bool,
}

/// What else decides a fit.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Details (stkr)")]
pub(crate) struct Fine {
    #[arg(long, value_parser = named::<Repair>("repair"), value_name = "HOW")]
    pub(crate) repair: Option<Repair>,
    #[arg(long, alias = "center-labels", value_parser = yes_or_no(), value_name = "THEY")]
    pub(crate) centre_labels: Option<bool>,
    #[arg(long, value_parser = named::<TrivialMode>("trivial_mode"), value_name = "GOES")]
    pub(crate) trivial_mode: Option<TrivialMode>,
    #[arg(long, alias = "center-kernel")]
    pub(crate) centre_kernel: bool,
    #[arg(long, value_name = "RESIDUAL")]
    pub(crate) tolerance: Option<f64>,
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
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
fn parse_smoothing(text: &str) -> Result<Smoothing, String> {
    match (text.trim(), text.trim().parse()) {
        ("auto", _) => Ok(Smoothing::Auto),
        (_, Ok(eta)) => Ok(Smoothing::Eta(eta)),
        _ => Err("give a number or auto".to_owned()),
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
