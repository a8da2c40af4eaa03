//! Leading eigenpairs against the dense decomposition and known spectra.

use super::lanczos::rings;
use crate::Error;
use crate::data::Graph;
use crate::data::graph::{EdgeRules, GraphBuilder};
use crate::linalg::{Mat, MatMut, MatRef, eigen};
use crate::monitor::{Event, Monitor, Quiet};
use crate::operator::sparse::NormalisedAdjacency;
use crate::operator::{Operator, SpectrumBounds, Symmetric};
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{Leading, LeadingOptions, leading};
use crate::testing::operator::close;
use std::ops::ControlFlow;

/// A diagonal matrix: its eigenvalues are known.
struct Diagonal(Vec<f64>);

impl Operator for Diagonal {
    fn dim(&self) -> usize {
        self.0.len()
    }
    fn apply(
        &self,
        block: MatRef<'_, f64>,
        mut out: MatMut<'_, f64>,
        _: &mut dyn Monitor,
    ) -> crate::Result<()> {
        for j in 0..block.ncols() {
            for i in 0..block.nrows() {
                out[(i, j)] = self.0[i] * block[(i, j)];
            }
        }
        Ok(())
    }
}

impl Symmetric for Diagonal {
    fn spectrum(&self) -> SpectrumBounds {
        let fold = |f: fn(f64, f64) -> f64| self.0.iter().copied().reduce(f).unwrap();
        SpectrumBounds {
            low: fold(f64::min),
            high: fold(f64::max),
        }
    }
}

const OPTIONS: LeadingOptions = LeadingOptions {
    tolerance: 1e-10,
    seed: 5,
    at_most: 100,
};

fn find(operator: &dyn Symmetric, count: usize) -> Leading {
    leading(operator, count, &OPTIONS, &mut Quiet).unwrap()
}

/// Orthonormal vectors with the residuals that are claimed.
fn check(operator: &dyn Symmetric, found: &Leading) {
    let (n, k) = (operator.dim(), found.values.len());
    assert!(found.converged, "{:?}", found.residuals);
    assert_eq!(found.vectors.shape(), (n, k));
    let identity = Mat::<f64>::identity(k, k);
    let gram = found.vectors.transpose() * &found.vectors;
    close("VᵀV and I", &gram, &identity, 1e-12).unwrap();
    let mut image = Mat::zeros(n, k);
    operator
        .apply(found.vectors.as_ref(), image.as_mut(), &mut Quiet)
        .unwrap();
    for j in 0..k {
        let v = found.vectors.col(j);
        let square: f64 = (0..n)
            .map(|i| (image[(i, j)] - found.values[j] * v[i]).powi(2))
            .sum();
        assert!(square.sqrt() <= 2e-10, "pair {j}: {}", square.sqrt());
        assert!((square.sqrt() - found.residuals[j]).abs() < 1e-13);
        let largest = v
            .iter()
            .fold(0.0, |m: f64, x| if x.abs() > m.abs() { *x } else { m });
        assert!(largest > 0.0);
    }
}

/// A path's adjacency is a discrete sine transform: 2cos(πj/(n+1)).
fn path(n: usize) -> Graph {
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for i in 1..n {
        edges.push(i as u32 - 1, i as u32, None).unwrap();
    }
    edges.finish(&mut Quiet).unwrap().0
}

#[test]
fn iterated_pairs_and_the_dense_decomposition_agree() {
    let graph = rings(&[1900]);
    let s = NormalisedAdjacency::new(&graph);
    let mut a = Mat::zeros(1901, 1901);
    let identity = Mat::<f64>::identity(1901, 1901);
    s.apply(identity.as_ref(), a.as_mut(), &mut Quiet).unwrap();
    let dense = eigen::symmetric(a.as_ref()).unwrap();
    for count in [1, 7, 90] {
        let found = find(&s, count);
        check(&s, &found);
        for (j, value) in found.values.iter().enumerate() {
            let expected = dense.values[1900 - j];
            assert!((value - expected).abs() < 1e-12, "{count}: pair {j}");
        }
    }
}

#[test]
fn a_small_operator_and_a_large_share_are_decomposed_whole() {
    let graph = rings(&[60, 20]);
    let s = NormalisedAdjacency::new(&graph);
    for count in [3, 81] {
        let found = find(&s, count);
        check(&s, &found);
        assert!((found.values[0] - 1.0).abs() < 1e-13 && (found.values[1] - 1.0).abs() < 1e-13);
        assert!(found.values.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_fine_spectrum_of_a_long_path_is_found() {
    // The hardest end of all: gaps of 1e-5 beside a spectrum of length 2.
    let graph = path(2500);
    let a = crate::operator::sparse::Sparse::adjacency(&graph);
    struct Path<'a>(crate::operator::sparse::Sparse<'a>);
    impl Operator for Path<'_> {
        fn dim(&self) -> usize {
            self.0.dim()
        }
        fn apply(
            &self,
            block: MatRef<'_, f64>,
            out: MatMut<'_, f64>,
            monitor: &mut dyn Monitor,
        ) -> crate::Result<()> {
            self.0.apply(block, out, monitor)
        }
    }
    impl Symmetric for Path<'_> {
        fn spectrum(&self) -> SpectrumBounds {
            // Known to be bounded, but not where.
            SpectrumBounds {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            }
        }
    }
    let found = find(&Path(a), 12);
    assert!(found.converged, "{:?}", found.residuals);
    for (j, value) in found.values.iter().enumerate() {
        let expected = 2.0 * (std::f64::consts::PI * (j + 1) as f64 / 2501.0).cos();
        assert!(
            (value - expected).abs() < 1e-11,
            "pair {j}: {value} {expected}"
        );
    }
}

#[test]
fn repeated_eigenvalues_are_found_as_often_as_they_occur() {
    // 1 occurs 30 times and ½ 11 times: more copies than a block has columns.
    let n = 2000;
    let value = |i: usize| match i {
        0..30 => 1.0,
        30..41 => 0.5,
        _ => 0.3 * (i as f64).sin(),
    };
    // Where they sit must not matter.
    let operator = Diagonal((0..n).map(|i| value(i * 777 % n)).collect());
    let found = find(&operator, 45);
    check(&operator, &found);
    let mut expected = operator.0.clone();
    expected.sort_by(|a, b| b.total_cmp(a));
    for (j, value) in found.values.iter().enumerate() {
        assert!((value - expected[j]).abs() < 1e-12, "pair {j}: {value}");
    }
}

#[test]
fn an_eigenvalue_repeated_far_beyond_a_block_is_not_missed() {
    // 90 copies at a block of 16, the wanted end full of them, and a bulk below
    // that a hasty second look would take for all there is.
    let value = |i: usize| match i {
        0..90 => 1.0,
        _ => 0.7 * (i as f64 * 0.37).sin(),
    };
    let operator = Diagonal((0..1600).map(|i| value(i * 611 % 1600)).collect());
    let found = find(&operator, 100);
    check(&operator, &found);
    let ones = found.values.iter().filter(|v| (**v - 1.0).abs() < 1e-12);
    assert_eq!(ones.count(), 90);
}

#[test]
fn a_low_rank_operator_fills_up_with_its_zeros() {
    let operator = Diagonal(
        (0..1800)
            .map(|i| if i % 450 == 0 { 2.0 } else { 0.0 })
            .collect(),
    );
    let found = find(&operator, 9);
    check(&operator, &found);
    for (j, value) in found.values.iter().enumerate() {
        assert!((value - if j < 4 { 2.0 } else { 0.0 }).abs() < 1e-12, "{j}");
    }
    let zero = Diagonal(vec![0.0; 1600]);
    assert!(find(&zero, 3).values.iter().all(|v| v.abs() < 1e-15));
}

#[test]
fn pairs_by_component_and_the_dense_decomposition_agree() {
    let graph = rings(&[1700, 12, 3, 3, 40, 2]);
    let s = NormalisedAdjacency::new(&graph);
    let component = graph.components(&mut Quiet).unwrap();
    let n = graph.len();
    let mut a = Mat::zeros(n, n);
    let identity = Mat::<f64>::identity(n, n);
    s.apply(identity.as_ref(), a.as_mut(), &mut Quiet).unwrap();
    let dense = eigen::symmetric(a.as_ref()).unwrap();
    let found = leading_by_component(&s, &component, 50, &OPTIONS, &mut Quiet).unwrap();
    check(&s, &found);
    for (j, value) in found.values.iter().enumerate() {
        assert!((value - dense.values[n - 1 - j]).abs() < 1e-12, "pair {j}");
    }
    // Six components have edges: six ones, the largest first, then by number.
    let home: Vec<u32> = (0..50)
        .map(|j| {
            let inside: Vec<u32> = (0..n)
                .filter(|&i| found.vectors[(i, j)] != 0.0)
                .map(|i| component[i])
                .collect();
            assert!(inside.iter().all(|c| *c == inside[0]), "pair {j}");
            inside[0]
        })
        .collect();
    assert_eq!(home[..6], [0, 4, 1, 2, 3, 5]);
}

#[test]
fn many_small_components_need_no_iteration() {
    // 700 edges and triangles: eigenvalue 1 in each.
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for c in 0..700_u32 {
        edges.push(3 * c, 3 * c + 1, None).unwrap();
        edges.push(3 * c + 1, 3 * c + 2, None).unwrap();
        if c % 2 == 0 {
            edges.push(3 * c, 3 * c + 2, None).unwrap();
        }
    }
    let (graph, _) = edges.finish(&mut Quiet).unwrap();
    let s = NormalisedAdjacency::new(&graph);
    let component = graph.components(&mut Quiet).unwrap();
    let found = leading_by_component(&s, &component, 701, &OPTIONS, &mut Quiet).unwrap();
    assert!(found.converged);
    assert_eq!(found.products, 3);
    assert!(found.values[..700].iter().all(|v| (v - 1.0).abs() < 1e-12));
    assert!(found.values[700].abs() < 1e-12);
    let short = leading_by_component(&s, &component[1..], 2, &OPTIONS, &mut Quiet);
    assert!(matches!(short, Err(Error::Shape { .. })));
}

#[test]
fn the_thread_count_changes_no_bit_of_an_eigenpair() {
    let graph = rings(&[2300, 10]);
    let s = NormalisedAdjacency::new(&graph);
    let component = graph.components(&mut Quiet).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let whole = find(&s, 70);
            let parts = leading_by_component(&s, &component, 20, &OPTIONS, &mut Quiet).unwrap();
            (whole.values, whole.vectors, parts.values, parts.vectors)
        })
    };
    assert!(run(1) == run(2));
}

#[test]
fn running_out_of_restarts_is_said_and_breaks_stop() {
    let graph = path(3000);
    let s = NormalisedAdjacency::new(&graph);
    let options = LeadingOptions {
        tolerance: 1e-15,
        seed: 1,
        at_most: 0,
    };
    let found = leading(&s, 20, &options, &mut Quiet).unwrap();
    assert!(!found.converged);
    assert!(found.residuals.iter().all(|r| r.is_finite()));
    let mut ticks = 0;
    let mut monitor = |_: Event| {
        ticks += 1;
        if ticks == 200 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let error = leading(&s, 20, &OPTIONS, &mut monitor).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
}

#[test]
fn impossible_requests_are_refused() {
    let operator = Diagonal(vec![1.0; 5]);
    for count in [0, 6] {
        let error = leading(&operator, count, &OPTIONS, &mut Quiet).unwrap_err();
        assert!(matches!(error, Error::Parameter { .. }), "{error}");
    }
    let options = LeadingOptions {
        tolerance: 0.0,
        ..OPTIONS
    };
    assert!(leading(&operator, 1, &options, &mut Quiet).is_err());
}
