//! The kernel Laplacian as a prior: its coordinates `F(x) = φ(x) W R⁻¹` themselves.

use super::averages::measured;
use super::params;
use super::prepared::PreparedLaplacian;
use crate::base::Base as _;
use crate::error::Result;
use crate::estimator::spectral::{Prior, Spectral, check_count};
use crate::linalg::{Mat, eigen};
use crate::monitor::Monitor;
use crate::spectrum::Filter;

/// The prior variance of free functions, in means of that of the others: penalised so
/// little that a few labels settle them.
const FREE: f64 = 100.0;

impl Spectral for PreparedLaplacian {
    /// `k̃(x, x') = F(x)F(x')ᵀ`, turned to the leading principal axes of F over the rows;
    /// exact with all of them for a Tikhonov filter of strength `λ = c/n`. Other filters
    /// are taken for Tikhonov of the usual strength.
    ///
    /// Functions that are not penalised (the constant, and with μ = 0 whatever is flat)
    /// are features too, orthonormal over the rows, with 100 times the mean variance of
    /// the others in place of an infinite one.
    ///
    /// c is nλ plus the mean variance along the axes left out.
    fn spectral(&self, count: usize, monitor: &mut dyn Monitor) -> Result<Prior> {
        check_count(count)?;
        let rows = self.rows.whole()?;
        let averages = measured(
            self.base.features(),
            rows,
            &self.coordinates,
            self.params.free_constant,
            monitor,
        )?;
        let (r, q) = (averages.features.nrows(), averages.free.nrows());
        let found = eigen::symmetric(averages.features.as_ref())?; // ascending
        let kept = count.min(r);
        let positive = found.values.iter().map(|v| v.max(0.0));
        let all: f64 = positive.clone().sum();
        let left: f64 = positive.take(r - kept).sum();
        let free = eigen::symmetric(averages.free.as_ref())?;
        let largest = free.values.last().copied().unwrap_or(0.0);
        let usable: Vec<usize> = (0..q)
            .filter(|&j| free.values[j] > q as f64 * f64::EPSILON * largest)
            .collect();
        let width = kept + usable.len();
        let features = Mat::from_fn(r, width, |i, j| {
            if j < kept {
                found.vectors[(i, r - 1 - j)]
            } else {
                0.0
            }
        });
        let flat = Mat::from_fn(q, width, |i, j| match j.checked_sub(kept) {
            Some(j) => {
                let at = usable[j];
                free.vectors[(i, at)] * (FREE * all / free.values[at]).sqrt()
            }
            None => 0.0,
        });
        let (coefficients, offset) = self.in_basis(&features, &flat);
        let mut values = self.base.expand(rows, coefficients.as_ref(), monitor)?;
        for (j, offset) in offset.iter().enumerate() {
            values.col_mut(j).iter_mut().for_each(|v| *v += offset);
        }
        let (strength, how) = match self.params.filter {
            Some(Filter::Tikhonov { strength }) => (strength, "Tikhonov"),
            Some(_) => (
                params::USUAL_STRENGTH,
                "its filter taken for Tikhonov of strength 1",
            ),
            None => (
                params::USUAL_STRENGTH,
                "Tikhonov of strength 1, which labels may change",
            ),
        };
        let share = (all > 0.0).then_some((all - left) / all);
        let note = format!(
            "{kept} of {r} principal axes of the kernel Laplacian's coordinates, {} free functions; \
             {how}",
            usable.len()
        );
        Ok(Prior::new(values, left, strength)?.saying(share, note))
    }
}
