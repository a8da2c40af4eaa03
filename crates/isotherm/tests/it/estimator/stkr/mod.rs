//! STKR against the dense eigendecomposition of its base.

mod label_system;
mod refusals;
mod repairs;
mod select;
mod solvers;
mod tuned;
mod twin;

use isotherm::base::{Base, GraphBase, Normalisation};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder};
use isotherm::linalg::{Mat, eigen};
use isotherm::monitor::Quiet;
use isotherm::task::Observed;
use isotherm::testing::random;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A sparse random graph with several components and an isolated node.
pub(super) fn graph(nodes: u32, seed: u64) -> Graph {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes as usize);
    let large = nodes - 8;
    for i in 1..large {
        let j = rng.random_range(0..i);
        builder.push(i, j, None).unwrap();
        builder.push(i, rng.random_range(0..large), None).unwrap();
    }
    // A triangle, an edge, a path of two edges less one node: small components.
    for (u, v) in [(0, 1), (1, 2), (2, 0), (3, 4), (5, 6)] {
        builder.push(large + u, large + v, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

pub(super) fn base(normalisation: Normalisation) -> GraphBase {
    GraphBase::normalised(graph(60, 5), normalisation).unwrap()
}

/// Labels in the large component, in the triangle and at an edge.
pub(super) fn seen(total: usize) -> Observed {
    let index: Vec<usize> = vec![0, 7, 12, 20, 33, 41, 49, total - 8, total - 7, total - 5];
    let values = random(index.len(), 2, 8);
    Observed::new(index, values, total).unwrap()
}

/// `S` as a matrix.
pub(super) fn dense<B: Base>(base: &B) -> Mat<f64> {
    let n = base.len();
    let mut out = Mat::zeros(n, n);
    base.gram()
        .apply(
            Mat::<f64>::identity(n, n).as_ref(),
            out.as_mut(),
            &mut Quiet,
        )
        .unwrap();
    out
}

/// `f(A)` for a symmetric matrix, by its eigendecomposition.
pub(super) fn function(a: &Mat<f64>, f: impl Fn(f64) -> f64) -> Mat<f64> {
    let eigen::Eigen { values, vectors } = eigen::symmetric(a.as_ref()).unwrap();
    let n = a.nrows();
    let scaled = Mat::from_fn(n, n, |i, j| vectors[(i, j)] * f(values[j]));
    &scaled * vectors.transpose()
}

/// The rows in `index`.
pub(super) fn rows(a: &Mat<f64>, index: &[usize]) -> Mat<f64> {
    Mat::from_fn(index.len(), a.ncols(), |i, j| a[(index[i], j)])
}

/// The columns in `index`.
pub(super) fn columns(a: &Mat<f64>, index: &[usize]) -> Mat<f64> {
    Mat::from_fn(a.nrows(), index.len(), |i, j| a[(i, index[j])])
}

/// `A⁻¹ B`, by the eigendecomposition.
pub(super) fn solve(a: &Mat<f64>, b: &Mat<f64>) -> Mat<f64> {
    function(a, |v| 1.0 / v) * b
}
