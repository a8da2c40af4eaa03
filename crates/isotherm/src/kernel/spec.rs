//! A kernel as a user says it: a name and its numbers, serialisable.

use serde::{Deserialize, Serialize};

use super::{
    ArcCosine, Cosine, Exponential, Gaussian, Kernel, Laplace, Linear, Matern, Polynomial,
    RationalQuadratic, SmoothKernel, Smoothness,
};
use crate::data::Points;
use crate::data::bandwidth::{median_distance, median_manhattan};
use crate::error::{Error, Refusal, Result};

/// A length scale: a number, or `"auto"` for the median distance of the data.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Said", into = "Said")]
pub enum Bandwidth {
    /// Taken from the data: the median distance between two rows.
    #[default]
    Auto,
    /// This number.
    Fixed(f64),
}

impl Bandwidth {
    /// The number.
    ///
    /// # Errors
    /// [`Error::Parameter`] when it is still `auto`.
    pub fn number(self) -> Result<f64> {
        match self {
            Self::Fixed(value) => Ok(value),
            Self::Auto => Err(Error::Parameter {
                name: "bandwidth",
                expected: "a number by the time the kernel is built".into(),
                got: "auto".into(),
                hint: Some("take the median distance of the data or give one".into()),
            }),
        }
    }
}

/// A bandwidth as it is written: a number or a word.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Said {
    Number(f64),
    Word(String),
}

impl TryFrom<Said> for Bandwidth {
    type Error = Error;

    fn try_from(said: Said) -> Result<Self> {
        const EXPECTED: &str = "\"auto\" or a positive number";
        match said {
            Said::Number(value) if value > 0.0 && value.is_finite() => Ok(Self::Fixed(value)),
            Said::Number(value) => Err(Error::parameter("bandwidth", EXPECTED, value)),
            Said::Word(word) if word == "auto" => Ok(Self::Auto),
            Said::Word(word) => Err(Error::parameter("bandwidth", EXPECTED, word)),
        }
    }
}

impl From<Bandwidth> for Said {
    fn from(bandwidth: Bandwidth) -> Self {
        match bandwidth {
            Bandwidth::Auto => Self::Word("auto".into()),
            Bandwidth::Fixed(value) => Self::Number(value),
        }
    }
}

/// A kernel as a user says it; [`KernelSpec::build`] makes it one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum KernelSpec {
    /// exp(−‖x − z‖² / 2σ²)
    Gaussian {
        /// σ
        #[serde(default)]
        bandwidth: Bandwidth,
    },
    /// (1 + a)·e⁻ᵃ or (1 + a + a²/3)·e⁻ᵃ with a = √(2ν)·‖x − z‖/ℓ
    Matern {
        /// ν
        #[serde(default)]
        smoothness: Smoothness,
        /// ℓ
        #[serde(default)]
        bandwidth: Bandwidth,
    },
    /// (1 + ‖x − z‖² / 2αℓ²)^−α
    RationalQuadratic {
        /// α
        #[serde(default = "one")]
        shape: f64,
        /// ℓ
        #[serde(default)]
        bandwidth: Bandwidth,
    },
    /// exp(−‖x − z‖ / ℓ)
    Exponential {
        /// ℓ
        #[serde(default)]
        bandwidth: Bandwidth,
    },
    /// exp(−‖x − z‖₁ / ℓ)
    Laplace {
        /// ℓ
        #[serde(default)]
        bandwidth: Bandwidth,
    },
    /// (γ x·z + c)^degree
    Polynomial {
        /// The degree.
        #[serde(default = "three")]
        degree: u32,
        /// γ
        #[serde(default = "one")]
        scale: f64,
        /// c
        #[serde(default = "one")]
        offset: f64,
    },
    /// x·z
    Linear {},
    /// x·z / (‖x‖‖z‖)
    Cosine {},
    /// (sin θ + (π − θ) cos θ)/π with θ the angle between x and z
    ArcCosine {},
}

fn one() -> f64 {
    1.0
}

fn three() -> u32 {
    3
}

impl Default for KernelSpec {
    /// The Gaussian with its bandwidth from the data.
    fn default() -> Self {
        Self::Gaussian {
            bandwidth: Bandwidth::Auto,
        }
    }
}

/// Every kernel with its usual numbers, by the name a user chooses it by.
const NAMED: [(&str, KernelSpec); 10] = [
    (
        "gaussian",
        KernelSpec::Gaussian {
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "matern32",
        KernelSpec::Matern {
            smoothness: Smoothness::ThreeHalves,
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "matern52",
        KernelSpec::Matern {
            smoothness: Smoothness::FiveHalves,
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "rational-quadratic",
        KernelSpec::RationalQuadratic {
            shape: 1.0,
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "exponential",
        KernelSpec::Exponential {
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "laplace",
        KernelSpec::Laplace {
            bandwidth: Bandwidth::Auto,
        },
    ),
    (
        "polynomial",
        KernelSpec::Polynomial {
            degree: 3,
            scale: 1.0,
            offset: 1.0,
        },
    ),
    ("linear", KernelSpec::Linear {}),
    ("cosine", KernelSpec::Cosine {}),
    ("arc-cosine", KernelSpec::ArcCosine {}),
];

impl KernelSpec {
    /// The names that [`KernelSpec::named`] knows.
    pub const NAMES: [&'static str; NAMED.len()] = {
        let mut names = [""; NAMED.len()];
        let mut i = 0;
        while i < NAMED.len() {
            names[i] = NAMED[i].0;
            i += 1;
        }
        names
    };

    /// The kernel of this name with its usual numbers and an automatic bandwidth.
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, spec)| spec.clone())
    }

    /// Whether the kernel has a bandwidth, automatic or not.
    pub fn has_bandwidth(&self) -> bool {
        self.clone().bandwidth_mut().is_some()
    }

    /// The kernel.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a number is out of its range or the bandwidth
    /// is still `auto`.
    pub fn build(&self) -> Result<Box<dyn Kernel>> {
        Ok(match self {
            Self::Exponential { bandwidth } => Box::new(Exponential::new(bandwidth.number()?)?),
            Self::Laplace { bandwidth } => Box::new(Laplace::new(bandwidth.number()?)?),
            Self::Cosine {} => Box::new(Cosine),
            Self::ArcCosine {} => Box::new(ArcCosine::of_directions()),
            _ => self.build_smooth()?,
        })
    }

    /// The kernel with its derivative, as KLAP needs it.
    ///
    /// # Errors
    /// As [`KernelSpec::build`], and [`Error::Refused`] for a kernel that has no
    /// gradient somewhere.
    pub fn build_smooth(&self) -> Result<Box<dyn SmoothKernel>> {
        Ok(match self {
            Self::Gaussian { bandwidth } => Box::new(Gaussian::new(bandwidth.number()?)?),
            Self::Matern {
                smoothness,
                bandwidth,
            } => Box::new(Matern::new(*smoothness, bandwidth.number()?)?),
            Self::RationalQuadratic { shape, bandwidth } => {
                Box::new(RationalQuadratic::new(bandwidth.number()?, *shape)?)
            }
            Self::Polynomial {
                degree,
                scale,
                offset,
            } => Box::new(Polynomial::new(*degree, *scale, *offset)?),
            Self::Linear {} => Box::new(Linear),
            Self::ArcCosine {} => Box::new(ArcCosine::of_products()),
            Self::Exponential { .. } | Self::Laplace { .. } => {
                return Err(self.no_gradient("zero"));
            }
            Self::Cosine {} => return Err(self.no_gradient("a zero row")),
        })
    }

    /// The same kernel with an `auto` bandwidth replaced by `bandwidth`; a
    /// bandwidth that was given stays.
    pub fn resolved(mut self, bandwidth: f64) -> Self {
        if let Some(slot @ Bandwidth::Auto) = self.bandwidth_mut() {
            *slot = Bandwidth::Fixed(bandwidth);
        }
        self
    }

    /// The same kernel with an `auto` bandwidth replaced by the median distance between rows,
    /// in the distance that the kernel is a function of.
    ///
    /// # Errors
    /// As [`median_distance`].
    pub fn fitted_to(self, points: &Points, seed: u64) -> Result<Self> {
        if !self.needs_bandwidth() {
            return Ok(self);
        }
        let bandwidth = match self {
            Self::Laplace { .. } => median_manhattan(points, seed)?,
            _ => median_distance(points, seed)?,
        };
        Ok(self.resolved(bandwidth))
    }

    /// The same kernel with its bandwidth, where it has one, multiplied.
    #[must_use]
    pub(crate) fn widened(mut self, factor: f64) -> Self {
        if let Some(Bandwidth::Fixed(bandwidth)) = self.bandwidth_mut() {
            *bandwidth *= factor;
        }
        self
    }

    /// Whether a bandwidth has still to be taken from the data.
    pub fn needs_bandwidth(&self) -> bool {
        matches!(self.clone().bandwidth_mut(), Some(Bandwidth::Auto))
    }

    /// Whether the kernel has a gradient everywhere, as KLAP needs it.
    pub fn has_gradient(&self) -> bool {
        !matches!(
            self,
            Self::Exponential { .. } | Self::Laplace { .. } | Self::Cosine {}
        )
    }

    fn no_gradient(&self, place: &str) -> Error {
        let smooth = NAMED.iter().map(|(_, spec)| spec);
        let smooth = smooth.filter(|spec| spec.has_gradient());
        let mut names: Vec<&str> = smooth.map(Self::name).collect();
        names.dedup();
        let last = names.pop().unwrap_or_default();
        let name = self.name();
        Error::refused(
            Refusal::Kernel,
            format!("the {name} kernel has no gradient at {place}, which kernel Laplacian needs"),
            format!("use {} or {last}", names.join(", ")),
        )
    }

    /// The kernel's name as it is written in a recipe.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gaussian { .. } => "gaussian",
            Self::Matern { .. } => "matern",
            Self::RationalQuadratic { .. } => "rational-quadratic",
            Self::Exponential { .. } => "exponential",
            Self::Laplace { .. } => "laplace",
            Self::Polynomial { .. } => "polynomial",
            Self::Linear {} => "linear",
            Self::Cosine {} => "cosine",
            Self::ArcCosine {} => "arc-cosine",
        }
    }

    fn bandwidth_mut(&mut self) -> Option<&mut Bandwidth> {
        match self {
            Self::Gaussian { bandwidth }
            | Self::Matern { bandwidth, .. }
            | Self::RationalQuadratic { bandwidth, .. }
            | Self::Exponential { bandwidth }
            | Self::Laplace { bandwidth } => Some(bandwidth),
            Self::Polynomial { .. } | Self::Linear {} | Self::Cosine {} | Self::ArcCosine {} => {
                None
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/spec.rs"]
mod tests;
