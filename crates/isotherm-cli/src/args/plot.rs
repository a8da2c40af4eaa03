//! `plot KIND`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Data, Fine, GivenFlags, GridArgs, Ground, How};

#[derive(Debug, Args)]
#[command(subcommand_value_name = "KIND", subcommand_help_heading = "Kinds")]
pub(crate) struct Plot {
    #[command(subcommand)]
    pub(crate) kind: PictureKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PictureKind {
    /// Rows in the plane: predicted class, confidence, labels, what no label reaches
    #[command(override_usage = "isotherm plot map [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Example:\n  isotherm plot map data.csv --label y -o map.svg")]
    Map(Box<PlotMap>),
    /// The smoothest functions on the rows, nine of them
    #[command(
        override_usage = "isotherm plot eigenfunctions [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot eigenfunctions nodes.csv --label y --graph edges.csv -o smooth.svg")]
    Eigenfunctions(Box<PlotMap>),
    /// Eigenvalues, and what the transform or filter makes of them
    #[command(
        override_usage = "isotherm plot spectrum [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot spectrum data.csv --label y --degree 4 -o spectrum.svg")]
    Spectrum(Box<PlotSpectrum>),
    /// What would be said everywhere in the plane of two columns
    #[command(
        override_usage = "isotherm plot decision [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot decision data.csv --label y --features height,weight -o regions.png")]
    Decision(Box<PlotDecision>),
    /// Which classes are mixed up, each label predicted by the others
    #[command(
        override_usage = "isotherm plot confusion [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot confusion data.csv --label y --audit iso_audit -o mixed.svg")]
    Confusion(Box<PlotJudged>),
    /// Whether a confidence of 0.9 means nine in ten
    #[command(
        override_usage = "isotherm plot reliability [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot reliability data.csv --label y -o trust.svg")]
    Reliability(Box<PlotJudged>),
    /// How good it would be with fewer labels, and without the unlabelled rows
    #[command(
        override_usage = "isotherm plot learning-curve [OPTIONS] <DATA> --label <COLUMN> -o <FILE>"
    )]
    #[command(before_help = "Example:
  isotherm plot learning-curve data.csv --label y -o more.svg")]
    LearningCurve(Box<PlotLearning>),
    /// What every cell of a grid scores by leave-one-label-out
    #[command(override_usage = "isotherm plot tuning [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Example:
  isotherm plot tuning data.csv --label y --degrees 1,2,4,8 -o grid.svg")]
    Tuning(Box<PlotTuning>),
    /// How often each class is given, and how often it is predicted
    #[command(override_usage = "isotherm plot balance [OPTIONS] <DATA> --label <COLUMN> -o <FILE>")]
    #[command(before_help = "Example:
  isotherm plot balance data.csv --label y --audit iso_audit -o balance.svg")]
    Balance(Box<PlotMarked>),
}

impl PictureKind {
    /// Where the picture goes, whatever it shows, and what was said of the method.
    pub(crate) fn picture(&mut self) -> (&mut Pictured, Option<&How>) {
        match self {
            Self::Map(a) | Self::Eigenfunctions(a) => (&mut a.picture, Some(&a.how)),
            Self::Spectrum(a) => (&mut a.picture, Some(&a.how)),
            Self::Decision(a) => (&mut a.picture, Some(&a.how)),
            Self::Confusion(a) | Self::Reliability(a) => (&mut a.picture, Some(&a.how)),
            Self::LearningCurve(a) => (&mut a.picture, Some(&a.how)),
            Self::Balance(a) => (&mut a.picture, Some(&a.how)),
            Self::Tuning(a) => (&mut a.picture, None),
        }
    }
}

/// Where a picture goes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Pictured {
    /// The picture: .svg or .png; with --json it may be left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the picture if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Which labels were drawn at random.
#[derive(Debug, Clone, Args)]
pub(crate) struct Marks {
    /// Marks labels drawn at random [default: iso_audit]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) audit: Option<String>,
    /// Take all labels as drawn at random, also where the table has iso_audit
    #[arg(long, conflicts_with = "audit")]
    pub(crate) all_labels: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlotMap {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Rows or nodes to draw at most
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    pub(crate) points: u32,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotSpectrum {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Eigenvalues to draw
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) modes: u32,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotDecision {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Cells along each column
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) cells: u32,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotJudged {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) marks: Marks,
    /// The level of intervals
    #[arg(long, default_value_t = 0.95)]
    pub(crate) level: f64,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotLearning {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) marks: Marks,
    /// Repeats, each with other labels held out
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(crate) repeats: u32,
    /// The share of the repeats that a band holds
    #[arg(long, default_value_t = 0.8)]
    pub(crate) level: f64,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotMarked {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) marks: Marks,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) how: How,
}

#[derive(Debug, Args)]
pub(crate) struct PlotTuning {
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
    /// A recipe file (TOML) to start from instead of the flags of method and details
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    pub(crate) recipe: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) picture: Pictured,
}
