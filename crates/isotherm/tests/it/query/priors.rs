//! Priors beside the methods they stand for.

use super::{gaussian, graph, points, priors, stkr};
use isotherm::base::{GraphBase, KernelBase, Normalisation, Storage};
use isotherm::data::Points;
use isotherm::estimator::baseline::{
    Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use isotherm::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared, Prior, Spectral, TrivialMode};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::Ledger;
use isotherm::solve::direct;
use isotherm::spectrum::{Filter, Transform};
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::query::kernel;

const LABELS: [(usize, u32); 6] = [(0, 0), (5, 1), (9, 2), (14, 0), (20, 1), (25, 2)];

/// The ledger's targets as a method's labels.
fn seen(total: usize) -> Observed {
    let third = 1.0 / 3.0;
    let values = Mat::from_fn(6, 3, |i, k| {
        if LABELS[i].1 as usize == k {
            1.0 - third
        } else {
            -third
        }
    });
    Observed::new(LABELS.iter().map(|l| l.0).collect(), values, total).unwrap()
}

fn ledger(prior: &Prior, noise: f64) -> Mat<f64> {
    let mut ledger = Ledger::classes(prior, 3, noise).unwrap();
    for (row, class) in LABELS {
        ledger.add_class(row, class).unwrap();
    }
    Mat::from_fn(prior.len(), 3, |i, k| ledger.scores(i)[k])
}

#[test]
fn stkr_with_all_modes_of_a_kernel_is_the_methods_own_fit() {
    let x = points(40, 2, 5);
    for transform in [
        Transform::InverseLaplacian { eta: 0.9 },
        Transform::Power { degree: 2 },
        Transform::Diffusion { time: 2.0 },
    ] {
        let params = StkrParams::as_printed(transform.clone(), 0.02);
        let base = || KernelBase::new(x.clone(), gaussian(0.5).build().unwrap(), Storage::Auto);
        let prior = stkr(base(), params.clone(), 40);
        let fitted = Stkr::new(params)
            .unwrap()
            .fit(base(), &seen(40), &mut Quiet)
            .unwrap();
        let ours = ledger(&prior, prior.noise(6));
        close(
            transform.name(),
            &ours,
            &fitted.visible.unwrap().values,
            1e-8,
        )
        .unwrap();
    }
}

#[test]
fn stkr_with_all_modes_of_a_lazy_graph_is_the_methods_own_fit_in_every_component() {
    let params = StkrParams::as_printed(Transform::InverseLaplacian { eta: 0.9 }, 0.02);
    let base = || GraphBase::normalised(graph(24), Normalisation::Lazy).unwrap();
    let prior = stkr(base(), params.clone(), 31);
    let fitted = Stkr::new(params)
        .unwrap()
        .fit(base(), &seen(31), &mut Quiet)
        .unwrap();
    let visible = fitted.visible.unwrap();
    let ours = ledger(&prior, prior.noise(6));
    close("scores", &ours, &visible.values, 1e-8).unwrap();
    // Row 25 is labelled in the path 24–27, and the label does not leave it.
    assert!(ours[(26, 2)] > 0.1 && ours[(28, 2)] == 0.0 && ours[(30, 2)] == 0.0);
}

#[test]
fn the_noise_on_an_indefinite_graph_is_the_psd_twins() {
    let params = StkrParams::default();
    let prior = stkr(GraphBase::new(graph(24)), params, 31);
    // (nβ + N)/η with β = 10⁻³ and η = 0.99.
    assert!((prior.noise(50) - (0.05 + 31.0) / 0.99).abs() < 1e-12);
}

#[test]
fn removed_trivial_modes_weigh_as_a_row_does_and_no_more_than_the_smoothest_mode() {
    let look = |trivial_mode: TrivialMode, nodes: u32| {
        let params = StkrParams {
            trivial_mode,
            ..StkrParams::default()
        };
        let prior = stkr(GraphBase::new(graph(nodes)), params, 8);
        let entry = prior.level().unwrap().entry.clone();
        let square = |rows: std::ops::Range<usize>| entry[rows].iter().map(|e| e * e).sum::<f64>();
        let n = nodes as usize;
        let f = prior.features();
        let top: f64 = f.col(0).iter().map(|v| v * v).sum();
        let mean = f.squared_norm_l2() / (n + 7) as f64;
        (
            square(0..n),
            square(n..n + 4),
            square(n + 4..n + 6),
            top,
            mean,
        )
    };
    let (ring, path, edge, top, mean) = look(TrivialMode::Remove, 24);
    assert!((ring - top.min(24.0 * mean)).abs() < 1e-8 * top);
    assert!((path - 4.0 * mean).abs() < 1e-8 * mean && 4.0 * mean < top);
    assert!((edge - 2.0 * mean).abs() < 1e-8 * mean);
    // N s(1) = N/(1 − η)
    let (ring, path, edge, ..) = look(TrivialMode::Keep, 24);
    for square in [ring, path, edge] {
        assert!((square - 31.0 / 0.01).abs() < 1e-8 * square);
    }
}

#[test]
fn the_kernel_laplacian_with_all_axes_is_tikhonov() {
    let x = points(40, 2, 5);
    let params = LaplacianParams {
        kernel: gaussian(0.8),
        basis: BasisSpec::Landmarks {
            count: Some(30),
            selection: Default::default(),
            derivatives: false,
        },
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        ..LaplacianParams::default()
    };
    let method = Laplacian::new(params, 1).unwrap();
    let prepared = method.prepare(x.clone(), &mut Quiet).unwrap();
    let prior = prepared.spectral(40, &mut Quiet).unwrap();
    assert!((prior.noise(6) - 0.6).abs() < 1e-15 && prior.share() == Some(1.0));
    let fitted = prepared.solve(&seen(40), &mut Quiet).unwrap();
    let scores = fitted.scores(&x, &mut Quiet).unwrap().values;
    close("scores", &ledger(&prior, 0.6), &scores, 1e-8).unwrap();
}

/// As for harmonic functions: with the constant's variance raised from 100 means of the
/// others to 10⁸ of them, what is left is of the order of 10⁻⁸ of their largest.
#[test]
fn the_kernel_laplacians_free_constant_tends_to_a_bias() {
    let x = points(40, 2, 5);
    let params = LaplacianParams {
        kernel: gaussian(0.8),
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        free_constant: true,
        ..LaplacianParams::default()
    };
    let method = Laplacian::new(params, 1).unwrap();
    let prepared = method.prepare(x.clone(), &mut Quiet).unwrap();
    let prior = prepared.spectral(40, &mut Quiet).unwrap();
    let variance = (0..40).map(|i| prior.variance(i)).sum::<f64>() / 40.0 / 101.0;
    let whole = kernel(&prior);
    let whole = Mat::from_fn(40, 40, |i, j| whole[(i, j)] + 1e8 * variance);
    let system = Mat::from_fn(6, 6, |i, j| {
        whole[(LABELS[i].0, LABELS[j].0)] + if i == j { 0.6 } else { 0.0 }
    });
    let (alpha, _) = direct::symmetric(&system, seen(40).values().as_ref()).unwrap();
    let cross = Mat::from_fn(40, 6, |i, j| whole[(i, LABELS[j].0)]);
    let fitted = prepared.solve(&seen(40), &mut Quiet).unwrap();
    let scores = fitted.scores(&x, &mut Quiet).unwrap().values;
    close("scores", &(&cross * &alpha), &scores, 1e-5).unwrap();
    // As it is, the constant is penalised by a hundredth.
    let noise = prior.noise(6);
    assert!((noise - 0.6).abs() < 1e-12);
    close("softened", &ledger(&prior, noise), &scores, 0.02).unwrap();
}

#[test]
fn kernel_ridge_with_all_rows_as_landmarks_is_the_methods_own_fit() {
    let x: Points = points(40, 2, 5);
    let params = KernelRidgeParams {
        kernel: gaussian(0.5),
        ridge: 0.02,
        ..Default::default()
    };
    let prepared = KernelRidge::new(params, 0)
        .unwrap()
        .prepare(x.clone(), &mut Quiet)
        .unwrap();
    let prior = prepared.spectral(40, &mut Quiet).unwrap();
    let fitted = prepared.solve(&seen(40), &mut Quiet).unwrap();
    let scores = fitted.scores(&x, &mut Quiet).unwrap().values;
    close("scores", &ledger(&prior, prior.noise(6)), &scores, 1e-7).unwrap();
}

#[test]
fn what_landmarks_leave_of_the_kernel_is_noise() {
    let x = points(40, 2, 5);
    let params = KernelRidgeParams {
        kernel: gaussian(0.5),
        ..Default::default()
    };
    let prepared = KernelRidge::new(params, 0)
        .unwrap()
        .prepare(x, &mut Quiet)
        .unwrap();
    let mut last = f64::INFINITY;
    for count in [1, 5, 10, 20] {
        let prior = prepared.spectral(count, &mut Quiet).unwrap();
        let left = (0..40).map(|i| 1.0 - prior.variance(i)).sum::<f64>() / 40.0; // k(x, x) = 1
        assert!((prior.noise(0) - left).abs() < 1e-10, "{count}");
        assert!((prior.share().unwrap() - (1.0 - left)).abs() < 1e-10);
        assert!(left < last);
        last = left;
    }
}

#[test]
fn label_propagation_is_the_limit_of_much_noise() {
    let method = LabelPropagation::new(LabelPropagationParams {
        tolerance: 1e-13,
        ..Default::default()
    })
    .unwrap();
    let prepared = method
        .prepare(GraphBase::new(graph(24)), &mut Quiet)
        .unwrap();
    let prior = prepared.spectral(31, &mut Quiet).unwrap();
    let fitted = prepared.solve(&seen(31), &mut Quiet).unwrap();
    // scores = K_l(K_ll + c)⁻¹Y = K_l Y/c·(1 + O(‖K_ll‖/c)), ‖K‖ ≤ 1/(1 − η) = 10.
    let noise = 1e9;
    let ours = ledger(&prior, noise);
    let ours = Mat::from_fn(31, 3, |i, k| noise * ours[(i, k)]);
    close("scores", &ours, &fitted.visible.unwrap().values, 1e-6).unwrap();
}

#[test]
fn prescribed_steps_of_propagation_have_their_own_kernel() {
    let method = LabelPropagation::new(LabelPropagationParams {
        steps: Some(3),
        ..Default::default()
    })
    .unwrap();
    let prepared = method
        .prepare(GraphBase::new(graph(24)), &mut Quiet)
        .unwrap();
    let prior = prepared.spectral(31, &mut Quiet).unwrap();
    let fitted = prepared.solve(&seen(31), &mut Quiet).unwrap();
    let noise = 1e9;
    let ours = ledger(&prior, noise);
    let ours = Mat::from_fn(31, 3, |i, k| noise * ours[(i, k)]);
    close("scores", &ours, &fitted.visible.unwrap().values, 1e-6).unwrap();
}

/// With constants all but free and labels all but clamped, the prior's kernel gives the
/// harmonic function: what is left is of the order of the noise over the kernel, 1e-9,
/// and of 1 over the constants' variance, 1e-6.
#[test]
fn the_harmonic_prior_tends_to_the_harmonic_function() {
    let harmonic = Harmonic::new(HarmonicParams {
        tolerance: 1e-13,
        ..Default::default()
    })
    .unwrap();
    let prepared = harmonic
        .prepare(GraphBase::new(graph(24)), &mut Quiet)
        .unwrap();
    let prior = prepared.spectral(31, &mut Quiet).unwrap();
    let component = &prior.level().unwrap().component;
    let mut whole = kernel(&prior);
    for j in 0..31 {
        for i in 0..31 {
            if component[i] == component[j] {
                whole[(i, j)] += 1e6;
            }
        }
    }
    let system = Mat::from_fn(6, 6, |i, j| {
        whole[(LABELS[i].0, LABELS[j].0)] + if i == j { 1e-9 } else { 0.0 }
    });
    let (alpha, _) = direct::symmetric(&system, seen(31).values().as_ref()).unwrap();
    let cross = Mat::from_fn(31, 6, |i, j| whole[(i, LABELS[j].0)]);
    let fitted = prepared.solve(&seen(31), &mut Quiet).unwrap();
    close(
        "scores",
        &(&cross * &alpha),
        &fitted.visible.unwrap().values,
        1e-5,
    )
    .unwrap();
    // As it is, c = 10⁻³ and constants of variance 100: a softened one.
    let ours = ledger(&prior, prior.noise(6));
    let hard = prepared
        .solve(&seen(31), &mut Quiet)
        .unwrap()
        .visible
        .unwrap()
        .values;
    close("softened", &ours, &hard, 0.02).unwrap();
}

#[test]
fn more_features_never_lose_share_and_every_prior_says_what_it_is() {
    let (few, more) = (priors(4), priors(12));
    for ((name, few), (_, more)) in few.iter().zip(&more) {
        assert!(few.features().ncols() <= more.features().ncols(), "{name}");
        assert!(!few.note().is_empty() && few.noise(10) > 0.0, "{name}");
        if let (Some(a), Some(b)) = (few.share(), more.share()) {
            assert!(0.0 < a && a <= b && b <= 1.0 + 1e-12, "{name}: {a} {b}");
        }
        let trace = |p: &Prior| (0..p.len()).map(|i| p.variance(i)).sum::<f64>();
        // The harmonic prior is scaled to a mean of its own.
        assert!(
            *name == "harmonic" || trace(few) <= trace(more) * (1.0 + 1e-9),
            "{name}"
        );
    }
}

#[test]
fn no_modes_at_all_are_refused() {
    let prepared = Stkr::new(StkrParams::default()).unwrap();
    let prepared = prepared
        .prepare(GraphBase::new(graph(24)), &mut Quiet)
        .unwrap();
    let error = prepared.spectral(0, &mut Quiet).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number of modes must be at least 1, got 0"
    );
}
