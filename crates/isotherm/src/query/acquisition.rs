//! The strategies: one number a row from one pass, the larger the sooner.
//!
//! | strategy | score of row x |
//! |---|---|
//! | maximin | `min_y ‖y − f(x)‖²/(c + v(x))`, the energy it adds whatever its label |
//! | v-optimal | `‖FCf_x‖²/(c + v(x))`, what it takes off the sum of variances |
//! | sigma-optimal | `(1ᵀFCf_x)²/(c + v(x))`, what it takes off the variance of the sum |
//! | margin | 1 less the lead of the best class |
//! | entropy | of the class probabilities |
//! | cover | the distance to the nearest labelled row |
//! | random | nothing: drawn by [`suggest`](super::suggest()) |
//!
//! A row in a component that no label reaches is undecided for want of a label, not between
//! classes. Maximin, margin and entropy therefore put it last, at −1, unless its component
//! is large enough to be worth a label by the rule of cover.
//!
//! Maximin is M. Karzand and R. Nowak, *MaxiMin active learning in overparameterized
//! model classes* (2020), with noise; V- and Σ-optimality are M. Ji and J. Han, *A
//! variance minimization criterion to active learning on graphs* (2012), and Y. Ma,
//! R. Garnett and J. Schneider, *Σ-optimality for active learning on Gaussian random
//! fields* (2013).

use super::cover::{Cover, worth};
use super::design::{Linear, TILE};
use super::ledger::Ledger;
use crate::error::{Error, Result};
use crate::linalg::{Mat, MatRef, gemm, tiles};
use crate::monitor::Monitor;

/// How the next row is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acquisition {
    /// The row that adds most energy whatever its class; for classes.
    Maximin,
    /// The row that takes most off the sum of all variances.
    VOptimal,
    /// The row that takes most off the variance of the sum of all rows. The default: in
    /// Ma, Garnett and Schneider's comparisons it was ahead of V-optimality on graphs, and
    /// so it was, with results in view, in `experiments/query`.
    #[default]
    SigmaOptimal,
    /// The row whose two best classes are nearest; for classes.
    Margin,
    /// The row whose class is least certain; for classes.
    Entropy,
    /// The row farthest from every labelled one.
    Cover,
    /// Any row.
    Random,
}

impl Acquisition {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Maximin,
        Self::VOptimal,
        Self::SigmaOptimal,
        Self::Margin,
        Self::Entropy,
        Self::Cover,
        Self::Random,
    ];

    /// Its name as the user spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Maximin => "maximin",
            Self::VOptimal => "v-optimal",
            Self::SigmaOptimal => "sigma-optimal",
            Self::Margin => "margin",
            Self::Entropy => "entropy",
            Self::Cover => "cover",
            Self::Random => "random",
        }
    }

    /// The strategy of this name.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the names there are.
    pub fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|s| s.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::parameter("strategy", format!("one of {names}"), name)
        })
    }

    /// Whether it compares classes, so that it has nothing to say before two of them
    /// have been seen.
    pub fn needs_classes(self) -> bool {
        matches!(self, Self::Maximin | Self::Margin | Self::Entropy)
    }

    /// The score of every row, labelled ones too. One pass; [`Acquisition::Random`] has
    /// none and scores all rows alike.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a strategy of classes on numbers; [`Error::Cancelled`].
    pub fn scores(self, ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        self.check(ledger)?;
        match self {
            Self::Maximin => by_row(ledger, monitor, maximin),
            Self::Margin => by_row(ledger, monitor, |ledger, i| 1.0 - ledger.margins()[i]),
            Self::Entropy => by_row(ledger, monitor, |ledger, i| {
                let shares = ledger.probabilities(i).into_iter();
                shares.filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum()
            }),
            Self::VOptimal => v_optimal(ledger, monitor),
            Self::SigmaOptimal => sigma_optimal(ledger, monitor),
            Self::Cover => Ok(Cover::new(ledger, monitor)?.scores(ledger)),
            Self::Random => Ok(vec![0.0; ledger.len()]),
        }
    }

    pub(super) fn check(self, ledger: &Ledger) -> Result<()> {
        if self.needs_classes() && !ledger.has_classes() {
            return Err(Error::parameter(
                "strategy",
                "v-optimal, sigma-optimal, cover or random where labels are numbers",
                self.name(),
            )
            .with_hint("the others compare classes"));
        }
        Ok(())
    }
}

/// The score of a row that is not worth a label of its own.
const LAST: f64 = -1.0;

fn by_row(
    ledger: &Ledger,
    monitor: &mut dyn Monitor,
    score: impl Fn(&Ledger, usize) -> f64 + Sync,
) -> Result<Vec<f64>> {
    let worth = worth(ledger);
    let mut out = vec![0.0; ledger.len()];
    let work = out.chunks_mut(TILE).enumerate().collect();
    tiles::sweep(
        "scoring rows",
        work,
        monitor,
        |(at, out): (usize, &mut [f64])| {
            for (k, out) in out.iter_mut().enumerate() {
                let i = at * TILE + k;
                *out = if worth[i] { score(ledger, i) } else { LAST };
            }
            Ok(())
        },
    )?;
    Ok(out)
}

/// `min_c ‖e_c − 1/K − f‖²/(c + v)`; 0 for a row without features, whose label would say
/// nothing of any other row.
fn maximin(ledger: &Ledger, i: usize) -> f64 {
    if ledger.design().prior()[i] == 0.0 {
        return 0.0;
    }
    let f = ledger.scores(i);
    let even = 1.0 / f.len() as f64;
    let square: f64 = f.iter().map(|f| f * f).sum();
    let mean = f.iter().sum::<f64>() * even;
    let best = f[ledger.best()[i] as usize];
    // ‖y − f‖² = ‖f‖² − 2y·f + ‖y‖², least for the largest score.
    let energy = (square - 2.0 * (best - mean) + (1.0 - even)).max(0.0);
    energy / (ledger.noise() + ledger.variances()[i])
}

/// `f̃ᵀ C M C f̃/(c + v)` with `M = F̃ᵀF̃`.
fn v_optimal(ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
    let (design, covariance) = (ledger.design(), ledger.covariance());
    let moments = design.moments(monitor)?;
    let (m, t, parts) = (design.width(), covariance.nrows(), design.sizes().len());
    let mut sums = Mat::zeros(t, t);
    sums.as_mut()
        .submatrix_mut(0, 0, m, m)
        .copy_from(&moments.square);
    for c in 0..parts {
        if let Some(slot) = ledger.slot(c) {
            sums[(slot, slot)] = moments.own[c];
            for j in 0..m {
                sums[(j, slot)] = moments.mixed[c * m + j];
                sums[(slot, j)] = moments.mixed[c * m + j];
            }
        }
    }
    let half = gemm::times(covariance.as_ref(), sums.as_ref());
    let whole = gemm::times(half.as_ref(), covariance.as_ref());
    let whole = Mat::from_fn(t, t, |i, j| 0.5 * (whole[(i, j)] + whole[(j, i)]));
    // A row of an untouched component also tells of its constant: + 2e f·C M_C + e² M_CC.
    let mixed = MatRef::from_row_major_slice(&moments.mixed, parts, m);
    let turned = gemm::times(mixed, covariance.as_ref().submatrix(0, 0, m, m));
    let turned: Vec<f64> = (0..parts * m).map(|k| turned[(k / m, k % m)]).collect();
    let form = ledger.quadratic(&whole, Some((&turned, &moments.own)));
    let mut scores = design.quadratic_at_rows("scoring rows", &form, monitor)?;
    for (score, v) in scores.iter_mut().zip(ledger.variances()) {
        *score = score.max(0.0) / (ledger.noise() + v);
    }
    Ok(scores)
}

/// `(f̃·C F̃ᵀ1)²/(c + v)`.
fn sigma_optimal(ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
    let (form, _) = sum_of_rows(ledger, monitor)?;
    let mut scores = ledger.design().at_rows("scoring rows", &form, monitor)?;
    for (score, v) in scores.iter_mut().zip(ledger.variances()) {
        *score = *score * *score / (ledger.noise() + v);
    }
    Ok(scores)
}

/// `CFᵀ1` as a function of rows, and `1ᵀFCFᵀ1`.
pub(super) fn sum_of_rows(ledger: &Ledger, monitor: &mut dyn Monitor) -> Result<(Linear, f64)> {
    let (design, covariance) = (ledger.design(), ledger.covariance());
    let moments = design.moments(monitor)?;
    let (m, t) = (design.width(), covariance.nrows());
    let mut sums = Mat::zeros(t, 1);
    for (j, s) in moments.sum.iter().enumerate() {
        sums[(j, 0)] = *s;
    }
    for c in 0..design.sizes().len() {
        if let Some(slot) = ledger.slot(c) {
            sums[(slot, 0)] = moments.total[c];
        }
    }
    let along = gemm::times(covariance.as_ref(), sums.as_ref());
    let dense: Vec<f64> = (0..m).map(|j| along[(j, 0)]).collect();
    let mut variance: f64 = (0..t).map(|j| along[(j, 0)] * sums[(j, 0)]).sum();
    let mut form = design.linear(&dense);
    for (c, own) in form.own.iter_mut().enumerate() {
        // A component that no label has touched has a constant of variance 1 by itself.
        *own = match ledger.slot(c) {
            Some(slot) => along[(slot, 0)],
            None => {
                variance += moments.total[c] * moments.total[c];
                moments.total[c]
            }
        };
    }
    Ok((form, variance))
}
