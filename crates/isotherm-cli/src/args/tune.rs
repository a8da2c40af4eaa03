//! `tune`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use isotherm::spectrum::Encoder;

use super::choice::{named, names};
use super::{Data, Fine, GivenFlags, Ground};

#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) given: GivenFlags,
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) grid: GridArgs,
    #[command(flatten)]
    pub(crate) ground: Ground,
    #[command(flatten)]
    pub(crate) fine: Fine,
    /// A recipe file (TOML) to start from
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) recipe: Option<PathBuf>,
    /// Print the recipe tuning starts from (TOML) and stop
    #[arg(long, help_heading = "Method")]
    pub(crate) print_recipe: bool,
    /// Where the recipe (TOML) goes, or -
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// A picture of the grid: .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,
    /// Overwrite the outputs if they exist
    #[arg(short, long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// The transforms whose parameters make a grid.
const TRANSFORMS: [&str; 4] = ["inverse-laplacian", "power", "truncation", "diffusion"];

/// What is tried: transforms × ridges, or bandwidths × norm shares × strengths.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Grid")]
pub(crate) struct GridArgs {
    /// The method whose parameters are tried
    #[arg(long, value_parser = PossibleValuesParser::new(["stkr", "laplacian"]), default_value = "stkr")]
    pub(crate) method: String,
    /// Bandwidths as multiples of the median distance (laplacian) [default: 2 … 0.125]
    #[arg(long, value_name = "X,…", value_delimiter = ',')]
    pub(crate) bandwidths: Option<Vec<f64>>,
    /// Norm shares as multiples of 1/rows (laplacian) [default: 1,0.01]
    #[arg(long, value_name = "X,…", value_delimiter = ',')]
    pub(crate) shares: Option<Vec<f64>>,
    /// ψ(x) whose strength is tried (laplacian) [default: tikhonov]
    #[arg(long, value_parser = names("filter"), value_name = "PSI")]
    pub(crate) filter: Option<String>,
    /// Strengths (laplacian) [default: 10 … 1e-5; under a filter but tikhonov λ₁ … 1e-6·λ₁]
    #[arg(long, value_name = "LAMBDA,…", value_delimiter = ',')]
    pub(crate) strengths: Option<Vec<f64>>,
    /// Landmarks (laplacian)
    #[arg(long, value_name = "P")]
    pub(crate) landmarks: Option<usize>,
    /// s(λ) [default: as the next flags imply]
    #[arg(long, value_parser = PossibleValuesParser::new(TRANSFORMS), value_name = "S")]
    pub(crate) transform: Option<String>,
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
    #[arg(long, value_parser = named::<Encoder>("encoder"), value_name = "OF")]
    pub(crate) encoder: Option<Encoder>,
    /// Ridges [default: 1e3 … 1e-8]
    #[arg(long, value_name = "BETA,…", value_delimiter = ',')]
    pub(crate) ridges: Option<Vec<f64>>,
}
