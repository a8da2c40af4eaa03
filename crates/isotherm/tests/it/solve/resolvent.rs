//! The resolvent of a graph against a factorisation of the dense matrix.

use std::ops::ControlFlow;

use isotherm::Error;
use isotherm::base::{Base as _, GraphBase, Normalisation};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder};
use isotherm::linalg::{Block, Mat};
use isotherm::monitor::{Event, Quiet};
use isotherm::operator::Operator as _;
use isotherm::solve::resolvent::Resolvent;
use isotherm::solve::{Outcome, direct};
use isotherm::testing::operator::close;
use isotherm::testing::random;

/// Large enough for single precision inside.
const NODES: u32 = 700;

/// Two components, a hub, a loop, isolated nodes at both ends; weighted or not.
fn graph(weights: Option<f64>) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(NODES as usize);
    let (first, second) = (1..500_u32, 500..NODES - 1);
    for range in [first, second] {
        let len = range.end - range.start;
        for k in 0..len {
            for jump in [1, 2 + k * k % 7] {
                let (u, v) = (range.start + k, range.start + (k + jump) % len);
                let weight = weights.map(|scale| scale * f64::from(1 + (u * v) % 5));
                builder.push(u, v, weight).unwrap();
            }
            if k > 3 && k % 2 == 0 {
                let weight = weights.map(|scale| 0.25 * scale);
                builder.push(range.start, range.start + k, weight).unwrap();
            }
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn base(weights: Option<f64>, normalisation: Normalisation) -> GraphBase {
    GraphBase::normalised(graph(weights), normalisation).unwrap()
}

/// The solution by Cholesky on `I − ηG`, G from its own operator.
fn dense(base: &GraphBase, eta: f64, rhs: &Mat<f64>) -> Mat<f64> {
    let n = base.len();
    let mut gram = Mat::zeros(n, n);
    let unit = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i == j)));
    base.gram()
        .apply(unit.as_ref(), gram.as_mut(), &mut Quiet)
        .unwrap();
    let system = Mat::from_fn(n, n, |i, j| unit[(i, j)] - eta * gram[(i, j)]);
    direct::definite(system, "a", "b", rhs.as_ref(), &mut Quiet)
        .unwrap()
        .0
}

#[test]
fn it_agrees_with_a_factorisation_for_many_widths_and_forms() {
    for (weights, normalisation, eta) in [
        (None, Normalisation::Symmetric, 0.9),
        (None, Normalisation::SelfLoops, 0.99),
        (Some(3.0), Normalisation::Lazy, 0.999),
        (Some(1e-3), Normalisation::Symmetric, 0.999_999),
        (Some(0.5), Normalisation::Given, 0.9),
    ] {
        let base = base(weights, normalisation);
        let modes = base.modes(&mut Quiet).unwrap();
        for width in [1, 2, 3, 7, 10, 17, 33, 50, 64, 70] {
            let rhs = random(base.len(), width, 3 + width as u64);
            let expected = dense(&base, eta, &rhs);
            // What f64 allows: a solution 1/(1 − η) times its right-hand side.
            let tight = 1e-12_f64.max(1e-15 / (1.0 - eta));
            for (modes, tolerance) in [
                (modes.as_ref(), 1e-6),
                (modes.as_ref(), tight),
                (None, 100.0 * tight),
            ] {
                let resolvent = Resolvent::new(base.sparse().unwrap(), eta);
                let block = Block::copy_of(rhs.as_ref()).unwrap();
                let (x, report) = resolvent
                    .solve(modes, block, tolerance, 5000, &mut Quiet)
                    .unwrap();
                let what = format!("{normalisation:?}, η = {eta}, {width} columns, {report:?}");
                assert_eq!(report.outcome, Outcome::Converged, "{what}");
                assert!(report.residual <= tolerance, "{what}");
                // ‖x − x*‖ ≤ ‖r‖/(1 − η) with modes unknown; columns have a norm of √n about.
                let allowed = tolerance / (1.0 - eta) + 1e-13 / (1.0 - eta);
                let x = x.as_mat().to_owned();
                close(&what, &x, &expected, allowed.max(1e-11)).unwrap();
            }
        }
    }
}

#[test]
fn the_residual_told_is_the_true_one() {
    let base = base(None, Normalisation::Symmetric);
    let modes = base.modes(&mut Quiet).unwrap();
    let rhs = random(base.len(), 5, 8);
    let resolvent = Resolvent::new(base.sparse().unwrap(), 0.999);
    for iterations in [1, 5, 40, 1000] {
        let block = Block::copy_of(rhs.as_ref()).unwrap();
        let (x, report) = resolvent
            .solve(modes.as_ref(), block, 1e-9, iterations, &mut Quiet)
            .unwrap();
        let mut image = Mat::zeros(base.len(), 5);
        let operator = resolvent.operator().unwrap();
        operator
            .apply(x.as_mat(), image.as_mut(), &mut Quiet)
            .unwrap();
        let left = &rhs - &image;
        let worst = (0..5)
            .map(|j| left.col(j).norm_l2() / rhs.col(j).norm_l2())
            .fold(0.0, f64::max);
        assert!(
            (report.residual / worst - 1.0).abs() < 1e-3 + 1e-15 / worst,
            "{report:?}, {worst:e}"
        );
        let expected = if worst <= 1e-9 {
            Outcome::Converged
        } else {
            Outcome::Exhausted
        };
        assert_eq!(report.outcome, expected);
        assert!(report.iterations <= iterations);
    }
}

#[test]
fn with_the_modes_iterations_do_not_grow_as_eta_nears_one() {
    let base = base(None, Normalisation::Symmetric);
    let modes = base.modes(&mut Quiet).unwrap();
    let count = |eta: f64, modes| {
        let rhs = Block::copy_of(random(base.len(), 4, 9).as_ref()).unwrap();
        let resolvent = Resolvent::new(base.sparse().unwrap(), eta);
        let solved = resolvent.solve(modes, rhs, 1e-8, 5000, &mut Quiet).unwrap();
        solved.1.iterations
    };
    let (at, near) = (
        count(0.999, modes.as_ref()),
        count(1.0 - 1e-9, modes.as_ref()),
    );
    assert!(
        near <= at + at / 5,
        "{at} iterations at 0.999, {near} at 1 − 1e-9"
    );
    assert!(count(1.0 - 1e-6, None) > near);
}

#[test]
fn neither_threads_nor_scales_change_a_digit() {
    let base = base(Some(1.0), Normalisation::Symmetric);
    let modes = base.modes(&mut Quiet).unwrap();
    let solve = |threads: usize, factor: f64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let rhs = random(base.len(), 6, 10);
        let rhs = Mat::from_fn(base.len(), 6, |i, j| factor * rhs[(i, j)]);
        pool.build().unwrap().install(|| {
            let block = Block::copy_of(rhs.as_ref()).unwrap();
            let resolvent = Resolvent::new(base.sparse().unwrap(), 0.99);
            let (x, _) = resolvent
                .solve(modes.as_ref(), block, 1e-10, 5000, &mut Quiet)
                .unwrap();
            x.as_mat().to_owned()
        })
    };
    let one = solve(1, 1.0);
    assert_eq!(one, solve(3, 1.0));
    // Powers of two: the same digits.
    for factor in [2_f64.powi(300), 2_f64.powi(-300)] {
        let other = solve(2, factor);
        let back = Mat::from_fn(one.nrows(), one.ncols(), |i, j| other[(i, j)] / factor);
        assert_eq!(one, back);
    }
}

#[test]
fn groups_of_columns_solve_the_same_system() {
    let base = base(None, Normalisation::Symmetric);
    let modes = base.modes(&mut Quiet).unwrap();
    let rhs = random(base.len(), 20, 11);
    let expected = dense(&base, 0.99, &rhs);
    for columns in [1, 3, 16, 20] {
        let resolvent = Resolvent::new(base.sparse().unwrap(), 0.99).at_once(columns);
        let block = Block::copy_of(rhs.as_ref()).unwrap();
        let (x, report) = resolvent
            .solve(modes.as_ref(), block, 1e-11, 5000, &mut Quiet)
            .unwrap();
        assert!(report.residual <= 1e-11);
        close("groups", &x.as_mat().to_owned(), &expected, 1e-9).unwrap();
    }
}

#[test]
fn columns_of_zeros_and_columns_that_converge_at_once_are_left_alone() {
    let base = base(None, Normalisation::Symmetric);
    let modes = base.modes(&mut Quiet).unwrap().unwrap();
    // A zero column, a mode, a single label, a random column.
    let noise = random(base.len(), 1, 12);
    let rhs = Mat::from_fn(base.len(), 10, |i, j| match j {
        1 if modes.component()[i] == modes.component()[9] => modes.entry(i),
        2 => f64::from(u8::from(i == 40)),
        3 => noise[(i, 0)],
        _ => 0.0,
    });
    let expected = dense(&base, 0.999, &rhs);
    let resolvent = Resolvent::new(base.sparse().unwrap(), 0.999);
    let block = Block::copy_of(rhs.as_ref()).unwrap();
    let (x, report) = resolvent
        .solve(Some(&modes), block, 1e-11, 5000, &mut Quiet)
        .unwrap();
    assert_eq!(report.outcome, Outcome::Converged);
    close("columns", &x.as_mat().to_owned(), &expected, 1e-8).unwrap();
    assert!((0..base.len()).all(|i| x.row(i)[0] == 0.0 && x.row(i)[9] == 0.0));

    let zero = Block::zeros(base.len(), 3).unwrap();
    let (x, report) = resolvent
        .solve(Some(&modes), zero, 1e-6, 10, &mut Quiet)
        .unwrap();
    assert_eq!((report.outcome, report.residual), (Outcome::Converged, 0.0));
    assert!(x.as_slice().iter().all(|v| *v == 0.0));
}

#[test]
fn weights_beyond_single_precision_are_solved_in_double() {
    for scale in [1e90, 1e-90] {
        let base = base(Some(scale), Normalisation::Symmetric);
        let usual = self::base(Some(1.0), Normalisation::Symmetric);
        let rhs = random(base.len(), 3, 13);
        let solve = |base: &GraphBase| {
            let modes = base.modes(&mut Quiet).unwrap();
            let block = Block::copy_of(rhs.as_ref()).unwrap();
            let resolvent = Resolvent::new(base.sparse().unwrap(), 0.99);
            let solved = resolvent.solve(modes.as_ref(), block, 1e-12, 5000, &mut Quiet);
            solved.unwrap().0.as_mat().to_owned()
        };
        close("scaled weights", &solve(&base), &solve(&usual), 1e-9).unwrap();
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    // W/N with a large weight: I − ηG is not positive definite.
    let base = base(Some(1e4), Normalisation::Given);
    let rhs = Block::copy_of(random(base.len(), 2, 14).as_ref()).unwrap();
    let resolvent = Resolvent::new(base.sparse().unwrap(), 0.99);
    let refused = resolvent.solve(None, rhs.clone(), 1e-8, 500, &mut Quiet);
    assert!(
        matches!(refused, Err(Error::Indefinite { .. })),
        "{refused:?}"
    );

    let short = Block::zeros(base.len() - 1, 2).unwrap();
    let refused = resolvent.solve(None, short, 1e-8, 500, &mut Quiet);
    assert!(matches!(refused, Err(Error::Shape { .. })));

    let mut stop = |event: Event| match event {
        Event::Residual { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let base = self::base(None, Normalisation::Symmetric);
    let resolvent = Resolvent::new(base.sparse().unwrap(), 0.99);
    let refused = resolvent.solve(None, rhs, 1e-8, 500, &mut stop);
    assert!(matches!(refused, Err(Error::Cancelled { .. })));
}

#[test]
fn modes_in_pieces_are_the_modes_one_sample_after_the_other() {
    let n = 30_000;
    let component: Vec<u32> = (0..n).map(|i| (i % 7 % 5) as u32).collect();
    let roots: Vec<f64> = (0..n)
        .map(|i| f64::from(u8::from(i % 3 > 0)) + (i % 11) as f64)
        .collect();
    let modes = isotherm::operator::Modes::new(component.clone(), roots);
    let block = random(n, 3, 15);
    let mut slow = Mat::zeros(5, 3);
    for i in 0..n {
        for j in 0..3 {
            slow[(component[i] as usize, j)] += modes.entry(i) * block[(i, j)];
        }
    }
    let fast = modes.overlaps(block.as_ref());
    close("overlaps", &fast, &slow, 1e-11).unwrap();
    let mut left = block.clone();
    assert_eq!(modes.remove(left.as_mut()), fast);
    let expected = Mat::from_fn(n, 3, |i, j| {
        block[(i, j)] - modes.entry(i) * fast[(component[i] as usize, j)]
    });
    close("remainder", &left, &expected, 1e-13).unwrap();
    assert!(modes.overlaps(left.as_ref()).norm_max() < 1e-12);
}
