//! Every transform on every base, as fitted and as the formulas say.

use super::{base, columns, dense, function, rows, seen, solve};
use isotherm::base::{Base, GraphBase, KernelBase, Normalisation, SimilarityBase, Storage};
use isotherm::data::graph::{EdgeRules, Loops};
use isotherm::data::{GraphBuilder, Links, Points};
use isotherm::estimator::EvaluationPoints;
use isotherm::estimator::stkr::{Repair, Ridge, RidgePath, Solver, Stkr, StkrParams, smoothness};
use isotherm::estimator::{Estimator, Prepared, TrivialMode};
use isotherm::kernel::KernelSpec;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::spectrum::{Encoder, SpectralFunction, Transform};
use isotherm::task::Observed;
use isotherm::testing::operator::close;
use isotherm::testing::{self, random};

fn transforms() -> Vec<Transform> {
    vec![
        Transform::Polynomial {
            weights: vec![0.5, 0.0, 1.0, 2.0],
        },
        Transform::Power { degree: 3 },
        Transform::Power { degree: 8 },
        Transform::Diffusion { time: 4.0 },
        Transform::InverseLaplacian { eta: 0.9 },
        Transform::Reciprocal {
            weights: vec![1.0, -0.3, 0.2],
            order: 2,
        },
        Transform::Sum {
            terms: vec![
                Transform::Power { degree: 2 },
                Transform::InverseLaplacian { eta: 0.7 },
            ],
        },
    ]
}

/// What the formulas say: scores of visible samples, and of new ones from their
/// similarities `K(x, ·)`. `s` without the removed directions `u`.
struct Twin {
    visible: Mat<f64>,
    new: Mat<f64>,
}

fn twin(
    s: &dyn SpectralFunction,
    gram: &Mat<f64>,
    similar: &Mat<f64>,
    seen: &Observed,
    ridge: f64,
) -> Twin {
    let total = gram.nrows() as f64;
    let n = seen.index().len() as f64;
    let kernel = function(gram, |v| total * s.at(v));
    let ratio = function(gram, |v| s.ratio(v));
    let mut system = rows(&columns(&kernel, seen.index()), seen.index());
    for i in 0..seen.index().len() {
        system[(i, i)] += n * ridge;
    }
    let alpha = solve(&system, seen.values());
    Twin {
        visible: columns(&kernel, seen.index()) * &alpha,
        new: similar * (columns(&ratio, seen.index()) * &alpha),
    }
}

/// `K(queries, ·)` row by row.
fn similarities<B: Base>(base: &B, queries: &B::Query) -> Mat<f64> {
    let identity = Mat::<f64>::identity(base.len(), base.len());
    base.expand(queries, identity.as_ref(), &mut Quiet).unwrap()
}

fn params(transform: Transform) -> StkrParams {
    StkrParams {
        tolerance: 1e-13,
        ..StkrParams::as_printed(transform, 0.05)
    }
}

fn check<B: Base>(make: impl Fn() -> B, queries: &B::Query, params: StkrParams, what: &str) {
    let base = make();
    let seen = seen(base.len());
    let twin = twin(
        &params.transform,
        &dense(&base),
        &similarities(&base, queries),
        &seen,
        0.05,
    );
    let what = format!("{what} {:?}", params.transform);
    let fitted = Stkr::new(params)
        .unwrap()
        .fit(base, &seen, &mut Quiet)
        .unwrap();
    let visible = fitted.visible.as_ref().unwrap();
    close(&what, &visible.values, &twin.visible, 1e-8).unwrap();
    let new = fitted.scores(queries, &mut Quiet).unwrap();
    close(&what, &new.values, &twin.new, 1e-8).unwrap();
}

fn links(known: usize) -> Links {
    // Node 2 has no link: it is unreached, and zero.
    let links = [(0, 3, 1.0), (0, 9, 2.0), (1, 30, 1.0), (3, 53, 1.0)];
    Links::new(4, known, &links).unwrap()
}

#[test]
fn every_transform_on_every_graph_is_its_formula() {
    for normalisation in [
        Normalisation::Symmetric,
        Normalisation::Lazy,
        Normalisation::SelfLoops,
    ] {
        for transform in transforms() {
            let what = format!("{normalisation:?}");
            check(|| base(normalisation), &links(60), params(transform), &what);
        }
    }
}

#[test]
fn every_transform_on_a_table_is_its_formula() {
    let x = random(60, 2, 3);
    let points = |m: &Mat<f64>| {
        let values = (0..m.nrows()).flat_map(|i| [m[(i, 0)], m[(i, 1)]]);
        Points::new(values.collect(), m.nrows(), 2).unwrap()
    };
    let queries = points(&random(5, 2, 4));
    for storage in [Storage::Stored, Storage::Tiled] {
        for transform in transforms() {
            let kernel = KernelSpec::default().resolved(0.4);
            let make = || KernelBase::new(points(&x), kernel.build().unwrap(), storage);
            check(make, &queries, params(transform), "table");
        }
    }
}

#[test]
fn given_similarities_dense_and_sparse_are_the_kernel() {
    let n = 60;
    // Positive similarities that fade along a line, none beyond five steps.
    let value = |i: usize, j: usize| match i.abs_diff(j) {
        0..=5 => 1.0 / (1.0 + i.abs_diff(j) as f64),
        _ => 0.0,
    };
    let matrix = Mat::from_fn(n, n, value);
    let similar = Mat::from_fn(3, n, |q, j| value(20 * q, j));
    for transform in transforms() {
        let make = || SimilarityBase::new(matrix.clone()).unwrap();
        let rows = Points::from_mat(similar.as_ref()).unwrap();
        check(make, &rows, params(transform.clone()), "dense");
        let make = || {
            let rules = EdgeRules {
                loops: Loops::Keep,
                ..Default::default()
            };
            let mut builder = GraphBuilder::new(rules).with_nodes(n);
            for i in 0..n {
                for j in i..n.min(i + 6) {
                    builder.push(i as u32, j as u32, Some(value(i, j))).unwrap();
                }
            }
            let graph = builder.finish(&mut Quiet).unwrap().0;
            GraphBase::normalised(graph, Normalisation::Given).unwrap()
        };
        let mut queries = Vec::new();
        for q in 0..3 {
            for j in 0..n {
                if similar[(q, j)] > 0.0 {
                    queries.push((q as u32, j as u32, similar[(q, j)]));
                }
            }
        }
        let queries = Links::new(3, n, &queries).unwrap();
        check(make, &queries, params(transform), "sparse");
    }
}

#[test]
fn any_monotone_function_is_its_formula() {
    let s = |v: f64| v.max(0.0).powf(1.5) / (1.0 + v.max(0.0));
    let (graph, seen) = (base(Normalisation::Lazy), seen(60));
    let twin = twin(
        &s,
        &dense(&graph),
        &similarities(&graph, &links(60)),
        &seen,
        0.05,
    );
    let params = StkrParams {
        tolerance: 1e-12,
        ..params(Transform::Power { degree: 1 })
    };
    let stkr = Stkr::with_function(s, params).unwrap();
    let fitted = stkr.fit(graph, &seen, &mut Quiet).unwrap();
    let visible = fitted.visible.as_ref().unwrap();
    close("function", &visible.values, &twin.visible, 1e-7).unwrap();
    let new = fitted.scores(&links(60), &mut Quiet).unwrap();
    close("function at new nodes", &new.values, &twin.new, 1e-7).unwrap();
    assert!(fitted.report.residual < 1e-6);
}

#[test]
fn a_centred_kernel_is_the_centred_formula_at_old_and_new_rows() {
    let x = random(60, 2, 3);
    let kernel = KernelSpec::default().resolved(0.4);
    let points = |m: &Mat<f64>| {
        let values = (0..m.nrows()).flat_map(|i| [m[(i, 0)], m[(i, 1)]]);
        Points::new(values.collect(), m.nrows(), 2).unwrap()
    };
    let queries = points(&random(5, 2, 4));
    let make = || KernelBase::new(points(&x), kernel.build().unwrap(), Storage::Auto);
    let (base, seen) = (make(), seen(60));
    let plain = dense(&base);
    let similar = similarities(&base, &queries);
    let n = 60.0;
    // K(x,y) − E K(x,·) − E K(·,y) + E K, with the empirical mean.
    let column = |m: &Mat<f64>, j: usize| m.col(j).iter().sum::<f64>() / m.nrows() as f64;
    let row = |m: &Mat<f64>, i: usize| m.row(i).iter().sum::<f64>() / m.ncols() as f64;
    let all = (0..60).map(|j| column(&plain, j)).sum::<f64>() / n;
    let gram = Mat::from_fn(60, 60, |i, j| {
        plain[(i, j)] - row(&plain, i) - column(&plain, j) + all
    });
    let new = Mat::from_fn(5, 60, |i, j| {
        similar[(i, j)] - row(&similar, i) - n * column(&plain, j) + n * all
    });
    for transform in transforms() {
        let twin = twin(&transform, &gram, &new, &seen, 0.05);
        let params = StkrParams {
            centre_kernel: true,
            ..params(transform.clone())
        };
        let prepared = Stkr::new(params).unwrap();
        let prepared = prepared.prepare(make(), &mut Quiet).unwrap();
        let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
        let what = format!("{transform:?}");
        let visible = fitted.visible.as_ref().unwrap();
        close(&what, &visible.values, &twin.visible, 1e-8).unwrap();
        let found = fitted.scores(&queries, &mut Quiet).unwrap();
        close(&what, &found.values, &twin.new, 1e-8).unwrap();
        // The same through a family of transforms at new rows.
        let blocks = prepared
            .label_blocks(
                &[&transform],
                &seen,
                EvaluationPoints::New(&queries),
                &mut Quiet,
            )
            .unwrap();
        let alpha = RidgePath::new(blocks[0].gram.as_ref()).unwrap();
        let alpha = alpha.coefficients(10.0 * 0.05, seen.values().as_ref());
        close(&what, &(&blocks[0].cross * alpha), &twin.new, 1e-8).unwrap();
    }
}

#[test]
fn centred_labels_without_the_trivial_mode_are_the_deflated_formula() {
    for transform in transforms() {
        let (graph, given) = (base(Normalisation::Symmetric), seen(60));
        // u ∝ √d on components whose labels differ: the large one and the triangle.
        let components = graph.components(&mut Quiet).unwrap().unwrap();
        let mut gram = dense(&graph);
        let top = super::function(&gram, |v| v);
        drop(top);
        let degrees = isotherm::base::Adjacency::graph(&graph).degrees();
        for component in [components[0], components[52]] {
            let u = |i: usize| {
                if components[i] == component {
                    degrees[i].sqrt()
                } else {
                    0.0
                }
            };
            let square: f64 = (0..60).map(|i| u(i) * u(i)).sum();
            for j in 0..60 {
                for i in 0..60 {
                    gram[(i, j)] -= u(i) * u(j) / square;
                }
            }
        }
        let n = given.index().len();
        let mean = |j: usize| given.values().col(j).iter().sum::<f64>() / n as f64;
        let values = Mat::from_fn(n, 2, |i, j| given.values()[(i, j)] - mean(j));
        let centred = Observed::new(given.index().to_vec(), values, 60).unwrap();
        // New nodes see P c: the deflated kernel is orthogonal to u.
        let similar = similarities(&graph, &links(60));
        let total = 60.0;
        let kernel = function(&gram, |v| total * transform.at(v));
        let mut system = rows(&columns(&kernel, given.index()), given.index());
        for i in 0..n {
            system[(i, i)] += n as f64 * 0.05;
        }
        let alpha = solve(&system, centred.values());
        let visible = columns(&kernel, given.index()) * &alpha;
        let mut c = columns(&function(&gram, |v| transform.ratio(v)), given.index()) * &alpha;
        let modes = graph.modes(&mut Quiet).unwrap().unwrap();
        let labelled = [components[0] as usize, components[52] as usize];
        modes.only(|k| labelled.contains(&k)).remove(c.as_mut());
        let params = StkrParams {
            centre_labels: true,
            trivial_mode: TrivialMode::Remove,
            ..params(transform.clone())
        };
        let fitted = Stkr::new(params).unwrap();
        let fitted = fitted.fit(graph, &given, &mut Quiet).unwrap();
        let what = format!("{transform:?}");
        let found = fitted.visible.as_ref().unwrap();
        close(&what, &found.values, &visible, 1e-8).unwrap();
        let new = fitted.scores(&links(60), &mut Quiet).unwrap();
        close(&what, &new.values, &(similar * c), 1e-8).unwrap();
    }
}

#[test]
fn a_truncation_is_the_kernel_of_its_leading_modes() {
    for (encoder, rank) in [(Encoder::All, 7), (Encoder::Unlabelled, 7)] {
        let (graph, seen) = (base(Normalisation::Lazy), seen(60));
        let rest: Vec<usize> = match encoder {
            Encoder::All => (0..60).collect(),
            Encoder::Unlabelled => (0..60).filter(|i| !seen.index().contains(i)).collect(),
        };
        // ΨΨᵀ between all samples by the eigenvectors of the encoder's Gram matrix.
        let kernel = dense(&graph);
        let kernel = Mat::from_fn(60, 60, |i, j| 60.0 * kernel[(i, j)]);
        let inner = rows(&columns(&kernel, &rest), &rest);
        let m = rest.len() as f64;
        let found = isotherm::linalg::eigen::symmetric(inner.as_ref()).unwrap();
        let cut = found.values[rest.len() - rank];
        let next = found.values[rest.len() - rank - 1];
        assert!(cut - next > 1e-6 * m, "the twin needs a gap");
        let half = function(&inner, |v| if v >= cut - 1e-9 { 1.0 / v } else { 0.0 });
        let across = columns(&kernel, &rest);
        let transformed = &across * half * across.transpose();
        let mut system = rows(&columns(&transformed, seen.index()), seen.index());
        for i in 0..seen.index().len() {
            system[(i, i)] += 10.0 * 0.05;
        }
        let expected = columns(&transformed, seen.index()) * solve(&system, seen.values());
        let params = params(Transform::Truncation { rank, encoder });
        let fitted = Stkr::new(params).unwrap();
        let fitted = fitted.fit(graph, &seen, &mut Quiet).unwrap();
        let found = fitted.visible.unwrap().values;
        close(&format!("{encoder:?}"), &found, &expected, 1e-7).unwrap();
    }
}

#[test]
fn a_cut_through_equal_eigenvalues_is_told() {
    // Four components with a mode of eigenvalue 1 each; rank 2 cuts through them.
    let params = params(Transform::Truncation {
        rank: 2,
        encoder: Encoder::All,
    });
    let fitted = Stkr::new(params).unwrap();
    let fitted = fitted.fit(base(Normalisation::Symmetric), &seen(60), &mut Quiet);
    let choice = fitted.unwrap().report.choice.unwrap();
    assert!(choice.contains("cuts through"), "{choice}");
}

#[test]
fn leave_one_out_is_what_refits_say_centred_or_not() {
    for centre_labels in [false, true] {
        for transform in [
            Transform::Power { degree: 8 },
            Transform::InverseLaplacian { eta: 0.9 },
            Transform::Truncation {
                rank: 9,
                encoder: Encoder::All,
            },
        ] {
            let all = seen(60);
            let (n, ridge) = (all.index().len(), 0.05);
            let params = |ridge: f64| StkrParams {
                centre_labels,
                ridge: Ridge::Fixed(ridge),
                ..params(transform.clone())
            };
            let prepared = Stkr::new(params(ridge)).unwrap();
            let prepared = prepared
                .prepare(base(Normalisation::Lazy), &mut Quiet)
                .unwrap();
            let left = prepared.leave_one_out(&all, &mut Quiet).unwrap();
            for k in 0..n {
                let keep: Vec<usize> = (0..n).filter(|&i| i != k).collect();
                let others = Observed::new(
                    keep.iter().map(|&i| all.index()[i]).collect(),
                    rows(all.values(), &keep),
                    60,
                )
                .unwrap();
                // The ridge term nβ is kept at n.
                let kept = ridge * n as f64 / (n - 1) as f64;
                let refit = Stkr::new(params(kept)).unwrap();
                let refit = refit.fit(base(Normalisation::Lazy), &others, &mut Quiet);
                let f = refit.unwrap().visible.unwrap().values;
                for j in 0..2 {
                    let gap = (f[(all.index()[k], j)] - left[(k, j)]).abs();
                    assert!(gap < 1e-8, "{transform:?} {centre_labels}: {gap:e}");
                }
            }
        }
    }
}

#[test]
fn variances_are_those_of_the_gaussian_process() {
    let transform = Transform::InverseLaplacian { eta: 0.8 };
    let (graph, seen) = (base(Normalisation::Lazy), seen(60));
    let kernel = function(&dense(&graph), |v| 60.0 * transform.at(v));
    let mut system = rows(&columns(&kernel, seen.index()), seen.index());
    for i in 0..10 {
        system[(i, i)] += 10.0 * 0.05;
    }
    let samples = [0, 5, 30, 52];
    let across = rows(&columns(&kernel, seen.index()), &samples);
    let explained = &across * solve(&system, &across.transpose().to_owned());
    let prepared = Stkr::new(params(transform)).unwrap();
    let prepared = prepared.prepare(graph, &mut Quiet).unwrap();
    let found = prepared.variances(&seen, &samples, &mut Quiet).unwrap();
    for (k, &i) in samples.iter().enumerate() {
        let expected = kernel[(i, i)] - explained[(k, k)];
        assert!((found[k] - expected).abs() < 1e-8 * kernel[(i, i)]);
    }
}

#[test]
fn smoothness_is_the_ratio_of_its_norms() {
    let (graph, seen) = (base(Normalisation::Lazy), seen(60));
    let gram = dense(&graph);
    let fitted = Stkr::new(params(Transform::Power { degree: 3 })).unwrap();
    let fitted = fitted.fit(graph, &seen, &mut Quiet).unwrap();
    let f = fitted.visible.as_ref().unwrap().values.clone();
    for power in [1, 2] {
        let found = smoothness(&fitted.expansion, power, &mut Quiet).unwrap();
        // ‖f‖²_{Kᵖ} = Σ ⟨f, ψᵢ⟩²/λᵢᵖ over λᵢ > 0, ψᵢ = √N vᵢ.
        let inverse = function(&gram, |v| {
            if v > 1e-9 {
                1.0 / (60.0 * v.powi(power as i32))
            } else {
                0.0
            }
        });
        for j in 0..2 {
            let column = Mat::from_fn(60, 1, |i, _| f[(i, j)]);
            let norm = (column.transpose() * &inverse * &column)[(0, 0)];
            let mean = (0..60).map(|i| f[(i, j)]).sum::<f64>() / 60.0;
            let size = (0..60).map(|i| f[(i, j)].powi(2)).sum::<f64>() / 60.0;
            assert!((found[j].norm - norm.sqrt()).abs() < 1e-6 * norm.sqrt());
            assert!((found[j].size - size.sqrt()).abs() < 1e-9 * size.sqrt());
            let ratio = (size - mean * mean) / norm;
            assert!((found[j].ratio - ratio).abs() < 1e-5 * ratio);
        }
    }
    assert!(smoothness(&fitted.expansion, 3, &mut Quiet).is_err());
}

#[test]
fn scores_are_linear_in_the_labels_whoever_solves() {
    for (solver, repair) in [
        (Solver::LabelBlock, Repair::Allow),
        (Solver::Direct, Repair::Allow),
        (Solver::ConjugateGradients, Repair::PsdTwin),
    ] {
        let params = StkrParams {
            solver,
            repair,
            ..params(Transform::InverseLaplacian { eta: 0.9 })
        };
        let prepared = Stkr::new(params).unwrap();
        let prepared = prepared
            .prepare(base(Normalisation::Symmetric), &mut Quiet)
            .unwrap();
        let labelled = seen(60).index().to_vec();
        testing::estimator::check(&prepared, &labelled, 60, &links(60), 1e-8).unwrap();
    }
}

#[test]
fn numbering_nodes_otherwise_changes_nothing() {
    let graph = super::graph(60, 5);
    let order: Vec<u32> = (0..60).map(|i| (i * 7 + 3) % 60).collect();
    let order = isotherm::data::order::Order::new(order).unwrap();
    let moved = graph.permuted(&order, &mut Quiet).unwrap();
    let seen = seen(60);
    let index = seen.index().iter();
    let index = index.map(|&i| order.new_of(i as u32) as usize).collect();
    let moved_seen = Observed::new(index, seen.values().clone(), 60).unwrap();
    for transform in transforms() {
        let fit = |graph, seen: &Observed| {
            let stkr = Stkr::new(StkrParams {
                transform: transform.clone(),
                tolerance: 1e-13,
                ..Default::default()
            });
            let fitted = stkr.unwrap().fit(GraphBase::new(graph), seen, &mut Quiet);
            fitted.unwrap().visible.unwrap().values
        };
        let (here, there) = (fit(graph.clone(), &seen), fit(moved.clone(), &moved_seen));
        let back = Mat::from_fn(60, 2, |i, j| there[(order.new_of(i as u32) as usize, j)]);
        close(&format!("{transform:?}"), &back, &here, 1e-8).unwrap();
    }
}

#[test]
fn the_thread_count_changes_no_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut bits = Vec::new();
            for transform in transforms() {
                let stkr = Stkr::new(params(transform)).unwrap();
                let base = GraphBase::new(super::graph(3000, 6));
                let fitted = stkr.fit(base, &seen(3000), &mut Quiet).unwrap();
                let f = fitted.visible.unwrap().values;
                bits.extend((0..3000).map(|i| f[(i, 1)].to_bits()));
            }
            bits
        })
    };
    assert!(run(1) == run(2));
}
