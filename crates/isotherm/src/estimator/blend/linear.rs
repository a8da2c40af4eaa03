//! The blend as one linear method: leave-one-out, influences and fits to some of the labels.
//!
//! With members `Hₖ = I − cₖW⁻¹Mₖ`, weights w and the rest `r = 1 − Σw` on the labels' mean (less a part of it for classes),
//! the blend is `H = Σ wₖHₖ + r·1wᵀ/Σw`. Leave-one-out takes the weights that were found
//! without the label, so choosing them is part of what is judged.

use super::prepared::PreparedBlend;
use super::stack::Pull;
use super::tuned::{Tuned, stack};
use crate::base::BlendBase;
use crate::error::Result;
use crate::estimator::centring::Centring;
use crate::estimator::smoother::{Nested, Removal, check_alike};
use crate::estimator::subsets::{Subsets, part};
use crate::estimator::{Linear, Smoother};
use crate::expansion::Fitted;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::task::Observed;

impl Linear for PreparedBlend {
    fn smoother(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Smoother> {
        let known = self.known(seen, monitor)?;
        Ok(smoother(&known.tuned, self.pull()))
    }

    fn influence(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<BlendBase>> {
        let known = self.known(seen, monitor)?;
        self.expand(&known, seen.units()?.values(), monitor)
    }

    /// Ridges and weights are chosen anew for each of the fits.
    fn subsets(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Subsets> {
        check_alike(seen)?;
        let known = self.known(seen, monitor)?;
        let grams = known.grams.clone();
        let pull = self.pull();
        let scoring = move |train: &[usize], others: &[usize], _: &Mat<f64>, y: &Mat<f64>| {
            let own: Vec<Mat<f64>> = grams.iter().map(|g| part(g, train, train)).collect();
            let cross: Vec<Mat<f64>> = grams.iter().map(|g| part(g, others, train)).collect();
            let seen = Observed::new((0..train.len()).collect(), y.clone(), train.len())?;
            Ok(Tuned::new(&own, &seen, &pull)?.scores(&cross))
        };
        Ok(Subsets::new(Box::new(scoring), None, Centring::None))
    }
}

/// The matrices of a blend at its labels.
fn smoother(tuned: &Tuned, pull: Pull) -> Smoother {
    let n = tuned.seen.index().len();
    let total: f64 = (0..n).map(|i| tuned.weight(i)).sum();
    let mut hat = Mat::from_fn(n, n, |_, j| {
        tuned.rest(&tuned.weights) * tuned.weight(j) / total
    });
    let mut left = Mat::from_fn(n, n, |i, j| {
        let rest = tuned.rest(&tuned.without[i]);
        rest * tuned.weight(j) / (total - tuned.weight(i)).max(f64::MIN_POSITIVE)
    });
    for (k, member) in tuned.smoothers.iter().enumerate() {
        for j in 0..n {
            for i in 0..n {
                hat[(i, j)] += tuned.weights[k] * member.hat()[(i, j)];
                left[(i, j)] += tuned.without[i][k] * member.left()[(i, j)];
            }
        }
    }
    let penalty = penalty(tuned);
    let (members, seen) = (tuned.smoothers.clone(), tuned.seen.clone());
    let taken_off = tuned.taken_off();
    Smoother::of(hat, left, Removal::Predicted, &tuned.seen)
        .with_penalty(Some(penalty))
        .with_nested(move |labels, fold| nested(&members, &seen, labels, fold, (&pull, taken_off)))
}

/// `Σ wₖcₖMₖ + r(W − ww ᵀ/Σw)`: what the blend minimises as a function of the labels. Weights
/// that sum to more than one count as shares.
fn penalty(tuned: &Tuned) -> Mat<f64> {
    let n = tuned.seen.index().len();
    let sum: f64 = tuned.weights.iter().sum();
    let (scale, rest) = if sum > 1.0 {
        (1.0 / sum, 0.0)
    } else {
        (1.0, 1.0 - sum)
    };
    let total: f64 = (0..n).map(|i| tuned.weight(i)).sum();
    let mut out = Mat::from_fn(n, n, |i, j| {
        let own = if i == j { tuned.weight(i) } else { 0.0 };
        rest * (own - tuned.weight(i) * tuned.weight(j) / total)
    });
    for (weight, member) in tuned.weights.iter().zip(&tuned.members) {
        for j in 0..n {
            for i in 0..n {
                out[(i, j)] += scale * weight * member.shift * member.penalty[(i, j)];
            }
        }
    }
    out
}

/// Each member without the fold, blended by weights that were found without it.
fn nested(
    members: &[Smoother],
    seen: &Observed,
    labels: MatRef<'_, f64>,
    fold: &[usize],
    (pull, taken_off): (&Pull, f64),
) -> Result<Option<Nested>> {
    let mut found = Vec::with_capacity(members.len());
    for member in members {
        match member.nested(labels, fold, true)? {
            Some(nested) => found.push(nested),
            None => return Ok(None),
        }
    }
    let Some(first) = found.first() else {
        return Ok(None);
    };
    let rest = first.rest.clone();
    let width = labels.ncols();
    let given = Mat::from_fn(rest.len(), width, |a, c| labels[(rest[a], c)]);
    let mut others = Observed::new((0..rest.len()).collect(), given, rest.len())?;
    if let Some(weights) = seen.weights() {
        others = others.with_normalised(rest.iter().map(|&i| weights[i]).collect())?;
    }
    let inner: Vec<Mat<f64>> = found.iter().map(|f| f.inner.clone()).collect();
    let stack = stack(&inner, &others, pull);
    let (weights, without) = (stack.weights(), stack.weights_without_each());
    let means = others.means();
    let share = 1.0 - weights.iter().sum::<f64>() - taken_off;
    let outer = Mat::from_fn(fold.len(), width, |a, c| {
        let sum: f64 = (weights.iter().zip(&found))
            .map(|(w, f)| w * f.outer[(a, c)])
            .sum();
        sum + share * means[c]
    });
    let inner = Mat::from_fn(rest.len(), width, |a, c| {
        let own = &without[a];
        let sum: f64 = (own.iter().zip(&inner)).map(|(w, p)| w * p[(a, c)]).sum();
        sum + (1.0 - own.iter().sum::<f64>() - taken_off) * means[c]
    });
    Ok(Some(Nested { rest, inner, outer }))
}
