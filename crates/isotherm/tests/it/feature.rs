//! Bases with gradients against finite differences, and their moments against the
//! gradients written out.

use isotherm::Error;
use isotherm::data::Points;
use isotherm::feature::moments::{Averages, Wanted};
use isotherm::feature::{BasisMoments, Features, Fourier, Landmarks, ROWS, WithDerivatives};
use isotherm::kernel::{
    Bandwidth, Gaussian, KernelSpec, Linear, Matern, Polynomial, RationalQuadratic, SmoothKernel,
    Smoothness,
};
use isotherm::linalg::Mat;
use isotherm::monitor::{Event, Quiet};
use isotherm::testing::operator::close;
use isotherm::testing::random;
use std::ops::ControlFlow;
use std::sync::Arc;

fn points(rows: usize, dim: usize, seed: u64) -> Arc<Points> {
    let values = random(rows, dim, seed);
    let flat = (0..rows * dim)
        .map(|k| values[(k / dim, k % dim)])
        .collect();
    Arc::new(Points::new(flat, rows, dim).unwrap())
}

fn kernels() -> Vec<Arc<dyn SmoothKernel>> {
    vec![
        Arc::new(Gaussian::new(0.9).unwrap()),
        Arc::new(Matern::new(Smoothness::ThreeHalves, 0.8).unwrap()),
        Arc::new(Matern::new(Smoothness::FiveHalves, 1.1).unwrap()),
        Arc::new(RationalQuadratic::new(0.7, 1.5).unwrap()),
        Arc::new(Polynomial::new(3, 0.5, 1.0).unwrap()),
        Arc::new(Linear),
    ]
}

fn bases(dim: usize) -> Vec<Arc<dyn Features>> {
    let spec = |smoothness| KernelSpec::Matern {
        smoothness,
        bandwidth: Bandwidth::Fixed(1.3),
    };
    let gaussian = KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(0.8),
    };
    let mut all: Vec<Arc<dyn Features>> = vec![
        Arc::new(Fourier::draw(&gaussian, dim, 19, 4).unwrap()),
        Arc::new(Fourier::draw(&spec(Smoothness::FiveHalves), dim, 8, 5).unwrap()),
    ];
    for kernel in kernels() {
        let (z, w) = (points(7, dim, 90), points(4, dim, 91));
        all.push(Arc::new(Landmarks::new(z.clone(), kernel.clone())));
        all.push(Arc::new(WithDerivatives::new(Some(z), w, kernel).unwrap()));
    }
    all
}

fn gradients(features: &dyn Features, rows: &Points) -> Mat<f64> {
    let identity = Mat::<f64>::identity(features.len(), features.len());
    features
        .gradient(rows, identity.as_ref(), &mut Quiet)
        .unwrap()
}

#[test]
fn gradients_are_those_of_the_values() {
    for dim in [1, 3, 11] {
        for features in bases(dim) {
            let rows = points(5, dim, 92);
            let found = gradients(&*features, &rows);
            let h = 1e-5;
            for i in 0..rows.len() {
                for a in 0..dim {
                    let at = |offset: f64| {
                        let mut moved = rows.row(i).to_vec();
                        moved[a] += offset * h;
                        let moved = Points::new(moved, 1, dim).unwrap();
                        features.matrix(&moved, &mut Quiet).unwrap()
                    };
                    let four = (at(1.0) - at(-1.0)) * faer::Scale(8.0) - (at(2.0) - at(-2.0));
                    let scale = features
                        .matrix(&rows, &mut Quiet)
                        .unwrap()
                        .norm_max()
                        .max(1.0);
                    for j in 0..features.len() {
                        let difference = four[(0, j)] / (12.0 * h);
                        let gap = (found[(i * dim + a, j)] - difference).abs();
                        assert!(gap <= 1e-8 * scale, "{features:?}: {gap:e}");
                    }
                }
            }
        }
    }
}

/// ⟨φ, k_z⟩ = φ(z): rows of the Gram matrix that belong to a k_z are values.
#[test]
fn inner_products_reproduce_values_and_gradients() {
    for kernel in kernels() {
        let (z, w) = (points(6, 3, 93), points(2, 3, 94));
        let both = WithDerivatives::new(Some(z.clone()), w.clone(), kernel.clone()).unwrap();
        let gram = both.gram(&mut Quiet).unwrap();
        close("symmetric", &gram, &gram.transpose().to_owned(), 1e-13).unwrap();
        let values = both.matrix(&z, &mut Quiet).unwrap();
        let slopes = gradients(&both, &w);
        for j in 0..both.len() {
            for i in 0..both.len() {
                let expected = match i.checked_sub(z.len()) {
                    None => values[(i, j)],
                    Some(k) => slopes[(k, j)],
                };
                assert!((gram[(i, j)] - expected).abs() <= 1e-12 * gram.norm_max());
            }
        }
        let plain = Landmarks::new(z.clone(), kernel);
        let corner = gram.submatrix(0, 0, z.len(), z.len()).to_owned();
        close(
            "k between landmarks",
            &plain.gram(&mut Quiet).unwrap(),
            &corner,
            1e-13,
        )
        .unwrap();
    }
}

#[test]
fn waves_approximate_their_kernel() {
    let rows = points(6, 2, 95);
    for (spec, kernel) in [
        (
            KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(1.1),
            },
            Arc::new(Gaussian::new(1.1).unwrap()) as Arc<dyn SmoothKernel>,
        ),
        (
            KernelSpec::Matern {
                smoothness: Smoothness::ThreeHalves,
                bandwidth: Bandwidth::Fixed(0.9),
            },
            Arc::new(Matern::new(Smoothness::ThreeHalves, 0.9).unwrap()),
        ),
    ] {
        let count = 3000;
        let waves = Fourier::draw(&spec, 2, count, 6).unwrap();
        let values = waves.matrix(&rows, &mut Quiet).unwrap();
        let expected = Landmarks::new(rows.clone(), kernel)
            .gram(&mut Quiet)
            .unwrap();
        // Each entry is a mean of `count` numbers of deviation below 1.
        let five = 5.0 / (count as f64).sqrt();
        close("k", &(&values * values.transpose()), &expected, five).unwrap();
    }
    let refused = Fourier::draw(&KernelSpec::Linear {}, 2, 3, 0)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("linear") && refused.contains("landmarks"),
        "{refused}"
    );
}

/// The slow twin: nd × p gradients, written out and multiplied.
fn twin(features: &dyn Features, rows: &Points) -> (Mat<f64>, Mat<f64>) {
    let n = rows.len() as f64;
    let values = features.matrix(rows, &mut Quiet).unwrap();
    let z = gradients(features, rows);
    (
        values.transpose() * &values * faer::Scale(1.0 / n),
        z.transpose() * &z * faer::Scale(1.0 / n),
    )
}

fn moments(features: &Arc<dyn Features>, rows: &Points) -> Averages {
    let mut moments = BasisMoments::new(features.clone(), Wanted::Both);
    moments.add(rows, &mut Quiet).unwrap();
    moments.finish().unwrap()
}

#[test]
fn moments_need_no_gradients_and_equal_those_that_do() {
    for (n, dim) in [(1, 1), (40, 1), (33, 4), (3 * ROWS + 1, 10)] {
        for features in bases(dim) {
            let rows = points(n, dim, 96);
            let found = moments(&features, &rows);
            let (covariance, energy) = twin(&*features, &rows);
            let scale = |m: &Mat<f64>| 1e-13 * m.norm_max().max(1.0);
            let gap = (&found.energy - &energy).norm_max();
            assert!(
                gap <= scale(&energy) * 10.0,
                "{features:?}: L̂ off by {gap:e}"
            );
            let gap = (found.covariance.unwrap() - &covariance).norm_max();
            assert!(gap <= scale(&covariance), "{features:?}: Σ̂ off by {gap:e}");
            let values = features.matrix(&rows, &mut Quiet).unwrap();
            for (j, mean) in found.mean.iter().enumerate() {
                let expected: f64 = values.col(j).iter().sum::<f64>() / n as f64;
                assert!((mean - expected).abs() <= 1e-13 * values.norm_max().max(1.0));
            }
        }
    }
}

/// Far from the origin, where inner products would lose nine digits.
#[test]
fn moving_everything_changes_no_moment() {
    let move_by = |p: &Points, by: f64| {
        let values = p.contiguous().unwrap().iter().map(|v| v + by).collect();
        Arc::new(Points::new(values, p.len(), p.dim()).unwrap())
    };
    for dim in [3, 20] {
        let (z, rows) = (points(9, dim, 97), points(150, dim, 98));
        let kernel: Arc<dyn SmoothKernel> = Arc::new(Gaussian::new(2.0).unwrap());
        let at = |by: f64| {
            let features: Arc<dyn Features> =
                Arc::new(Landmarks::new(move_by(&z, by), kernel.clone()));
            moments(&features, &move_by(&rows, by)).energy
        };
        let (here, there) = (at(0.0), at(1000.0));
        // The rows themselves are rounded to 1e-13 at 1000.
        close("L̂", &there, &here, 1e-11).unwrap();
    }
}

#[test]
fn parts_merge_in_any_grouping() {
    let rows = points(2500, 6, 99);
    let kernel: Arc<dyn SmoothKernel> = Arc::new(Gaussian::new(1.0).unwrap());
    let features: Arc<dyn Features> = Arc::new(Landmarks::new(points(150, 6, 100), kernel));
    let part = |from: usize, to: usize| {
        let index: Vec<usize> = (from..to).collect();
        let mut moments = BasisMoments::new(features.clone(), Wanted::Both);
        moments
            .add_at(&rows.select(&index).unwrap(), from, &mut Quiet)
            .unwrap();
        moments
    };
    let whole = moments(&features, &rows);
    for cuts in [vec![0, 1, 2500], vec![0, 900, 901, 2000, 2500]] {
        let mut parts: Vec<BasisMoments> = cuts.windows(2).map(|w| part(w[0], w[1])).collect();
        let mut last = parts.pop().unwrap();
        for other in &parts {
            last.merge(other).unwrap();
        }
        let found = last.finish().unwrap();
        assert_eq!(found.count, 2500);
        close("L̂", &found.energy, &whole.energy, 1e-12).unwrap();
        let (a, b) = (
            found.covariance.unwrap(),
            whole.covariance.as_ref().unwrap(),
        );
        close("Σ̂", &a, b, 1e-12).unwrap();
    }
    let mut mine = part(0, 10);
    let other = BasisMoments::new(features.clone(), Wanted::Energy);
    assert!(matches!(mine.merge(&other), Err(Error::Refused { .. })));
    assert!(
        BasisMoments::new(features.clone(), Wanted::Both)
            .finish()
            .is_err()
    );
}

#[test]
fn the_thread_count_changes_no_bit_of_the_moments() {
    let rows = points(2100, 9, 101);
    let kernel: Arc<dyn SmoothKernel> = Arc::new(Gaussian::new(1.5).unwrap());
    let features: Arc<dyn Features> = Arc::new(Landmarks::new(points(300, 9, 102), kernel));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| moments(&features, &rows))
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one.energy, three.energy);
    assert_eq!(one.covariance, three.covariance);
    assert_eq!(one.mean, three.mean);
}

#[test]
fn wrong_columns_and_a_break_are_refused() {
    let kernel: Arc<dyn SmoothKernel> = Arc::new(Gaussian::new(1.0).unwrap());
    let features: Arc<dyn Features> = Arc::new(Landmarks::new(points(5, 2, 103), kernel.clone()));
    let mut moments = BasisMoments::new(features.clone(), Wanted::Both);
    let wrong = moments.add(&points(3, 4, 104), &mut Quiet);
    assert!(matches!(
        wrong,
        Err(Error::Shape {
            expected: 2,
            got: 4,
            ..
        })
    ));
    assert!(features.matrix(&points(3, 4, 104), &mut Quiet).is_err());
    let mut stop = |_: Event| ControlFlow::Break(());
    let rows = points(3000, 2, 105);
    assert!(matches!(
        moments.add(&rows, &mut stop),
        Err(Error::Cancelled { .. })
    ));
    assert!(WithDerivatives::new(Some(points(2, 3, 1)), points(2, 4, 1), kernel).is_err());
}
