//! Which row next: priors, the ledger, strategies and suggestions.

mod ledger;
mod priors;
mod strategies;
mod suggest;

use isotherm::base::{Base, GraphBase, KernelBase, NeighbourBase, SimilarityBase, Storage};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points};
use isotherm::estimator::baseline::{
    Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use isotherm::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prior, Spectral, TrivialMode};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Filter, Transform};
use isotherm::testing::random;

fn points(n: usize, d: usize, seed: u64) -> Points {
    let m = random(n, d, seed);
    let values = (0..n * d).map(|k| m[(k / d, k % d)]).collect();
    Points::new(values, n, d).unwrap()
}

/// A ring with chords of `n` nodes, a path of 4, an edge, and a node alone.
fn graph(n: u32) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(n as usize + 7);
    for i in 0..n {
        builder.push(i, (i + 1) % n, None).unwrap();
        if i % 3 == 0 {
            builder.push(i, (i * i + 5) % n, Some(1.5)).ok();
        }
    }
    for i in [n, n + 1, n + 2, n + 4] {
        builder.push(i, i + 1, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn gaussian(sigma: f64) -> KernelSpec {
    KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(sigma),
    }
}

fn stkr<B: Base>(base: B, params: StkrParams, count: usize) -> Prior {
    let prepared = Stkr::new(params)
        .unwrap()
        .prepare(base, &mut Quiet)
        .unwrap();
    prepared.spectral(count, &mut Quiet).unwrap()
}

/// Every method on data of 31 to 40 rows, with so many features.
fn priors(count: usize) -> Vec<(&'static str, Prior)> {
    let x = points(40, 2, 5);
    let kernel =
        |x: &Points| KernelBase::new(x.clone(), gaussian(0.5).build().unwrap(), Storage::Auto);
    let keep = StkrParams {
        trivial_mode: TrivialMode::Keep,
        ..StkrParams::default()
    };
    let power = StkrParams {
        transform: Transform::Power { degree: 2 },
        ..StkrParams::default()
    };
    let a = random(40, 6, 9);
    let similar = Mat::from_fn(40, 40, |i, j| (0..6).map(|k| a[(i, k)] * a[(j, k)]).sum());
    let laplacian = |free_constant: bool| {
        let params = LaplacianParams {
            kernel: gaussian(0.8),
            basis: BasisSpec::Landmarks {
                count: Some(30),
                selection: Default::default(),
                derivatives: false,
            },
            filter: Some(Filter::Tikhonov { strength: 0.1 }),
            free_constant,
            ..LaplacianParams::default()
        };
        let prepared = Laplacian::new(params, 1)
            .unwrap()
            .prepare(x.clone(), &mut Quiet)
            .unwrap();
        prepared.spectral(count, &mut Quiet).unwrap()
    };
    let ridge = KernelRidgeParams {
        kernel: gaussian(0.5),
        ..Default::default()
    };
    let ridge = KernelRidge::new(ridge, 0)
        .unwrap()
        .prepare(x.clone(), &mut Quiet)
        .unwrap();
    let propagation = |trivial_mode: TrivialMode| {
        let params = LabelPropagationParams {
            trivial_mode,
            ..Default::default()
        };
        let method = LabelPropagation::new(params).unwrap();
        let prepared = method
            .prepare(GraphBase::new(graph(24)), &mut Quiet)
            .unwrap();
        prepared.spectral(count, &mut Quiet).unwrap()
    };
    let harmonic = Harmonic::new(HarmonicParams::default()).unwrap();
    let harmonic = harmonic
        .prepare(GraphBase::new(graph(24)), &mut Quiet)
        .unwrap();
    let near = NeighbourBase::new(x.clone(), 4, &mut Quiet).unwrap();
    vec![
        (
            "stkr, graph",
            stkr(GraphBase::new(graph(24)), StkrParams::default(), count),
        ),
        (
            "stkr, graph, trivial modes kept",
            stkr(GraphBase::new(graph(24)), keep, count),
        ),
        (
            "stkr, graph, two hops",
            stkr(GraphBase::new(graph(24)), power, count),
        ),
        ("stkr, neighbours", stkr(near, StkrParams::default(), count)),
        (
            "stkr, kernel",
            stkr(kernel(&x), StkrParams::default(), count),
        ),
        (
            "stkr, similarities",
            stkr(
                SimilarityBase::new(similar).unwrap(),
                {
                    StkrParams {
                        transform: Transform::InverseLaplacian { eta: 0.05 },
                        ..StkrParams::default()
                    }
                },
                count,
            ),
        ),
        ("kernel laplacian", laplacian(false)),
        ("kernel laplacian, free constant", laplacian(true)),
        ("kernel ridge", ridge.spectral(count, &mut Quiet).unwrap()),
        ("label propagation", propagation(TrivialMode::Keep)),
        (
            "label propagation, trivial modes removed",
            propagation(TrivialMode::Remove),
        ),
        ("harmonic", harmonic.spectral(count, &mut Quiet).unwrap()),
    ]
}

/// Random features with three components, the last a single row without features.
fn random_prior(n: usize, m: usize, seed: u64) -> Prior {
    let f = random(n, m, seed);
    let f = Mat::from_fn(n, m, |i, j| if i + 1 == n { 0.0 } else { f[(i, j)] });
    let component = (0..n)
        .map(|i| if i + 1 == n { 2 } else { u32::from(i % 5 == 4) })
        .collect();
    let entry = (0..n)
        .map(|i| {
            if i + 1 == n {
                0.0
            } else {
                0.5 + 0.1 * (i % 3) as f64
            }
        })
        .collect();
    let level = isotherm::estimator::spectral::Level { component, entry };
    Prior::new(f, 0.1, 0.01).unwrap().with_level(level).unwrap()
}
