//! The blend of several kernels against slow twins.

use crate::base::Metric;
use crate::data::{Points, Rescale, Targets};
use crate::estimator::blend::stack::{Pull, Stack};
use crate::estimator::blend::{Blend, BlendParams, MemberSpec};
use crate::estimator::{Estimator as _, Linear as _, Prepared as _};
use crate::kernel::{Bandwidth, KernelSpec};
use crate::linalg::Mat;
use crate::model::Model;
use crate::monitor::Quiet;
use crate::neighbours::Search;
use crate::recipe::{Method, Recipe, Task};
use crate::study::{EvaluateOptions, Input, Study};
use crate::task::Observed;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Two classes in two overlapping clouds; every fifth row is labelled.
fn clouds(rows: usize, dim: usize, seed: u64) -> (Points, Vec<usize>, Vec<usize>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut values = Vec::with_capacity(rows * dim);
    let class: Vec<usize> = (0..rows).map(|i| i % 2).collect();
    for c in &class {
        for _ in 0..dim {
            let noise: f64 = random.random_range(-1.5..1.5);
            values.push(noise + *c as f64);
        }
    }
    let index = (0..rows).step_by(5).collect();
    (Points::new(values, rows, dim).unwrap(), index, class)
}

fn one_hot(index: &[usize], class: &[usize], total: usize) -> Observed {
    let y = Mat::from_fn(index.len(), 2, |k, c| {
        f64::from(u8::from(class[index[k]] == c))
    });
    Observed::new(index.to_vec(), y, total).unwrap()
}

fn kernel(kernel: KernelSpec) -> MemberSpec {
    MemberSpec::Kernel {
        kernel,
        width: 1.0,
        scaling: Rescale::AsGiven,
    }
}

fn blend(members: Vec<MemberSpec>) -> Blend {
    let params = BlendParams {
        members: Some(members),
        ..BlendParams::default()
    };
    Blend::new(params, 0).unwrap()
}

/// Ridge regression with a free constant by its normal equations, bordered:
/// `[G + cI, 1; 1ᵀ, 0] [α; b] = [y; 0]`, solved by elimination with pivots.
fn bordered(gram: &[Vec<f64>], ridge: f64, y: &[f64]) -> (Vec<f64>, f64) {
    let n = y.len();
    let mut a = vec![vec![0.0; n + 2]; n + 1];
    for i in 0..n {
        for j in 0..n {
            a[i][j] = gram[i][j] + if i == j { ridge } else { 0.0 };
        }
        a[i][n] = 1.0;
        a[n][i] = 1.0;
        a[i][n + 1] = y[i];
    }
    for k in 0..=n {
        let pivot = (k..=n).max_by(|&p, &q| a[p][k].abs().total_cmp(&a[q][k].abs()));
        a.swap(k, pivot.unwrap());
        for i in 0..=n {
            if i != k {
                let factor = a[i][k] / a[k][k];
                let from = a[k].clone();
                let pairs = a[i].iter_mut().zip(&from).skip(k);
                pairs.for_each(|(v, f)| *v -= factor * f);
            }
        }
    }
    let solution: Vec<f64> = (0..=n).map(|i| a[i][n + 1] / a[i][i]).collect();
    (solution[..n].to_vec(), solution[n])
}

/// Leave-one-out predictions, by refitting without each label in turn.
fn refitted(gram: &[Vec<f64>], ridge: f64, y: &[f64]) -> Vec<f64> {
    let n = y.len();
    (0..n)
        .map(|i| {
            let rest: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let own: Vec<Vec<f64>> = rest
                .iter()
                .map(|&a| rest.iter().map(|&b| gram[a][b]).collect())
                .collect();
            let known: Vec<f64> = rest.iter().map(|&a| y[a]).collect();
            let (alpha, constant) = bordered(&own, ridge, &known);
            let pairs = rest.iter().zip(&alpha);
            constant + pairs.map(|(&a, alpha)| alpha * gram[i][a]).sum::<f64>()
        })
        .collect()
}

#[test]
fn leave_one_out_of_a_member_is_what_refits_at_one_of_the_ridges_say() {
    let (points, index, class) = clouds(100, 3, 1);
    let spec = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(1.7),
    };
    let seen = one_hot(&index, &class, points.len());
    let prepared = blend(vec![kernel(spec)])
        .prepare(points.clone(), &mut Quiet)
        .unwrap();
    let found = prepared.scores(&seen, &mut Quiet).unwrap();
    assert_eq!(found.len(), 1);
    let gram: Vec<Vec<f64>> = (index.iter())
        .map(|&i| {
            let square = |j: usize| -> f64 {
                let (a, b) = (points.row(i), points.row(j));
                a.iter().zip(b.iter()).map(|(a, b)| (a - b).powi(2)).sum()
            };
            let similarity = |&j: &usize| (-square(j) / (2.0 * 1.7 * 1.7)).exp();
            index.iter().map(similarity).collect()
        })
        .collect();
    let y: Vec<f64> = index.iter().map(|&i| class[i] as f64).collect();
    // The mean diagonal of a Gaussian kernel is one, so the ridges are half powers of ten.
    let apart = |exponent: i32| -> f64 {
        let left = refitted(&gram, 10f64.powf(0.5 * f64::from(exponent)), &y);
        let own = (0..y.len()).map(|i| (left[i] - found[0].left_out[(i, 1)]).abs());
        own.fold(0.0, f64::max)
    };
    let best = (-8..=4).map(apart).fold(f64::INFINITY, f64::min);
    assert!(best < 1e-9, "the nearest refit is {best:e} away");
}

#[test]
fn a_graph_member_is_the_dense_inverse_of_its_laplacian() {
    use crate::base::{Adjacency as _, GraphBase, JoinedRows};
    let (points, index, class) = clouds(60, 2, 3);
    let (_, graph) = JoinedRows::find(
        points.clone(),
        5,
        Metric::Euclidean,
        Search::Auto,
        0,
        &mut Quiet,
    )
    .unwrap();
    let n = graph.len();
    let base = GraphBase::new(graph);
    let degrees = base.graph().degrees();
    let eta = BlendParams::default().eta;
    let mut laplacian = vec![vec![0.0; n]; n];
    for (i, row) in laplacian.iter_mut().enumerate() {
        row[i] += degrees[i];
        let weights = base.graph().weights(i).unwrap();
        for (&j, weight) in base.graph().neighbours(i).iter().zip(weights) {
            row[j as usize] -= eta * weight;
        }
    }
    let member = MemberSpec::Neighbours {
        metric: Metric::Euclidean,
        scaling: Rescale::AsGiven,
    };
    let prepared = blend(vec![member]).prepare(points, &mut Quiet).unwrap();
    let seen = one_hot(&index, &class, n);
    let fitted = prepared.solve(&seen, &mut Quiet).unwrap();
    // (D − ηW) f is zero away from labels, but for the constant that is added to f.
    let scores = fitted.visible.unwrap().values;
    let constant = fitted.expansion.offset().unwrap();
    for i in (0..n).filter(|i| !index.contains(i)) {
        let image: f64 = (0..n)
            .map(|j| laplacian[i][j] * (scores[(j, 0)] - constant[0]))
            .sum();
        assert!(image.abs() < 1e-5 * degrees[i], "row {i}: {image:e}");
    }
}

/// Equal prior weights of k members.
fn towards(k: usize, labels: f64) -> Pull {
    Pull {
        prior: vec![1.0 / k as f64; k],
        labels,
    }
}

#[test]
fn weights_of_members_are_the_best_of_many_that_are_tried() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (n, k, pull) = (30, 3, 4.0);
    let mut draw = || Mat::from_fn(n, 1, |_, _| random.random_range(-1.0..1.0));
    let predictions: Vec<Mat<f64>> = (0..k).map(|_| draw()).collect();
    let noise = draw();
    let truth = Mat::from_fn(n, 1, |i, _| {
        0.8 * predictions[0][(i, 0)] - 0.5 * predictions[1][(i, 0)] + 0.1 * noise[(i, 0)]
    });
    let stack = Stack::new(
        &predictions,
        truth.as_ref(),
        |_, _| 0.0,
        |_| 1.0,
        towards(k, pull),
    );
    let squares = |m: &Mat<f64>| m.col(0).iter().map(|v| v * v).sum::<f64>();
    let mean = predictions.iter().map(squares).sum::<f64>() / (n * k) as f64;
    let cost = |w: &[f64]| -> f64 {
        let miss = |i: usize| -> f64 {
            let sum: f64 = w.iter().zip(&predictions).map(|(w, p)| w * p[(i, 0)]).sum();
            (truth[(i, 0)] - sum).powi(2)
        };
        let far: f64 = w.iter().map(|w| (w - 1.0 / k as f64).powi(2)).sum();
        (0..n).map(miss).sum::<f64>() + pull * mean * far
    };
    let found = stack.weights();
    assert!(found.iter().all(|w| *w >= 0.0));
    assert!(
        found[0] > found[1],
        "the member that points the wrong way has less"
    );
    let best = cost(&found);
    for a in 0..=60 {
        for b in 0..=60 {
            for c in 0..=60 {
                let tried = [
                    f64::from(a) / 40.0,
                    f64::from(b) / 40.0,
                    f64::from(c) / 40.0,
                ];
                assert!(cost(&tried) >= best - 1e-9);
            }
        }
    }
}

#[test]
fn a_member_that_is_clearly_the_best_gets_nearly_all_of_the_prior() {
    let none = Mat::zeros(40, 1);
    let predictions = vec![none.clone(), none.clone(), none.clone()];
    let loss = |k: usize, _: usize| if k == 1 { 0.1 } else { 2.1 };
    // Predictions of zero leave the prior as it is.
    let stack = Stack::new(&predictions, none.as_ref(), loss, |_| 1.0, towards(3, 15.0));
    let found = stack.weights();
    // exp(−0.1 · 40 · 2) is below the part that every member keeps.
    assert!((found[1] - 1.0 / 1.04).abs() < 1e-12, "{found:?}");
    let silent = Stack::new(&predictions, none.as_ref(), loss, |_| 0.0, towards(3, 15.0));
    assert_eq!(silent.weights(), [1.0 / 3.0; 3]);
}

#[test]
fn weights_without_a_label_are_those_of_the_other_labels() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let n = 12;
    let mut draw = |n| Mat::from_fn(n, 2, |_, _| random.random_range(-1.0..1.0));
    let predictions = vec![draw(n), draw(n)];
    let truth = draw(n);
    let loss = |k: usize, i: usize| ((3 * k + 5 * i) % 7) as f64;
    let stack = Stack::new(&predictions, truth.as_ref(), loss, |_| 1.0, towards(2, 3.0));
    let without = stack.weights_without_each();
    for (i, found) in without.iter().enumerate() {
        let rest: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let part = |m: &Mat<f64>| Mat::from_fn(n - 1, 2, |a, c| m[(rest[a], c)]);
        let others: Vec<Mat<f64>> = predictions.iter().map(part).collect();
        let expected = Stack::new(
            &others,
            part(&truth).as_ref(),
            |k, a| loss(k, rest[a]),
            |_| 1.0,
            towards(2, 3.0),
        )
        .weights();
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-8);
        }
    }
}

fn recipe(task: Task) -> Recipe {
    Recipe::of(Method::Blend(BlendParams::default()), task, 0)
}

fn names(index: &[usize], class: &[usize], total: usize) -> Vec<Option<&'static str>> {
    let name = |i: usize| if class[i] == 0 { "a" } else { "b" };
    (0..total)
        .map(|i| index.contains(&i).then(|| name(i)))
        .collect()
}

#[test]
fn a_blend_is_fitted_judged_written_and_read_like_any_method() {
    let (points, index, class) = clouds(150, 4, 7);
    let given = names(&index, &class, points.len());
    let targets = Targets::from_names(&given);
    let mut study = Study::new(
        &recipe(Task::Classify),
        Input::Table(points.clone()),
        &targets,
    )
    .unwrap();
    let model = study.fit(&mut Quiet).unwrap();
    let shares: f64 = model.blend().iter().map(|(_, share)| share).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let own = model.training_answer().unwrap();
    let right = (0..points.len())
        .filter(|&i| own.names()[i] == Some(if class[i] == 0 { "a" } else { "b" }));
    assert!(right.count() > 120);
    let probabilities = own.probabilities.as_ref().unwrap();
    for i in 0..points.len() {
        let sum: f64 = probabilities.row(i).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
    let again = Model::from_parts(model.to_parts()).unwrap();
    let new = points.select(&[3, 14, 77]).unwrap();
    let (before, after) = (
        model.predict_rows(&new, &mut Quiet).unwrap(),
        again.predict_rows(&new, &mut Quiet).unwrap(),
    );
    assert_eq!(before.scores, after.scores);
    let found = study
        .evaluate(&EvaluateOptions::default(), &mut Quiet)
        .unwrap();
    let accuracy = found.measures[0].estimate.value;
    assert!(accuracy > 0.6 && accuracy <= 1.0);
    assert!(found.measures[0].estimate.interval.unwrap().low < accuracy);
    assert!(
        !study
            .suggest(&Default::default(), &mut Quiet)
            .unwrap()
            .rows
            .is_empty()
    );
}

#[test]
fn numbers_are_fitted_about_their_own_mean() {
    let (points, _, _) = clouds(120, 3, 8);
    let value = |i: usize, shift: f64| points.row(i).iter().sum::<f64>() + shift;
    let answers = |shift: f64| {
        let y: Vec<Option<f64>> = (0..120)
            .map(|i| (i % 3 == 0).then(|| value(i, shift)))
            .collect();
        let targets = Targets::Values(y);
        let input = Input::Table(points.clone());
        let mut study = Study::new(&recipe(Task::Regress), input, &targets).unwrap();
        let answer = study.fit(&mut Quiet).unwrap().training_answer().unwrap();
        (0..120)
            .map(|i| answer.scores[(i, 0)])
            .collect::<Vec<f64>>()
    };
    let (plain, moved) = (answers(0.0), answers(1000.0));
    for (a, b) in plain.iter().zip(&moved) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (points, index, class) = clouds(400, 5, 9);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let targets = Targets::from_names(&names(&index, &class, 400));
            let input = Input::Table(points.clone());
            let mut study = Study::new(&recipe(Task::Classify), input, &targets).unwrap();
            study
                .fit(&mut Quiet)
                .unwrap()
                .training_answer()
                .unwrap()
                .scores
        })
    };
    assert_eq!(fit(1), fit(2));
}

#[test]
fn a_blend_has_the_influences_that_make_its_fit() {
    let (points, index, class) = clouds(80, 3, 11);
    let seen = one_hot(&index, &class, points.len());
    let prepared = Blend::new(BlendParams::default(), 0)
        .unwrap()
        .prepare(points, &mut Quiet)
        .unwrap();
    let fit = prepared
        .solve(&seen, &mut Quiet)
        .unwrap()
        .visible
        .unwrap()
        .values;
    let influence = prepared
        .influence(&seen, &mut Quiet)
        .unwrap()
        .visible
        .unwrap()
        .values;
    let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
    let fitted = smoother.fitted(seen.values().as_ref());
    for (k, &i) in index.iter().enumerate() {
        let sum: f64 = (0..index.len())
            .map(|l| influence[(i, l)] * seen.values()[(l, 0)])
            .sum();
        assert!((sum - fit[(i, 0)]).abs() < 1e-6);
        assert!((fitted[(k, 0)] - fit[(i, 0)]).abs() < 1e-6);
    }
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let wrong = [
        BlendParams {
            eta: 1.0,
            ..BlendParams::default()
        },
        BlendParams {
            pull: 0.0,
            ..BlendParams::default()
        },
        BlendParams {
            members: Some(Vec::new()),
            ..BlendParams::default()
        },
    ];
    for params in wrong {
        assert!(Blend::new(params, 0).is_err());
    }
}
