//! Matrix functions by Lanczos against the dense eigendecomposition.

use crate::Error;
use crate::base::{Base, GraphBase};
use crate::data::Graph;
use crate::data::graph::{EdgeRules, GraphBuilder};
use crate::linalg::{Block, Mat, eigen};
use crate::monitor::{Event, Quiet};
use crate::operator::Operator;
use crate::operator::dense::DenseGram;
use crate::operator::sparse::NormalisedAdjacency;
use crate::solve::conjugate_gradient::{self, Definite};
use crate::solve::lanczos::{self, Target};
use crate::spectrum::{SpectralFunction, Transform};
use crate::testing::operator::close;
use crate::testing::random;
use std::ops::ControlFlow;

struct F<G>(G);

impl<G: Fn(f64) -> f64 + Send + Sync> SpectralFunction for F<G> {
    fn at(&self, eigenvalue: f64) -> f64 {
        (self.0)(eigenvalue)
    }
}

fn dense(operator: &dyn Operator) -> Mat<f64> {
    let n = operator.dim();
    let mut a = Mat::zeros(n, n);
    let identity = Mat::<f64>::identity(n, n);
    operator
        .apply(identity.as_ref(), a.as_mut(), &mut Quiet)
        .unwrap();
    a
}

/// The slow twin: `U f(Λ) Uᵀ b`.
fn twin(operator: &dyn Operator, b: &Mat<f64>, f: &dyn SpectralFunction) -> Mat<f64> {
    let e = eigen::symmetric(dense(operator).as_ref()).unwrap();
    let mut c = e.vectors.transpose() * b;
    for j in 0..c.ncols() {
        for i in 0..c.nrows() {
            c[(i, j)] *= f.at(e.values[i]);
        }
    }
    &e.vectors * &c
}

fn rows(m: &Mat<f64>, index: &[usize]) -> Mat<f64> {
    Mat::from_fn(index.len(), m.ncols(), |i, j| m[(index[i], j)])
}

/// Rings with chords of the given sizes, side by side, and one isolated node.
pub(super) fn rings(sizes: &[usize]) -> Graph {
    let nodes = sizes.iter().sum::<usize>() + 1;
    let mut edges = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    let mut first = 0;
    for &size in sizes {
        for i in 0..size {
            let at = |k: usize| (first + k % size) as u32;
            edges.push(at(i), at(i + 1), None).unwrap();
            if i % 3 == 0 && size > 6 {
                edges.push(at(i), at(i * i + 5), None).unwrap();
            }
        }
        first += size;
    }
    edges.finish(&mut Quiet).unwrap().0
}

fn gaussian_gram() -> DenseGram {
    let points = random(90, 3, 50);
    let square = |i: usize, j: usize| -> f64 {
        (0..3)
            .map(|k| (points[(i, k)] - points[(j, k)]).powi(2))
            .sum()
    };
    let g = Mat::from_fn(90, 90, |i, j| (-square(i, j) / 1.28).exp());
    DenseGram::new(g, 1.0 / 90.0).unwrap()
}

fn block(m: &Mat<f64>) -> Block {
    Block::copy_of(m.as_ref()).unwrap()
}

#[test]
fn functions_of_a_gaussian_gram_matrix_are_those_of_its_eigenvalues() {
    let a = gaussian_gram();
    let b = random(90, 5, 51);
    let watched = [3, 0, 89, 3];
    let (heat, root, ridge) = (
        F(|x: f64| (-3.0 * x).exp()),
        F(|x: f64| (x + 0.01).sqrt()),
        F(|x: f64| 1.0 / (x + 0.02)),
    );
    let all: [&dyn SpectralFunction; 3] = [&heat, &root, &ridge];
    let (results, report) = lanczos::functions(
        Target::new(&a),
        block(&b),
        &all,
        &watched,
        1e-11,
        200,
        &mut Quiet,
    )
    .unwrap();
    assert!(report.converged && report.error <= 1e-11, "{report:?}");
    for (f, result) in all.iter().zip(&results) {
        let expected = rows(&twin(&a, &b, *f), &watched);
        close("watched rows", result, &expected, 1e-9).unwrap();
        let (whole, _) =
            lanczos::apply(Target::new(&a), block(&b), *f, 1e-11, 200, &mut Quiet).unwrap();
        let whole = whole.as_mat().to_owned();
        close("all rows", &whole, &twin(&a, &b, *f), 1e-9).unwrap();
    }
}

#[test]
fn functions_on_a_graph_of_several_components_are_right_in_each() {
    let graph = rings(&[40, 3, 25, 2, 17]);
    let n = graph.len();
    let s = NormalisedAdjacency::new(&graph);
    // Random columns, a column inside one small component, one on the isolated
    // node, and a zero column: all of different lengths.
    let mut b = random(n, 9, 52);
    for i in 0..n {
        b[(i, 2)] = f64::from(u8::from(i == 41));
        b[(i, 4)] = f64::from(u8::from(i == n - 1));
        b[(i, 7)] = 0.0;
    }
    let transform = Transform::inverse_laplacian(0.9).unwrap();
    let every: Vec<usize> = (0..n).collect();
    let (results, report) = lanczos::functions(
        Target::new(&s),
        block(&b),
        &[&transform],
        &every,
        1e-12,
        300,
        &mut Quiet,
    )
    .unwrap();
    assert!(report.converged, "{report:?}");
    close("all rows", &results[0], &twin(&s, &b, &transform), 1e-10).unwrap();
    assert!((0..n).all(|i| results[0][(i, 7)] == 0.0));
    let (whole, again) = lanczos::apply(
        Target::new(&s),
        block(&b),
        &transform,
        1e-12,
        300,
        &mut Quiet,
    )
    .unwrap();
    assert_eq!(report, again);
    close("both ways", &whole.as_mat().to_owned(), &results[0], 1e-12).unwrap();
}

#[test]
fn known_modes_are_multiplied_exactly_and_residuals_are_the_true_ones() {
    let base = GraphBase::new(rings(&[60, 31, 5, 17]));
    let (modes, gram) = (base.modes(&mut Quiet).unwrap().unwrap(), base.gram());
    let n = base.len();
    // Labels in three of five components only.
    let b = Mat::from_fn(n, 3, |i, j| f64::from(u8::from(i == [4, 30, 70][j])));
    let every: Vec<usize> = (0..n).collect();
    let etas = [0.7, 0.99, 0.999999];
    let plain = etas.map(|eta| Transform::InverseLaplacian { eta });
    let family = plain.each_ref().map(|t| t as &dyn SpectralFunction);
    let target = Target {
        operator: &*gram,
        modes: Some(&modes),
    };
    for tolerance in [1e-3, 1e-12] {
        let (found, report) = lanczos::functions(
            target,
            block(&b),
            &family,
            &every,
            tolerance,
            400,
            &mut Quiet,
        )
        .unwrap();
        assert!(report.converged && report.error <= tolerance, "{report:?}");
        let mut worst = 0.0_f64;
        for ((eta, t), found) in etas.iter().zip(&plain).zip(&found) {
            // f = S x, so (I − ηS)x = b reads x = b + ηf: its residual is b − x + ηSx.
            let x = &b + faer::Scale(*eta) * found;
            let mut image = Mat::zeros(n, 3);
            gram.apply(x.as_ref(), image.as_mut(), &mut Quiet).unwrap();
            let left = &b - &x + faer::Scale(*eta) * image;
            worst = worst.max((0..3).map(|j| left.col(j).norm_l2()).fold(0.0, f64::max));
            if tolerance < 1e-6 {
                // The twin divides by 1 − ηλ with λ = 1 to about nε.
                let digits = 1e-10 + n as f64 * f64::EPSILON / (1.0 - eta);
                close("the twin", found, &twin(&*gram, &b, t), digits).unwrap();
                let (whole, _) =
                    lanczos::apply(target, block(&b), t, tolerance, 400, &mut Quiet).unwrap();
                close("both ways", &whole.as_mat().to_owned(), found, 1e-10).unwrap();
            }
        }
        // The residual of x = b + ηf is ηS of the solver's, and the modes' rounding.
        assert!(
            worst <= 1.001 * tolerance + 1e-9,
            "{worst:e} of {tolerance:e}"
        );
    }
}

#[test]
fn a_family_of_shifts_and_as_many_solves_agree() {
    // η up to 1 − 1e-6 with the eigenvectors D^½1_C taken out of the data.
    let graph = rings(&[60, 31, 5]);
    let n = graph.len();
    let s = NormalisedAdjacency::new(&graph);
    let component = graph.components(&mut Quiet).unwrap();
    let roots: Vec<f64> = graph.degrees().into_iter().map(f64::sqrt).collect();
    let mut b = random(n, 3, 53);
    for c in 0..3 {
        let members = |i: &usize| component[*i] == c;
        let square: f64 = (0..n).filter(members).map(|i| roots[i] * roots[i]).sum();
        for j in 0..3 {
            let dot: f64 = (0..n).filter(members).map(|i| roots[i] * b[(i, j)]).sum();
            for i in (0..n).filter(members) {
                b[(i, j)] -= dot / square * roots[i];
            }
        }
    }
    let etas = [0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999];
    let family: Vec<_> = etas
        .iter()
        .map(|&eta| F(move |x: f64| 1.0 / (1.0 - eta * x)))
        .collect();
    let family: Vec<&dyn SpectralFunction> = family.iter().map(|f| f as _).collect();
    let watched: Vec<usize> = (0..n).step_by(7).collect();
    let (results, report) = lanczos::functions(
        Target::new(&s),
        block(&b),
        &family,
        &watched,
        1e-10,
        400,
        &mut Quiet,
    )
    .unwrap();
    assert!(report.converged, "{report:?}");
    for (eta, result) in etas.iter().zip(&results) {
        let system = NormalisedAdjacency::new(&graph).affine(1.0, -eta);
        let system = Definite {
            operator: &system,
            name: "I − ηS",
            hint: "",
        };
        let (x, _) = conjugate_gradient::solve(system, block(&b), 1e-12, 2000, &mut Quiet).unwrap();
        let expected = rows(&x.as_mat().to_owned(), &watched);
        close("a shift", result, &expected, 1e-7).unwrap();
    }
}

#[test]
fn a_polynomial_is_exact_after_its_degree_and_one_steps() {
    let graph = rings(&[50]);
    let s = NormalisedAdjacency::new(&graph);
    let b = random(graph.len(), 2, 54);
    let cubic = F(|x: f64| 1.0 - 2.0 * x + 0.5 * x * x * x);
    let (x, report) =
        lanczos::apply(Target::new(&s), block(&b), &cubic, 0.0, 4, &mut Quiet).unwrap();
    assert_eq!(report.steps, 4);
    close(
        "p(A) b",
        &x.as_mat().to_owned(),
        &twin(&s, &b, &cubic),
        1e-13,
    )
    .unwrap();
    // Left alone it stops a look or two later.
    let (_, report) =
        lanczos::apply(Target::new(&s), block(&b), &cubic, 1e-12, 100, &mut Quiet).unwrap();
    assert!(report.converged && report.steps <= 8, "{report:?}");
}

#[test]
fn running_out_of_steps_is_reported_with_the_error_left() {
    let graph = rings(&[200]);
    let s = NormalisedAdjacency::new(&graph);
    let b = random(graph.len(), 2, 55);
    let sharp = F(|x: f64| 1.0 / (1.0 - 0.9999 * x));
    let (x, report) =
        lanczos::apply(Target::new(&s), block(&b), &sharp, 1e-12, 6, &mut Quiet).unwrap();
    assert!(!report.converged && report.error > 1e-6, "{report:?}");
    assert_eq!(report.steps, 6);
    assert!(x.as_slice().iter().all(|v| v.is_finite()));
}

#[test]
fn a_pole_on_the_spectrum_and_bad_shapes_are_refused() {
    let graph = rings(&[12]);
    let s = NormalisedAdjacency::new(&graph);
    let b = Mat::from_fn(13, 1, |i, _| graph.degrees()[i].sqrt());
    let pole = F(|x: f64| {
        if (x - 1.0).abs() < 1e-9 {
            f64::INFINITY
        } else {
            1.0
        }
    });
    let error =
        lanczos::apply(Target::new(&s), block(&b), &pole, 1e-8, 50, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::NotFinite { phase, .. } if phase.contains("lanczos")));
    let short = Block::zeros(12, 1).unwrap();
    assert!(lanczos::apply(Target::new(&s), short, &pole, 1e-8, 50, &mut Quiet).is_err());
    let f: [&dyn SpectralFunction; 1] = [&pole];
    assert!(
        lanczos::functions(Target::new(&s), block(&b), &f, &[13], 1e-8, 50, &mut Quiet).is_err()
    );
}

#[test]
fn the_thread_count_changes_no_bit_of_a_matrix_function() {
    let graph = rings(&[4000, 900, 50]);
    let s = NormalisedAdjacency::new(&graph);
    let b = random(graph.len(), 5, 56);
    let f = F(|x: f64| 1.0 / (1.0 - 0.95 * x));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let one =
                lanczos::apply(Target::new(&s), block(&b), &f, 1e-9, 100, &mut Quiet).unwrap();
            let f: [&dyn SpectralFunction; 1] = [&f];
            let two = lanczos::functions(
                Target::new(&s),
                block(&b),
                &f,
                &[0, 99],
                1e-9,
                100,
                &mut Quiet,
            )
            .unwrap();
            (one.0.as_slice().to_vec(), two.0, one.1)
        })
    };
    let (one, two) = (run(1), run(2));
    assert!(one == two);
}

#[test]
fn a_break_stops_a_matrix_function_in_either_pass() {
    let graph = rings(&[300]);
    let s = NormalisedAdjacency::new(&graph);
    let b = random(graph.len(), 2, 57);
    let f = F(|x: f64| 1.0 / (1.0 - 0.99 * x));
    for second in [false, true] {
        let mut steps = 0;
        let mut monitor = |event| {
            let mine = match event {
                Event::Residual { .. } => !second,
                Event::Step { .. } => second,
                _ => false,
            };
            steps += usize::from(mine);
            if steps == 5 {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let error =
            lanczos::apply(Target::new(&s), block(&b), &f, 1e-10, 500, &mut monitor).unwrap_err();
        assert!(matches!(error, Error::Cancelled { .. }), "{error}");
        assert_eq!(steps, 5);
    }
}
