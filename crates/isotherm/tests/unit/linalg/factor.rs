//! Factorisations against their definitions.

use crate::Error;
use crate::linalg::{Mat, cholesky, eigen, indefinite, qr};
use crate::monitor::Quiet;
use crate::testing::operator::close;
use crate::testing::random;

fn definite(n: usize, seed: u64) -> Mat<f64> {
    let a = random(n, n, seed);
    let mut m = &a * a.transpose();
    for i in 0..n {
        m[(i, i)] += 1.0;
    }
    m
}

#[test]
fn cholesky_solves_what_the_matrix_maps_across_block_sizes() {
    for n in [1, 2, 127, 128, 129, 300] {
        let a = definite(n, 3);
        let x = random(n, 4, 4);
        let b = &a * &x;
        let factor = cholesky::factor(a.clone(), "a", "", &mut Quiet).unwrap();
        let mut solved = b.clone();
        factor.solve_in_place(solved.as_mut());
        close("solution", &solved, &x, 1e-9).unwrap();
        let residual = factor.residual(solved.as_ref(), b.as_ref());
        assert!(residual < 1e-13, "residual {residual:.2e} at n = {n}");
        // The residual is honest: a wrong solution has a large one.
        let wrong = factor.residual(x.as_ref(), random(n, 4, 9).as_ref());
        assert!(wrong > 1e-3, "a wrong solution has residual {wrong:.2e}");
    }
}

#[test]
fn cholesky_names_the_first_bad_pivot() {
    let mut a = definite(200, 5);
    // The Schur complement at 150 becomes −0.25 exactly on the diagonal part.
    for j in 0..200 {
        if j != 150 {
            a[(150, j)] = 0.0;
            a[(j, 150)] = 0.0;
        }
    }
    a[(150, 150)] = -0.25;
    let error = cholesky::factor(a, "the test matrix", "mend it", &mut Quiet).unwrap_err();
    let expected = "the test matrix is not positive definite (curvature -2.500e-1); mend it";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn cholesky_refuses_what_is_not_a_number() {
    let mut a = definite(10, 6);
    a[(7, 2)] = f64::NAN;
    a[(2, 7)] = f64::NAN;
    let error = cholesky::factor(a, "a", "", &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
}

#[test]
fn condition_of_a_diagonal_matrix_is_the_ratio_of_its_ends() {
    let a = Mat::from_fn(50, 50, |i, j| if i == j { 1.0 + i as f64 } else { 0.0 });
    let condition = cholesky::factor(a, "a", "", &mut Quiet)
        .unwrap()
        .condition();
    assert!((condition - 50.0).abs() < 1e-9, "{condition}");
}

#[test]
fn cholesky_bits_do_not_depend_on_the_thread_count() {
    let a = definite(400, 8);
    let factor = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let f = cholesky::factor(a.clone(), "a", "", &mut Quiet).unwrap();
            f.lower().to_owned()
        })
    };
    let one = factor(1);
    assert_eq!(one, factor(2));
    assert_eq!(one, factor(7));
}

#[test]
fn cholesky_stops_when_asked() {
    let mut calls = 0;
    let mut stop = |_| {
        calls += 1;
        if calls > 3 {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    };
    let error = cholesky::factor(definite(600, 1), "a", "", &mut stop).unwrap_err();
    assert_eq!(error, Error::Cancelled { phase: "factoring" });
}

#[test]
fn eigenvectors_rebuild_the_matrix_and_are_orthonormal() {
    let a = definite(60, 10);
    let eigen = eigen::symmetric(a.as_ref()).unwrap();
    assert!(eigen.values.windows(2).all(|w| w[0] <= w[1]));
    let u = &eigen.vectors;
    let scaled = Mat::from_fn(60, 60, |i, j| u[(i, j)] * eigen.values[j]);
    close("UΛUᵀ and A", &(&scaled * u.transpose()), &a, 1e-12).unwrap();
    close(
        "UᵀU and I",
        &(u.transpose() * u),
        &Mat::identity(60, 60),
        1e-12,
    )
    .unwrap();
}

#[test]
fn eigen_refuses_what_is_not_a_number() {
    let a = Mat::from_fn(3, 3, |_, _| f64::INFINITY);
    assert!(eigen::symmetric(a.as_ref()).is_err());
}

#[test]
fn qr_rebuilds_tall_and_wide_matrices() {
    for (m, n) in [(40, 7), (7, 40), (5, 5), (1, 1)] {
        let a = random(m, n, 12);
        let qr = qr::thin(a.as_ref());
        let k = m.min(n);
        close("QR and A", &(&qr.q * &qr.r), &a, 1e-13).unwrap();
        close(
            "QᵀQ and I",
            &(qr.q.transpose() * &qr.q),
            &Mat::identity(k, k),
            1e-13,
        )
        .unwrap();
        assert!((0..k).all(|i| (0..i.min(n)).all(|j| qr.r[(i, j)] == 0.0)));
    }
}

#[test]
fn bunch_kaufman_solves_indefinite_systems() {
    for n in [1, 2, 33, 150] {
        let a = random(n, n, 20);
        let a = Mat::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))]);
        let x = random(n, 3, 21);
        let b = &a * &x;
        let mut solved = b.clone();
        indefinite::factor(a.clone())
            .unwrap()
            .solve_in_place(solved.as_mut());
        close("A x and b", &(&a * &solved), &b, 1e-10).unwrap();
    }
    // Zero diagonal: Cholesky and LDLᵀ without pivoting both fail here.
    let swap = Mat::from_fn(2, 2, |i, j| f64::from(u8::from(i != j)));
    let mut b = Mat::from_fn(2, 1, |i, _| i as f64 + 1.0);
    indefinite::factor(swap).unwrap().solve_in_place(b.as_mut());
    assert_eq!((b[(0, 0)], b[(1, 0)]), (2.0, 1.0));
}

#[test]
fn bunch_kaufman_refuses_a_singular_matrix() {
    assert!(indefinite::factor(Mat::zeros(3, 3)).is_err());
}

/// A kernel between labels that are hardly joined: a few pairs, zero elsewhere.
#[test]
fn a_matrix_that_is_mostly_zero_is_decomposed() {
    for n in [129, 300, 400] {
        let mut a = Mat::zeros(n, n);
        for k in 0..n / 12 {
            let (i, j) = ((7 * k + 3) % n, (11 * k + 5) % n);
            let w = 18_000.0 / (1.0 + k as f64).sqrt();
            if i != j {
                (a[(i, j)], a[(j, i)]) = (w, w);
            }
        }
        check_eigen(&a);
    }
}

fn check_eigen(a: &Mat<f64>) {
    let n = a.nrows();
    let eigen::Eigen { values, vectors } = eigen::symmetric(a.as_ref()).unwrap();
    let scaled = Mat::from_fn(n, n, |i, j| vectors[(i, j)] * values[j]);
    let scale = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    close("AU", &(a * &vectors), &scaled, 1e-11 * scale).unwrap();
    let identity = Mat::<f64>::identity(n, n);
    close("UᵀU", &(vectors.transpose() * &vectors), &identity, 1e-11).unwrap();
}

/// Pairs, stars and paths of labels that are neighbours, and a zero diagonal: the
/// places of a power of a graph on which divide and conquer and QR both gave up.
#[test]
fn a_sparse_matrix_without_a_diagonal_is_decomposed() {
    let pairs = [
        (3, 140),
        (5, 61),
        (9, 174),
        (18, 45),
        (20, 169),
        (42, 235),
        (43, 291),
        (45, 187),
        (54, 181),
        (55, 189),
        (72, 152),
        (74, 270),
        (82, 249),
        (96, 110),
        (145, 292),
        (151, 244),
        (153, 283),
        (162, 188),
        (168, 270),
        (174, 258),
        (174, 283),
        (182, 252),
        (184, 272),
        (202, 258),
        (205, 233),
        (214, 253),
        (276, 291),
    ];
    for size in [1.0, 1.7e3, 1e-9] {
        let mut a = Mat::zeros(300, 300);
        for (k, (i, j)) in pairs.into_iter().enumerate() {
            let w = size * (1.0 + (k * k % 11) as f64 / 3.0);
            (a[(i, j)], a[(j, i)]) = (w, w);
        }
        check_eigen(&a);
    }
}

#[test]
fn nothing_decomposes_into_nothing() {
    let found = crate::linalg::eigen::symmetric(crate::linalg::Mat::zeros(0, 0).as_ref());
    assert!(found.unwrap().values.is_empty());
}
