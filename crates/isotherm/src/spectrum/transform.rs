//! Spectral transforms `s(λ)` of a base kernel.  [STKR §3–4]

use super::{Resolvent, SpectralFunction};
use crate::error::{Error, Result};

/// `s(λ)`: how strongly a mode with eigenvalue λ of the base kernel is kept.
///
/// ```
/// use isotherm::spectrum::{SpectralFunction, Transform};
///
/// let s = Transform::InverseLaplacian { eta: 0.5 };
/// assert_eq!(s.at(1.0), 2.0); // λ/(1 − ηλ)
/// let s = Transform::Sum { terms: vec![Transform::Power { degree: 2 }, s] };
/// assert_eq!(s.at(1.0), 3.0);
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Transform {
    /// `s(λ) = Σₚ πₚ λᵖ`, p ≥ 1; `weights[0]` is π₁.  [STKR Assumption 1]
    Polynomial {
        /// π₁, π₂, …
        weights: Vec<f64>,
    },
    /// `s(λ) = λᵖ`: p hops.  [STKR App. D, Figure 2]
    Power {
        /// p ≥ 1.
        degree: usize,
    },
    /// `s(λ) = e^{tλ} − 1`: diffusion for a time t, without the identity.
    Diffusion {
        /// t > 0.
        time: f64,
    },
    /// `s(λ) = λ/(1 − ηλ)`, the inverse Laplacian.  [STKR Example 1]
    InverseLaplacian {
        /// 0 ≤ η < 1/λ₁; λ₁ = 1 for a normalised graph.
        eta: f64,
    },
    /// `1/s(λ) = Σₚ ξₚ λᵖ⁻ʳ`, p ≥ 0; `weights[0]` is ξ₀ > 0.  [STKR Eqn 20]
    Reciprocal {
        /// ξ₀, ξ₁, …
        weights: Vec<f64>,
        /// r ≥ 1.
        order: usize,
    },
    /// `s(λᵢ) = λᵢ` for the `rank` largest eigenvalues, 0 for the others: kernel
    /// PCA and a ridge probe.  [STKR Eqns 8–9]
    Truncation {
        /// Modes kept, d ≥ 1.
        rank: usize,
        /// The samples the modes come from.
        #[serde(default)]
        encoder: Encoder,
    },
    /// A sum of transforms, none of them a truncation.
    Sum {
        /// The terms.
        terms: Vec<Transform>,
    },
    /// A function of the caller's own, which a recipe carries beside its parameters
    /// ([`crate::recipe::Recipe::function`]) and no file holds.
    Custom {},
}

/// The samples a truncation's modes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoder {
    /// All visible samples: what reproduces the paper's experiments.
    #[default]
    All,
    /// The unlabelled samples only, as Eqn 8 is printed and Theorem 4 needs it.
    Unlabelled,
}

/// A transform as powers of λ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// π₁, π₂, …
    pub weights: Vec<f64>,
    /// What the cut leaves out at most, relative to `s` at the bound; 0 for a
    /// polynomial.
    pub error: f64,
}

/// Where a diffusion's series is cut: a relative error at the edge of the spectrum.
const SERIES_ERROR: f64 = 1e-16;

/// Terms a diffusion's series may have.
const SERIES_LONGEST: usize = 2000;

impl Transform {
    /// `s(λ) = λ/(1 − ηλ)`, the inverse Laplacian of a normalised graph.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 0 ≤ η < 1.
    pub fn inverse_laplacian(eta: f64) -> Result<Self> {
        if !(0.0..1.0).contains(&eta) {
            return Err(Error::parameter("eta", "at least 0 and below 1", eta));
        }
        Ok(Self::InverseLaplacian { eta })
    }

    /// Its name as the user spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Polynomial { .. } => "polynomial",
            Self::Power { .. } => "power",
            Self::Diffusion { .. } => "diffusion",
            Self::InverseLaplacian { .. } => "inverse-laplacian",
            Self::Reciprocal { .. } => "reciprocal",
            Self::Truncation { .. } => "truncation",
            Self::Sum { .. } => "sum",
            Self::Custom {} => "custom",
        }
    }

    /// Checks what can be checked without a spectrum.
    ///
    /// # Errors
    /// [`Error::Parameter`] naming the rule that was broken.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Polynomial { weights } => check_weights(weights),
            Self::Power { degree: 0 } => Err(Error::parameter("degree", "at least 1", 0)),
            Self::Power { degree } if *degree > SERIES_LONGEST => Err(Error::parameter(
                "degree",
                format!("at most {SERIES_LONGEST}"),
                degree,
            )),
            Self::Diffusion { time } if !(*time > 0.0 && *time <= 500.0) => {
                Err(Error::parameter("time", "above 0 and at most 500", time))
            }
            Self::InverseLaplacian { eta } if !(*eta >= 0.0 && eta.is_finite()) => {
                Err(Error::parameter(
                    "eta",
                    "at least 0 and below 1/λ₁, the largest eigenvalue",
                    eta,
                ))
            }
            Self::Reciprocal { order: 0, .. } => Err(Error::parameter("order", "at least 1", 0)),
            Self::Reciprocal { weights, .. } => {
                check_weights(weights)?;
                match weights.first() {
                    Some(first) if *first > 0.0 => Ok(()),
                    first => Err(Error::parameter("the first weight ξ₀", "positive", first)),
                }
            }
            Self::Truncation { rank: 0, .. } => Err(Error::parameter("rank", "at least 1", 0)),
            Self::Custom {} => Err(Error::parameter(
                "transform",
                "given with its function, which no file holds: pass it again",
                "custom",
            )),
            Self::Sum { terms } if terms.is_empty() => {
                Err(Error::parameter("terms", "at least one transform", "none"))
            }
            Self::Sum { terms } => terms.iter().try_for_each(|term| match term {
                Self::Truncation { .. } => Err(Error::parameter(
                    "terms",
                    "functions of an eigenvalue's value",
                    "truncation",
                )
                .with_hint("a truncation depends on its rank")),
                term => term.check(),
            }),
            _ => Ok(()),
        }
    }

    /// The transform as a power series on |λ| ≤ bound, cut at a relative error of
    /// 1e-16 at the bound; `None` when it has no short one.
    pub(crate) fn series(&self, bound: f64) -> Option<Series> {
        match self {
            Self::Polynomial { weights } => Some(Series {
                weights: weights.clone(),
                error: 0.0,
            }),
            Self::Power { degree } => {
                let mut weights = vec![0.0; *degree];
                *weights.last_mut()? = 1.0;
                Some(Series {
                    weights,
                    error: 0.0,
                })
            }
            Self::Diffusion { time } => diffusion_series(*time, bound),
            Self::Sum { terms } => {
                let mut sum = Series {
                    weights: Vec::new(),
                    error: 0.0,
                };
                for term in terms {
                    let series = term.series(bound)?;
                    let longer = sum.weights.len().max(series.weights.len());
                    sum.weights.resize(longer, 0.0);
                    for (slot, w) in sum.weights.iter_mut().zip(series.weights) {
                        *slot += w;
                    }
                    sum.error = sum.error.max(series.error);
                }
                Some(sum)
            }
            Self::InverseLaplacian { .. }
            | Self::Reciprocal { .. }
            | Self::Truncation { .. }
            | Self::Custom {} => None,
        }
    }

    /// `(ξ, r)` when `1/s` is short; `None` otherwise.
    pub fn reciprocal(&self) -> Option<(Vec<f64>, usize)> {
        match self {
            Self::InverseLaplacian { eta } => Some((vec![1.0, -eta], 1)),
            Self::Reciprocal { weights, order } => Some((weights.clone(), *order)),
            _ => None,
        }
    }

    /// η, when the transform is an inverse Laplacian however it is spelled.
    pub fn eta(&self) -> Option<f64> {
        match self {
            Self::InverseLaplacian { eta } => Some(*eta),
            Self::Reciprocal { weights, order: 1 } => match weights.as_slice() {
                [first, second] if *first == 1.0 && *second <= 0.0 => Some(-second),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `Σₚ tᵖ/p! λᵖ` until the tail at the bound is below [`SERIES_ERROR`].
fn diffusion_series(time: f64, bound: f64) -> Option<Series> {
    let reach = time * bound;
    let whole = reach.exp_m1();
    let (mut weight, mut term, mut weights) = (1.0, 1.0, Vec::new());
    for p in 1..=SERIES_LONGEST {
        weight *= time / p as f64;
        term *= reach / p as f64;
        weights.push(weight);
        // Σ_{k>p} xᵏ/k! ≤ xᵖ/p! · q/(1 − q) with q = x/(p + 1) < 1.
        let q = reach / (p + 1) as f64;
        if q < 1.0 {
            let tail = term * q / (1.0 - q);
            if tail <= SERIES_ERROR * whole || tail == 0.0 {
                let error = if whole > 0.0 { tail / whole } else { 0.0 };
                return Some(Series { weights, error });
            }
        }
    }
    None
}

fn check_weights(weights: &[f64]) -> Result<()> {
    if weights.iter().any(|w| !w.is_finite()) || weights.iter().all(|w| *w == 0.0) {
        return Err(Error::parameter(
            "weights",
            "finite numbers, not all of them zero",
            weights,
        ));
    }
    Ok(())
}

fn horner(weights: &[f64], x: f64) -> f64 {
    weights.iter().rev().fold(0.0, |s, w| s * x + w)
}

impl SpectralFunction for Transform {
    /// `s(λ)`; for a truncation the value of a mode that is kept.
    fn at(&self, eigenvalue: f64) -> f64 {
        match self {
            Self::Truncation { .. } => eigenvalue,
            Self::Diffusion { time } => (time * eigenvalue).exp_m1(),
            _ => eigenvalue * self.ratio(eigenvalue),
        }
    }

    fn ratio(&self, eigenvalue: f64) -> f64 {
        let power = |p: usize| eigenvalue.powi(i32::try_from(p).unwrap_or(i32::MAX));
        match self {
            Self::Polynomial { weights } => horner(weights, eigenvalue),
            Self::Power { degree } => power(degree.saturating_sub(1)),
            Self::Diffusion { time } if eigenvalue == 0.0 => *time,
            Self::Diffusion { time } => (time * eigenvalue).exp_m1() / eigenvalue,
            Self::InverseLaplacian { eta } => 1.0 / (1.0 - eta * eigenvalue),
            Self::Reciprocal { weights, order } => {
                power(order.saturating_sub(1)) / horner(weights, eigenvalue)
            }
            Self::Truncation { .. } => 1.0,
            // Its function is elsewhere; whoever asks here is told that nothing is known.
            Self::Custom {} => f64::NAN,
            Self::Sum { terms } => terms.iter().map(|t| t.ratio(eigenvalue)).sum(),
        }
    }

    fn resolvent(&self) -> Option<Resolvent> {
        let eta = self.eta().filter(|eta| *eta > 0.0)?;
        Some(Resolvent { eta, times: true })
    }
}
