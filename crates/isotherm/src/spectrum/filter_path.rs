//! Paths of filters to choose from, placed by the spectrum they act on.

use super::Filter;
use crate::error::Result;

/// Steps of a path below the largest eigenvalue, the strongest first.
pub(crate) const STEPS_DOWN: [f64; 7] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// A filter without its strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterFamily {
    /// [`Filter::Tikhonov`]
    Tikhonov,
    /// [`Filter::CutOff`]
    CutOff,
    /// [`Filter::Leading`]
    Leading,
    /// [`Filter::GradientFlow`]
    GradientFlow,
    /// [`Filter::Landweber`]
    Landweber,
    /// [`Filter::Heat`]
    Heat,
}

/// The filters of a grid, the strongest first.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterPath {
    /// These, whatever the spectrum.
    Given(Vec<Filter>),
    /// One family from the largest eigenvalue λ₁ down to `10⁻⁶λ₁`.
    ///
    /// Tikhonov, cut-off and heat have `λ = sλ₁`, flow the time `1/(sλ₁)` and
    /// Landweber `1/s` steps of size `1/λ₁`, with s of `STEPS_DOWN`; the first
    /// cut-off is at `λ₁/2`, as nothing lies above λ₁. Leading modes have the ranks
    /// 1, 2, 4, … as long as there are modes.
    Relative(FilterFamily),
}

impl FilterPath {
    /// The filters for eigenvalues that descend; none relative to a spectrum that is 0.
    pub fn on(&self, eigenvalues: &[f64]) -> Vec<Filter> {
        let family = match self {
            Self::Given(filters) => return filters.clone(),
            Self::Relative(family) => *family,
        };
        let largest = eigenvalues.first().copied().unwrap_or(0.0);
        if !(largest > 0.0 && largest.is_finite()) {
            return Vec::new();
        }
        let modes = (eigenvalues.iter()).filter(|v| **v > largest * f64::EPSILON);
        let modes = modes.count();
        let at = |(k, s): (usize, &f64)| {
            let strength = s * largest;
            Some(match family {
                FilterFamily::Tikhonov => Filter::Tikhonov { strength },
                FilterFamily::CutOff => Filter::CutOff {
                    threshold: if k == 0 { 0.5 * largest } else { strength },
                },
                FilterFamily::Leading if 1 << k > modes => return None,
                FilterFamily::Leading => Filter::Leading { rank: 1 << k },
                FilterFamily::GradientFlow => Filter::GradientFlow {
                    time: strength.recip(),
                },
                FilterFamily::Landweber => Filter::Landweber {
                    steps: 10_u32.pow(k as u32),
                    step: None,
                },
                FilterFamily::Heat => Filter::Heat { time: strength },
            })
        };
        STEPS_DOWN.iter().enumerate().filter_map(at).collect()
    }

    /// Checks every filter that was given.
    ///
    /// # Errors
    /// As [`Filter::check`].
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Given(filters) => filters.iter().try_for_each(Filter::check),
            Self::Relative(_) => Ok(()),
        }
    }
}
