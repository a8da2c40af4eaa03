//! What can be said of kernel Laplacian regularisation.

use crate::error::{Error, Refusal, Result};
use crate::feature::BasisMoments;
use crate::kernel::KernelSpec;
use crate::landmark::Selection;
use crate::linalg::Precision;
use crate::spectrum::Filter;

/// Strengths tried when none is given, the strongest first.
pub const STRENGTHS: [f64; 7] = [10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5];

/// Strength where there is nothing to choose it by.
pub(crate) const USUAL_STRENGTH: f64 = 1.0;

/// The functions a predictor is a sum of.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum BasisSpec {
    /// `k_z` of landmarks, with `∂ₐk_z` if so wanted: p(d + 1) functions.
    Landmarks {
        /// p; without it √n·log n, at least 50 and at most 1000 and n.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<usize>,
        /// How they are chosen.
        #[serde(default)]
        selection: Selection,
        /// Whether their derivatives are functions too.
        #[serde(default)]
        derivatives: bool,
    },
    /// `k_z` of these rows, with `∂ₐk_z` if so wanted.
    Rows {
        /// Rows of the table, none twice.
        index: Vec<usize>,
        /// Whether their derivatives are functions too.
        #[serde(default)]
        derivatives: bool,
    },
    /// Random Fourier features.
    Fourier {
        /// p.
        count: usize,
    },
    /// Everything the minimiser of Eq 5 is made of: n(d + 1) functions, for small n·d.
    Exact,
}

impl Default for BasisSpec {
    fn default() -> Self {
        Self::Landmarks {
            count: None,
            selection: Selection::default(),
            derivatives: false,
        }
    }
}

/// The rows that the covariance Σ̂ is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covariance {
    /// The labelled ones: Tikhonov is then the minimiser of Eq 5, and works for
    /// every strength.
    #[default]
    Labelled,
    /// All rows, as Algorithm 1 is printed: modes and eigenvalues then do not depend
    /// on the labels (embedding, cut-off by rank), but the filter must cut inside
    /// the spectral gap, else labels are interpolated by spikes.
    All,
}

/// μ, the share of the norm in the penalty `‖∇g‖² + μ‖g‖²`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NormShare {
    /// 1/n.
    #[default]
    Auto,
    /// This number; 0 leaves flat functions unpenalised.
    Fixed(f64),
}

/// How L̂ is brought into coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// Whatever the error estimate allows; the report says which and why.
    #[default]
    Auto,
    /// QR of the gradients written out, tile by tile: accurate for any μ, O(ndp²).
    Panel,
    /// `T*L̂T` by the formula without d: O(np²), safe while `ε‖L̂‖ ≪ μ` in whitened
    /// coordinates.
    Gram,
}

/// What can be said of kernel Laplacian regularisation.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaplacianParams {
    /// The kernel, which must have a gradient; a bandwidth `auto` is the median
    /// distance between rows.
    pub kernel: KernelSpec,
    /// The functions a predictor is a sum of.
    pub basis: BasisSpec,
    /// ψ; without it Tikhonov, its strength chosen by leave-one-out among
    /// [`STRENGTHS`] (`USUAL_STRENGTH` with fewer than three labels). A recipe for
    /// classes takes the usual strength too where no class has two labels: without
    /// its only label a class cannot be predicted, whatever the strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// μ.
    #[serde(with = "share")]
    pub norm_share: NormShare,
    /// The rows Σ̂ is over.
    pub covariance: Covariance,
    /// Whether constants are free: centred Σ̂ and labels, an unpenalised bias in Eq 5.
    /// Right for numbers with a mean of their own; with few labels of classes and a
    /// strong penalty the bias follows the labels that are easiest to fit, and
    /// drowns the others.
    pub free_constant: bool,
    /// How L̂ is brought into coordinates.
    pub route: Route,
    /// In which numbers the tiles of L̂ and Σ̂ are summed. `Single` takes the Gram form,
    /// cuts the basis at the rounding of `f32`, and the report says what it cost.
    #[serde(skip_serializing_if = "is_double")]
    pub precision: Precision,
}

fn is_double(precision: &Precision) -> bool {
    *precision == Precision::Double
}

impl Default for LaplacianParams {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::default(),
            basis: BasisSpec::default(),
            filter: None,
            norm_share: NormShare::Auto,
            covariance: Covariance::default(),
            free_constant: false,
            route: Route::Auto,
            precision: Precision::Double,
        }
    }
}

impl LaplacianParams {
    /// Refuses what no data could make sense of.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the range; [`Error::Refused`] for a kernel without a
    /// gradient, with those that have one.
    pub fn check(&self) -> Result<()> {
        self.kernel.clone().resolved(1.0).build_smooth()?;
        if let Some(filter) = &self.filter {
            filter.check()?;
        }
        if let NormShare::Fixed(share) = self.norm_share
            && !(share >= 0.0 && share.is_finite())
        {
            return Err(Error::parameter(
                "norm_share",
                "zero or a positive number",
                share,
            ));
        }
        if self.precision == Precision::Single {
            let gradients = match &self.basis {
                BasisSpec::Exact => true,
                BasisSpec::Landmarks { derivatives, .. } | BasisSpec::Rows { derivatives, .. } => {
                    *derivatives
                }
                BasisSpec::Fourier { .. } => false,
            };
            if gradients || self.route == Route::Panel {
                return Err(Error::refused(
                    Refusal::Method,
                    "single precision sums tiles by the Gram form, which derivatives among \
                     the functions, the exact method and the panel route do not use",
                    "leave the precision at double, or use landmarks or waves and the gram route",
                ));
            }
        }
        let count = match &self.basis {
            BasisSpec::Landmarks { count, .. } => *count,
            BasisSpec::Rows { index, .. } => Some(index.len()),
            BasisSpec::Fourier { count } => Some(*count),
            BasisSpec::Exact => None,
        };
        if count == Some(0) {
            return Err(Error::parameter("count", "at least one function", 0));
        }
        Ok(())
    }
}

impl LaplacianParams {
    /// Functions of the basis on a table of this size.
    pub fn functions(&self, rows: usize, dim: usize) -> usize {
        let landmarks = |count: usize, derivatives: bool| {
            if derivatives {
                count.saturating_mul(dim.saturating_add(1))
            } else {
                count
            }
        };
        match &self.basis {
            BasisSpec::Landmarks {
                count, derivatives, ..
            } => landmarks(count.unwrap_or_else(|| usual_count(rows)), *derivatives),
            BasisSpec::Rows { index, derivatives } => landmarks(index.len(), *derivatives),
            BasisSpec::Fourier { count } => *count,
            BasisSpec::Exact => landmarks(rows, true),
        }
    }

    /// Bytes a fit needs beside the rows, estimated: a handful of p × p matrices and a
    /// panel of rows; for the exact method the factored system of gradients too.
    pub fn memory(&self, rows: usize, dim: usize) -> u64 {
        let p = self.functions(rows, dim) as u64;
        let square = p.saturating_mul(p).saturating_mul(8);
        let exact = match self.basis {
            BasisSpec::Exact => square.saturating_mul(2),
            _ => 0,
        };
        square
            .saturating_mul(6)
            .saturating_add(BasisMoments::memory(self.functions(rows, dim)))
            .saturating_add(exact)
    }

    /// How many of so many rows are drawn to choose landmarks and parameters from. A
    /// table of no more rows is prepared whole.
    pub fn sample_size(&self, rows: usize) -> usize {
        SAMPLE.max(2 * self.functions(rows, 0))
    }

    /// Whether these parameters are for tables in memory only.
    pub fn needs_table(&self) -> bool {
        self.route == Route::Panel || matches!(self.basis, BasisSpec::Exact)
    }
}

/// Rows drawn to choose landmarks and parameters from, at least.
pub(crate) const SAMPLE: usize = 20_000;

/// Landmarks at least when their number is left open.
pub(crate) const FEWEST_LANDMARKS: usize = 50;

/// Landmarks at most when their number is left open.
const MOST: usize = 1000;

/// √n·log n landmarks, within bounds.  [KLAP Theorem 1]
pub(super) fn usual_count(rows: usize) -> usize {
    let usual = (rows as f64).sqrt() * (rows as f64).ln().max(1.0);
    (usual as usize).clamp(FEWEST_LANDMARKS, MOST).min(rows)
}

/// `"auto"` or a number.
mod share {
    use super::NormShare;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(untagged)]
    enum Said {
        Number(f64),
        Word(String),
    }

    pub(super) fn serialize<S: Serializer>(share: &NormShare, to: S) -> Result<S::Ok, S::Error> {
        match share {
            NormShare::Auto => to.serialize_str("auto"),
            NormShare::Fixed(value) => to.serialize_f64(*value),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<NormShare, D::Error> {
        match Said::deserialize(from)? {
            Said::Number(value) => Ok(NormShare::Fixed(value)),
            Said::Word(word) if word == "auto" => Ok(NormShare::Auto),
            Said::Word(word) => Err(D::Error::custom(format!(
                "norm_share must be \"auto\" or a number, not \"{word}\""
            ))),
        }
    }
}
