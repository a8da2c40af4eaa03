//! Intervals, probabilities and sets against slow twins and by simulation.

mod base_rate;
mod bounded;
mod calibration;
mod class_shares;
mod conformal;
mod honest;
mod interval;
mod judged;
mod paired;
mod reliability;
mod suspicious;

use std::sync::Arc;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::base::NeighbourBase;
use crate::data::Points;
use crate::estimator::Linear;
use crate::estimator::stkr::{PreparedStkr, Repair, Ridge, Stkr, StkrParams};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::neighbours::Search;
use crate::task::{Codec, Observed, OneHot};
use crate::trust::{Interval, Judged};

const RUNS: usize = 500;

/// Three overlapping clouds in the plane.
fn clouds(n: usize, seed: u64) -> (Points, Vec<u32>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut gauss = || -> f64 { (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0 };
    let centres = [[0.0, 0.0], [2.2, 0.0], [1.1, 1.9]];
    let classes: Vec<u32> = (0..n).map(|i| (i % 3) as u32).collect();
    let rows = classes.iter().flat_map(|&c| {
        let centre = centres[c as usize];
        [centre[0] + 0.8 * gauss(), centre[1] + 0.8 * gauss()]
    });
    (Points::new(rows.collect(), n, 2).unwrap(), classes)
}

fn prepared(points: Points) -> PreparedStkr<NeighbourBase> {
    let base = NeighbourBase::find(points, 8, Search::Exact, 0, &mut Quiet).unwrap();
    let params = StkrParams {
        ridge: Ridge::Fixed(0.05),
        repair: Repair::PsdTwin,
        tolerance: 1e-8,
        ..StkrParams::default()
    };
    let method = Stkr::new(params).unwrap();
    method.prepare_shared(Arc::new(base), &mut Quiet).unwrap()
}

/// So many rows drawn without replacement.
fn draw(n: usize, count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n).collect();
    for i in 0..count {
        rows.swap(i, random.random_range(i..n));
    }
    rows.truncate(count);
    rows
}

fn observed(rows: &[usize], classes: &[u32]) -> Observed {
    let values = Mat::from_fn(rows.len(), 3, |k, c| {
        f64::from(classes[rows[k]] as usize == c)
    });
    Observed::new(rows.to_vec(), values, classes.len()).unwrap()
}

fn decode(scores: &Mat<f64>, i: usize) -> u32 {
    let row: Vec<f64> = scores.row(i).iter().copied().collect();
    OneHot::new(3).decode(&row)
}

/// What leave-one-out says of the labels.
fn left_out(prepared: &PreparedStkr<NeighbourBase>, seen: &Observed, classes: &[u32]) -> Judged {
    let smoother = prepared.smoother(seen, &mut Quiet).unwrap();
    let left = smoother.left_out(seen.values().as_ref());
    let predicted = (0..seen.index().len()).map(|k| Some(decode(&left, k)));
    let truth = seen.index().iter().map(|&i| classes[i]).collect();
    Judged::new(truth, predicted.collect(), 3)
}

/// Whether so many hits are within three binomial standard errors of a share.
fn within(hits: usize, of: usize, share: f64) -> bool {
    let error = (share * (1.0 - share) / of as f64).sqrt();
    (hits as f64 / of as f64 - share).abs() <= 3.0 * error
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|i| i.low <= truth && truth <= i.high)
}
